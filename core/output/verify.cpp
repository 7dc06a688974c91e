#include "core/output/verify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>
#include <system_error>

#include "core/error.hpp"
#include "core/output/block_file.hpp"
#include "core/output/file_of_run.hpp"
#include "core/output/output_file.hpp"
#include "core/output/run_content.hpp"
#include "core/output/run_file.hpp"
#include "core/output/text_files.hpp"

namespace halfulp {

namespace {

namespace fs = std::filesystem;

// If a run did not end, its text tables have at least the rows of run.h5, which is written after them. At the end of a
// run, a filtered column is added to a probe's table for each measured one.
bool begins_with_filtered(const std::string& text, const std::string& wanted, const ProbeSeries& series)
{
    if (text.starts_with(wanted)) return true;
    ProbeSeries heading = series;
    without_filtered(heading);
    for (std::vector<double>& column : heading.values) column.clear();
    const std::size_t more = heading.columns.size() - 1;
    const std::string both = heading_of(with_filtered(heading));
    if (!text.starts_with(both) || !wanted.starts_with(heading_of(heading))) return false;
    std::string_view left = std::string_view(text).substr(both.size());
    std::string_view rows = std::string_view(wanted).substr(wanted.find('\n') + 1);
    while (!rows.empty()) {
        const std::string_view row = rows.substr(0, rows.find('\n'));
        rows.remove_prefix(row.size() + 1);
        const std::size_t end = left.find('\n');
        if (end == left.npos || !left.starts_with(row)) return false;
        const std::string_view added = left.substr(row.size(), end - row.size());
        if (!added.starts_with(',') || std::ranges::count(added, ',') != static_cast<std::ptrdiff_t>(more) ||
            added.find_first_not_of(",0123456789.+-einfa") != added.npos)
            return false;
        left.remove_prefix(end + 1);
    }
    return true;
}

// run.xdmf is written after run.h5. So run.h5 may list more outputs than run.xdmf or, if the run was resumed, fewer.
bool lists_outputs_of_both(const std::string& text, const std::string& wanted)
{
    const std::string none = xdmf_text({});
    constexpr std::string_view end = "    </Grid>\n  </Domain>\n</Xdmf>\n";
    const std::size_t begin = none.size() - end.size();
    constexpr std::string_view end_of_output = "      </Grid>\n";
    if (text.size() < none.size() || !text.ends_with(end) || !text.starts_with(none.substr(0, begin))) return false;
    const auto outputs = [&](std::string_view of) { return of.substr(begin, of.size() - none.size()); };
    const std::string_view has = outputs(text);
    const std::string_view wants = outputs(wanted);
    if (!has.empty() && !has.ends_with(end_of_output)) return false;
    return has.starts_with(wants) || wants.starts_with(has);
}

class Verifier {
public:
    explicit Verifier(fs::path folder) : folder_(std::move(folder)) {}

    Verification take()
    {
        std::optional<RunReader> reader;
        if (look([&] { reader.emplace(folder_); })) look_at(reader->content());
        else look_at_outputs_alone();
        for (const char* name : {"checkpoint.0", "checkpoint.1"}) {
            std::error_code error;
            if (fs::exists(folder_ / name, error)) look([&] { read_blocks(folder_ / name); });
        }
        return std::move(found_);
    }

private:
    // Whether an action succeeded without an Error.
    template <class Action>
    bool look(const Action& action)
    {
        try {
            action();
            return true;
        } catch (const Error& damage) {
            found_.damages.emplace_back(damage.what());
            return false;
        }
    }

    void look_at(const RunContent& content)
    {
        std::size_t outputs = 0;
        std::set<std::uint64_t> counts;
        for (const OutputInfo& output : content.outputs) {
            const fs::path file = file_of(folder_, output);
            if (look([&] { check_output(file, output); })) ++outputs;
            counts.insert(output.count);
        }
        for (const auto& [name, input] : content.inputs) look([&, &kept = input] { kept_copy(folder_, kept); });
        for (const std::uint64_t count : counts) look([&] { check_seal(vertices_of(folder_, count), "vertices"); });
        const auto surroundings = content.provenance.find("surroundings");
        if (surroundings != content.provenance.end()) {
            const fs::path file = folder_ / "breakdown.vtk";
            look([&] {
                if (checksum_of_file(file).text() != surroundings->second)
                    throw input_error("{} is damaged: its checksum differs.", file.string());
            });
        }
        const auto end = content.provenance.find("end_state");
        const bool ended = end == content.provenance.end() || end->second != "running";
        look_at_texts(content, ended);
        found_.whole =
            fmt::format("the case, {} outputs, {} rows of the ledger, {} probes of {} are as they were written",
                        outputs, content.ledger.front().size(), content.probes.size(), folder_.string());
        if (!ended) found_.whole += "; the run did not end, and what its text files have beyond run.h5 is not verified";
    }

