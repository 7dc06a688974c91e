// halfulp validate before-impact: what a collapse shows until it strikes something, in the shipped dam breaks and
// columns.
#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "core/app/commands.hpp"
#include "core/setup/read_case.hpp"
#include "validation/columns.hpp"
#include "validation/experiment.hpp"
#include "validation/page.hpp"
#include "validation/study.hpp"

namespace halfulp {

namespace {

// A collapse over a flat floor at height 0 that starts dry.
struct Collapse {
    const char* name;
    double side;     // x of the water's free side at the start, m
    double strikes;  // x of the wall or obstacle that the front strikes, m
    double coarse;   // spacing for a quick look, m
    Scale from = Scale::quick;
};

constexpr Collapse collapses[] = {
    {"collapse-column-2d", 0.146, 1.168, 0.00486666667},
    {"collapse-square-column-2d", 0.146, 1.168, 0.00486666667},
    {"dam-break-2d", 1.2, 3.2196, 0.02},
    {"lobovsky-2d", 0.6, 1.61, 0.01},
    {"dam-break-3d", 0.4, 0.9, 0.03, Scale::usual},
    {"ramp-3d", 0.4, 0.8, 0.04, Scale::usual},
    {"lobovsky-3d", 0.6, 1.61, 0.02, Scale::usual},
    {"spheric2", 1.992, 0.8245, 0.05, Scale::usual},
};

// What is asked for, pressures over rho0 g H, heights in spacings.
constexpr double lowest_pressure = -0.2;
constexpr double highest_pressure = 1.3;
constexpr double largest_gap = 0.7;

struct Look {
    double time = 0;     // s
    double lowest = 0;   // pressure of the fluid over rho0 g H
    double highest = 0;  //
    double gap = 0;      // of the lowest water over the dry floor to where it would lie on the lattice, spacings
    double above = 0;    // of the highest water above the surface at the start, spacings
    double front = 0;    // m
};

Look look_at(const Collapse& collapse, const Case& c, double depth, const FluidState& fluid)
{
    const double spacing = c.resolution.spacing;
    const int up = c.dimensions - 1;
    const double towards = collapse.strikes > collapse.side ? 1 : -1;
    const double weight = c.fluid.density * -c.gravity[up] * depth;
    Look look{.lowest = 1e300, .highest = -1e300, .above = -1e300, .front = towards * -1e300};
    double lowest_water = 1e300;
    for (std::size_t i = 0; i < fluid.position.size(); ++i) {
        const auto& x = fluid.position[i];
        look.lowest = std::min(look.lowest, fluid.pressure[i] / weight);
        look.highest = std::max(look.highest, fluid.pressure[i] / weight);
        look.above = std::max(look.above, (x[up] - depth) / spacing + 0.5);
        look.front = towards > 0 ? std::max(look.front, x[0]) : std::min(look.front, x[0]);
        if (towards * (x[0] - collapse.side) > 2.5 * spacing) lowest_water = std::min(lowest_water, x[up]);
    }
    // Before that the lowest layer may not have come so far yet.
    const bool out = towards * (look.front - collapse.side) > 5 * spacing;
    look.gap = out ? lowest_water / spacing - 0.5 : 0;
    return look;
}

// A look every 10 steps, until the front is two spacings before what it strikes.
Results follow(const Collapse& collapse, const Case& c)
{
    const Problem problem = prepare(c);
    Simulation simulation(problem, make_cpu_backend(problem, one_thread));
    Results rows;
    double depth = 0;
    while (simulation.time() < c.time.end) {
        const FluidState fluid = fluid_of(problem, simulation.snapshot());
        if (depth == 0) {
            for (const auto& x : fluid.position)
                depth = std::max(depth, x[c.dimensions - 1] + 0.5 * c.resolution.spacing);
        }
        Look look = look_at(collapse, c, depth, fluid);
        look.time = simulation.time();
        if (std::abs(collapse.strikes - look.front) < 2 * c.resolution.spacing) break;
        rows.push_back(row_of(look));
        for (int k = 0; k < 10; ++k) simulation.step();
    }
    return rows;
}

struct Arguments : StudyOptions {
    std::vector<std::string> overrides;
};

ExitCode run_experiment(const Arguments& arguments)
{
    const StudyOptions& options = arguments;
    std::vector<Collapse> chosen;
    std::vector<Job> jobs;
    for (const Collapse& collapse : collapses) {
        if (collapse.from == Scale::usual && options.scale == Scale::quick) continue;
        std::vector<std::string> overrides = arguments.overrides;
        if (options.scale == Scale::quick) overrides.push_back(fmt::format("resolution.spacing={}", collapse.coarse));
        const Case c = case_with(collapse.name, overrides);
        chosen.push_back(collapse);
        jobs.push_back({job_key("before-impact", c), [collapse, c] { return follow(collapse, c); }});
    }

    Page page(options.folder, "before-impact", "Before the first impact");
    Table table(options.folder, "before-impact",
                "case,time[s],lowest_pressure[1],highest_pressure[1],gap[1],above[1],front[m]");
    page.table(
        {"case", "looks, to", "pressure over rho0 g H", "water over the dry floor", "highest water"},
        "lowest and highest pressure of the fluid; lowest water over the floor that starts dry, at its lowest and "
        "highest, and the highest water above the surface at the start, both from where it would lie on the "
        "lattice, in spacings");
    bool passed = true;
    Study("before-impact", options).run(jobs, [&](std::size_t k, const Results& rows) {
        Look least{.lowest = 1e300, .gap = 1e300};
        Look most{.highest = -1e300, .gap = -1e300, .above = -1e300};
        for (const auto& row : rows) {
            least.lowest = std::min(least.lowest, row.at(1));
            most.highest = std::max(most.highest, row.at(2));
            least.gap = std::min(least.gap, row.at(3));
            most.gap = std::max(most.gap, row.at(3));
            most.above = std::max(most.above, row.at(4));
            table.row(chosen[k].name, row);
        }
        page.row("{} | {}, {:.3f} s | {:.3f} to {:.3f} | {:.2f} to {:.2f} | {:.2f}", chosen[k].name, rows.size(),
                 rows.back().at(0), least.lowest, most.highest, least.gap, most.gap, most.above);
        passed = passed && least.lowest >= lowest_pressure && most.highest <= highest_pressure &&
                 most.gap <= largest_gap && most.above <= largest_gap;
    });
    page.verdict(passed,
                 "pressures within {} and {} rho0 g H, water at most {} spacings above its place "
                 "over a dry floor, none above the surface at the start",
                 lowest_pressure, highest_pressure, largest_gap);
    page.draw(table.path(), "before_impact", "Lowest and highest pressure of the fluid until the front strikes.");
    return page.close();
}

const bool registered = register_study<Arguments>(
    "before-impact",
    "Pressures, and water over dry floors, until a collapse strikes something, in the shipped dam breaks",
    run_experiment, [](CLI::App& command, Arguments& arguments) {
        command.add_option("--set", arguments.overrides, "KEY=VALUE for every case")->expected(1)->take_all();
    });

}  // namespace

}  // namespace halfulp
