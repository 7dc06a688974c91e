#include "stand_in_library.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <limits>
#include <map>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include <hdf5.h>
#include <sys/stat.h>

#include "stand_in_tree.hpp"

namespace halfulp::fuzzing {

namespace {

// A file, however it is named.
using Identity = std::pair<dev_t, ino_t>;

std::optional<std::pair<Identity, hsize_t>> identity_of(const char* path)
{
    struct stat status {};
    if (::stat(path, &status) != 0) return {};
    return std::pair{Identity{status.st_dev, status.st_ino}, static_cast<hsize_t>(status.st_size)};
}

StandInPlace tree_of(const char* path)
{
    std::ifstream stream(path, std::ios::binary | std::ios::ate);
    std::vector<std::uint8_t> bytes(static_cast<std::size_t>(stream.tellg()));
    stream.seekg(0);
    stream.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    return read_as_written(bytes);
}

// What an identifier stands for; a property list has nothing of it.
struct Open {
    enum class Kind { none, object, attribute, space, type, list } kind = Kind::none;
    StandInPlace object = {};             // of a dataset's own list and of an attribute, too
    const StandInValue* value = nullptr;  // of a dataset or an attribute
    StandInType type = {};
    hsize_t file_size = 0;  // of the file with the object
    std::size_t next = 0;   // link of a group: most are asked for one after another
};

class Library {
public:
    std::map<Identity, StandInPlace> known;
    std::map<Identity, StandInPlace> crafted;
    std::uint32_t fails = 0;  // the call that does, from now on; 0: none

    // Whether the next call is the one that fails.
    bool failing() { return fails > 0 && --fails == 0; }

    hid_t add(Open one)
    {
        std::size_t place = 0;
        while (place < open_.size() && open_[place].kind != Open::Kind::none) ++place;
        if (place == open_.size()) open_.emplace_back();
        open_[place] = std::move(one);
        return first + static_cast<hid_t>(place);
    }
    Open& at(hid_t id)
    {
        if (id < first || id >= first + static_cast<hid_t>(open_.size()) ||
            open_[static_cast<std::size_t>(id - first)].kind == Open::Kind::none)
            std::abort();  // a call with an identifier that is not open
        return open_[static_cast<std::size_t>(id - first)];
    }
    herr_t close(hid_t id)
    {
        at(id);
        open_[static_cast<std::size_t>(id - first)] = {};
        return 0;
    }
    // But for lists and types, which the program keeps.
    [[nodiscard]] bool any_open() const
    {
        for (const Open& one : open_) {
            if (one.kind == Open::Kind::object || one.kind == Open::Kind::attribute || one.kind == Open::Kind::space)
                return true;
        }
        return false;
    }
    void close_all_objects()
    {
        for (Open& one : open_) {
            if (one.kind == Open::Kind::object || one.kind == Open::Kind::attribute || one.kind == Open::Kind::space)
                one = {};
        }
    }

