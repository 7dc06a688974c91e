// Writing a run. What is on disk must be readable at every moment, also after a crash or on a full disk:
//   - an output is first written, whole, as a group that nothing refers to, and flushed; only then it is linked into
//     /outputs and flushed again, so that its name never precedes its data;
//   - the space an output needs is asked of the file system before HDF5 touches the file, so that a full disk is found
//     out while the file is still as the last flush left it;
//   - if HDF5 fails all the same, the superblock of the last good flush is put back, for HDF5 goes on flushing after an
//     error and leaves one that counts bytes never written, and the file is abandoned unclosed: closing would flush
//     again.
#include "core/output/run_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <functional>
#include <numeric>
#include <set>
#include <system_error>

#include "core/error.hpp"
#include "core/output/hdf5_handles.hpp"
#include "core/output/text_files.hpp"
#include "core/output/xdmf.hpp"

namespace halfulp {
namespace {

namespace fs = std::filesystem;

constexpr hsize_t row_chunk = 1024;                       // of the ledger and of probes
constexpr std::uint64_t metadata_allowance = 128 * 1024;  // bytes HDF5 may add to the data of one call
constexpr std::array figures{"particles.png", "ledger.png", "front.png"};

std::string words(int error) { return std::generic_category().message(error); }

// Growing a file past the process's limit raises a signal that ends the program; ignored, it is an error like any
// other.
void turn_file_limit_into_an_error()
{
    struct sigaction action {};
    if (sigaction(SIGXFSZ, nullptr, &action) == 0 && action.sa_handler == SIG_DFL) std::signal(SIGXFSZ, SIG_IGN);
}

void check_columns(const Snapshot& snapshot)
{
    for (const Column& column : snapshot.columns)
        if (column.components < 1 ||
            column.data.size() != snapshot.count * static_cast<std::size_t>(column.components) * size_of(column.type))
            throw std::logic_error("column " + column.name + " does not have the size its type and count say");
}

void write_column(hid_t group, const Column& column, std::uint64_t count)
{
    const std::array<hsize_t, 2> extent{count, static_cast<hsize_t>(column.components)};
    const Hdf5Id space(H5Screate_simple(column.components == 1 ? 1 : 2, extent.data(), nullptr), H5Sclose);
    const Hdf5Id dataset(
        H5Dcreate2(group, column.name.c_str(), file_type(column.type), space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
        H5Dclose);
    if (count > 0)
        hdf5_check(H5Dwrite(dataset, memory_type(column.type), H5S_ALL, H5S_ALL, H5P_DEFAULT, column.data.data()));
    write_attribute(dataset, "unit", column.unit);
    write_attribute(dataset, "description", column.description);
    write_attribute(dataset, "state", std::uint64_t{column.state});
}

// An empty column that rows are appended to.
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
}

// The numbers 0 to count - 1: ParaView's second XDMF reader shows no points without a list of them.
void write_vertices(hid_t group, const char* name, hsize_t count)
{
    std::vector<std::uint32_t> numbers(count);
    std::iota(numbers.begin(), numbers.end(), 0u);
    const Hdf5Id space(H5Screate_simple(1, &count, nullptr), H5Sclose);
    const Hdf5Id dataset(H5Dcreate2(group, name, H5T_STD_U32LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                         H5Dclose);
    if (count > 0) hdf5_check(H5Dwrite(dataset, H5T_NATIVE_UINT32, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data()));
}

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

// An output's columns keep their order; their links are few and lie in the group's header.
Hdf5Id create_unlinked_group(hid_t file)
{
    const Hdf5Id creation(H5Pcreate(H5P_GROUP_CREATE), H5Pclose);
    hdf5_check(H5Pset_link_creation_order(creation, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED));
    hdf5_check(H5Pset_link_phase_change(creation, 128, 64));
    return {H5Gcreate_anon(file, creation, H5P_DEFAULT), H5Gclose};
}

// Members are listed in the order in which they were created.
Hdf5Id create_ordered_group(hid_t parent, const char* name)
{
    const Hdf5Id creation(H5Pcreate(H5P_GROUP_CREATE), H5Pclose);
    hdf5_check(H5Pset_link_creation_order(creation, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED));
    return {H5Gcreate2(parent, name, H5P_DEFAULT, creation, H5P_DEFAULT), H5Gclose};
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

// A probe's group and what it grows by.
struct ProbeFiles {
    Hdf5Id group;
    std::vector<Hdf5Id> columns;
    hsize_t length = 0;
    TextTable text;
};

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

// What an earlier run has left.
void remove_files(const fs::path& folder, const std::string& beginning, const std::string& ending)
{
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
        const std::string name = entry.path().filename().string();
        if (name.starts_with(beginning) && name.ends_with(ending)) fs::remove(entry.path(), error);
    }
}

// Room for so many more rows of so many columns: whole chunks.
std::uint64_t bytes_of_rows(std::size_t rows, std::size_t columns)
{
    return (rows / row_chunk + 1) * row_chunk * columns * sizeof(double);
}

}  // namespace

struct RunWriter::Files {
    fs::path folder;
    fs::path path;                           // run.h5
    Hdf5Id file;                             // closed last
    int descriptor = -1;                     // HDF5's own of that file
    std::array<std::byte, 96> superblock{};  // version 0, with offsets of 8 bytes
    bool superblock_known = false;
    Hdf5Id outputs;
    Hdf5Id provenance;
    Hdf5Id vertices;
    std::set<std::uint64_t> vertex_counts;  // those that /vertices has
    std::vector<Hdf5Id> ledger;
    TextTable ledger_text;
    std::vector<ProbeFiles> probes;
    XdmfSeries xdmf{"run.h5"};
    std::uint64_t output_count = 0;
    hsize_t ledger_length = 0;
    std::string failure;  // the sentence of the failure that made the file unusable

