#include "core/app/live_simulation.hpp"

#include <utility>

#include <fmt/format.h>

#include "core/app/provenance.hpp"
#include "core/app/stopwatch.hpp"
#include "core/evolution/checkpoint.hpp"
#include "core/output/run_file.hpp"
#include "core/setup/case_warnings.hpp"
#include "core/setup/read_case.hpp"

namespace halfulp {

BrokenDown::BrokenDown(Breakdown breakdown, double time, std::uint64_t step)
    : Error(ExitCode::stopped,
            fmt::format(
                "the simulation broke down in step {} (t = {:.6g} s): {} particle {} at ({:.6g}, {:.6g}, {:.6g}) "
                "m: {}. Likely cause: {}.",
                step + 1, time, breakdown.kind == Kind::fluid ? "fluid" : "wall", breakdown.id, breakdown.position[0],
                breakdown.position[1], breakdown.position[2], breakdown.what, breakdown.likely_cause)),
      breakdown_(std::move(breakdown)), time_(time), step_(step)
{
}

LiveSimulation::LiveSimulation(const Case& c, const BackendOptions& options)
    : LiveSimulation(std::make_unique<Problem>(prepare(c)), options, std::nullopt)
{
}

LiveSimulation::LiveSimulation(std::unique_ptr<Problem> problem, const BackendOptions& options,
                               std::optional<ResumePoint> from)
    : problem_(std::move(problem)), probes_(*problem_), watch_(*problem_), moments_(problem_->source),
      problem_hash_(from ? from->checkpoint.problem : fingerprint_of(*problem_)), warnings_(case_warnings(*problem_))
{
    ChosenBackend chosen = make_backend(*problem_, options);
    device_ = chosen.device;
    check_floating_point_of_threads();
    if (from) {
        simulation_ = std::make_unique<Simulation>(*problem_, std::move(chosen.backend), from->checkpoint.simulation);
        from->check(*simulation_, *problem_);
        const auto through_walls = from->kept.provenance.find("through_walls");
        if (through_walls != from->kept.provenance.end()) watch_.remember(through_walls_ = through_walls->second);
        probes_.restore(from->kept.probes);
        stepping_ = from->checkpoint.wall_seconds;
        rows_ = rows_of(from->kept.ledger);
        for (const LedgerRow& row : rows_) watch_.look(row);
    } else {
        simulation_ = std::make_unique<Simulation>(*problem_, std::move(chosen.backend));
    }
    modes_.emplace(ThreadsOf::simulation, place(), &simulation_->backend());
    moments_.pass_outputs(*simulation_);
    if (from) {
        // A checkpoint of the end is without the row that the case ends with.
        if (simulation_->time() >= problem_->source.time.end) {
            const std::size_t before = rows_.size();
            take_row();
            row_of_end_alone_ = rows_.size() > before;
        }
        return;
    }
    probes_.look(*simulation_);
    take_row();
}

std::unique_ptr<LiveSimulation> LiveSimulation::resume(const std::filesystem::path& run, const BackendOptions& options)
{
    std::optional<ResumePoint> from;
    std::unique_ptr<Problem> problem;
    std::vector<std::string> damages;
    {
        // Locked while it is read, its copies of tables and surfaces too, so that no other program changes it.
        const std::filesystem::path folder = folder_of_run(run);
        const RunFolder held = RunFolder::existing(folder);
        const RunReader reader(held.path());
        from = read_resume_point(reader, damages);
        if (!from && !damages.empty()) {
            throw input_error("{} has no checkpoint that is whole: {} The run can be begun anew only.", run.string(),
                              fmt::join(damages, " "));
        }
        if (!from) {
            throw input_error(
                "{} has no checkpoint{}: a simulation goes on from an interrupted run, or from what "
                "Simulation.checkpoint has written.",
                run.string(), reader.has_ended() ? ", as it has ended" : "");
        }
        problem = std::make_unique<Problem>(
            problem_of(case_of(reader), held, folder, [](const Case& c) { return prepare(c); }));
        require_same_start(*problem, from->checkpoint.problem.text(), run.string());
        // Checkpoints of this simulation copy them again; the path of the lock ends with it.
        for (auto& [name, copy] : problem->source.kept_files)
            copy = std::filesystem::absolute(folder) / copy.lexically_relative(held.path());
    }
    std::unique_ptr<LiveSimulation> live(new LiveSimulation(std::move(problem), options, std::move(from)));
    live->damages_ = std::move(damages);
    return live;
}

void LiveSimulation::take_row()
{
    modes_->look(place());
    const LedgerRow row = simulation_->ledger_row();
    if (!rows_.empty() && rows_.back().step == row.step) return;
    watch_.look(row);
    rows_.push_back(row);
}

void LiveSimulation::advance(double until, const std::function<bool()>& stop)
{
    require_whole();
    const auto refuse = [this] { throw BrokenDown(*broke_, simulation_->time(), simulation_->steps()); };
    if (broke_) refuse();
    modes_->look(place());  // other code of this process has run since the last step
    const double end = problem_->source.time.end;
    const auto refuse_beyond = [&](double time) {
        throw input_error(
            "the motions of {} are known to its time.end = {} s, which is not enough for t = {:.6g} s; begin with a "
            "later time.end.",
            problem_->source.name, end, time);
    };
    const bool moves = !problem_->source.motions.empty();
    if (moves && until > end) refuse_beyond(until);
    const Stopwatch counted(stepping_);
    try {
        do {
            if (broke_) refuse();  // in a step of another thread, to which `stop` has given a turn
            require_whole();
            watch_.check(*simulation_, rows_.back());
            const double begins = simulation_->time();
            if (moves && begins >= end) refuse_beyond(begins + simulation_->next_step());
            torn_ = true;
            simulation_->step();
            probes_.look(*simulation_);
            const bool output = moments_.output_is_due(*simulation_);
            if (output) {
                moments_.pass_outputs(*simulation_);
                if (const auto first = watch_.look(simulation_->snapshot_source())) through_walls_ = *first;
            }
            const bool due = output || moments_.row_is_due(*simulation_);
            const bool ends = simulation_->time() >= end && begins < end;
            if (due || ends) take_row();
            row_of_end_alone_ = ends && !due;
            past_end_ = begins >= end;
            torn_ = false;  // not before the ledger and probes have what is due
        } while (simulation_->time() < until && !stop());
    } catch (const SimulationBroke& broke) {
        torn_ = false;
        broke_ = broke.breakdown;
        refuse();
    }
}

void LiveSimulation::require_whole() const
{
    if (torn_) {
        throw Error(
            ExitCode::stopped,
            "a step of the simulation could not be completed, so its state is not that of any time: continue from a "
            "checkpoint that was taken before.");
    }
}

const Simulation& LiveSimulation::checked() const
{
    require_whole();
    modes_->look(place());
    return *simulation_;
}

void LiveSimulation::write(const std::filesystem::path& folder, bool overwrite, const std::string& command_line) const
{
    modes_->look(place());  // numbers would be written in other bits
    if (broke_) {
        throw Error(ExitCode::stopped,
                    fmt::format("{} is not written: the simulation broke down inside a step and cannot continue; "
                                "take checkpoints before.",
                                folder.string()));
    }
    require_whole();
    const Case& c = problem_->source;
    if (past_end_) {
        throw input_error(
            "{} is not written: the simulation has gone past time.end = {} s of its case; take checkpoints before, or "
            "begin with a later time.end.",
            folder.string(), c.time.end);
    }
    if (fingerprint_of(*problem_).text() != problem_hash_.text()) {
        throw input_error(
            "{} is not written: a file that the case names has changed or is gone since the simulation began; put it "
            "back as it was.",
            folder.string());
    }
    std::vector<ProbeSeries> described;
    for (const Probe& probe : c.probes) described.push_back(empty_series(probe, c));
    RunWriter writer(
        RunFolder(folder), overwrite, c.dimensions, c.text, case_as_toml(c),
        provenance_of(*problem_, problem_hash_, command_line, simulation_->backend(), provenance_of_machine(device_)),
        described, c.output, c.paths());
    remove_checkpoints(writer.folder());
    // A run that goes on has no row at what was the end.
    std::vector<LedgerRow> rows = rows_;
    if (row_of_end_alone_) rows.pop_back();
    writer.write_ledger(rows);
    writer.write_probes(probes_.series());
    writer.write_output(simulation_->snapshot_source());
    writer.sync();
    write_checkpoint(writer.folder(), {.number = 1,
                                       .problem = problem_hash_,
                                       .length = writer.length(),
                                       .wall_seconds = stepping_,
                                       .simulation = simulation_->state()});
    Provenance said{{"end_state", "interrupted"}};
    if (!through_walls_.empty()) said["through_walls"] = through_walls_;
    writer.annotate(said);
}

std::vector<std::string> LiveSimulation::warnings() const
{
    std::vector<std::string> all = warnings_;
    all.insert(all.end(), damages_.begin(), damages_.end());
    for (std::string& one : watch_.warnings()) all.push_back(std::move(one));
    return all;
}

}  // namespace halfulp
