#include "core/output/run_files.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "core/error.hpp"

namespace halfulp {

namespace fs = std::filesystem;

namespace {

constexpr hsize_t row_chunk = 1024;                       // of the ledger and of probes
constexpr std::uint64_t metadata_allowance = 128 * 1024;  // bytes HDF5 may add to the data of one call

std::string words(int error) { return std::generic_category().message(error); }

// The lists of links: /outputs grows by one link an output. A roomy name table and wide leaves keep HDF5 from moving
// them about, which a crash could interrupt.
Hdf5Id create_file(const fs::path& path)
{
    const Hdf5Id creation(H5Pcreate(H5P_FILE_CREATE), H5Pclose);
    hdf5_check(H5Pset_sym_k(creation, 32, 64));
    return {H5Fcreate(path.c_str(), H5F_ACC_TRUNC, creation, file_access()), H5Fclose};
}

Hdf5Id create_outputs_group(hid_t file)
{
    const Hdf5Id creation(H5Pcreate(H5P_GROUP_CREATE), H5Pclose);
    hdf5_check(H5Pset_local_heap_size_hint(creation, 32 * 1024));
    return {H5Gcreate2(file, "outputs", H5P_DEFAULT, creation, H5P_DEFAULT), H5Gclose};
}

// Members are listed in the order in which they were created.
Hdf5Id create_ordered_group(hid_t parent, const char* name)
{
    const Hdf5Id creation(H5Pcreate(H5P_GROUP_CREATE), H5Pclose);
    hdf5_check(H5Pset_link_creation_order(creation, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED));
    return {H5Gcreate2(parent, name, H5P_DEFAULT, creation, H5P_DEFAULT), H5Gclose};
}

ProbeFiles create_probe(hid_t probes, const ProbeSeries& series)
{
    ProbeFiles probe;
    probe.group = create_ordered_group(probes, series.name.c_str());
    for (const auto& [key, value] : series.description) write_attribute(probe.group, key.c_str(), value);
    write_attribute(probe.group, "filter_width", series.filter);
    for (const ProbeColumn& column : series.columns)
        probe.columns.push_back(create_growing_column(probe.group, column.name, column.unit));
    return probe;
}

}  // namespace

void TableChecksum::append(const std::vector<std::vector<double>>& columns)
{
    for (std::size_t row = 0; row < columns.front().size(); ++row) {
        for (const std::vector<double>& column : columns) checksum_.absorb(column[row]);
    }
}

void TableChecksum::write(hid_t group, std::uint64_t rows) const
{
    const StateHash value = checksum_.value();
    const std::array numbers{rows, value.words[0], value.words[1]};
    for (std::size_t k = 0; k < numbers.size(); ++k) replace_attribute(group, checksum_attributes[k], numbers[k]);
}

FolderLock::~FolderLock()
{
    if (descriptor_ >= 0) ::close(descriptor_);
}

void FolderLock::take(const fs::path& folder)
{
    descriptor_ = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor_ < 0 || ::flock(descriptor_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return;
    throw output_error(
        fmt::format("another halfulp is writing a run into {}: choose another folder, or wait until it has ended.",
                    folder.string()));
}

Hdf5Id create_growing_column(hid_t group, const std::string& name, const std::string& unit)
{
    const hsize_t none = 0;
    const hsize_t unlimited = H5S_UNLIMITED;
    const Hdf5Id space(H5Screate_simple(1, &none, &unlimited), H5Sclose);
    const Hdf5Id layout(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    hdf5_check(H5Pset_chunk(layout, 1, &row_chunk));
    Hdf5Id dataset(H5Dcreate2(group, name.c_str(), H5T_IEEE_F64LE, space, H5P_DEFAULT, layout, H5P_DEFAULT), H5Dclose);
    write_attribute(dataset, "unit", unit);
    return dataset;
}

void append_values(hid_t dataset, hsize_t length, const std::vector<double>& values)
{
    const hsize_t added = values.size();
    const hsize_t total = length + added;
    hdf5_check(H5Dset_extent(dataset, &total));
    const Hdf5Id in_file(H5Dget_space(dataset), H5Sclose);
    hdf5_check(H5Sselect_hyperslab(in_file, H5S_SELECT_SET, &length, nullptr, &added, nullptr));
    const Hdf5Id in_memory(H5Screate_simple(1, &added, nullptr), H5Sclose);
    hdf5_check(H5Dwrite(dataset, H5T_NATIVE_DOUBLE, in_memory, in_file, H5P_DEFAULT, values.data()));
}

void put_provenance(hid_t group, const Provenance& provenance)
{
    for (const auto& [key, value] : provenance) {
        if (hdf5_check(H5Aexists(group, key.c_str())) > 0) hdf5_check(H5Adelete(group, key.c_str()));
        write_attribute(group, key.c_str(), value);
    }
    Provenance all;
    for (const std::string& key : attribute_names(group)) {
        if (key != "checksum") all.emplace(key, read_string_attribute(group, key.c_str()));
    }
    if (hdf5_check(H5Aexists(group, "checksum")) > 0) hdf5_check(H5Adelete(group, "checksum"));
    write_attribute(group, "checksum", checksum_of(all).text());
}

std::vector<std::vector<double>> columns_of(const std::vector<LedgerRow>& rows)
{
    std::vector<std::vector<double>> values(ledger_columns.size());
    for (std::size_t c = 0; c < values.size(); ++c) {
        for (const LedgerRow& row : rows) values[c].push_back(row.*ledger_columns[c].member);
    }
    return values;
}

std::string ledger_heading(int dimensions)
{
    std::vector<std::pair<std::string_view, std::string_view>> columns;
    for (const LedgerColumn& column : ledger_columns)
        columns.emplace_back(column.name, ledger_unit(column, dimensions));
    return heading_line(columns);
}

std::string heading_of(const ProbeSeries& series)
{
    std::vector<std::pair<std::string_view, std::string_view>> columns;
    for (const ProbeColumn& column : series.columns) columns.emplace_back(column.name, column.unit);
    return heading_line(columns);
}

void remove_files(const fs::path& folder, const std::string& beginning, const std::string& ending)
{
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
        const std::string name = entry.path().filename().string();
        if (name.starts_with(beginning) && name.ends_with(ending)) fs::remove(entry.path(), error);
    }
}

std::uint64_t bytes_of_rows(std::size_t rows, std::size_t columns)
{
    return (rows / row_chunk + 1) * row_chunk * columns * sizeof(double);
}

void RunWriter::Files::on_file(const std::string& doing, const std::function<void()>& action)
{
    const SilentHdf5 silent;
    if (!failure.empty()) throw output_error(failure);
    try {
        action();
    } catch (const Hdf5Failure& cause) {
        failure = fmt::format("cannot write {} to {}: {}.", doing, path.string(), cause.what());
        if (descriptor >= 0 && superblock_known)
            static_cast<void>(::pwrite(descriptor, superblock.data(), superblock.size(), 0) > 0);
        for (Hdf5Id* id : {&ledger_group, &outputs, &provenance, &vertices, &file}) id->abandon();
        for (Hdf5Id& id : ledger) id.abandon();
        for (ProbeFiles& probe : probes) {
            probe.group.abandon();
            for (Hdf5Id& id : probe.columns) id.abandon();
        }
        throw output_error(failure);
    }
}

off_t RunWriter::Files::length() const
{
    hsize_t bytes = 0;
    hdf5_check(H5Fget_filesize(file, &bytes));
    return static_cast<off_t>(bytes);
}

void RunWriter::Files::reserve(const std::string& doing, std::uint64_t bytes) const
{
    bytes += metadata_allowance;
    struct stat before {};
    if (fstat(descriptor, &before) != 0) return;
    const int error = posix_fallocate(descriptor, length(), static_cast<off_t>(bytes));
    if (error != ENOSPC && error != EFBIG && error != EDQUOT && error != EIO) return;
    static_cast<void>(::ftruncate(descriptor, before.st_size) == 0);
    std::error_code ignored;
    const fs::space_info space = fs::space(folder, ignored);
    const bool full = error == ENOSPC && !ignored;
    throw output_error(
        fmt::format("cannot write {} to {}: {} (needs {:.1f} MB{}){}.", doing, path.string(), words(error),
                    static_cast<double>(bytes) * 1e-6,
                    full ? fmt::format(", {:.1f} MB free", static_cast<double>(space.available) * 1e-6) : "",
                    output_count > 0 ? "; the outputs before it are kept" : ""));
}

fs::path RunWriter::Files::table_of(const ProbeSeries& series) const
{
    return folder / "probes" / (series.name + ".csv");
}

void RunWriter::Files::begin_tables(const std::vector<ProbeSeries>& series)
{
    remove_files(folder / "probes", "", ".csv");
    if (series.empty()) return;
    std::error_code error;
    fs::create_directories(folder / "probes", error);
    if (error) {
        throw output_error(
            fmt::format("cannot create the folder {}: {}.", (folder / "probes").string(), error.message()));
    }
    for (std::size_t k = 0; k < series.size(); ++k)
        probes[k].text = TextTable(table_of(series[k]), heading_of(series[k]));
}

void RunWriter::Files::settle()
{
    static_cast<void>(::ftruncate(descriptor, length()) == 0);
    const ssize_t size = static_cast<ssize_t>(superblock.size());
    superblock_known = ::pread(descriptor, superblock.data(), superblock.size(), 0) == size;
}

void RunWriter::Files::know_descriptor()
{
    void* handle = nullptr;
    hdf5_check(H5Fget_vfd_handle(file, H5P_DEFAULT, &handle));
    descriptor = *static_cast<int*>(handle);
}

void RunWriter::Files::create(const fs::path& fresh, int dimensions, const std::string& case_given,
                              const std::string& case_completed, const Provenance& entries,
                              const std::vector<ProbeSeries>& series)
{
    file = create_file(fresh);
    know_descriptor();
    std::uint64_t bytes = case_given.size() + case_completed.size();
    for (const ProbeSeries& one : series) bytes += bytes_of_rows(1, one.columns.size());
    reserve("the run's beginning", bytes);
    write_attribute(file, "format", "halfulp run");
    write_attribute(file, "format_version", std::uint64_t{1});
    write_attribute(file, "dimensions", static_cast<std::uint64_t>(dimensions));
    const Hdf5Id texts(H5Gcreate2(file, "case", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
    write_string(texts, "given", case_given);
    write_string(texts, "completed", case_completed);
    write_attribute(texts, "checksum", checksum_of(case_given, case_completed).text());
    provenance = {H5Gcreate2(file, "provenance", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose};
    put_provenance(provenance, entries);
    outputs = create_outputs_group(file);
    vertices = {H5Gcreate2(file, "vertices", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose};
    ledger_group = {H5Gcreate2(file, "ledger", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose};
    for (const LedgerColumn& column : ledger_columns) {
        ledger.push_back(create_growing_column(ledger_group, std::string(column.name),
                                               std::string(ledger_unit(column, dimensions))));
    }
    if (!series.empty()) {
        const Hdf5Id all = create_ordered_group(file, "probes");
        for (const ProbeSeries& one : series) probes.push_back(create_probe(all, one));
    }
    flush();
    settle();
}

}  // namespace halfulp