    // Runs an action on the HDF5 file. What it throws becomes one sentence, and the file is abandoned as it is on disk.
    void on_file(const std::string& doing, const std::function<void()>& action)
    {
        const SilentHdf5 silent;
        if (!failure.empty()) throw output_error(failure);
        try {
            action();
        } catch (const Hdf5Failure& cause) {
            failure = fmt::format("cannot write {} to {}: {}.", doing, path.string(), cause.what());
            if (descriptor >= 0 && superblock_known)
                static_cast<void>(::pwrite(descriptor, superblock.data(), superblock.size(), 0) > 0);
            for (Hdf5Id* id : {&outputs, &provenance, &vertices, &file}) id->abandon();
            for (Hdf5Id& id : ledger) id.abandon();
            for (ProbeFiles& probe : probes) {
                probe.group.abandon();
                for (Hdf5Id& id : probe.columns) id.abandon();
            }
            throw output_error(failure);
        }
    }

    [[nodiscard]] off_t length() const
    {
        hsize_t bytes = 0;
        hdf5_check(H5Fget_filesize(file, &bytes));
        return static_cast<off_t>(bytes);
    }

    // Has the file system set aside room for `bytes` more, or throws with the file unharmed. A file system that cannot
    // promise room is taken at its word later, when the data are written.
    void reserve(const std::string& doing, std::uint64_t bytes) const
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

    [[nodiscard]] fs::path table_of(const ProbeSeries& series) const
    {
        return folder / "probes" / (series.name + ".csv");
    }

    // Throws an Error naming what cannot be written.
    void begin_tables(const std::vector<ProbeSeries>& series)
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

    void flush() const { hdf5_check(H5Fflush(file, H5F_SCOPE_GLOBAL)); }

    // After a good flush: gives back what was set aside and not used, and keeps a copy of the superblock.
    void settle()
    {
        static_cast<void>(::ftruncate(descriptor, length()) == 0);
        const ssize_t size = static_cast<ssize_t>(superblock.size());
        superblock_known = ::pread(descriptor, superblock.data(), superblock.size(), 0) == size;
    }

