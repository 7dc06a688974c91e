#include "core/app/resume_point.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/error.hpp"
#include "core/output/run_folder.hpp"
#include "core/setup/read_case.hpp"

namespace halfulp {

namespace {

bool operator==(const LedgerRow& a, const LedgerRow& b)
{
    return std::ranges::all_of(ledger_columns,
                               [&](const LedgerColumn& column) { return a.*column.member == b.*column.member; });
}

// Whether the kept tables are those of the case.
bool has_tables_of(const RunContent& content, const Case& c)
{
    const auto same_column = [](const ProbeColumn& a, const ProbeColumn& b) {
        return a.name == b.name && a.unit == b.unit;
    };
    const auto same_probe = [&](const ProbeSeries& series, const Probe& probe) {
        const ProbeSeries empty = empty_series(probe, c);
        return series.name == empty.name && series.filter == empty.filter &&
               std::ranges::equal(series.columns, empty.columns, same_column);
    };
    return content.dimensions == c.dimensions && std::ranges::equal(content.probes, c.probes, same_probe);
}

// Removes what a run says of itself that belongs to a part after its checkpoint: the breakdown that ended it, with its
// warnings, and fluid found in a wall in an output that will be written again.
void forget_what_is_done_again(RunContent& kept)
{
    Provenance& said = kept.provenance;
    if (said["end_state"].starts_with("stopped")) {
        for (const char* const key : {"warnings", "surroundings", "audit"}) said.erase(key);
    }
    const auto through_walls = said.find("through_walls");
    if (through_walls == said.end()) return;
    const bool is_there = std::ranges::any_of(kept.outputs, [&](const OutputInfo& output) {
        return through_walls->second.ends_with(fmt::format("t = {:.6g} s", output.time));
    });
    if (!is_there) said.erase(through_walls);
}

// Whether the first `kept` of some ascending numbers are those up to now.
template <class Number, class Get>
bool end_here(std::uint64_t kept, std::uint64_t count, Number now, const Get& get)
{
    return (kept == 0 || get(kept - 1) <= now) && (kept >= count || get(kept) >= now);
}

}  // namespace

Case case_of(const RunReader& reader, const std::vector<std::string>& overrides)
{
    const std::string path = reader.entry("case_path");
    const std::string shown_path = path.empty() ? reader.path().string() : path;
    // The lines are those of the completed case, which is in the run's file.
    const auto is_line_of_case = [&](const std::string& place) { return place.starts_with(shown_path + ':'); };
    try {
        Case c = read_case_text(reader.content().case_completed, shown_path, overrides);
        c.kept_files = reader.inputs();
        for (auto& [key, place] : c.places) {
            if (is_line_of_case(place)) place = shown(reader.path());
        }
        return c;
    } catch (const Error& error) {
        const std::string sentence = error.what();
        if (!is_line_of_case(sentence)) throw;
        const std::size_t end = sentence.find(": ", shown_path.size());
        if (end == std::string::npos) throw;
        throw Error(error.code(), shown(reader.path()) + sentence.substr(end));
    }
}

Problem problem_of(const Case& c, const RunFolder& held, const std::filesystem::path& named,
                   const std::function<Problem(const Case&)>& set_up)
{
    try {
        return set_up(c);
    } catch (const Error& error) {
        std::string sentence = error.what();
        const std::string handle = held.path().string() + '/';
        const std::string folder = (named / "").string();
        for (std::size_t at = 0; (at = sentence.find(handle, at)) != std::string::npos; at += folder.size())
            sentence.replace(at, handle.size(), folder);
        throw Error(error.code(), sentence);
    }
}

std::optional<ResumePoint> read_resume_point(const RunReader& reader, std::vector<std::string>& warnings)
{
    // A checkpoint comes after the first output: without outputs, an existing one belongs to a run that this one had
    // begun to replace.
    if (reader.outputs().empty()) return {};
    std::optional<Checkpoint> checkpoint = read_checkpoint(reader.folder(), warnings);
    if (!checkpoint) return {};
    RunContent kept = reader.beginning(checkpoint->length);
    forget_what_is_done_again(kept);
    return ResumePoint{.checkpoint = std::move(*checkpoint), .found = reader.content(), .kept = std::move(kept)};
}

RunToResume read_run_to_resume(const RunReader& reader, bool changes,
                               const std::function<void(const std::string&)>& warn)
{
    RunToResume run;
    const bool complete = reader.entry("end_state") == "complete";
    run.complete = complete && !changes;
    if (run.complete) return run;
    RunWriter::name_copies(reader.folder(), reader.content());
    std::vector<std::string> damages;
    run.from = read_resume_point(reader, damages);
    if (!run.from && complete && !damages.empty()) {
        const std::string& damage = damages.front();
        throw input_error(
            fmt::format("{}, and {} has no other checkpoint of its end to continue from: run its case again with "
                        "another time.end.",
                        damage.substr(0, damage.find_last_not_of('.') + 1), shown(reader.folder())));
    }
    for (const std::string& damage : damages) {
        warn(fmt::format("{} {}.", damage,
                         run.from ? fmt::format("The checkpoint of step {} is taken instead",
                                                run.from->checkpoint.simulation.clock.steps())
                                  : "No other checkpoint is left"));
    }
    if (run.from) {
        run.problem_hash = run.from->checkpoint.problem.text();
    } else if (complete) {
        throw input_error(
            "{} is complete and has no checkpoint of its end to continue from (--keep-checkpoint keeps one): run its case "
            "again with another time.end.",
            shown(reader.folder()));
    } else if (reader.has_ended()) {
        throw input_error("{} broke down and has no checkpoint: if run again, it ends in the same way.",
                          shown(reader.folder()));
    } else {
        run.problem_hash = reader.entry("problem_hash");
    }
    return run;
}

void require_same_start(const Problem& problem, const std::string& hash, const std::string& run, std::string_view again,
                        std::string_view remedy)
{
    if (hash.empty() || fingerprint_of(problem).text() == hash) return;
    throw input_error("{} cannot be {}: this version of halfulp would start it from a different state; {}.", run, again,
                      remedy);
}

void ResumePoint::check(const Simulation& simulation, const Problem& problem) const
{
    const auto require = [&](bool holds, const char* what) {
        if (holds) return;
        throw input_error(
            "{} does not agree with the run's {}: one of them was changed or is of another run; run the case anew.",
            checkpoint.simulation.particles.file, what);
    };
    require(has_tables_of(kept, problem.source), "case");
    const std::uint64_t step = simulation.steps();
    const double last_step = checkpoint.simulation.last_step * problem.units.time();
    require(step == 0 || simulation.time() - last_step < problem.source.time.end, "end");
    const auto& [outputs, ledger_rows, samples] = checkpoint.length;
    const std::vector<LedgerRow> rows = rows_of(found.ledger);
    const auto step_of_row = [&](std::uint64_t k) { return rows[k].step; };
    require(ledger_rows > 0 && end_here(ledger_rows, rows.size(), static_cast<double>(step), step_of_row) &&
                rows.front().total == checkpoint.simulation.initial_energy,
            "ledger");
    const auto step_of_output = [&](std::uint64_t k) { return found.outputs[k].step; };
    // Before a list of so many vertices is written for it.
    const Case::Output& chosen = problem.source.output;
    const std::uint64_t most =
        chosen.particles == Case::Output::Particles::fluid ? problem.fluid : problem.particles.size();
    const auto of_this_run = [&](const OutputInfo& output) {
        return chosen.within ? output.count <= most : output.count == most;
    };
    require(outputs > 0 && end_here(outputs, found.outputs.size(), step, step_of_output) &&
                std::ranges::all_of(kept.outputs, of_this_run),
            "outputs");
    for (std::size_t k = 0; k < samples.size(); ++k) {
        const std::vector<double>& times = found.probes[k].time();
        const auto time_of = [&](std::uint64_t sample) { return times[sample]; };
        require(end_here(samples[k], times.size(), simulation.time(), time_of), "probes");
    }
    // A run that was interrupted, or kept a checkpoint of its end, writes its state once more after it; a broken one
    // writes what it broke down in.
    const auto end = found.provenance.find("end_state");
    const std::uint64_t after =
        end != found.provenance.end() && (end->second == "interrupted" || end->second == "complete") ? 1 : 0;
    for (std::uint64_t k = ledger_rows - 1; k < std::min(rows.size(), ledger_rows + after); ++k)
        require(rows[k].step != static_cast<double>(step) || rows[k] == simulation.ledger_row(), "ledger");
    for (std::uint64_t k = outputs - 1; k < std::min(found.outputs.size(), outputs + after); ++k) {
        require(found.outputs[k].step != step || found.outputs[k].hash == simulation.snapshot_source().hash.text(),
                "outputs");
    }
}

}  // namespace halfulp