    static constexpr hid_t first = 1000;

private:
    std::vector<Open> open_;
};

Library& library()
{
    static Library library;
    return library;
}

const StandInLink* find_link(Open& parent, const char* name)
{
    const std::vector<StandInLink>& links = parent.object->links;
    for (std::size_t k = 0; k < links.size(); ++k) {
        const std::size_t which = (parent.next + k) % links.size();
        if (links[which].name != name) continue;
        parent.next = which;
        return &links[which];
    }
    return nullptr;
}

hid_t open_link(hid_t parent, const char* name, bool group)
{
    if (library().failing()) return -1;
    const StandInLink* const link = find_link(library().at(parent), name);
    if (link == nullptr || !link->to || link->to->is_group != group) return -1;
    const StandInPlace to = link->to;
    return library().add(
        {.kind = Open::Kind::object, .object = to, .value = &to->value, .file_size = library().at(parent).file_size});
}

// Of the memory: native numbers and strings of any length.
const std::map<hid_t, StandInType>& native_types()
{
    static const std::map<hid_t, StandInType> types{
        {H5T_NATIVE_FLOAT_g, {H5T_FLOAT, 4}},         {H5T_NATIVE_DOUBLE_g, {H5T_FLOAT, 8}},
        {H5T_NATIVE_INT32_g, {H5T_INTEGER, 4, true}}, {H5T_NATIVE_UINT32_g, {H5T_INTEGER, 4}},
        {H5T_NATIVE_UINT8_g, {H5T_INTEGER, 1}},       {H5T_NATIVE_UINT64_g, {H5T_INTEGER, 8}},
        {H5T_IEEE_F32LE_g, {H5T_FLOAT, 4}},           {H5T_IEEE_F64LE_g, {H5T_FLOAT, 8}},
        {H5T_STD_I32LE_g, {H5T_INTEGER, 4, true}},    {H5T_STD_U32LE_g, {H5T_INTEGER, 4}},
        {H5T_STD_U8LE_g, {H5T_INTEGER, 1}},           {H5T_C_S1_g, {H5T_STRING, 1}}};
    return types;
}

StandInType type_at(hid_t id)
{
    const auto native = native_types().find(id);
    return native != native_types().end() ? native->second : library().at(id).type;
}

hsize_t count_of(const StandInValue& value)
{
    hsize_t count = 1;
    for (const hsize_t length : value.extent) count *= length;
    return count;
}

// One number of a file, in its own width; or of memory.
struct Number {
    bool real = false;
    double value = 0;
    bool negative = false;
    std::uint64_t whole = 0;  // of the absolute value
};

bool is_number(const StandInType& type)
{
    if (type.kind == H5T_FLOAT) return type.size == 4 || type.size == 8;
    return type.kind == H5T_INTEGER && (type.size == 1 || type.size == 4 || type.size == 8);
}

Number number_of(const StandInType& type, const std::uint8_t* bytes)
{
    std::uint8_t own[8] = {};
    for (std::size_t k = 0; k < type.size; ++k) own[k] = bytes[type.big_endian ? type.size - 1 - k : k];
    Number number;
    if (type.kind == H5T_FLOAT) {
        number.real = true;
        if (type.size == 8) std::memcpy(&number.value, own, 8);
        float narrow = 0;
        std::memcpy(&narrow, own, 4);
        if (type.size == 4) number.value = narrow;
        return number;
    }
    std::uint64_t bits = 0;
    std::memcpy(&bits, own, 8);
    const std::uint64_t sign = std::uint64_t{1} << (8 * type.size - 1);
    number.negative = type.is_signed && (bits & sign) != 0;
    if (number.negative) bits |= ~(sign - 1);
    number.whole = number.negative ? ~bits + 1 : bits;
    return number;
}

template <class Whole>
Whole clamped(const Number& number)
{
    using Limits = std::numeric_limits<Whole>;
    if (number.real) {
        if (!(number.value > static_cast<double>(Limits::min()))) return Limits::min();  // and where it is none
        if (number.value >= static_cast<double>(Limits::max())) return Limits::max();
        return static_cast<Whole>(number.value);
    }
    if (number.negative) {
        if (Limits::min() == 0) return 0;
        const auto least = static_cast<std::uint64_t>(Limits::max()) + 1;
        return number.whole >= least ? Limits::min() : static_cast<Whole>(-static_cast<std::int64_t>(number.whole));
    }
    return number.whole > static_cast<std::uint64_t>(Limits::max()) ? Limits::max() : static_cast<Whole>(number.whole);
}

template <class Value>
void store(void* to, std::size_t k, Value value)
{
    std::memcpy(static_cast<std::uint8_t*>(to) + k * sizeof value, &value, sizeof value);
}

float narrowed(double value)
{
    if (std::abs(value) <= static_cast<double>(std::numeric_limits<float>::max()) || !std::isfinite(value))
        return static_cast<float>(value);
    return value > 0 ? std::numeric_limits<float>::infinity() : -std::numeric_limits<float>::infinity();
}

herr_t read_value(const StandInValue& value, hid_t in_memory, void* to)
{
    if (library().failing()) return -1;
    const StandInType wanted = type_at(in_memory);
    if (wanted.kind == H5T_STRING) {
        if (value.type.kind != H5T_STRING || !value.type.variable) return -1;
        char* text = nullptr;
        if (!value.text.empty()) {
            text = static_cast<char*>(std::malloc(value.text.size() + 1));
            if (text == nullptr) return -1;
            std::memcpy(text, value.text.c_str(), value.text.size() + 1);
        }
        std::memcpy(to, static_cast<const void*>(&text), sizeof text);
        return 0;
    }
    if (!is_number(value.type) || !is_number(wanted)) return -1;
    const std::size_t size = value.type.size;
    const std::size_t count = count_of(value);
    if (value.type == wanted) {
        const std::size_t has = std::min(count * size, value.numbers.size());
        if (has > 0) std::memcpy(to, value.numbers.data(), has);
        std::memset(static_cast<std::uint8_t*>(to) + has, 0, count * size - has);
        return 0;
    }
    for (std::size_t k = 0; k < count; ++k) {
        std::uint8_t bytes[8] = {};
        for (std::size_t b = 0; b < size && k * size + b < value.numbers.size(); ++b)
            bytes[b] = value.numbers[k * size + b];
        const Number number = number_of(value.type, bytes);
        double real = number.value;
        if (!number.real) real = (number.negative ? -1.0 : 1.0) * static_cast<double>(number.whole);
        if (wanted.kind == H5T_FLOAT && wanted.size == 8) store(to, k, real);
        else if (wanted.kind == H5T_FLOAT) store(to, k, narrowed(real));
        else if (wanted.size == 1) store(to, k, clamped<std::uint8_t>(number));
        else if (wanted.size == 4 && wanted.is_signed) store(to, k, clamped<std::int32_t>(number));
        else if (wanted.size == 4) store(to, k, clamped<std::uint32_t>(number));
        else store(to, k, clamped<std::uint64_t>(number));
    }
    return 0;
}

hid_t open_type(const StandInValue& value)
{
    if (library().failing()) return -1;
    return library().add({.kind = Open::Kind::type, .type = value.type});
}

// With the object that has the value.
hid_t open_space(const Open& of)
{
    if (library().failing()) return -1;
    return library().add({.kind = Open::Kind::space, .object = of.object, .value = of.value});
}

}  // namespace

void know(const std::filesystem::path& file)
{
    if (const auto is = identity_of(file.c_str())) library().known[is->first] = tree_of(file.c_str());
}

void craft_answers(const std::filesystem::path& file, Source& source)
{
    const auto is = identity_of(file.c_str());
    if (!is) throw std::logic_error("there is no file to craft");
    const auto known = library().known.find(is->first);
    if (known == library().known.end()) throw std::logic_error("a file to craft was not read before");
    library().crafted[is->first] = edited(known->second, source, library().fails);
}

void answer_as_written()
{
    library().crafted.clear();
    library().fails = 0;
    if (!library().any_open()) return;
    library().close_all_objects();
    throw std::logic_error("a command left a file or what is in it open");
}

}  // namespace halfulp::fuzzing