    void look_at_texts(const RunContent& content, bool ended)
    {
        const auto look_at_table = [&](const fs::path& name, const std::string& wanted, const auto& agree) {
            if (ended)
                return look_at_text(name, wanted.size(), [&](const std::string& text) { return text == wanted; });
            // Without a row in run.h5 it may not have been begun. With filtered columns it is less than 30 times as
            // long.
            if (std::ranges::count(wanted, '\n') > 1) look_at_text(name, 30 * wanted.size(), agree);
        };
        const std::string ledger = ledger_heading(content.dimensions) + row_lines(content.ledger);
        look_at_table("ledger.csv", ledger, [&](const std::string& text) { return text.starts_with(ledger); });
        for (const ProbeSeries& series : content.probes) {
            const std::string table = heading_of(series) + row_lines(series.values);
            look_at_table(table_of({}, series), table, [&](const std::string& text) {
                return series.filter == 0 ? text.starts_with(table) : begins_with_filtered(text, table, series);
            });
        }
        look_at_xdmf(content, ended);
    }

    void look_at_xdmf(const RunContent& content, bool ended)
    {
        const std::size_t outputs = content.outputs.size();
        std::error_code error;
        // It comes after run.h5.
        if (outputs == 0 || (!ended && outputs == 1 && !fs::exists(folder_ / "run.xdmf", error))) return;
        const std::string xdmf = xdmf_text(content);
        if (ended) return look_at_text("run.xdmf", xdmf.size(), [&](const std::string& text) { return text == xdmf; });
        // The last output may stand for the one before it, of the same time.
        RunContent before = content;
        before.outputs.pop_back();
        constexpr std::size_t lists = std::size_t{1} << 28U;  // more than those of a hundred thousand outputs
        look_at_text("run.xdmf", xdmf.size() + lists, [&](const std::string& text) {
            return lists_outputs_of_both(text, xdmf) || lists_outputs_of_both(text, xdmf_text(before));
        });
    }

    // Reads no more of a text file than it can have in common with run.h5, and one byte.
    template <class Agrees>
    void look_at_text(const fs::path& name, std::size_t most, const Agrees& agrees)
    {
        look([&] {
            std::string text;
            try {
                FileOfRun file(folder_ / name);
                text.resize(std::min<std::size_t>(most + 1, file.size()));
                text.resize(file.read(text.data(), text.size()));
            } catch (int) {  // no such file
            }
            if (agrees(text)) return;
            throw input_error("{} is not what run.h5 says: it was changed.", (folder_ / name).string());
        });
    }

    // For a run whose run.h5 is damaged.
    void look_at_outputs_alone()
    {
        std::set<fs::path> files;
        std::error_code error;
        for (const fs::directory_entry& entry : fs::directory_iterator(folder_ / "outputs", error)) {
            if (!entry.path().stem().string().starts_with("vertices-")) files.insert(entry.path());
        }
        std::size_t outputs = 0;
        for (const fs::path& file : files) {
            if (file.extension() == ".h5" && look([&] { check_seal(file, "output"); })) ++outputs;
        }
        found_.damages.push_back(fmt::format("{} outputs in {} are as they were written, a file each.", outputs,
                                             (folder_ / "outputs").string()));
    }

    fs::path folder_;
    Verification found_;
};

}  // namespace

bool is_or_was_run(const fs::path& folder)
{
    std::error_code error;
    return fs::exists(folder / "run.h5", error) || is_sealed(folder / "outputs/000000.h5", "output");
}

Verification verify_run(const fs::path& run)
{
    const fs::path folder = folder_of_run(run);
    if (!is_or_was_run(folder)) throw input_error("{} holds no run: it has no file run.h5.", folder.string());
    return Verifier(folder).take();
}

}  // namespace halfulp
