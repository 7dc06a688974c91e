// halfulp bench pairs: how fast are neighbour search and pair sums on the CPU, and what does each technique cost? A
// cube of fluid, 3D, h = sqrt(3) spacings, 174 neighbours inside; positions jittered, velocities and densities drawn
// from each particle's number. Everything is measured in one run, so that its ratios mean something on any machine.
#include <cstdio>

#include <omp.h>

#include "validation/block.hpp"
#include "validation/experiment.hpp"

namespace halfulp {

namespace {

struct Arguments : BenchOptions {
    int edge = 46;
    double seconds = 3;
    std::vector<int> edges{22, 46, 100};
};

struct Setup {
    std::string precision = "robust";
    CpuOptions cpu;
};

// A row for each set-up; of those that this processor cannot carry out, why.
void compare(Table& table, const std::string& title, int edge, double seconds, const std::vector<Setup>& setups)
{
    fmt::print(
        "\n{}\n\n| precision | back end | million particle steps/s | speed over the first | neighbours | density rate | forces | update "
        "| bytes |\n|---|---|---|---|---|---|---|---|---|\n",
        title);
    double first = 0;
    for (const auto& [precision, cpu] : setups) {
        try {
            const Timing t = time_steps(timed_block(3, edge, precision), cpu, seconds);
            if (first == 0) first = t.nanoseconds;
            fmt::print("| {} | {} | {:.3f} | {:.2f} | {} | {:.0f} |\n", precision, t.backend, 1e3 / t.nanoseconds,
                       first / t.nanoseconds, t.stages_text(0), t.bytes);
            table.row(edge * edge * edge, precision, t.backend, t.nanoseconds, t.of_stages(), t.rebuilds_per_step,
                      t.bytes);
        } catch (const Error& error) {
            fmt::print("| {} | left out: {} | | | | | | | |\n", precision, error.what());
        }
        std::fflush(stdout);
    }
}

ExitCode run_experiment(const Arguments& arguments)
{
    Table table(arguments.folder, "pairs",
                fmt::format("particles,precision,backend,{},rebuilds[1/step],bytes", stage_columns));
    fmt::print(
        "A cube of {} particles, 174 neighbours inside, whole steps of the default integrator with viscosity and a variable\n"
        "step. Times of the stages are nanoseconds a particle and step.\n",
        arguments.edge * arguments.edge * arguments.edge);
    const auto rows = [&](const std::string& title, const std::vector<Setup>& setups) {
        compare(table, title, arguments.edge, arguments.seconds, setups);
    };
    std::vector<Setup> lanes;
    for (const int count : {1, 4, 8, 16}) lanes.push_back({.cpu = {.threads = 1, .lanes = count}});
    rows("Lanes, one thread", lanes);
    rows("Sums and number types, one thread", {{"robust", {.threads = 1}},
                                               {"robust/sums=plain", {.threads = 1}},
                                               {"double", {.threads = 1}},
                                               {"double", {.threads = 1, .lanes = 1}}});
    rows("Neighbours stored or searched for in every pass, one thread",
         {{.cpu = {.threads = 1, .neighbours = NeighbourStorage::stored}},
          {.cpu = {.threads = 1, .neighbours = NeighbourStorage::none}}});
    std::vector<Setup> threads;
    for (int count = 1; count <= omp_get_num_procs(); count *= 2) threads.push_back({.cpu = {.threads = count}});
    rows("Threads", threads);
    for (const int edge : arguments.edges)
        compare(table, fmt::format("{} particles, one thread", edge * edge * edge), edge, arguments.seconds,
                {{.cpu = {.threads = 1}}});
    fmt::print("\ntable: {}\n", table.complete().string());
    return ExitCode::success;
}

const bool registered = register_bench<Arguments>(
    "pairs", "Neighbour search and pair sums on the CPU: lanes, threads, sums, number types, stored neighbours, sizes",
    run_experiment, [](CLI::App& command, Arguments& arguments) {
        add(command, "--edge", arguments.edge, "Particles along the cube's edge", CLI::Range(4, 400));
        add(command, "--edges", arguments.edges, "Edges of the cubes that show how speed depends on the size",
            CLI::Range(4, 400));
        add(command, "--seconds", arguments.seconds, "Shortest time to measure each row for", CLI::Range(0.01, 600.0));
    });

}  // namespace

}  // namespace halfulp