    void create(const fs::path& fresh, int dimensions, const std::string& case_given, const std::string& case_completed,
                const Provenance& entries, const std::vector<ProbeSeries>& series)
    {
        file = create_file(fresh);
        void* handle = nullptr;
        hdf5_check(H5Fget_vfd_handle(file, H5P_DEFAULT, &handle));
        descriptor = *static_cast<int*>(handle);
        std::uint64_t bytes = case_given.size() + case_completed.size();
        for (const ProbeSeries& one : series) bytes += bytes_of_rows(1, one.columns.size());
        reserve("the run's beginning", bytes);
        write_attribute(file, "format", "halfulp run");
        write_attribute(file, "format_version", std::uint64_t{1});
        write_attribute(file, "dimensions", static_cast<std::uint64_t>(dimensions));
        const Hdf5Id texts(H5Gcreate2(file, "case", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
        write_string(texts, "given", case_given);
        write_string(texts, "completed", case_completed);
        provenance = {H5Gcreate2(file, "provenance", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose};
        put_provenance(provenance, entries);
        outputs = create_outputs_group(file);
        vertices = {H5Gcreate2(file, "vertices", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose};
        const Hdf5Id rows(H5Gcreate2(file, "ledger", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
        for (const LedgerColumn& column : ledger_columns) {
            ledger.push_back(
                create_growing_column(rows, std::string(column.name), std::string(ledger_unit(column, dimensions))));
        }
        if (!series.empty()) {
            const Hdf5Id all = create_ordered_group(file, "probes");
            for (const ProbeSeries& one : series) probes.push_back(create_probe(all, one));
        }
        flush();
        settle();
    }
};

void RunWriter::refuse_existing(const fs::path& folder)
{
    std::error_code error;
    for (const char* name : {"run.h5", "ledger.csv", "run.xdmf"}) {
        if (!fs::exists(folder / name, error)) continue;
        throw output_error(
            fmt::format("{} exists already: choose another folder, or give --overwrite to replace the run in it.",
                        (folder / name).string()));
    }
}

RunWriter::RunWriter(const fs::path& folder, bool overwrite, int dimensions, const std::string& case_given,
                     const std::string& case_completed, const Provenance& provenance,
                     const std::vector<ProbeSeries>& probes)
    : files_(std::make_unique<Files>())
{
    turn_file_limit_into_an_error();
    Files& f = *files_;
    f.folder = folder;
    f.path = folder / "run.h5";
    const fs::path table = folder / "ledger.csv";
    std::error_code error;
    fs::create_directories(folder, error);
    if (error) throw output_error(fmt::format("cannot create the folder {}: {}.", folder.string(), error.message()));
    if (!overwrite) refuse_existing(folder);

    // The new run begins under other names; only when it stands does it take the old one's place.
    const fs::path fresh = f.path.string() + ".new";
    const fs::path fresh_table = table.string() + ".new";
    try {
        f.on_file("the run's beginning",
                  [&] { f.create(fresh, dimensions, case_given, case_completed, provenance, probes); });
        f.ledger_text = TextTable(fresh_table, ledger_heading(dimensions));
        for (const auto& [from, to] : {std::pair{fresh, f.path}, std::pair{fresh_table, table}}) {
            fs::rename(from, to, error);
            if (error) throw output_error(fmt::format("cannot write {}: {}.", to.string(), error.message()));
        }
    } catch (...) {
        const SilentHdf5 silent;
        files_.reset();
        fs::remove(fresh, error);
        fs::remove(fresh_table, error);
        throw;
    }
    f.ledger_text.renamed(table);
    fs::remove(folder / "run.xdmf", error);
    for (const char* name : figures) fs::remove(folder / "figures" / name, error);
    remove_files(folder / "figures", "probe-", ".png");
    f.begin_tables(probes);
}

RunWriter::~RunWriter()
{
    const SilentHdf5 silent;
    files_.reset();
}

void RunWriter::write_output(const Snapshot& snapshot)
{
    check_columns(snapshot);
    Files& f = *files_;
    const std::string name = fmt::format("{:06}", f.output_count);
    const std::string doing = fmt::format("output {} (t = {:.9g} s)", f.output_count, snapshot.time);
    f.on_file(doing, [&] {
        std::uint64_t bytes = 0;
        for (const Column& column : snapshot.columns) bytes += column.data.size();
        const bool fresh_count = !f.vertex_counts.contains(snapshot.count);
        if (fresh_count) bytes += snapshot.count * sizeof(std::uint32_t);
        f.reserve(doing, bytes);
        if (fresh_count) {
            write_vertices(f.vertices, std::to_string(snapshot.count).c_str(), snapshot.count);
            f.vertex_counts.insert(snapshot.count);
        }
        const Hdf5Id group = create_unlinked_group(f.file);
        for (const Column& column : snapshot.columns) write_column(group, column, snapshot.count);
        write_attribute(group, "step", snapshot.step);
        write_attribute(group, "time", snapshot.time);
        write_attribute(group, "count", snapshot.count);
        write_attribute(group, "hash", snapshot.hash.text());
        write_attribute(group, "complete", std::uint64_t{1});
        f.flush();
        hdf5_check(H5Olink(group, f.outputs, name.c_str(), H5P_DEFAULT, H5P_DEFAULT));
        f.flush();
        f.settle();
    });
    ++f.output_count;
    f.xdmf.add(snapshot, "/outputs/" + name);
    replace_file(f.folder / "run.xdmf", f.xdmf.text());
}

void RunWriter::write_ledger(const std::vector<LedgerRow>& rows)
{
    if (rows.empty()) return;
    Files& f = *files_;
    std::vector<std::vector<double>> values(ledger_columns.size());
    for (std::size_t c = 0; c < values.size(); ++c) {
        for (const LedgerRow& row : rows) values[c].push_back(row.*ledger_columns[c].member);
    }
    f.on_file("the ledger", [&] {
        f.reserve("the ledger", bytes_of_rows(rows.size(), ledger_columns.size()));
        for (std::size_t c = 0; c < values.size(); ++c) append_values(f.ledger[c], f.ledger_length, values[c]);
        f.flush();
        f.settle();
    });
    f.ledger_length += rows.size();
    f.ledger_text.append(row_lines(values));
}

void RunWriter::write_probes(const std::vector<ProbeSeries>& samples)
{
    Files& f = *files_;
    f.on_file("samples of probes", [&] {
        std::uint64_t bytes = 0;
        for (const ProbeSeries& one : samples) bytes += bytes_of_rows(one.time().size(), one.columns.size());
        f.reserve("samples of probes", bytes);
        for (std::size_t k = 0; k < samples.size(); ++k) {
            ProbeFiles& probe = f.probes[k];
            if (samples[k].time().empty()) continue;
            for (std::size_t c = 0; c < samples[k].values.size(); ++c)
                append_values(probe.columns[c], probe.length, samples[k].values[c]);
        }
        f.flush();
        f.settle();
    });
    for (std::size_t k = 0; k < samples.size(); ++k) {
        f.probes[k].length += samples[k].time().size();
        f.probes[k].text.append(row_lines(samples[k].values));
    }
}

void RunWriter::write_filtered_probes(const std::vector<ProbeSeries>& whole)
{
    Files& f = *files_;
    std::vector<ProbeSeries> filtered;
    for (const ProbeSeries& one : whole) filtered.push_back(with_filtered(one));
    f.on_file("the filtered series of probes", [&] {
        std::uint64_t bytes = 0;
        for (const ProbeSeries& one : filtered) bytes += bytes_of_rows(one.time().size(), one.columns.size());
        f.reserve("the filtered series of probes", bytes);
        for (std::size_t k = 0; k < whole.size(); ++k) {
            for (std::size_t c = whole[k].columns.size(); c < filtered[k].columns.size(); ++c) {
                const ProbeColumn& column = filtered[k].columns[c];
                append_values(create_growing_column(f.probes[k].group, column.name, column.unit), 0,
                              filtered[k].values[c]);
            }
        }
        f.flush();
        f.settle();
    });
    for (const ProbeSeries& one : filtered) {
        if (one.filter > 0) replace_file(f.table_of(one), heading_of(one) + row_lines(one.values));
    }
}

void RunWriter::annotate(const Provenance& provenance)
{
    Files& f = *files_;
    f.on_file("the provenance", [&] {
        std::uint64_t bytes = 0;
        for (const auto& [key, value] : provenance) bytes += key.size() + value.size();
        f.reserve("the provenance", bytes);
        put_provenance(f.provenance, provenance);
        f.flush();
        f.settle();
    });
}

}  // namespace halfulp
