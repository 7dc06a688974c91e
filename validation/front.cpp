// halfulp validate front: the front of a collapsing column against published tables, over the particle spacing.
#include <cmath>
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "core/app/commands.hpp"
#include "core/output/front.hpp"
#include "core/setup/read_case.hpp"
#include "validation/experiment.hpp"

namespace halfulp {

namespace {

struct Arguments {
    std::string folder = "out/validate-front";
    std::string case_name = "collapse-column-2d";
    std::vector<int> particles{20, 40, 80};  // across the column's width
};

ExitCode run_experiment(const Arguments& arguments)
{
    const Case base = read_case(find_case(arguments.case_name), {});
    if (!base.front) {
        throw input_error(
            fmt::format("{}: has no [front] to compare with; choose a case that has one", base.path.string()));
    }
    const Front& front = *base.front;
    const double gravity = std::hypot(base.gravity[0], base.gravity[1], base.gravity[2]);
    const double to_scaled_time = std::sqrt(2 * gravity / front.length);
    Table table(arguments.folder, "front", "source,scaled_time[1],scaled_front[1]");
    for (const auto& reference : front.references) {
        for (const auto& [t, x] : reference.points)
            table.row(fmt::format("{},{},{}", reference.name, t - reference.clock_ahead, x));
    }
    fmt::print(
        "deviation of the front x/L from published tables, mean and largest, their clocks set by clock_ahead (the gate); case {}\n\n"
        "| L / spacing | steps |",
        arguments.case_name);
    for (const auto& reference : front.references) fmt::print(" {} |", reference.name);
    fmt::print("\n|---|---|");
    for (std::size_t i = 0; i < front.references.size(); ++i) fmt::print("---|");
    fmt::print("\n");

    bool passed = true;
    for (const int particles : arguments.particles) {
        std::vector<std::array<double, 2>> history;
        const auto simulated =
            simulate(arguments.case_name, {fmt::format("resolution.spacing={}", front.length / particles)}, 10,
                     [&](const Problem&, const Simulation& simulation) {
                         const LedgerRow row = simulation.ledger_row();
                         history.push_back({row.time, row.front});
                         table.row(fmt::format("L/{},{},{}", particles, row.time * to_scaled_time,
                                               (row.front - front.start) / front.length));
                     });
        fmt::print("| {} | {} |", particles, simulated.steps);
        for (const auto& score : score_front(front, gravity, history)) {
            fmt::print(" {:.1f} %, {:.1f} %", 100 * score.mean_deviation, 100 * score.largest_deviation);
            if (score.clock_ahead > 0) fmt::print(" (as published {:.1f} %)", 100 * score.mean_deviation_as_published);
            fmt::print(" |");
            passed = passed && score.points > 0 && score.mean_deviation <= front.tolerance;
        }
        fmt::print("\n");
        std::fflush(stdout);
        passed = passed && !simulated.broke;
    }
    table.close();
    fmt::print("\n{}: mean deviation within {:.0f} %\n", passed ? "passed" : "FAILED", 100 * front.tolerance);
    draw_table(table.path(), "front");
    return passed ? ExitCode::success : ExitCode::differs;
}

const bool registered = register_experiment({
    .command = "validate",
    .name = "front",
    .summary = "Front of a collapsing column against Koshizuka and Oka and Martin and Moyce, over the spacing",
    .set_up =
        [](CLI::App& command) {
            auto arguments = std::make_shared<Arguments>();
            command.add_option("-o,--output", arguments->folder, "Folder for the table and the figure")
                ->capture_default_str();
            command.add_option("--case", arguments->case_name, "A case with a [front]")->capture_default_str();
            command.add_option("--particles", arguments->particles, "Particles across the column's width")
                ->capture_default_str();
            return [arguments] { return run_experiment(*arguments); };
        },
});

}  // namespace

}  // namespace halfulp
