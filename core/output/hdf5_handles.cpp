#include "core/output/hdf5_handles.hpp"

#include <vector>

#include <memory>
#include <string_view>

namespace halfulp {
namespace {

std::recursive_mutex& library_in_use()
{
    static std::recursive_mutex mutex;
    return mutex;
}

struct Cause {
    std::string system;     // errno as text
    std::string innermost;  // the record closest to the failure
};

herr_t collect(unsigned, const H5E_error2_t* record, void* data)
{
    auto& cause = *static_cast<Cause*>(data);
    const std::string_view text = record->desc ? record->desc : "";
    if (cause.innermost.empty()) cause.innermost = text;
    constexpr std::string_view mark = "error message = '";
    if (const auto at = text.find(mark); at != text.npos && cause.system.empty()) {
        const auto begin = at + mark.size();
        cause.system = text.substr(begin, text.find('\'', begin) - begin);
    }
    return 0;
}

// Identifiers that are the same wherever they are used are created once, and never closed.
template <class Make>
hid_t kept(const Make& make)
{
    Hdf5Id made = make();
    return made.abandon();
}

template <class T>
T read_scalar(hid_t attribute, const char* name, hid_t in_memory)
{
    const Hdf5Id space(H5Aget_space(attribute), H5Sclose);
    if (H5Sget_simple_extent_npoints(space) != 1)
        throw Hdf5Failure(std::string("attribute ") + name + " is not one value");
    T value{};
    hdf5_check(H5Aread(attribute, in_memory, &value));
    return value;
}

Hdf5Id open_attribute(hid_t object, const char* name) { return {H5Aopen(object, name, H5P_DEFAULT), H5Aclose}; }

struct FreeHdf5 {
    void operator()(char* text) const { H5free_memory(text); }
};

// HDF5 gives a null pointer for an empty string.
std::string take(char* text)
{
    const std::unique_ptr<char, FreeHdf5> owner(text);
    return text ? std::string(text) : std::string();
}

void require_in_this_file(hid_t group, const char* name)
{
    H5L_info_t link;
    hdf5_check(H5Lget_info(group, name, &link, H5P_DEFAULT));
    if (link.type != H5L_TYPE_HARD) throw Hdf5Failure(std::string(name) + " is a link to somewhere else");
}

// Deflate makes a thousandth of zeros at best.
constexpr double best_compression = 1100;

// Whether numbers lie one after another in the file itself, as most do: asking for the place of these is cheaper than
// asking how they were created.
bool is_contiguous(hid_t dataset) { return H5Dget_storage_size(dataset) > 0 && H5Dget_offset(dataset) != HADDR_UNDEF; }

// How a dataset was created: by nothing but shuffle and deflate, in the file itself.
bool is_created_plainly(hid_t dataset)
{
    const Hdf5Id creation(H5Dget_create_plist(dataset), H5Pclose);
    const H5D_layout_t layout = H5Pget_layout(creation);
    bool plain = (layout == H5D_COMPACT || layout == H5D_CONTIGUOUS || layout == H5D_CHUNKED) &&
                 H5Pget_external_count(creation) == 0;
    for (int k = 0; k < H5Pget_nfilters(creation); ++k) {
        unsigned flags = 0;
        std::size_t values = 0;
        const H5Z_filter_t filter =
            H5Pget_filter2(creation, static_cast<unsigned>(k), &flags, &values, nullptr, 0, nullptr, nullptr);
        plain = plain && (filter == H5Z_FILTER_SHUFFLE || filter == H5Z_FILTER_DEFLATE);
    }
    return plain;
}

// Bytes of the file in which an object is.
hsize_t size_of_file(hid_t object)
{
    const Hdf5Id file(H5Iget_file_id(object), H5Fclose);
    hsize_t size = 0;
    hdf5_check(H5Fget_filesize(file, &size));
    return size;
}

void require_plain_numbers(hid_t dataset, const std::string& name)
{
    if (!is_contiguous(dataset) && !is_created_plainly(dataset))
        throw Hdf5Failure(name + " is not stored as halfulp stores it");
    const Hdf5Id type(H5Dget_type(dataset), H5Tclose);
    double bytes = static_cast<double>(H5Tget_size(type));
    for (const hsize_t length : extent_of(dataset)) bytes *= static_cast<double>(length);
    const hsize_t stored = H5Dget_storage_size(dataset);
    if (stored > size_of_file(dataset)) throw Hdf5Failure(name + " says that it is larger than its file");
    if (bytes > best_compression * static_cast<double>(stored))
        throw Hdf5Failure(name + " says that it is larger than what is stored of it");
}

// To read one string, without the megabyte that HDF5 otherwise takes and clears for each.
hid_t transfer_of_string()
{
    static const hid_t transfer = kept([] {
        Hdf5Id list(H5Pcreate(H5P_DATASET_XFER), H5Pclose);
        hdf5_check(H5Pset_buffer(list, 1024, nullptr, nullptr));
        return list;
    });
    return transfer;
}

void require_variable_string(hid_t type, const char* name)
{
    if (H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) <= 0)
        throw Hdf5Failure(std::string(name) + " is not a string");
}

// The names of a group's links or of an object's attributes, as HDF5 visits them.
template <class Info>
herr_t collect_name(hid_t, const char* name, const Info*, void* names)
{
    static_cast<std::vector<std::string>*>(names)->emplace_back(name);
    return 0;
}

}  // namespace

