#include <fmt/format.h>

#include <system_error>

#include "core/error.hpp"
#include "core/output/output_file.hpp"
#include "core/output/run_content.hpp"
#include "core/output/run_file.hpp"
#include "core/output/run_folder.hpp"

namespace halfulp {

namespace fs = std::filesystem;

fs::path folder_of_run(const fs::path& run)
{
    std::error_code error;
    if (run.filename() == "run.h5" && !fs::is_directory(run, error))
        return run.has_parent_path() ? run.parent_path() : fs::path(".");
    if (!fs::is_directory(run, error) && fs::exists(run, error))
        throw input_error("{} is not the run.h5 of a run; give that, or the run's folder.", run.string());
    return run;
}

RunReader::RunReader(const fs::path& run, Tables tables)
{
    std::error_code error;
    path_ = fs::is_directory(run, error) ? run / "run.h5" : run;
    const bool exists = fs::exists(path_, error);
    if (error) throw input_error("cannot read {}: {}.", shown(path_), error.message());
    if (!exists)
        throw input_error(path_ == run ? fmt::format("there is no run at {}.", shown(run))
                                       : fmt::format("{} holds no run: it has no file run.h5.", shown(run)));
    content_ = read_run_content(path_, tables);
}

fs::path RunReader::folder() const
{
    const fs::path folder = path_.parent_path();
    return folder.empty() ? fs::path(".") : folder;
}

bool RunReader::has_ended() const
{
    const std::string end = entry("end_state");
    return end == "complete" || end.starts_with("stopped");
}

std::string RunReader::entry(const std::string& key) const
{
    const auto found = content_.provenance.find(key);
    return found == content_.provenance.end() ? std::string() : found->second;
}

Snapshot RunReader::output(const OutputInfo& info, Columns columns) const
{
    return read_output_file(file_of(folder(), info), info, columns);
}

std::string RunReader::lost_output() const { return halfulp::lost_output(folder(), content_.outputs); }

std::map<std::string, fs::path> RunReader::inputs() const
{
    std::map<std::string, fs::path> paths;
    for (const auto& [name, input] : content_.inputs) {
        paths[name] = fs::absolute(kept_copy(folder(), input));
    }
    return paths;
}

RunContent RunReader::beginning(const RunLength& length) const
{
    RunContent kept = content_;
    const auto refuse_shorter = [&](const std::string& what, std::size_t has, std::uint64_t wanted) {
        if (has >= wanted) return;
        throw input_error(
            "{} holds {} {} of the {} that there were at its checkpoint: it was changed or is damaged; take it from a "
            "copy, or run the case anew.",
            shown(path()), has, what, wanted);
    };
    refuse_shorter("outputs", kept.outputs.size(), length.outputs);
    refuse_shorter("rows of the ledger", kept.ledger.front().size(), length.ledger_rows);
    refuse_shorter("probes", kept.probes.size(), length.samples.size());
    if (kept.probes.size() != length.samples.size())
        throw input_error("{} has more probes than its checkpoint, which is another run's.", shown(path()));
    kept.outputs.resize(length.outputs);
    for (const OutputInfo& output : kept.outputs) {
        try {
            check_output(file_of(folder(), output), output);
        } catch (const Error& error) {
            std::string sentence = error.what();
            sentence.erase(sentence.find_last_not_of('.') + 1);
            throw Error(
                error.code(),
                sentence + "; take it from a copy, as the run has all its outputs or none, or run the case anew.");
        }
    }
    for (std::vector<double>& column : kept.ledger) column.resize(length.ledger_rows);
    for (std::size_t k = 0; k < kept.probes.size(); ++k) {
        ProbeSeries& probe = kept.probes[k];
        refuse_shorter("samples of probe " + probe.name, probe.time().size(), length.samples[k]);
        without_filtered(probe);
        for (std::vector<double>& column : probe.values) column.resize(length.samples[k]);
    }
    return kept;
}

}  // namespace halfulp
