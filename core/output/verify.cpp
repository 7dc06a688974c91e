#include "core/output/verify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
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
        // The text files of a killed program may have more than run.h5, or less.
        const auto end = content.provenance.find("end_state");
        if (end == content.provenance.end() || end->second != "running") look([&] { look_at_texts(content); });
        found_.whole =
            fmt::format("the case, {} outputs, {} rows of the ledger, {} probes of {} are as they were written",
                        outputs, content.ledger.front().size(), content.probes.size(), folder_.string());
    }

    void look_at_texts(const RunContent& content)
    {
        look_at_text("ledger.csv", "the ledger", ledger_heading(content.dimensions) + row_lines(content.ledger));
        for (const ProbeSeries& series : content.probes) {
            look_at_text(table_of({}, series), "the probe " + series.name,
                         heading_of(series) + row_lines(series.values));
        }
        if (!content.outputs.empty()) look_at_text("run.xdmf", "what is written", xdmf_text(content));
    }

    void look_at_text(const fs::path& name, const std::string& what, const std::string& wanted)
    {
        std::string text(wanted.size() + 1, ' ');
        try {
            text.resize(FileOfRun(folder_ / name).read(text.data(), text.size()));
        } catch (int) {  // no such file
            text.clear();
        }
        if (text == wanted) return;
        found_.damages.push_back(
            fmt::format("{} is not what run.h5 says of {}: it was changed.", (folder_ / name).string(), what));
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
