#include "core/app/summary_json.hpp"

#include <algorithm>

#include "core/app/summary.hpp"
#include "core/setup/rounding_loss.hpp"
#include "core/setup/units.hpp"

namespace halfulp {

namespace {

JsonObject row_as_json(const LedgerRow& row)
{
    JsonObject object;
    for (const LedgerColumn& column : ledger_columns) object.add(column.name, row.*column.member);
    return object;
}

JsonObject numbers_of(const Problem& problem)
{
    return JsonObject().add("fluid", problem.fluid).add("wall", problem.wall);
}

JsonObject breakdown_as_json(const Breakdown& breakdown)
{
    const auto& [x, y, z] = breakdown.position;
    return JsonObject()
        .add("what", breakdown.what)
        .add("likely_cause", breakdown.likely_cause)
        .add("particle", breakdown.id)
        .add("kind", breakdown.kind == Kind::fluid ? "fluid" : "wall")
        .add("position", JsonObject().add("x", x).add("y", y).add("z", z));
}

}  // namespace

JsonObject summary_as_json(const Problem& problem, const RunOutcome& outcome)
{
    const Case& c = problem.source;
    JsonObject object;
    object.add("case", c.name)
        .add("title", c.title)
        .add("folder", outcome.folder.string())
        .add("end_state", outcome.breakdown     ? "stopped"
                          : outcome.interrupted ? "interrupted"
                                                : "complete")
        .add("exit_code", static_cast<int>(outcome.code))
        .add("precision", c.numerics.precision)
        .add("backend", outcome.backend)
        .add("particles", numbers_of(problem))
        .add("steps", outcome.last.step)
        .add("time", outcome.last.time)
        .add("end", c.time.end)
        .add("outputs", outcome.outputs)
        .add("state_hash", outcome.final_hash.text())
        .add("wall_seconds", outcome.wall_seconds)
        .add("memory_bytes", outcome.bytes)
        .add("largest_density_deviation", outcome.largest_density_deviation)
        .add("largest_speed", outcome.largest_speed)
        .add("largest_residual", outcome.largest_residual)
        .add("available_energy", problem.available_energy)
        .add("warnings", outcome.warnings)
        .add("ledger", JsonObject().add("first", row_as_json(outcome.first)).add("last", row_as_json(outcome.last)));
    JsonObject stages;
    for (const StageTime& stage : outcome.stages) stages.add(stage.stage, stage.seconds);
    object.add("stage_seconds", stages);
    const auto& [under_way, waited] = outcome.message_times;
    object.add("messages",
               JsonObject().add("bytes", outcome.bytes_sent).add("seconds", under_way).add("waited_seconds", waited));
    std::vector<JsonObject> ranks;
    for (const RankUse& one : outcome.ranks) {
        ranks.push_back(JsonObject()
                            .add("own", one.own)
                            .add("copies", one.copies)
                            .add("sent_bytes", one.bytes_sent)
                            .add("pass_seconds", one.pass_seconds));
    }
    object.add("ranks", ranks);
    const RunOutcome::Audited& audited = outcome.audited;
    if (!audited.on.empty())
        object.add("audit", JsonObject()
                                .add("on", audited.on)
                                .add("every", audited.every)
                                .add("equal", audited.states)
                                .add("waited_seconds", audited.seconds));
    else object.add_null("audit");
    if (outcome.breakdown) object.add("breakdown", breakdown_as_json(*outcome.breakdown));
    else object.add_null("breakdown");
    return object;
}

JsonObject case_as_json(const Problem& problem, const std::vector<std::string>& warnings)
{
    const Case& c = problem.source;
    const OutputSizes outputs = output_sizes(problem);
    std::vector<std::string> probes;
    for (const Probe& probe : c.probes) probes.push_back(probe.name);
    const RoundingLoss loss = rounding_loss(problem);
    JsonObject plain_float;
    plain_float.add("drift_error", loss.drift_error).add("speed", loss.speed);
    if (loss.speed > 0) plain_float.add("error", std::min(loss.error(c.time.end), 1.0));
    else plain_float.add_null("error");
    plain_float.add("stalling_speed", loss.stalling_speed);
    return JsonObject()
        .add("case", c.name)
        .add("title", c.title)
        .add("path", c.path.string())
        .add("dimensions", c.dimensions)
        .add("precision", c.numerics.precision)
        .add("particles", numbers_of(problem))
        .add("spacing", c.resolution.spacing)
        .add("smoothing_length", smoothing_length(c))
        .add("support", support_radius(c))
        .add("sound_speed", c.fluid.sound_speed)
        .add("end", c.time.end)
        .add("available_energy", problem.available_energy)
        .add("plain_float", plain_float)
        .add("outputs", JsonObject().add("number", outputs.number).add("bytes", outputs.number * outputs.bytes))
        .add("probes", probes)
        .add("warnings", warnings);
}

JsonObject run_as_json(const std::filesystem::path& path, const RunReader& reader)
{
    std::vector<JsonObject> outputs;
    for (const OutputInfo& output : reader.outputs()) {
        outputs.push_back(JsonObject()
                              .add("name", output.name)
                              .add("step", output.step)
                              .add("time", output.time)
                              .add("rows", output.count)
                              .add("state_hash", output.hash));
    }
    std::vector<std::string> probes;
    for (const ProbeSeries& probe : reader.probes()) probes.push_back(probe.name);
    JsonObject object;
    object.add("run", path.string())
        .add("end_state", reader.entry("end_state"))
        .add("dimensions", reader.content().dimensions)
        .add("warnings", lines_of(reader.entry("warnings")))
        .add("provenance", reader.provenance())
        .add("outputs", outputs)
        .add("probes", probes);
    const std::vector<LedgerRow> rows = reader.ledger();
    if (rows.empty()) return object.add_null("ledger");
    return object.add("ledger", JsonObject()
                                    .add("rows", rows.size())
                                    .add("first", row_as_json(rows.front()))
                                    .add("last", row_as_json(rows.back())));
}

JsonObject sweep_as_json(const Sweep& sweep, ExitCode code)
{
    std::vector<JsonObject> runs;
    for (const SweepMember& member : sweep.members) {
        const StateOfMember& state = member.state;
        JsonObject values;
        for (const std::string& one : member.overrides) {
            const std::size_t equals = one.find('=');
            values.add(one.substr(0, equals), one.substr(equals + 1));
        }
        JsonObject& run = runs.emplace_back();
        run.add("run", member.name)
            .add("folder", sweep.folder_of(member).string())
            .add("values", values)
            .add("end_state", state.text.empty() ? "not started" : state.text);
        if (!member.done) {
            run.add_null("state_hash").add_null("ledger");
            continue;
        }
        run.add("state_hash", state.hash);
        if (state.last) run.add("ledger", row_as_json(*state.last));
        else run.add_null("ledger");
    }
    return JsonObject()
        .add("folder", sweep.folder.string())
        .add("table", (sweep.folder / sweep_table).string())
        .add("exit_code", static_cast<int>(code))
        .add("runs", runs);
}

}  // namespace halfulp
