// Writing a run: an output is a new file, then run.h5 is written anew with it, so what is on disk is whole at every
// moment, also after a crash or on a full disk.
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <functional>
#include <set>
#include <string_view>
#include <system_error>

#include "core/error.hpp"
#include "core/output/folder_lock.hpp"
#include "core/output/output_file.hpp"
#include "core/output/posix_file.hpp"
#include "core/output/run_content.hpp"
#include "core/output/run_file.hpp"
#include "core/output/text_files.hpp"

namespace halfulp {

namespace fs = std::filesystem;

namespace {

// Growing a file past the process's limit raises a signal that ends the program; ignored, it is an error like any
// other.
void turn_file_limit_into_an_error()
{
    struct sigaction action {};
    if (sigaction(SIGXFSZ, nullptr, &action) == 0 && action.sa_handler == SIG_DFL) std::signal(SIGXFSZ, SIG_IGN);
}

void make_folder(const fs::path& folder)
{
    std::error_code error;
    fs::create_directories(folder, error);
    if (error) throw output_error(fmt::format("cannot create the folder {}: {}.", folder.string(), error.message()));
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

// Of an output or a list of vertices; what else lies in that folder is somebody else's.
bool is_of_a_run(const fs::path& file)
{
    std::string stem = file.stem().string();
    if (stem.starts_with("vertices-")) stem.erase(0, std::string_view("vertices-").size());
    return file.extension() == ".h5" && !stem.empty() && stem.find_first_not_of("0123456789") == stem.npos;
}

// But for those that are kept.
void remove_outputs(const fs::path& folder, const std::vector<OutputInfo>& kept)
{
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder / "outputs", error)) {
        const fs::path& file = entry.path();
        const auto same = [&](const OutputInfo& output) { return file.stem() == output.name; };
        if (!is_of_a_run(file) || std::ranges::any_of(kept, same)) continue;
        fs::remove(file, error);
    }
}

// The copies of inputs that a run has made, if it can be read.
std::vector<fs::path> copies_in(const fs::path& folder)
{
    std::vector<fs::path> copies;
    try {
        const RunContent content = read_run_content(folder / "run.h5");
        for (const auto& [name, input] : content.inputs) copies.push_back(copy_of(folder, input));
    } catch (const Error&) {  // there is none, or what it has is not known
    }
    return copies;
}

// Begun anew with what is kept of it; once that stands under another name, and `between` is done, in the old one's
// place.
TextTable table_anew(
    const fs::path& path, const std::string& text, const std::function<void()>& between = [] {})
{
    const fs::path fresh = path.string() + ".new";
    try {
        TextTable table(fresh, text);
        between();
        if (std::rename(fresh.c_str(), path.c_str()) != 0)
            throw output_error(fmt::format("cannot write {}: {}.", path.string(), words_of(errno)));
        table.renamed(path);
        return table;
    } catch (...) {
        std::error_code error;
        fs::remove(fresh, error);
        throw;
    }
}

}  // namespace

struct RunWriter::Files {
    FolderLock lock;
    fs::path folder;
    Case::Output chosen;
    RunContent content;
    TextTable ledger;
    std::vector<TextTable> probes;
    std::set<std::uint64_t> vertices;  // the lists that stand

    [[nodiscard]] fs::path run() const { return folder / "run.h5"; }
    void publish() const { write_run_content(run(), content); }

    void begin_probes()
    {
        if (content.probes.empty()) return;
        make_folder(folder / "probes");
        for (const ProbeSeries& series : content.probes)
            probes.push_back(table_anew(table_of(folder, series), heading_of(series) + row_lines(series.values)));
    }
    void list_vertices(std::uint64_t count)
    {
        if (!vertices.insert(count).second) return;
        write_vertices_file(vertices_of(folder, count), count);
    }
};

void RunWriter::refuse_existing(const fs::path& folder)
{
    std::error_code error;
    for (const char* name : {"run.h5", "ledger.csv", "run.xdmf", "outputs/000000.h5"}) {
        if (!fs::exists(folder / name, error)) continue;
        throw output_error(
            fmt::format("{} exists already: choose another folder, or give --overwrite to replace the run in it.",
                        (folder / name).string()));
    }
}

RunWriter::RunWriter(const fs::path& folder, bool overwrite, int dimensions, const std::string& case_given,
                     const std::string& case_completed, const Provenance& provenance,
                     const std::vector<ProbeSeries>& probes, const Case::Output& chosen)
    : files_(std::make_unique<Files>())
{
    turn_file_limit_into_an_error();
    Files& f = *files_;
    f.folder = folder;
    f.chosen = chosen;
    f.content.dimensions = dimensions;
    f.content.case_given = case_given;
    f.content.case_completed = case_completed;
    f.content.provenance = provenance;
    f.content.probes = probes;
    for (ProbeSeries& series : f.content.probes) {
        for (std::vector<double>& column : series.values) column.clear();
    }
    make_folder(folder);
    f.lock.take(folder);
    if (!overwrite) refuse_existing(folder);
    make_folder(folder / "outputs");
    // An old run is replaced by the new one's beginning in one moment; only then is the rest of it taken away.
    const std::vector<fs::path> old_copies = copies_in(folder);
    f.ledger = table_anew(folder / "ledger.csv", ledger_heading(dimensions), [&] { f.publish(); });
    std::error_code error;
    remove_outputs(folder, {});
    for (const fs::path& copy : old_copies) fs::remove(copy, error);
    remove_files(folder / "probes", "", ".csv");
    for (const char* name : {"run.xdmf", "breakdown.vtk"}) fs::remove(folder / name, error);
    for (const char* name : {"particles.png", "ledger.png", "front.png"}) fs::remove(folder / "figures" / name, error);
    remove_files(folder / "figures", "probe-", ".png");
    f.begin_probes();
}

