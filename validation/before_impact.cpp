// halfulp validate before-impact: pressures, and water over dry floors, of collapses until they strike a wall or an
// obstacle, in the shipped dam breaks and columns.
#include "validation/columns.hpp"
#include "validation/experiment.hpp"

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
constexpr double highest_water = 0.01;  // above the surface at the start

struct Moment {
    double time = 0;     // s
    double lowest = 0;   // pressure of the fluid over rho0 g H
    double highest = 0;  //
    double gap = 0;      // of the lowest water over the dry floor to where it would lie on the lattice, spacings
    double above = 0;    // of the highest water above the surface at the start, spacings
    double front = 0;    // m
};

Moment moment_of(const Collapse& collapse, const Case& c, double depth, double time, const FluidState& fluid)
{
    const double spacing = c.resolution.spacing;
    const int up = c.dimensions - 1;
    const double towards = collapse.strikes > collapse.side ? 1 : -1;
    const double weight = c.fluid.density * -c.gravity[up] * depth;
    Moment moment{.time = time, .lowest = 1e300, .highest = -1e300, .above = -1e300, .front = towards * -1e300};
    double lowest_water = 1e300;
    for (std::size_t i = 0; i < fluid.position.size(); ++i) {
        const auto& x = fluid.position[i];
        moment.lowest = std::min(moment.lowest, fluid.pressure[i] / weight);
        raise(moment.highest, fluid.pressure[i] / weight);
        raise(moment.above, (x[up] - depth) / spacing + 0.5);
        moment.front = towards > 0 ? std::max(moment.front, x[0]) : std::min(moment.front, x[0]);
        if (towards * (x[0] - collapse.side) > 2.5 * spacing) lowest_water = std::min(lowest_water, x[up]);
    }
    // Before that the lowest layer may not have come so far yet.
    const bool out = towards * (moment.front - collapse.side) > 5 * spacing;
    moment.gap = out ? lowest_water / spacing - 0.5 : 0;
    return moment;
}

// Every 10 steps, until the front is two spacings before what it strikes.
std::vector<Moment> follow(const Collapse& collapse, const Case& c)
{
    const Problem problem = prepare(c);
    Simulation simulation(problem, make_cpu_backend(problem, one_thread));
    std::vector<Moment> moments;
    double depth = 0;
    while (simulation.time() < c.time.end) {
        const FluidState fluid = fluid_of(problem, simulation.snapshot());
        if (depth == 0) {
            for (const auto& x : fluid.position)
                depth = std::max(depth, x[c.dimensions - 1] + 0.5 * c.resolution.spacing);
        }
        const Moment moment = moment_of(collapse, c, depth, simulation.time(), fluid);
        if (std::abs(collapse.strikes - moment.front) < 2 * c.resolution.spacing) break;
        moments.push_back(moment);
        for (int k = 0; k < 10; ++k) simulation.step();
    }
    return moments;
}

struct Arguments : StudyOptions {
    std::vector<std::string> overrides;
};

ExitCode run_experiment(const Arguments& arguments)
{
    Measurements<const char*, std::vector<Moment>> runs;
    for (const Collapse& collapse : collapses) {
        if (collapse.from > arguments.scale) continue;
        std::vector<std::string> overrides;
        if (arguments.scale == Scale::quick) overrides.push_back(fmt::format("resolution.spacing={}", collapse.coarse));
        overrides.insert(overrides.end(), arguments.overrides.begin(), arguments.overrides.end());
        const Case c = case_with(collapse.name, overrides);
        runs.add(collapse.name, job_key("before-impact", c), [collapse, c] { return follow(collapse, c); });
    }

    Page page(arguments.folder, "before-impact", "Before the first impact");
    Table table(arguments.folder, "before-impact",
                "case,time[s],lowest_pressure[1],highest_pressure[1],gap[1],above[1],front[m]");
    page.table(
        {"case", "looks, to", "pressure over rho0 g H", "water over the dry floor", "highest water"},
        "lowest and highest pressure of the fluid; lowest water over the floor that starts dry, at its lowest and "
        "highest, and the highest water above the surface at the start, both from where it would lie on the "
        "lattice, in spacings");
    bool passed = true;
    Study("before-impact", arguments).run(runs, [&](const char* name, const std::vector<Moment>& moments) {
        for (const Moment& m : moments) table.row(name, m.time, m.lowest, m.highest, m.gap, m.above, m.front);
        const auto least = [&](double Moment::*member) {
            return (*std::ranges::min_element(moments, {}, member)).*member;
        };
        const auto most = [&](double Moment::*member) {
            return (*std::ranges::max_element(moments, {}, member)).*member;
        };
        const double lowest = least(&Moment::lowest);
        const double highest = most(&Moment::highest);
        const double gap = most(&Moment::gap);
        const double above = most(&Moment::above);
        page.row("{} | {}, {:.3f} s | {:.3f} to {:.3f} | {:.2f} to {:.2f} | {:.2f}", name, moments.size(),
                 moments.back().time, lowest, highest, least(&Moment::gap), gap, above);
        passed = passed && lowest >= lowest_pressure && highest <= highest_pressure && gap <= largest_gap &&
                 above <= highest_water;
    });
    page.verdict(passed,
                 "pressures within {} and {} rho0 g H, water at most {} spacings above its place "
                 "over a dry floor, none above the surface at the start",
                 lowest_pressure, highest_pressure, largest_gap);
    page.draw(table.complete(), "before_impact", "Lowest and highest pressure of the fluid until the front strikes.");
    return page.close();
}

const bool registered = register_study<Arguments>(
    "before-impact", "Pressures and gaps over dry floors before the first impact, in the shipped dam breaks",
    run_experiment, [](CLI::App& command, Arguments& arguments) {
        command.add_option("--set", arguments.overrides, "KEY=VALUE for every case")->expected(1)->take_all();
    });

}  // namespace

}  // namespace halfulp
