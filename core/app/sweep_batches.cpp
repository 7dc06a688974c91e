#include "core/app/sweep_batches.hpp"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "core/app/interrupts.hpp"
#include "core/app/out_of_memory.hpp"
#include "core/app/progress.hpp"
#include "core/app/provenance.hpp"
#include "core/app/side_by_side.hpp"
#include "core/app/stopwatch.hpp"
#include "core/app/summary.hpp"
#include "core/backends/batches.hpp"
#include "core/error.hpp"
#include "core/output/text_files.hpp"
#include "core/setup/case_warnings.hpp"

namespace halfulp {

namespace {

// The largest numbers of runs, and of particles of all of them (some 6 GB), that are prepared before batches are made
// of them.
constexpr std::size_t most_prepared = 1U << 12U;
constexpr std::size_t most_particles_prepared = 100'000'000;
// Runs that are prepared at a time, before these are counted.
constexpr std::size_t together = 256;

// A problem of a batch, and what its run is started with.
struct Prepared {
    std::size_t member = 0;
    Problem problem;
    std::optional<ResumePoint> from;
    RunOptions options;
    std::vector<std::string> damaged;  // checkpoints: a sentence each
};

// From its last checkpoint, or from the start where there is none.
void resume(Prepared& one, const std::filesystem::path& folder)
{
    const RunFolder held = RunFolder::existing(folder);
    one.from = read_resume_point(RunReader(held.path()), one.damaged);
    if (!one.from) return;
    require_same_start(one.problem, one.from->checkpoint.problem.text(), folder.string(), "resumed",
                       "choose another folder");
    one.options.held = held;
}

std::unique_ptr<Prepared> prepared(const Sweep& sweep, std::size_t k)
{
    const SweepMember& member = sweep.members[k];
    auto one = std::make_unique<Prepared>();
    one->member = k;
    one->options.folder = sweep.folder_of(member);
    one->options.overwrite = true;
    one->options.quiet = true;
    one->options.command_line = sweep.arguments.command_line;
    one->problem = prepare(sweep.case_of(member));
    one->options.warnings = case_warnings(one->problem);
    if (member.resumed) resume(*one, one->options.folder);
    return one;
}

std::string sizes_of(const std::vector<std::vector<std::size_t>>& batches)
{
    std::vector<std::size_t> sizes;
    for (const auto& batch : batches) sizes.push_back(batch.size());
    constexpr std::size_t shown_at_most = 8;
    const bool all = sizes.size() <= shown_at_most;
    if (!all) sizes.resize(shown_at_most);
    return fmt::format("{}, of {}{} runs", batches.size(), fmt::join(sizes, ", "), all ? "" : ", ...");
}

// The device's answers, each for all problems that are alike: to ask takes longer than to compare them.
class AskedDevice {
public:
    explicit AskedDevice(const CudaOptions& options) : options_(options) {}

    std::string why_not(const Problem& problem)
    {
        std::string why = why_alone(problem);
        if (!why.empty()) return why;
        const auto fits = [&](const Fitting& one) {
            return one.physics == problem.physics && one.precision == problem.source.numerics.precision &&
                   one.dimensions == problem.source.dimensions && problem.particles.size() <= one.particles;
        };
        if (std::ranges::any_of(fitting_, fits)) return {};
        why = why_no_cuda(problem, options_);
        if (why.empty()) {
            fitting_.push_back({problem.physics, problem.source.numerics.precision, problem.source.dimensions,
                                problem.particles.size()});
        }
        return why;
    }

private:
    struct Fitting {
        Physics physics;
        std::string precision;
        int dimensions;
        std::size_t particles;
    };

    CudaOptions options_;
    std::vector<Fitting> fitting_;
};

class BatchesOfSweep {
public:
    BatchesOfSweep(Sweep& sweep, const BatchMachine& machine) : sweep_(sweep), machine_(machine) {}

    void carry_out()
    {
        for (std::size_t next = 0; next < sweep_.members.size() && !interrupted();) {
            const auto begun = WallClock::now();
            const std::vector<std::unique_ptr<Prepared>> all =
                prepare_some(next, std::min(most_runs_in_batch(), most_prepared));
            std::vector<const Problem*> problems;
            std::size_t probes = 0;
            for (const auto& one : all) {
                problems.push_back(&one->problem);
                probes = std::max(probes, one->problem.probes.size());
            }
            const auto batches = machine_.batches(problems, most_runs_in_batch(probes));
            if (!batches.empty()) {
                fmt::print("  batches           {}; prepared in {:.1f} s\n", sizes_of(batches), seconds_since(begun));
                std::fflush(stdout);
            }
            for (const std::vector<std::size_t>& batch : batches) {
                std::vector<Prepared*> chosen;
                for (const std::size_t k : batch) chosen.push_back(all[k].get());
                if (!interrupted()) carry_out_batch(chosen);
            }
        }
    }

private:
    // Those of the next runs that can be in a batch, from `next` on, which is moved on.
    std::vector<std::unique_ptr<Prepared>> prepare_some(std::size_t& next, std::size_t most)
    {
        std::vector<std::unique_ptr<Prepared>> all;
        std::size_t particles = 0;
        while (next < sweep_.members.size() && all.size() < most && particles < most_particles_prepared &&
               !interrupted()) {
            std::vector<std::size_t> chosen;
            for (; next < sweep_.members.size() && chosen.size() < std::min(most - all.size(), together); ++next) {
                if (!sweep_.members[next].done) chosen.push_back(next);
            }
            for (std::unique_ptr<Prepared>& one : prepare_together(chosen)) {
                particles += one->problem.particles.size();
                all.push_back(std::move(one));
            }
        }
        return all;
    }

