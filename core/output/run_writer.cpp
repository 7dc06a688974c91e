// Writing a run: an output is a new file, then run.h5 is rewritten to include it and others that came soon before it,
// so the run on disk is complete at every moment, also after a crash or on a full disk.
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <functional>
#include <set>
#include <system_error>

#include "core/error.hpp"
#include "core/output/checksum.hpp"
#include "core/output/earlier_run.hpp"
#include "core/output/file_limit.hpp"
#include "core/output/file_of_run.hpp"
#include "core/output/output_file.hpp"
#include "core/output/posix_file.hpp"
#include "core/output/run_content.hpp"
#include "core/output/run_file.hpp"
#include "core/output/run_folder.hpp"
#include "core/output/text_files.hpp"

namespace halfulp {

namespace fs = std::filesystem;

namespace {

using HostClock = std::chrono::steady_clock;

// Copies a file next to its place in the run's folder, under another name, and syncs it to disk.
void begin_copy(const fs::path& path, const InnerFolder& inputs, KeptInput& input)
{
    const fs::path fresh = fresh_name(inputs.place_of(input.file));
    try {
        const PosixFile from(path, O_RDONLY);
        PosixFile to(fresh, new_file);
        std::vector<std::byte> part = from.room_for_a_piece();
        Checksum checksum;
        while (const std::size_t some = from.read(part.data(), part.size())) {
            to.write(part.data(), some);
            checksum.absorb(part.data(), some);
        }
        to.finish();
        input.checksum = checksum.value();
    } catch (int error) {
        throw output_error("cannot copy {} to {}: {}.", path.string(), shown(fresh), words_of(error));
    }
}

// The end of a name that leaves room for what is put before and after it within the 255 bytes of file systems.
std::string fitting(const std::string& name)
{
    constexpr std::size_t most = 200;
    if (name.size() <= most) return name;
    std::size_t begin = name.size() - most;
    // Not within a letter of UTF-8.
    while (begin < name.size() && (static_cast<unsigned char>(name[begin]) & 0xC0U) == 0x80U) ++begin;
    return name.substr(begin);
}

void give_name(const fs::path& fresh, const fs::path& path)
{
    if (std::rename(fresh.c_str(), path.c_str()) != 0)
        throw output_error("cannot write {}: {}.", shown(path), words_of(errno));
}

// Rewrites a table with its kept rows under another name; replaces the old one after `between` is done.
TextTable table_anew(
    const fs::path& path, const std::string& text, const std::function<void()>& between = [] {})
{
    const fs::path fresh = fresh_name(path);
    try {
        TextTable table(fresh, text);
        between();
        give_name(fresh, path);
        table.renamed(path);
        return table;
    } catch (...) {
        std::error_code error;
        fs::remove(fresh, error);
        throw;
    }
}

// Appends to both the file and the columns or, without memory or room, to neither.
void append_to(TextTable& text, std::vector<std::vector<double>>& columns,
               const std::vector<std::vector<double>>& values)
{
    if (values.front().empty()) return;
    const std::string lines = row_lines(values);
    for (std::size_t c = 0; c < columns.size(); ++c) {
        const std::size_t size = columns[c].size() + values[c].size();
        if (size > columns[c].capacity()) columns[c].reserve(std::max(size, 2 * columns[c].capacity()));
    }
    text.append(lines);
    for (std::size_t c = 0; c < columns.size(); ++c)
        columns[c].insert(columns[c].end(), values[c].begin(), values[c].end());
}

// Throws an Error for a folder into which a new run with this content must not be written.
void refuse(const EarlierRun& earlier, const fs::path& folder, bool overwrite, const RunContent& content)
{
    earlier.refuse_links(content);
    if (is_sweep_table(folder / sweep_table)) {
        throw input_error("{} is the folder of a sweep; give the run another one.", shown(folder));
    }
    const bool output = is_sealed(folder / "outputs/000000.h5", "output");
    if (!overwrite && (earlier.any() || output)) {
        throw output_error("{} exists already: choose another folder, or give --overwrite to replace the run in it.",
                           shown(folder / (earlier.any() ? "run.h5" : "outputs/000000.h5")));
    }
    earlier.refuse_foreign(content);
}

}  // namespace

struct RunWriter::Files {
    Files(RunFolder held, const Case::Output& part) : handle(std::move(held)), folder(handle.path()), chosen(part) {}

