// halfulp validate energy: does float track double? The inviscid dam break in a closed tank conserves its total energy
// in continuous time, so what changes is the error of the integrator and of rounding. The largest |E - E(0)| over every
// step is compared between the policies, over the step size, at the origin and 10^9 cells away from it.
#include <algorithm>
#include <cmath>
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "core/app/commands.hpp"
#include "core/setup/read_case.hpp"
#include "validation/experiment.hpp"
#include "validation/page.hpp"
#include "validation/study.hpp"

namespace halfulp {

namespace {

struct Arguments {
    StudyOptions study;
    std::string case_name = "inviscid-tank-2d";
    std::vector<double> spacings;  // empty: those of the scale
    std::vector<double> cfls;
};

struct Measurement {
    double spacing;
    double cfl;
    std::int64_t cells;  // the origin's distance along x and y
    std::string precision;
};

struct Measured {
    std::uint64_t steps = 0;
    double largest_error = 0;  // |E - E(0)| / available energy
    double largest_error_joules = 0;
    StateHash hash;
    bool broke = false;
};

Results measure(const Case& c)
{
    double largest = 0;
    const auto simulated = simulate(
        c, 1,
        [&](const Problem&, const Simulation& simulation) {
            largest = std::max(largest, std::abs(simulation.ledger_row().residual));
        },
        one_thread);
    const auto hash = numbers_of(simulated.hash);
    return {{static_cast<double>(simulated.steps), largest / simulated.problem.available_energy, largest,
             simulated.broke ? 1.0 : 0.0, hash[0], hash[1], hash[2], hash[3]}};
}

Measured measured(const Results& rows)
{
    const auto& row = rows.at(0);
    return {.steps = static_cast<std::uint64_t>(row.at(0)),
            .largest_error = row.at(1),
            .largest_error_joules = row.at(2),
            .hash = hash_of({row.at(4), row.at(5), row.at(6), row.at(7)}),
            .broke = row.at(3) != 0};
}

Job job(const Measurement& m, const std::string& case_name)
{
    const Case c = read_case(
        find_case(case_name),
        {fmt::format("resolution.spacing={}", m.spacing), fmt::format("time.cfl={}", m.cfl),
         fmt::format("origin.cells=[{},{}]", m.cells, -m.cells), fmt::format("numerics.precision={}", m.precision)});
    return {job_key("energy", c), [c] { return measure(c); }};
}

constexpr std::int64_t far_away = 1'000'000'000;
constexpr double allowed_ratio = 10;  // robust's error over double's

ExitCode run_experiment(Arguments arguments)
{
    using List = std::vector<double>;
    const StudyOptions& options = arguments.study;
    if (arguments.spacings.empty())
        arguments.spacings = options.choose<List>({0.05, 0.02}, {0.05, 0.02}, {0.05, 0.02, 0.01});
    if (arguments.cfls.empty())
        arguments.cfls = options.choose<List>({0.1, 0.03}, {0.1, 0.03, 0.01, 0.003}, {0.1, 0.03, 0.01, 0.003, 0.001});
    Page page(options.folder, "energy", "Energy error against the step size");
    Table table(options.folder, "energy",
                "spacing[m],cfl[1],origin[cells],precision,steps[1],largest_energy_error[1],largest_energy_error[J/m],"
                "state_hash");

    std::vector<Measurement> measurements;  // in threes: double, robust, robust far away
    for (const double spacing : arguments.spacings) {
        for (const double cfl : arguments.cfls) {
            measurements.push_back({spacing, cfl, 0, "double"});
            measurements.push_back({spacing, cfl, 0, "robust"});
            measurements.push_back({spacing, cfl, far_away, "robust"});
        }
    }
    std::vector<Job> jobs;
    for (const Measurement& m : measurements) jobs.push_back(job(m, arguments.case_name));

    page.table(
        {"spacing [m]", "CFL on c0", "steps", "double", "robust", "ratio", "robust, 10^9 cells away", "same bits"},
        fmt::format("largest |E - E(0)| over all steps, relative to the available potential energy; case {}",
                    arguments.case_name));
    bool passed = true;
    std::vector<Measured> results;
    Study("energy", options).run(jobs, [&](std::size_t k, const Results& rows) {
        const Measurement& m = measurements[k];
        const Measured& r = results.emplace_back(measured(rows));
        table.row(fmt::format("{},{},{},{},{},{},{},{}", m.spacing, m.cfl, m.cells, m.precision, r.steps,
                              r.largest_error, r.largest_error_joules, r.hash.text()));
        passed = passed && !r.broke;
        if (k % 3 != 2) return;
        const Measured& reference = results[k - 2];
        const Measured& here = results[k - 1];
        const double ratio = here.largest_error / reference.largest_error;
        const bool same = here.hash == r.hash && here.largest_error_joules == r.largest_error_joules;
        passed = passed && ratio <= allowed_ratio && same;
        page.row({fmt::format("{}", m.spacing), fmt::format("{}", m.cfl), fmt::format("{}", reference.steps),
                  fmt::format("{:.3e}", reference.largest_error), fmt::format("{:.3e}", here.largest_error),
                  fmt::format("{:.2f}", ratio), fmt::format("{:.3e}", r.largest_error), same ? "yes" : "NO"});
    });
    table.close();
    page.verdict(passed, fmt::format("robust stays within {} times double's error, with the same bits in both places",
                                     allowed_ratio));
    page.draw(table.path(), "energy",
              "Largest energy error over the step size, for double, robust float, and robust float 10^9 cells away.");
    return page.close();
}

const bool registered = register_experiment({
    .command = "validate",
    .name = "energy",
    .summary = "Energy error against the step size, robust float against double, at the origin and 10^9 cells away",
    .set_up =
        [](CLI::App& command) {
            auto arguments = std::make_shared<Arguments>();
            add_study_options(command, arguments->study);
            command.add_option("--case", arguments->case_name, "An inviscid case with a fixed step")
                ->capture_default_str();
            command.add_option("--spacing", arguments->spacings, "Particle spacings, m (default: 0.05 0.02)");
            command.add_option("--cfl", arguments->cfls, "CFL numbers on c0 (default: 0.1 to 0.003; --quick: to 0.03)");
            return [arguments] { return run_experiment(*arguments); };
        },
});

}  // namespace

}  // namespace halfulp
