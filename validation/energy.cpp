// halfulp validate energy: does float track double? The inviscid dam break in a closed tank conserves its total energy
// in continuous time, so what changes is the error of the integrator and of rounding. The largest |E - E(0)| over every
// step is compared between the policies, over the step size, at the origin and 10^9 cells away from it.
#include <cmath>
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "core/app/commands.hpp"
#include "validation/experiment.hpp"

namespace halfulp {

namespace {

struct Measurement {
    double spacing;
    double cfl;
    std::int64_t cells;  // the origin's distance along x and y
    std::string precision;
    std::uint64_t steps = 0;
    double largest_error = 0;  // |E - E(0)| / available energy
    double largest_error_joules = 0;
    StateHash hash;
    bool broke = false;
};

Measurement measure(Measurement m, const std::string& case_name)
{
    const auto simulated = simulate(
        case_name,
        {fmt::format("resolution.spacing={}", m.spacing), fmt::format("time.cfl={}", m.cfl),
         fmt::format("origin.cells=[{},{}]", m.cells, -m.cells), fmt::format("numerics.precision={}", m.precision)},
        1, [&](const Problem&, const Simulation& simulation) {
            m.largest_error_joules = std::max(m.largest_error_joules, std::abs(simulation.ledger_row().residual));
        });
    m.largest_error = m.largest_error_joules / simulated.problem.available_energy;
    m.steps = simulated.steps;
    m.hash = simulated.hash;
    m.broke = simulated.broke;
    return m;
}

struct Arguments {
    std::string folder = "out/validate-energy";
    std::string case_name = "inviscid-tank-2d";
    std::vector<double> spacings{0.05, 0.02};
    std::vector<double> cfls{0.1, 0.03, 0.01, 0.003};
    bool quick = false;
};

constexpr std::int64_t far_away = 1'000'000'000;
constexpr double allowed_ratio = 10;  // robust's error over double's

ExitCode run_experiment(Arguments arguments)
{
    if (arguments.quick) arguments.cfls = {0.1, 0.03};
    Table table(arguments.folder, "energy",
                "spacing[m],cfl[1],origin[cells],precision,steps[1],largest_energy_error[1],largest_energy_error[J/m],"
                "state_hash");

    fmt::print("largest |E - E(0)| over all steps, relative to the available potential energy; case {}\n\n",
               arguments.case_name);
    fmt::print(
        "| spacing [m] | CFL on c0 | steps | double | robust | ratio | robust, 10^9 cells away | same bits |\n|---|---|---|---|---|---|---|---|\n");
    bool passed = true;
    for (const double spacing : arguments.spacings) {
        for (const double cfl : arguments.cfls) {
            const auto record = [&](std::int64_t cells, const char* precision) {
                Measurement m =
                    measure({.spacing = spacing, .cfl = cfl, .cells = cells, .precision = precision, .hash = {}},
                            arguments.case_name);
                table.row(fmt::format("{},{},{},{},{},{},{},{}", m.spacing, m.cfl, m.cells, m.precision, m.steps,
                                      m.largest_error, m.largest_error_joules, m.hash.text()));
                passed = passed && !m.broke;
                return m;
            };
            const Measurement reference = record(0, "double");
            const Measurement here = record(0, "robust");
            const Measurement there = record(far_away, "robust");
            const double ratio = here.largest_error / reference.largest_error;
            const bool same = here.hash == there.hash && here.largest_error_joules == there.largest_error_joules;
            passed = passed && ratio <= allowed_ratio && same;
            fmt::print("| {} | {} | {} | {:.3e} | {:.3e} | {:.2f} | {:.3e} | {} |\n", spacing, cfl, reference.steps,
                       reference.largest_error, here.largest_error, ratio, there.largest_error, same ? "yes" : "NO");
            std::fflush(stdout);
        }
    }
    table.close();
    fmt::print("\n{}: robust stays within {} times double's error, with the same bits in both places\n",
               passed ? "passed" : "FAILED", allowed_ratio);
    draw_table(table.path(), "energy");
    return passed ? ExitCode::success : ExitCode::differs;
}

const bool registered = register_experiment({
    .command = "validate",
    .name = "energy",
    .summary = "Energy error against the step size, robust float against double, at the origin and 10^9 cells away",
    .set_up =
        [](CLI::App& command) {
            auto arguments = std::make_shared<Arguments>();
            command.add_option("-o,--output", arguments->folder, "Folder for the table and the figure")
                ->capture_default_str();
            command.add_option("--case", arguments->case_name, "An inviscid case with a fixed step")
                ->capture_default_str();
            command.add_option("--spacing", arguments->spacings, "Particle spacings, m")->capture_default_str();
            command.add_option("--cfl", arguments->cfls, "CFL numbers on c0")->capture_default_str();
            command.add_flag("--quick", arguments->quick, "Only CFL 0.1 and 0.03 (seconds)");
            return [arguments] { return run_experiment(*arguments); };
        },
});

}  // namespace

}  // namespace halfulp
