#include "core/output/verify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <set>
#include <sstream>
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

// Whether text files agree with what run.h5 says of a run that did not end, as far as both go. Tables are written
// before run.h5, and have its rows at least.
bool begins_with(const std::string& text, const std::string& wanted) { return text.starts_with(wanted); }

// Filtered columns follow the others, and are written at the end.
bool lines_begin_with(const std::string& text, const std::string& wanted)
{
    std::istringstream lines(text);
    std::istringstream wanted_lines(wanted);
    std::string line;
    for (std::string begin; std::getline(wanted_lines, begin);) {
        if (!std::getline(lines, line) || !(line == begin || line.starts_with(begin + ','))) return false;
    }
    return true;
}

// run.xdmf is written after run.h5, which may list fewer outputs than a text of before, if the run was resumed, or
// more.
bool lists_outputs_of_both(const std::string& text, const std::string& wanted)
{
    const auto listed = [](const std::string& one) { return one.substr(0, one.rfind("    </Grid>\n  </Domain>")); };
    const std::string has = listed(text);
    const std::string wants = listed(wanted);
    return has.starts_with(listed(xdmf_text({}))) && (has.starts_with(wants) || wants.starts_with(has));
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
                    throw input_error(fmt::format("{} is damaged: its checksum differs.", file.string()));
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
        const auto look_at_table = [&](const fs::path& name, const std::string& wanted, bool filtered) {
            if (ended) return look_at_text(name, wanted, wanted.size(), std::equal_to());
            // Without a row in run.h5 it may not have been begun. A number has at most 24 characters.
            if (std::ranges::count(wanted, '\n') == 1) return;
            if (filtered) look_at_text(name, wanted, wanted.size() * 25, lines_begin_with);
            else look_at_text(name, wanted, wanted.size(), begins_with);
        };
        look_at_table("ledger.csv", ledger_heading(content.dimensions) + row_lines(content.ledger), false);
        for (const ProbeSeries& series : content.probes)
            look_at_table(table_of({}, series), heading_of(series) + row_lines(series.values), series.filter != 0);
        std::error_code error;
        const bool begun = ended || fs::exists(folder_ / "run.xdmf", error);
        if (content.outputs.empty() || !begun) return;
        const std::string xdmf = xdmf_text(content);
        if (ended) look_at_text("run.xdmf", xdmf, xdmf.size(), std::equal_to());
        else look_at_text("run.xdmf", xdmf, xdmf.size(), lists_outputs_of_both);
    }

    // Of a text file no more is read than what it can have in common with the text that run.h5 gives, and a byte.
    template <class Agree>
    void look_at_text(const fs::path& name, const std::string& wanted, std::size_t most, const Agree& agree)
    {
        look([&] {
            std::string text;
            try {
                FileOfRun file(folder_ / name);
                text.resize(std::min<std::size_t>(most + 1, file.size()));
                text.resize(file.read(text.data(), text.size()));
            } catch (int) {  // no such file
            }
            if (agree(text, wanted)) return;
            throw input_error(fmt::format("{} is not what run.h5 says: it was changed.", (folder_ / name).string()));
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
    if (!is_or_was_run(folder))
        throw input_error(fmt::format("{} holds no run: it has no file run.h5.", folder.string()));
    return Verifier(folder).take();
}

}  // namespace halfulp