    std::vector<std::unique_ptr<Prepared>> prepare_together(const std::vector<std::size_t>& chosen)
    {
        std::vector<std::unique_ptr<Prepared>> all(chosen.size());
        std::vector<std::string> failures(chosen.size());
        side_by_side(chosen.size(), [&](std::size_t k) {
            if (interrupted()) return;
            try {
                all[k] = prepared(sweep_, chosen[k]);
            } catch (...) {
                failures[k] = sentence_of_failure();
            }
        });
        for (std::size_t k = 0; k < all.size(); ++k) {
            SweepMember& member = sweep_.members[chosen[k]];
            if (!failures[k].empty()) sweep_.fail(member, failures[k]);
            else if (all[k] && goes_alone(*all[k], member)) all[k].reset();
            member.alone = failures[k].empty() && !all[k];
        }
        std::erase(all, nullptr);
        return all;
    }

    bool goes_alone(const Prepared& one, const SweepMember& member)
    {
        const std::string why = machine_.why_not(one.problem);
        if (why.empty()) {
            for (const std::string& warning : one.damaged)
                complain(fmt::format("halfulp: {} {}.", member.name, warning));
        } else if (told_alone_.insert(why).second) {
            fmt::print("  on the CPU        {}, and runs like it: {}\n", member.name, why);
        }
        return !why.empty();
    }

    void carry_out_batch(const std::vector<Prepared*>& chosen)
    {
        sweep_.require_folder();
        std::vector<BatchedRun> runs;
        for (Prepared* one : chosen) runs.push_back({&one->problem, one->options, std::move(one->from)});
        ProgressLine line(stdout);
        const std::size_t before = sweep_.count_done();
        const auto show = [&](std::size_t ended, double fraction) {
            look_for_reader();
            if (line.due())
                line.show(fmt::format("{} of {} runs, {} of the batch at work, {} left", before + ended,
                                      sweep_.members.size(), chosen.size() - ended,
                                      time_left_text(line.elapsed(), fraction)));
        };
        const auto begun = WallClock::now();
        SecondsOfBatch seconds;
        const std::vector<EndOfRun> ends =
            run_batch(std::move(runs), machine_.make, machine_.description, show, &seconds);
        side_by_side(chosen.size(),
                     [&](std::size_t k) { note_end(sweep_.members[chosen[k]->member], chosen[k]->problem, ends[k]); });
        line.clear();
        fmt::print("  time of the batch {:.1f} s: start {:.1f}, steps {:.1f}, files meanwhile {:.1f}\n",
                   seconds_since(begun), seconds.start, seconds.steps, seconds.files);
        std::fflush(stdout);
    }

    void note_end(SweepMember& member, const Problem& problem, const EndOfRun& end) const
    {
        if (!end.outcome) return sweep_.fail(member, end.failure);
        const RunOutcome& outcome = *end.outcome;
        std::string log = printable(summarise(problem, outcome));
        if (outcome.breakdown) log += fmt::format("broke down: {}\n", outcome.breakdown->what);
        sweep_.require_folder();
        replace_file(sweep_.held(sweep_.log_of(member)), log);
        member.done = !outcome.interrupted;
        member.state = {.text = end_state(outcome),
                        .hash = outcome.final_hash.text(),
                        .wall_seconds = wall_seconds_text(outcome),
                        .last = outcome.last};
    }

    Sweep& sweep_;
    const BatchMachine& machine_;
    std::set<std::string> told_alone_;
};

}  // namespace

BatchMachine cuda_machine(int device)
{
    const CudaOptions options{.device = device};
    return {
        .why_not = [asked = AskedDevice(options)](const Problem& problem) mutable { return asked.why_not(problem); },
        .batches = [options](const std::vector<const Problem*>& problems,
                             std::size_t most) { return batches_of(problems, options, most); },
        .make = [options](const std::vector<const Problem*>& problems) { return make_cuda_batch(problems, options); },
        .description = describe_cuda_device(device)};
}

void refuse_without_device(const Sweep& sweep)
{
    const Problem first = prepare(sweep.case_of(sweep.members.front()));
    const std::string why = why_no_cuda(first, {.device = sweep.arguments.device.value_or(0)});
    if (!why.empty())
        throw Error(ExitCode::unsupported, fmt::format("--backend cuda: {}; --backend cpu runs without it", why));
}

void carry_out_batches(Sweep& sweep, const BatchMachine& machine) { BatchesOfSweep(sweep, machine).carry_out(); }

}  // namespace halfulp