// NOLINTBEGIN: names, parameters and linkage are those of the HDF5 library
using halfulp::fuzzing::library;
using halfulp::fuzzing::Open;
using halfulp::fuzzing::StandInLink;
using halfulp::fuzzing::StandInPlace;
using halfulp::fuzzing::StandInValue;

extern "C" {

hid_t H5T_NATIVE_FLOAT_g = 1;
hid_t H5T_NATIVE_DOUBLE_g = 2;
hid_t H5T_NATIVE_INT32_g = 3;
hid_t H5T_NATIVE_UINT32_g = 4;
hid_t H5T_NATIVE_UINT8_g = 5;
hid_t H5T_NATIVE_UINT64_g = 6;
hid_t H5T_IEEE_F32LE_g = 7;
hid_t H5T_IEEE_F64LE_g = 8;
hid_t H5T_STD_I32LE_g = 9;
hid_t H5T_STD_U32LE_g = 10;
hid_t H5T_STD_U8LE_g = 11;
hid_t H5T_C_S1_g = 12;
hid_t H5P_CLS_FILE_ACCESS_ID_g = 13;
hid_t H5P_CLS_DATASET_XFER_ID_g = 14;

herr_t H5open() { return 0; }

herr_t H5Eget_auto2(hid_t, H5E_auto2_t* function, void** data)
{
    *function = nullptr;
    *data = nullptr;
    return 0;
}
herr_t H5Eset_auto2(hid_t, H5E_auto2_t, void*) { return 0; }
herr_t H5Ewalk2(hid_t, H5E_direction_t, H5E_walk2_t function, void* data)
{
    H5E_error2_t record{};
    record.desc = "the stand-in does not do that";
    return function(0, &record, data);
}
herr_t H5free_memory(void* memory)
{
    std::free(memory);
    return 0;
}

hid_t H5Fopen(const char* path, unsigned, hid_t)
{
    if (library().failing()) return -1;
    const auto is = halfulp::fuzzing::identity_of(path);
    if (!is) return -1;
    StandInPlace tree;
    for (const auto* trees : {&library().crafted, &library().known}) {
        const auto found = trees->find(is->first);
        if (!tree && found != trees->end()) tree = found->second;
    }
    if (!tree) tree = halfulp::fuzzing::tree_of(path);
    return library().add({.kind = Open::Kind::object, .object = tree, .value = &tree->value, .file_size = is->second});
}
herr_t H5Fclose(hid_t id) { return library().close(id); }
hid_t H5Iget_file_id(hid_t id)
{
    if (library().failing()) return -1;
    return library().add(Open(library().at(id)));
}
herr_t H5Fget_filesize(hid_t id, hsize_t* size)
{
    *size = library().at(id).file_size;
    return 0;
}

hid_t H5Gopen2(hid_t parent, const char* name, hid_t) { return halfulp::fuzzing::open_link(parent, name, true); }
herr_t H5Gclose(hid_t id) { return library().close(id); }

herr_t H5Lget_info(hid_t group, const char* name, H5L_info_t* info, hid_t)
{
    if (library().failing()) return -1;
    const StandInLink* const link = halfulp::fuzzing::find_link(library().at(group), name);
    if (link == nullptr) return -1;
    *info = {};
    info->type = link->type;
    return 0;
}
htri_t H5Lexists(hid_t group, const char* name, hid_t)
{
    if (library().failing()) return -1;
    return halfulp::fuzzing::find_link(library().at(group), name) != nullptr ? 1 : 0;
}
herr_t H5Literate(hid_t group, H5_index_t, H5_iter_order_t, hsize_t*, H5L_iterate_t function, void* data)
{
    if (library().failing()) return -1;
    const StandInPlace object = library().at(group).object;
    const H5L_info_t info{};
    for (const StandInLink& link : object->links) {
        if (const herr_t status = function(group, link.name.c_str(), &info, data); status != 0) return status;
    }
    return 0;
}

hid_t H5Dopen2(hid_t group, const char* name, hid_t) { return halfulp::fuzzing::open_link(group, name, false); }
herr_t H5Dclose(hid_t id) { return library().close(id); }
hid_t H5Dget_space(hid_t id) { return halfulp::fuzzing::open_space(library().at(id)); }
hid_t H5Dget_type(hid_t id) { return halfulp::fuzzing::open_type(*library().at(id).value); }
hsize_t H5Dget_storage_size(hid_t id) { return library().at(id).object->stored; }
haddr_t H5Dget_offset(hid_t id) { return library().at(id).object->placed ? haddr_t{2048} : HADDR_UNDEF; }
hid_t H5Dget_create_plist(hid_t id)
{
    if (library().failing()) return -1;
    return library().add({.kind = Open::Kind::list, .object = library().at(id).object});
}
herr_t H5Dread(hid_t id, hid_t in_memory, hid_t, hid_t, hid_t, void* to)
{
    return halfulp::fuzzing::read_value(*library().at(id).value, in_memory, to);
}

hid_t H5Pcreate(hid_t) { return library().add({.kind = Open::Kind::list}); }
herr_t H5Pclose(hid_t id) { return library().close(id); }
herr_t H5Pset_buffer(hid_t, size_t, void*, void*) { return 0; }
herr_t H5Pset_file_locking(hid_t, hbool_t, hbool_t) { return 0; }
H5D_layout_t H5Pget_layout(hid_t id) { return library().at(id).object->layout; }
int H5Pget_external_count(hid_t id) { return library().at(id).object->external; }
int H5Pget_nfilters(hid_t id) { return static_cast<int>(library().at(id).object->filters.size()); }
H5Z_filter_t H5Pget_filter2(hid_t id, unsigned which, unsigned*, size_t*, unsigned*, size_t, char*, unsigned*)
{
    return library().at(id).object->filters[which];
}

hid_t H5Aopen(hid_t id, const char* name, hid_t)
{
    if (library().failing()) return -1;
    const StandInPlace object = library().at(id).object;
    for (const auto& [own, value] : object->attributes) {
        if (own == name) return library().add({.kind = Open::Kind::attribute, .object = object, .value = &value});
    }
    return -1;
}
htri_t H5Aexists(hid_t id, const char* name)
{
    if (library().failing()) return -1;
    const StandInPlace object = library().at(id).object;
    return std::ranges::any_of(object->attributes, [&](const auto& one) { return one.first == name; }) ? 1 : 0;
}
herr_t H5Aclose(hid_t id) { return library().close(id); }
hid_t H5Aget_space(hid_t id) { return halfulp::fuzzing::open_space(library().at(id)); }
hid_t H5Aget_type(hid_t id) { return halfulp::fuzzing::open_type(*library().at(id).value); }
herr_t H5Aread(hid_t id, hid_t in_memory, void* to)
{
    return halfulp::fuzzing::read_value(*library().at(id).value, in_memory, to);
}
herr_t H5Aiterate2(hid_t id, H5_index_t, H5_iter_order_t, hsize_t*, H5A_operator2_t function, void* data)
{
    if (library().failing()) return -1;
    const StandInPlace object = library().at(id).object;
    const H5A_info_t info{};
    for (const auto& [name, value] : object->attributes) {
        if (const herr_t status = function(id, name.c_str(), &info, data); status != 0) return status;
    }
    return 0;
}

herr_t H5Sclose(hid_t id) { return library().close(id); }
hssize_t H5Sget_simple_extent_npoints(hid_t id)
{
    return static_cast<hssize_t>(halfulp::fuzzing::count_of(*library().at(id).value));
}
int H5Sget_simple_extent_ndims(hid_t id) { return static_cast<int>(library().at(id).value->extent.size()); }
int H5Sget_simple_extent_dims(hid_t id, hsize_t* lengths, hsize_t*)
{
    const std::vector<hsize_t>& extent = library().at(id).value->extent;
    for (std::size_t k = 0; k < extent.size(); ++k) lengths[k] = extent[k];
    return static_cast<int>(extent.size());
}

hid_t H5Tcopy(hid_t id) { return library().add({.kind = Open::Kind::type, .type = halfulp::fuzzing::type_at(id)}); }
herr_t H5Tclose(hid_t id) { return library().close(id); }
htri_t H5Tequal(hid_t a, hid_t b)
{
    if (library().failing()) return -1;
    return halfulp::fuzzing::type_at(a) == halfulp::fuzzing::type_at(b) ? 1 : 0;
}
H5T_class_t H5Tget_class(hid_t id) { return halfulp::fuzzing::type_at(id).kind; }
size_t H5Tget_size(hid_t id) { return halfulp::fuzzing::type_at(id).size; }
htri_t H5Tis_variable_str(hid_t id) { return halfulp::fuzzing::type_at(id).variable ? 1 : 0; }
herr_t H5Tset_size(hid_t, size_t) { return 0; }
herr_t H5Tset_cset(hid_t, H5T_cset_t) { return 0; }

}  // extern "C"
// NOLINTEND