std::string hdf5_cause()
{
    Cause cause;
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, collect, &cause);
    if (!cause.system.empty()) return cause.system;
    return cause.innermost.empty() ? "HDF5 gives no reason" : "HDF5 says: " + cause.innermost;
}

SilentHdf5::SilentHdf5() : alone_(library_in_use())
{
    H5Eget_auto2(H5E_DEFAULT, &function_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

SilentHdf5::~SilentHdf5() { H5Eset_auto2(H5E_DEFAULT, function_, data_); }

hid_t number_type(ColumnType type)
{
    switch (type) {
    case ColumnType::float32: return H5T_NATIVE_FLOAT;
    case ColumnType::float64: return H5T_NATIVE_DOUBLE;
    case ColumnType::int32: return H5T_NATIVE_INT32;
    case ColumnType::uint32: return H5T_NATIVE_UINT32;
    case ColumnType::uint8: return H5T_NATIVE_UINT8;
    }
    return H5I_INVALID_HID;
}

Hdf5Id open_group(hid_t parent, const char* name)
{
    require_in_this_file(parent, name);
    return {H5Gopen2(parent, name, H5P_DEFAULT), H5Gclose};
}

Hdf5Id open_dataset(hid_t group, const std::string& name)
{
    require_in_this_file(group, name.c_str());
    Hdf5Id dataset(H5Dopen2(group, name.c_str(), H5P_DEFAULT), H5Dclose);
    require_plain_numbers(dataset, name);
    return dataset;
}

std::vector<hsize_t> extent_of(hid_t dataset)
{
    const Hdf5Id space(H5Dget_space(dataset), H5Sclose);
    std::vector<hsize_t> extent(static_cast<std::size_t>(hdf5_check(H5Sget_simple_extent_ndims(space))));
    hdf5_check(H5Sget_simple_extent_dims(space, extent.data(), nullptr));
    return extent;
}

hid_t string_type()
{
    static const hid_t type = kept([] {
        Hdf5Id string(H5Tcopy(H5T_C_S1), H5Tclose);
        hdf5_check(H5Tset_size(string, H5T_VARIABLE));
        hdf5_check(H5Tset_cset(string, H5T_CSET_UTF8));
        return string;
    });
    return type;
}

std::vector<std::string> link_names(hid_t group, H5_index_t order)
{
    std::vector<std::string> names;
    hdf5_check(H5Literate(group, order, H5_ITER_INC, nullptr, collect_name<H5L_info_t>, &names));
    return names;
}

std::vector<std::string> attribute_names(hid_t object)
{
    std::vector<std::string> names;
    hdf5_check(H5Aiterate2(object, H5_INDEX_NAME, H5_ITER_INC, nullptr, collect_name<H5A_info_t>, &names));
    return names;
}

std::string read_string_attribute(hid_t object, const char* name)
{
    const Hdf5Id attribute = open_attribute(object, name);
    require_variable_string(Hdf5Id(H5Aget_type(attribute), H5Tclose), name);
    return take(read_scalar<char*>(attribute, name, string_type()));
}

double read_double_attribute(hid_t object, const char* name)
{
    return read_scalar<double>(open_attribute(object, name), name, H5T_NATIVE_DOUBLE);
}

std::uint64_t read_integer_attribute(hid_t object, const char* name)
{
    return read_scalar<std::uint64_t>(open_attribute(object, name), name, H5T_NATIVE_UINT64);
}

std::string read_string(hid_t group, const char* name)
{
    const Hdf5Id dataset = open_dataset(group, name);
    require_variable_string(Hdf5Id(H5Dget_type(dataset), H5Tclose), name);
    const Hdf5Id space(H5Dget_space(dataset), H5Sclose);
    if (H5Sget_simple_extent_npoints(space) != 1) throw Hdf5Failure(std::string(name) + " is not one string");
    char* text = nullptr;
    hdf5_check(H5Dread(dataset, string_type(), H5S_ALL, H5S_ALL, transfer_of_string(), &text));
    return take(text);
}

hid_t file_access()
{
    static const hid_t access = kept([] {
        Hdf5Id list(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
        hdf5_check(H5Pset_file_locking(list, false, true));
        return list;
    });
    return access;
}

}  // namespace halfulp
