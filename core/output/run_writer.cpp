// Writing a run. What is on disk must be readable at every moment, also after a crash or on a full disk:
//   - an output is first written, whole, as a group that nothing refers to, and flushed; only then it is linked into
//     /outputs and flushed again, so that its name never precedes its data;
//   - the space an output needs is asked of the file system before HDF5 touches the file, so that a full disk is found
//     out while the file is still as the last flush left it;
//   - if HDF5 fails all the same, the superblock of the last good flush is put back, for HDF5 goes on flushing after an
//     error and leaves one that counts bytes never written, and the file is abandoned unclosed: closing would flush
//     again.
#include "core/output/run_file.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <numeric>
#include <system_error>

#include "core/error.hpp"
#include "core/output/run_files.hpp"

namespace halfulp {

namespace fs = std::filesystem;

namespace {

constexpr std::array figures{"particles.png", "ledger.png", "front.png"};

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
    write_attribute(dataset, "checksum", checksum_of(column).text());
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

// An output's columns keep their order; their links are few and lie in the group's header.
Hdf5Id create_unlinked_group(hid_t file)
{
    const Hdf5Id creation(H5Pcreate(H5P_GROUP_CREATE), H5Pclose);
    hdf5_check(H5Pset_link_creation_order(creation, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED));
    hdf5_check(H5Pset_link_phase_change(creation, 128, 64));
    return {H5Gcreate_anon(file, creation, H5P_DEFAULT), H5Gclose};
}

// Growing a file past the process's limit raises a signal that ends the program; ignored, it is an error like any
// other.
void turn_file_limit_into_an_error()
{
    struct sigaction action {};
    if (sigaction(SIGXFSZ, nullptr, &action) == 0 && action.sa_handler == SIG_DFL) std::signal(SIGXFSZ, SIG_IGN);
}

}  // namespace

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
    f.lock.take(folder);
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
    fs::remove(folder / "breakdown.vtk", error);
    for (const char* name : figures) fs::remove(folder / "figures" / name, error);
    remove_files(folder / "figures", "probe-", ".png");
    f.begin_tables(probes);
}

RunWriter::RunWriter(const fs::path& folder, const KeptRun& kept) : files_(std::make_unique<Files>())
{
    turn_file_limit_into_an_error();
    Files& f = *files_;
    f.folder = folder;
    f.path = folder / "run.h5";
    f.lock.take(folder);
    f.on_file("the run that is resumed", [&] { f.reopen(kept); });
    for (const Snapshot& snapshot : kept.outputs) f.xdmf.add(snapshot, fmt::format("/outputs/{:06}", f.output_count++));
    replace_file(folder / "run.xdmf", f.xdmf.text());
    // Tables are begun anew with the rows that are kept.
    const auto anew = [](const fs::path& path, const std::string& text) {
        const fs::path fresh = path.string() + ".new";
        TextTable table(fresh, text);
        std::error_code error;
        fs::rename(fresh, path, error);
        if (error) throw output_error(fmt::format("cannot write {}: {}.", path.string(), error.message()));
        table.renamed(path);
        return table;
    };
    f.ledger_text = anew(folder / "ledger.csv", ledger_heading(kept.dimensions) + row_lines(columns_of(kept.ledger)));
    for (std::size_t k = 0; k < kept.probes.size(); ++k)
        f.probes[k].text =
            anew(f.table_of(kept.probes[k]), heading_of(kept.probes[k]) + row_lines(kept.probes[k].values));
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
        write_attribute(group, "checksum", checksum_of(snapshot).text());
        write_attribute(group, "complete", std::uint64_t{1});
        f.flush();
        hdf5_check(H5Olink(group, f.outputs, name.c_str(), H5P_DEFAULT, H5P_DEFAULT));
        replace_attribute(f.outputs, "count", f.output_count + 1);
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
    const std::vector<std::vector<double>> values = columns_of(rows);
    f.on_file("the ledger", [&] {
        f.reserve("the ledger", bytes_of_rows(rows.size(), ledger_columns.size()));
        for (std::size_t c = 0; c < values.size(); ++c) append_values(f.ledger[c], f.ledger_length, values[c]);
        f.ledger_checksum.append(values);
        f.ledger_checksum.write(f.ledger_group, f.ledger_length + rows.size());
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
            probe.checksum.append(samples[k].values);
            probe.checksum.write(probe.group, probe.length + samples[k].time().size());
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

RunLength RunWriter::length() const
{
    RunLength length{.outputs = files_->output_count, .ledger_rows = files_->ledger_length, .samples = {}};
    for (const ProbeFiles& probe : files_->probes) length.samples.push_back(probe.length);
    return length;
}

void RunWriter::sync()
{
    if (::fsync(files_->descriptor) == 0) return;
    throw output_error(
        fmt::format("cannot write {}: {}.", files_->path.string(), std::generic_category().message(errno)));
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
