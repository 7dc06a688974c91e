// halfulp bench pairs: how fast are neighbour search and pair sums on the CPU, and what does each technique cost? A
// cube of fluid, 3D, h = sqrt(3) spacings, 174 neighbours inside; positions jittered, velocities and densities drawn
// from each particle's number. Everything is measured in one run, so that its ratios mean something on any machine.
#include <cstdio>
#include <memory>

#include <fmt/format.h>
#include <omp.h>

#include "core/app/commands.hpp"
#include "validation/experiment.hpp"
#include "validation/option.hpp"
#include "validation/step_timing.hpp"

namespace halfulp {

namespace {

struct Setup {
    std::string precision = "robust";
    CpuOptions cpu;
};

struct Arguments {
    std::string folder = "out/bench-pairs";
    int edge = 46;
    double seconds = 3;
    std::vector<int> edges{22, 46, 100};
};

class Report {
public:
    explicit Report(const std::filesystem::path& folder)
        : table_(
              folder, "pairs",
              "particles,precision,backend,step[ns],neighbours[ns],density_rate[ns],forces[ns],update[ns],rebuilds[1/step],"
              "bytes")
    {
    }

    void heading(const std::string& title)
    {
        fmt::print(
            "\n{}\n\n| precision | back end | million particle steps/s | against the first | neighbours | density rate | forces | update "
            "| bytes |\n|---|---|---|---|---|---|---|---|---|\n",
            title);
        first_ = 0;
    }

    void row(int edge, const Setup& setup, double seconds)
    {
        const Timing t = time_steps(block(3, edge, setup.precision), setup.cpu, seconds);
        if (first_ == 0) first_ = t.nanoseconds;
        fmt::print("| {} | {} | {:.3f} | {:.2f} | {} | {:.0f} |\n", setup.precision, t.backend, 1e3 / t.nanoseconds,
                   first_ / t.nanoseconds, t.stages_text(0), t.bytes);
        std::fflush(stdout);
        table_.row(edge * edge * edge, setup.precision, t.backend, t.nanoseconds, t.of_stages(), t.rebuilds_per_step,
                   t.bytes);
    }

    [[nodiscard]] const std::filesystem::path& path() const { return table_.path(); }

private:
    Table table_;
    double first_ = 0;
};

// Adds a row unless this processor has no such number of lanes.
void row_if_possible(Report& report, int edge, const Setup& setup, double seconds)
{
    try {
        report.row(edge, setup, seconds);
    } catch (const Error& error) {
        fmt::print("| {} | left out: {} | | | | | | | |\n", setup.precision, error.what());
    }
}

ExitCode run_experiment(const Arguments& arguments)
{
    Report report(arguments.folder);
    const int edge = arguments.edge;
    const double seconds = arguments.seconds;
    fmt::print(
        "A cube of {} particles, 174 neighbours inside, whole steps of the default integrator with viscosity and a variable\n"
        "step. Times of the stages are nanoseconds a particle and step.\n",
        edge * edge * edge);
    report.heading("Lanes, one thread");
    for (const int lanes : {1, 4, 8, 16})
        row_if_possible(report, edge, {.cpu = {.threads = 1, .lanes = lanes}}, seconds);
    report.heading("Sums and number types, one thread");
    for (const char* precision : {"robust", "robust/sums=plain", "double"}) {
        row_if_possible(report, edge, {.precision = precision, .cpu = {.threads = 1}}, seconds);
    }
    row_if_possible(report, edge, {.precision = "double", .cpu = {.threads = 1, .lanes = 1}}, seconds);
    report.heading("Neighbours stored or searched for in every pass, one thread");
    for (const auto how : {NeighbourStorage::stored, NeighbourStorage::none}) {
        row_if_possible(report, edge, {.cpu = {.threads = 1, .neighbours = how}}, seconds);
    }
    report.heading("Threads");
    for (int threads = 1; threads <= omp_get_num_procs(); threads *= 2) {
        row_if_possible(report, edge, {.cpu = {.threads = threads}}, seconds);
    }
    for (const int size : arguments.edges) {
        report.heading(fmt::format("{} particles, one thread", size * size * size));
        row_if_possible(report, size, {.cpu = {.threads = 1}}, seconds);
    }
    fmt::print("\ntable: {}\n", report.path().string());
    return ExitCode::success;
}

const bool registered = register_experiment({
    .command = "bench",
    .name = "pairs",
    .summary =
        "Neighbour search and pair sums on the CPU: lanes, threads, sums, number types, stored neighbours, sizes",
    .set_up =
        [](CLI::App& command) {
            auto arguments = std::make_shared<Arguments>();
            add(command, "-o,--output", arguments->folder, "Folder for the table");
            add(command, "--edge", arguments->edge, "Particles along the cube's edge", CLI::Range(4, 400));
            add(command, "--edges", arguments->edges, "Edges of the cubes that show how speed depends on the size",
                CLI::Range(4, 400));
            add(command, "--seconds", arguments->seconds, "Shortest time to measure each row for",
                CLI::Range(0.01, 600.0));
            return [arguments] { return run_experiment(*arguments); };
        },
});

}  // namespace

}  // namespace halfulp
