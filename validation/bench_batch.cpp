// halfulp bench batch: how fast are many small runs as one batch on a CUDA device, against the same runs one after
// another there? Both are timed in one process, without outputs but with the ledger, and every run that is also taken
// alone must come to the same state.
#include <cstdio>

#include "core/backends/batches.hpp"
#include "core/operations/operation.hpp"
#include "validation/block.hpp"
#include "validation/experiment.hpp"
#include "validation/seconds.hpp"

namespace halfulp {

namespace {

struct Arguments : BenchOptions {
    std::vector<int> runs{1, 10, 100, 1000};
    std::vector<std::string> cases{"dam-break", "block"};
    int steps = 500;
    int alone = 5;
    int device = 0;
};

constexpr std::uint64_t ledger_every = 10;  // steps, as by default

// The k-th of the runs, each with a gravity of its own: the shipped dam break in two dimensions with 1,838 particles,
// or 2,197 of fluid in three, which have up to 174 neighbours.
Problem run_of(const std::string& name, int k)
{
    if (name == "dam-break") {
        return prepare(
            case_with("dam-break-2d", {"resolution.spacing=0.03", fmt::format("gravity=[{},-9.81]", 0.002 * k)}));
    }
    constexpr int edge = 13;
    Problem problem = timed_block(3, edge, "robust");
    problem.parameters.gravity[0] = 1e-7F * static_cast<float>(k);
    return problem;
}

struct Taken {
    double seconds = 0;  // of the steps, without the start
    std::vector<StateHash> hashes;
    double rebuilds = 0;  // a run
    std::vector<StageTime> stages;
};

Taken take_alone(const std::vector<const Problem*>& problems, const CudaOptions& cuda, int steps)
{
    Taken taken;
    for (const Problem* problem : problems) {
        Simulation simulation(*problem, make_cuda_backend(*problem, cuda));
        const double begun = seconds_now();
        for (int k = 0; k < steps; ++k) {
            simulation.step();
            if (simulation.steps() % ledger_every == 0) static_cast<void>(simulation.ledger_row());
        }
        taken.seconds += seconds_now() - begun;
        taken.hashes.push_back(simulation.snapshot().hash);
    }
    return taken;
}

Taken take_together(const std::vector<const Problem*>& problems, const CudaOptions& cuda, int steps)
{
    BatchOfRuns made = make_cuda_batch(problems, cuda);
    std::vector<std::size_t> all;
    std::vector<std::unique_ptr<Simulation>> simulations;
    for (std::size_t k = 0; k < problems.size(); ++k) {
        all.push_back(k);
        simulations.push_back(
            std::make_unique<Simulation>(*problems[k], std::move(made.runs[k]), Simulation::InBatch{}));
    }
    made.batch->carry_out();
    made.batch->sum_ledgers(all);
    for (const auto& simulation : simulations) simulation->complete_start();
    Taken taken;
    const double begun = seconds_now();
    for (int k = 0; k < steps; ++k) {
        for (const auto& simulation : simulations) simulation->begin_step();
        made.batch->carry_out();
        for (const auto& simulation : simulations) simulation->complete_step();
        if (simulations.front()->steps() % ledger_every != 0) continue;
        made.batch->sum_ledgers(all);
        for (const auto& simulation : simulations) static_cast<void>(simulation->ledger_row());
    }
    taken.seconds = seconds_now() - begun;
    for (const auto& simulation : simulations) {
        taken.hashes.push_back(simulation->snapshot().hash);
        taken.rebuilds += static_cast<double>(simulation->backend().rebuilds());
    }
    taken.rebuilds /= static_cast<double>(simulations.size());
    taken.stages = simulations.front()->backend().stage_times();
    for (StageTime& stage : taken.stages) stage.seconds *= static_cast<double>(simulations.size());
    return taken;
}

ExitCode run_experiment(const Arguments& arguments)
{
    const CudaOptions cuda{.device = arguments.device};
    const auto most = static_cast<std::size_t>(*std::ranges::max_element(arguments.runs));
    Table table(arguments.folder, "batch", "case,particles,runs,steps,together[s],alone_each[s],ratio,equal");
    bool equal = true;
    for (const std::string& name : arguments.cases) {
        std::vector<Problem> problems;
        for (std::size_t k = 0; k < most; ++k) problems.push_back(run_of(name, static_cast<int>(k)));
        const std::size_t particles = problems.front().particles.size();
        if (const std::string obstacle = why_no_cuda(problems.front(), cuda); !obstacle.empty())
            throw Error(ExitCode::unsupported, fmt::format("bench batch: {}.", obstacle));
        std::vector<const Problem*> all;
        for (const Problem& problem : problems) all.push_back(&problem);
        fmt::print("\n{}, {} particles a run, {} steps, {} runs alone\n\n", name, particles, arguments.steps,
                   arguments.alone);
        fmt::print(
            "| runs | together (ms/step) | of which {}, {}, {}, {} | alone (ms/step and run) | alone over together | steps a rebuild | hashes |\n|---|---|---|---|---|---|---|\n",
            stage_names[0], stage_names[1], stage_names[2], stage_names[3]);
        for (const int runs : arguments.runs) {
            const std::vector<const Problem*> some(all.begin(), all.begin() + runs);
            std::vector<const Problem*> few;  // spread over them
            const int alone = std::min(arguments.alone, runs);
            for (int k = 0; k < alone; ++k) few.push_back(some[static_cast<std::size_t>(k * runs / alone)]);
            Taken together;
            Taken apart;
            if (breaks_down([&] {
                    together = take_together(some, cuda, arguments.steps);
                    apart = take_alone(few, cuda, arguments.steps);
                }))
                throw input_error(fmt::format("bench batch: a run of {} breaks down; give fewer --steps.", name));
            bool same = true;
            for (int k = 0; k < alone; ++k) {
                same = same && apart.hashes[static_cast<std::size_t>(k)] ==
                                   together.hashes[static_cast<std::size_t>(k * runs / alone)];
            }
            equal = equal && same;
            const double each = apart.seconds / alone;
            const double ratio = each * runs / together.seconds;
            const double to_ms = 1e3 / arguments.steps;
            std::string stages;
            for (const StageTime& stage : together.stages)
                stages += fmt::format("{}{:.3f}", stages.empty() ? "" : ", ", stage.seconds * to_ms);
            fmt::print("| {} | {:.3f} | {} | {:.3f} | {:.1f} | {:.1f} | {} |\n", runs, together.seconds * to_ms, stages,
                       each * to_ms, ratio, arguments.steps / std::max(together.rebuilds, 1.0),
                       same ? "equal" : "different");
            std::fflush(stdout);
            table.row(name, particles, runs, arguments.steps, together.seconds, each, ratio, same);
        }
    }
    fmt::print("\ntable: {}\n", table.complete().string());
    return equal ? ExitCode::success : ExitCode::differs;
}

const bool registered = register_bench<Arguments>(
    "batch", "Many small runs as one batch on a CUDA device, compared with one after another", run_experiment,
    [](CLI::App& command, Arguments& arguments) {
        add(command, "--runs", arguments.runs, "Numbers of runs", CLI::Range(1, 100'000));
        add(command, "--cases", arguments.cases, "dam-break, block", CLI::IsMember({"dam-break", "block"}));
        add(command, "--steps", arguments.steps, "Steps to measure", CLI::Range(1, 1'000'000));
        add(command, "--alone", arguments.alone, "Runs that are also taken alone, at most", CLI::Range(1, 1000));
        add(command, "--device", arguments.device, "Which CUDA device");
    });

}  // namespace

}  // namespace halfulp