    RunFolder handle;
    fs::path folder;
    Case::Output chosen;
    RunContent content;
    TextTable ledger;
    std::vector<TextTable> probes;
    std::set<std::uint64_t> vertices;  // existing lists
    std::size_t named = 0;             // outputs in run.h5
    std::size_t listed = 0;            // and in run.xdmf, too
    HostClock::time_point published;   // when these were last written, and how long that took
    HostClock::duration taken{};

    // Has the rows of a table on disk; `anew` writes it where another program has removed, replaced or cut the file.
    // What has its name by then and does not begin as it would is that program's.
    template <class Anew>
    void keep(TextTable& table, const std::string& heading, const Anew& anew) const
    {
        if (!table.any()) return;
        if (table.is_intact()) return table.sync();
        const fs::path path = table.path();
        std::error_code error;
        const fs::file_type type = fs::symlink_status(path, error).type();
        if (type == fs::file_type::symlink) throw is_a_link(path);
        const bool ours = type == fs::file_type::regular && is_begun(path, heading);
        if (type != fs::file_type::not_found && !ours) {
            throw output_error(
                "{} was replaced by a file that is not of this run while the run went on: move that away; halfulp "
                "resume {} goes on.",
                shown(path), for_shell(shown(folder)));
        }
        table = anew();
    }
    // Text files before run.h5, so that they never have less.
    void publish()
    {
        const auto begin = HostClock::now();
        keep(ledger, ledger_heading(content.dimensions), [this] { return ledger_table(); });
        for (std::size_t k = 0; k < probes.size(); ++k) {
            const ProbeSeries& series = content.probes[k];
            keep(probes[k], heading_of(series), [&] { return probe_table(series); });
        }
        write_run_content(folder / "run.h5", content);
        named = content.outputs.size();
        if (listed != content.outputs.size()) replace_file(folder / "run.xdmf", xdmf_text(content));
        listed = content.outputs.size();
        published = HostClock::now();
        taken = published - begin;
    }
    // The lists of outputs grow with their number, and are rewritten as a whole. So that thousands of outputs do not
    // take quadratic time, these files lag behind if writing them would take more than this fraction of the time.
    [[nodiscard]] bool due() const
    {
        constexpr int part = 20;
        constexpr std::size_t few = 100;
        return listed < content.outputs.size() &&
               (content.outputs.size() <= few || HostClock::now() - published >= part * taken);
    }

