// halfulp bench gpu: how fast is the CUDA back end, stage by stage, and what does each technique cost there? The
// shipped 3D dam break (h = 1.732 spacings, as in DualSPHysics's public example; walls are particles and are counted)
// and a block of fluid whose particles have 174 neighbours, in a range of sizes. Everything is measured in one run, so
// that its ratios mean something.
#include <cstdio>

#include "core/backends/cuda/cuda_backend.hpp"
#include "core/setup/policy_table.hpp"
#include "validation/block.hpp"
#include "validation/experiment.hpp"
#include "validation/strategies/testbed.hpp"

namespace halfulp {

namespace {

struct Arguments : BenchOptions {
    std::vector<double> sizes{1e5, 1e6, 4e6};
    std::vector<std::string> precisions{"robust", "robust/sums=plain", "naive", "double"};
    std::vector<std::string> cases{"dam-break", "block"};
    double seconds = 1;
    double after = 0;
    bool no_lists = false;
    std::vector<std::string> overrides;
    int device = CudaOptions().device;
};

// The shipped dam break with about so many particles, without density diffusion; with the step and the skin that it had
// until 29 November 2026, as in what was measured before.
Problem dam_break(double particles, const std::string& precision, std::vector<std::string> overrides)
{
    const double spacing = strategies::spacing_for(particles, 0.081, 16.5);
    overrides.insert(overrides.begin(),
                     {fmt::format("resolution.spacing={}", spacing), "numerics.density_diffusion=none",
                      "numerics.precision=" + precision, "time.cfl=0.2", "numerics.skin=0.25"});
    return prepare(case_with("dam-break-3d", overrides));
}

void compare(Table& table, const std::string& name, double size, const Arguments& arguments)
{
    const bool is_block = name == "block";
    fmt::print(
        "\n{}\n\n| particles | precision | back end | steps/s | million particle steps/s | time over the first | neighbours | density rate | forces | update | steps a rebuild | bytes |\n|---|---|---|---|---|---|---|---|---|---|---|---|\n",
        is_block ? "A block of fluid" : "Dam break");
    CudaOptions cuda;
    cuda.device = arguments.device;
    if (arguments.no_lists) cuda.neighbours = NeighbourStorage::none;
    double first = 0;
    for (const std::string& precision : arguments.precisions) {
        if (find_policy(precision) == nullptr) {
            fmt::print("| | {} | left out: not compiled | | | | | | | | | |\n", precision);
            continue;
        }
        const Problem problem = is_block ? timed_block(3, static_cast<int>(std::lround(std::cbrt(size))), precision)
                                         : dam_break(size, precision, arguments.overrides);
        const std::size_t count = problem.particles.size();
        if (const std::string obstacle = why_no_cuda(problem, cuda); !obstacle.empty()) {
            fmt::print("| {} | {} | left out: {} | | | | | | | | | |\n", count, precision, obstacle);
            continue;
        }
        const Timing t =
            time_steps(problem, make_cuda_backend(problem, cuda), arguments.seconds, is_block ? 0 : arguments.after);
        if (first == 0) first = t.nanoseconds;
        fmt::print("| {} | {} | {} | {:.1f} | {:.1f} | {:.2f} | {} | {:.1f} | {:.0f} |\n", count, precision, t.backend,
                   1e9 / (t.nanoseconds * static_cast<double>(count)), 1e3 / t.nanoseconds, t.nanoseconds / first,
                   t.stages_text(3), 1 / t.rebuilds_per_step, t.bytes);
        std::fflush(stdout);
        table.row(name, count, precision, t.backend, t.nanoseconds, t.of_stages(), t.rebuilds_per_step, t.bytes);
    }
}

ExitCode run_experiment(const Arguments& arguments)
{
    Table table(arguments.folder, "gpu",
                fmt::format("case,particles,precision,backend,{},rebuilds[1/step],bytes", stage_columns));
    for (const std::string& name : arguments.cases)
        for (const double size : arguments.sizes) compare(table, name, size, arguments);
    fmt::print("\ntable: {}\n", table.complete().string());
    return ExitCode::success;
}

const bool registered = register_bench<Arguments>(
    "gpu", "Whole steps on a CUDA device: sizes, number types, sums, stages, bytes a particle", run_experiment,
    [](CLI::App& command, Arguments& arguments) {
        add(command, "--sizes", arguments.sizes, "Numbers of particles, about", CLI::Range(1e3, 1e9));
        add(command, "--precisions", arguments.precisions, "Policies");
        add(command, "--cases", arguments.cases, "dam-break, block", CLI::IsMember({"dam-break", "block"}));
        add(command, "--seconds", arguments.seconds, "Shortest time to measure each row for", CLI::Range(0.0, 600.0));
        command.add_option("--set", arguments.overrides, "KEY=VALUE for the dam break")->expected(1)->take_all();
        add(command, "--after", arguments.after, "Simulated time of the dam break to start at, s",
            CLI::Range(0.0, 100.0));
        command.add_flag("--no-lists", arguments.no_lists, "Without stored neighbours");
        add(command, "--device", arguments.device, "Which CUDA device");
    });

}  // namespace

}  // namespace halfulp