RunWriter::RunWriter(const fs::path& folder, RunContent kept, const Case::Output& chosen)
    : files_(std::make_unique<Files>())
{
    turn_file_limit_into_an_error();
    Files& f = *files_;
    f.folder = folder;
    f.chosen = chosen;
    f.lock.take(folder);
    f.content = std::move(kept);
    f.publish();
    remove_outputs(folder, f.content.outputs);
    std::set<std::uint64_t> counts;
    for (const OutputInfo& output : f.content.outputs) counts.insert(output.count);
    for (const std::uint64_t count : counts) f.list_vertices(count);
    replace_file(folder / "run.xdmf", xdmf_text(f.content));
    f.ledger = table_anew(folder / "ledger.csv", ledger_heading(f.content.dimensions) + row_lines(f.content.ledger));
    f.begin_probes();
}

RunWriter::~RunWriter() = default;

void RunWriter::keep_input(const std::string& name, const fs::path& path)
{
    Files& f = *files_;
    KeptInput input{.file = fmt::format("{}-{}", f.content.inputs.size(), path.filename().string()), .checksum = {}};
    const fs::path copy = copy_of(f.folder, input);
    make_folder(copy.parent_path());
    std::error_code error;
    fs::copy_file(path, copy, fs::copy_options::overwrite_existing, error);
    if (error) {
        throw output_error(fmt::format("cannot copy {} to {}: {}.", path.string(), copy.string(), error.message()));
    }
    input.checksum = checksum_of_file(copy);
    f.content.inputs[name] = std::move(input);
}

void RunWriter::write_output(const SnapshotSource& snapshot)
{
    Files& f = *files_;
    const std::string name = fmt::format("{:06}", f.content.outputs.size());
    const fs::path path = f.folder / "outputs" / (name + ".h5");
    WrittenOutput written = write_output_file(
        path, snapshot, f.chosen, fmt::format("output {} (t = {:.9g} s)", f.content.outputs.size(), snapshot.time));
    f.list_vertices(written.info.count);
    written.info.name = name;
    f.content.columns = std::move(written.columns);
    f.content.outputs.push_back(std::move(written.info));
    try {
        f.publish();
    } catch (...) {
        f.content.outputs.pop_back();
        std::error_code error;
        fs::remove(path, error);
        throw;
    }
    replace_file(f.folder / "run.xdmf", xdmf_text(f.content));
}

void RunWriter::write_ledger(const std::vector<LedgerRow>& rows)
{
    if (rows.empty()) return;
    Files& f = *files_;
    std::vector<std::vector<double>> values(ledger_columns.size());
    for (std::size_t c = 0; c < values.size(); ++c) {
        for (const LedgerRow& row : rows) values[c].push_back(row.*ledger_columns[c].member);
        f.content.ledger[c].insert(f.content.ledger[c].end(), values[c].begin(), values[c].end());
    }
    f.ledger.append(row_lines(values));
}

void RunWriter::write_probes(const std::vector<ProbeSeries>& samples)
{
    Files& f = *files_;
    for (std::size_t k = 0; k < samples.size(); ++k) {
        if (samples[k].time().empty()) continue;
        for (std::size_t c = 0; c < samples[k].values.size(); ++c) {
            std::vector<double>& all = f.content.probes[k].values[c];
            all.insert(all.end(), samples[k].values[c].begin(), samples[k].values[c].end());
        }
        f.probes[k].append(row_lines(samples[k].values));
    }
}

void RunWriter::write_filtered_probes()
{
    Files& f = *files_;
    for (ProbeSeries& series : f.content.probes) {
        if (series.filter == 0) continue;
        series = with_filtered(series);
        replace_file(table_of(f.folder, series), heading_of(series) + row_lines(series.values));
    }
    f.publish();
}

RunLength RunWriter::length() const
{
    const RunContent& content = files_->content;
    RunLength length{.outputs = content.outputs.size(), .ledger_rows = content.ledger.front().size(), .samples = {}};
    for (const ProbeSeries& series : content.probes) length.samples.push_back(series.time().size());
    return length;
}

// Every file was brought to the disk when it was written; rows and samples since then were not.
void RunWriter::sync() { files_->publish(); }

void RunWriter::annotate(const Provenance& provenance)
{
    for (const auto& [key, value] : provenance) files_->content.provenance[key] = value;
    files_->publish();
}

}  // namespace halfulp