    // A probe's table with its rows.
    [[nodiscard]] TextTable probe_table(const ProbeSeries& series) const
    {
        const InnerFolder inner(folder, "probes");  // anew: it may have been replaced by a link
        const fs::path path = table_of(folder, series);
        TextTable table = table_anew(inner.place_of(path), heading_of(series) + row_lines(series.values));
        table.renamed(path);
        return table;
    }
    [[nodiscard]] TextTable ledger_table() const
    {
        return table_anew(folder / "ledger.csv", ledger_heading(content.dimensions) + row_lines(content.ledger));
    }
    void begin_probes()
    {
        for (const ProbeSeries& series : content.probes) probes.push_back(probe_table(series));
    }
    void list_vertices(const InnerFolder& outputs, std::uint64_t count)
    {
        if (!vertices.insert(count).second) return;
        const fs::path path = outputs.place_of(vertices_of(folder, count));
        try {
            check_seal(path, "vertices");
        } catch (const Error&) {  // none yet, or a damaged one
            write_vertices_file(path, count);
        }
    }
};

void RunWriter::name_copies(const fs::path& folder, const RunContent& content)
{
    bool any = false;
    for (const auto& [name, input] : content.inputs) {
        const fs::path copy = kept_copy(folder, input);
        if (copy == copy_of(folder, input)) continue;
        const InnerFolder inputs(folder, "inputs");
        give_name(inputs.place_of(copy), inputs.place_of(input.file));
        any = true;
    }
    if (any) sync_folder(folder / "inputs");
}

RunFolder RunWriter::hold(const fs::path& folder, bool overwrite)
{
    std::error_code error;
    const fs::file_type type = fs::status(folder, error).type();
    // Another run may be making it just now; the folder is looked at again once it is held.
    if (type == fs::file_type::not_found) return {};
    const RunFolder held = type == fs::file_type::directory ? RunFolder(folder) : RunFolder();
    refuse(EarlierRun(folder), folder, overwrite, {});
    return held;
}

RunWriter::RunWriter(RunFolder held, bool overwrite, int dimensions, const std::string& case_given,
                     const std::string& case_completed, const Provenance& provenance,
                     const std::vector<ProbeSeries>& probes, const Case::Output& chosen,
                     const std::map<std::string, fs::path>& inputs)
    : files_(std::make_unique<Files>(std::move(held), chosen))
{
    turn_file_limit_into_an_error();
    Files& f = *files_;
    const fs::path& folder = f.folder;
    f.content.dimensions = dimensions;
    f.content.case_given = case_given;
    f.content.case_completed = case_completed;
    f.content.provenance = provenance;
    f.content.probes = probes;
    for (ProbeSeries& series : f.content.probes) {
        for (std::vector<double>& column : series.values) column.clear();
    }
    for (const auto& [name, path] : inputs) {
        const std::string file =
            fmt::format("{}-{}", f.content.inputs.size(), fitting(fs::path(name).filename().string()));
        f.content.inputs[name] = {.file = file, .checksum = {}};
    }
    const EarlierRun earlier(folder);
    refuse(earlier, folder, overwrite, f.content);
    const InnerFolder outputs(folder, "outputs");
    if (!probes.empty()) const InnerFolder made(folder, "probes");
    // An input may be a copy made by the old run: it remains until the new copy exists.
    if (!inputs.empty()) {
        const InnerFolder copies(folder, "inputs");
        for (auto& [name, input] : f.content.inputs) begin_copy(inputs.at(name), copies, input);
        sync_folder(folder / "inputs");
    }
    f.content.leftovers = earlier.leftovers(f.content);
    // The start of the new run replaces the old run atomically; only then is the rest of the old one removed.
    f.ledger = table_anew(folder / "ledger.csv", ledger_heading(dimensions), [&] { f.publish(); });
    name_copies(folder, f.content);
    sync_folder(folder);
    sync_folder(folder / "..");
    earlier.remove_all_but(f.content);
    f.content.leftovers.clear();
    earlier.remove_pictures();
    f.begin_probes();
}

RunWriter::RunWriter(RunFolder held, RunContent kept, const Case::Output& chosen)
    : files_(std::make_unique<Files>(std::move(held), chosen))
{
    turn_file_limit_into_an_error();
    Files& f = *files_;
    const fs::path& folder = f.folder;
    const EarlierRun earlier(folder);
    earlier.refuse_links(kept);
    earlier.refuse_foreign(kept, true);
    const InnerFolder outputs(folder, "outputs");
    if (!kept.probes.empty()) const InnerFolder made(folder, "probes");
    f.content = std::move(kept);
    f.content.provenance["end_state"] = "running";
    f.publish();
    earlier.remove_all_but(f.content);
    f.content.leftovers.clear();
    for (const OutputInfo& output : f.content.outputs) f.list_vertices(outputs, output.count);
    f.ledger = f.ledger_table();
    f.begin_probes();
}

RunWriter::~RunWriter()
{
    if (files_->listed == files_->content.outputs.size()) return;
    try {  // after a failure; a run that has ended is annotated already
        files_->publish();
    } catch (const std::exception&) {  // the failure itself is reported
    }
}

void RunWriter::write_output(const SnapshotSource& snapshot)
{
    Files& f = *files_;
    const std::string name = fmt::format("{:06}", f.content.outputs.size());
    const InnerFolder outputs(f.folder, "outputs");  // anew: it may have been replaced by a link
    const fs::path path = outputs.place_of(name + ".h5");
    WrittenOutput written = write_output_file(
        path, snapshot, f.chosen, fmt::format("output {} (t = {:.9g} s)", f.content.outputs.size(), snapshot.time));
    f.list_vertices(outputs, written.info.count);
    written.info.name = name;
    // Columns common to all outputs: some may lack ids.
    if (f.content.outputs.empty()) f.content.columns = std::move(written.columns);
    else
        std::erase_if(f.content.columns, [&](const Column& one) {
            return std::ranges::find(written.columns, one.name, &Column::name) == written.columns.end();
        });
    f.content.outputs.push_back(std::move(written.info));
    try {
        if (f.due()) f.publish();
    } catch (...) {
        if (f.named < f.content.outputs.size()) {
            f.content.outputs.pop_back();
            std::error_code error;
            fs::remove(path, error);
        }
        throw;
    }
}

bool RunWriter::due() const { return files_->due(); }

void RunWriter::write_ledger(const std::vector<LedgerRow>& rows)
{
    if (rows.empty()) return;
    Files& f = *files_;
    std::vector<std::vector<double>> values(ledger_columns.size());
    for (std::size_t c = 0; c < values.size(); ++c) {
        for (const LedgerRow& row : rows) values[c].push_back(row.*ledger_columns[c].member);
    }
    append_to(f.ledger, f.content.ledger, values);
}

void RunWriter::write_probes(const std::vector<ProbeSeries>& samples)
{
    Files& f = *files_;
    for (std::size_t k = 0; k < samples.size(); ++k)
        append_to(f.probes[k], f.content.probes[k].values, samples[k].values);
}

void RunWriter::write_filtered_probes()
{
    Files& f = *files_;
    bool any = false;
    for (std::size_t k = 0; k < f.content.probes.size(); ++k) {
        ProbeSeries& series = f.content.probes[k];
        if (series.filter == 0) continue;
        series = with_filtered(series);
        f.probes[k] = f.probe_table(series);
        any = true;
    }
    if (any) f.publish();
}

const fs::path& RunWriter::folder() const { return files_->folder; }

const RunFolder& RunWriter::handle() const { return files_->handle; }

RunLength RunWriter::length() const
{
    const RunContent& content = files_->content;
    RunLength length{.outputs = content.outputs.size(), .ledger_rows = content.ledger.front().size(), .samples = {}};
    for (const ProbeSeries& series : content.probes) length.samples.push_back(series.time().size());
    return length;
}

std::vector<ColumnChecksum> RunWriter::checksums_of_output(std::uint64_t output) const
{
    const OutputInfo& info = files_->content.outputs.at(output);
    std::vector<ColumnChecksum> all;
    for (const Column& column :
         read_output_file(file_of(files_->folder, info), info, RunReader::Columns::all).columns) {
        Checksum checksum;
        checksum.absorb(column.data.data(), column.data.size());
        all.push_back({column.name, checksum.value()});
    }
    return all;
}

std::string RunWriter::lost_output() const { return halfulp::lost_output(files_->folder, files_->content.outputs); }

// Every other file was synced when it was written.
void RunWriter::sync() { files_->publish(); }

void RunWriter::annotate(const Provenance& provenance)
{
    for (const auto& [key, value] : provenance) files_->content.provenance[key] = value;
    files_->publish();
}

bool is_sweep_table(const fs::path& file)
{
    constexpr std::size_t longest_heading = 1U << 16U;
    const std::string beginning = beginning_of(file, longest_heading);
    const std::string_view heading = std::string_view(beginning).substr(0, beginning.find('\n'));
    return heading.starts_with(sweep_table_beginning) && heading.find(sweep_table_behind_values) != heading.npos;
}

}  // namespace halfulp
