// halfulp validate reversal: a collapse run forwards and then backwards, with the same steps of the other sign. The
// integrator is time-symmetric and nothing dissipates, so what differs from the start is rounding; in the fixed-point
// policy nothing differs.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "core/app/commands.hpp"
#include "core/backends/cpu/cpu_backend.hpp"
#include "core/setup/read_case.hpp"
#include "validation/experiment.hpp"
#include "validation/fluid_state.hpp"
#include "validation/page.hpp"
#include "validation/study.hpp"

namespace halfulp {

namespace {

struct Arguments {
    StudyOptions study;
    std::string case_name = "inviscid-tank-2d";
    double spacing = 0.025;
    double cfl = 0.1;
    std::vector<int> steps;  // empty: those of the scale
};

// Everything that defines the particles, in order of id.
std::vector<std::byte> state_of(const Snapshot& snapshot)
{
    std::vector<std::byte> state;
    for (const Column& column : snapshot.columns) {
        if (column.state) state.insert(state.end(), column.data.begin(), column.data.end());
    }
    return state;
}

constexpr std::array moments{"start", "halfway", "turn", "halfway back", "back"};

// A row of what is left, then for the film strip, if that is wanted, the fluid at five moments: (moment, x, y, first
// y).
enum Left { values, changed, distance, speed, moved, broke, left_count };

Results there_and_back(const Case& c, int steps, bool film)
{
    const Problem problem = prepare(c);
    const auto backend = make_cpu_backend(problem, one_thread);
    const Scheme scheme = scheme_of(problem);
    const auto step = static_cast<double>(static_cast<float>(problem.fixed_step / problem.units.time()));
    for (const Operation& operation : scheme.start) backend->execute(operation, 0);
    const Snapshot start = backend->snapshot();
    const FluidState from = fluid_of(problem, start);

    Results rows{std::vector<double>(left_count)};
    const auto record = [&](double moment) {
        if (!film) return;
        const FluidState now = fluid_of(problem, backend->snapshot());
        for (std::size_t i = 0; i < now.position.size(); ++i)
            rows.push_back({moment, now.position[i][0], now.position[i][1], from.position[i][1]});
    };
    const auto go = [&](int count, double interval) {
        for (int k = 0; k < count; ++k)
            for (const Operation& operation : scheme.step) backend->execute(operation, interval);
    };
    std::array<double, left_count> result{};
    try {
        record(0);
        go(steps / 2, step);
        record(1);
        go(steps - steps / 2, step);
        record(2);
        const FluidState there = fluid_of(problem, backend->snapshot());
        for (std::size_t i = 0; i < there.position.size(); ++i)
            result[moved] = std::max(result[moved], std::hypot(there.position[i][0] - from.position[i][0],
                                                               there.position[i][1] - from.position[i][1],
                                                               there.position[i][2] - from.position[i][2]));
        go(steps - steps / 2, -step);
        record(3);
        go(steps / 2, -step);
        record(4);
    } catch (const SimulationBroke&) {
        result[broke] = 1;
    }
    const Snapshot end = backend->snapshot();
    const FluidState to = fluid_of(problem, end);
    for (std::size_t i = 0; i < to.position.size(); ++i) {
        double far = 0;
        double fast = 0;
        for (std::size_t k = 0; k < 3; ++k) {
            far = std::hypot(far, to.position[i][k] - from.position[i][k]);
            fast = std::hypot(fast, to.velocity[i][k] - from.velocity[i][k]);
        }
        result[distance] = std::max(result[distance], far);
        result[speed] = std::max(result[speed], fast);
    }
    const auto before = state_of(start);
    const auto after = state_of(end);
    result[values] = static_cast<double>(before.size() / 4);
    for (std::size_t k = 0; k + 4 <= before.size(); k += 4)
        result[changed] += std::memcmp(&before[k], &after[k], 4) != 0 ? 1 : 0;
    rows[0].assign(result.begin(), result.end());
    return rows;
}

ExitCode run_experiment(Arguments arguments)
{
    using List = std::vector<int>;
    const StudyOptions& options = arguments.study;
    if (arguments.steps.empty())
        arguments.steps = options.choose<List>({100, 1000}, {100, 1000, 10000}, {100, 300, 1000, 3000, 10000, 30000});
    Page page(options.folder, "reversal", "A collapse run forwards and back");
    Table table(options.folder, "reversal", "precision,steps[1],moved[m],distance[m],speed[m/s],changed[1],values[1]");
    Table film(options.folder, "reversal-film", "precision,moment,x[m],y[m],first_y[m]");
    struct Measurement {
        std::string precision;
        int steps;
    };
    std::vector<Measurement> measurements;
    std::vector<Job> jobs;
    for (const char* precision : {"robust/sums=plain", "robust", "double", "reversible"}) {
        const Case c =
            read_case(find_case(arguments.case_name),
                      {fmt::format("resolution.spacing={}", arguments.spacing),
                       fmt::format("time.cfl={}", arguments.cfl), fmt::format("numerics.precision={}", precision)});
        for (const int steps : arguments.steps) {
            const bool with_film = steps == arguments.steps.back();
            measurements.push_back({precision, steps});
            jobs.push_back({job_key("reversal", c, {fmt::format("steps={}", steps), fmt::format("film={}", with_film)}),
                            [c, steps, with_film] { return there_and_back(c, steps, with_film); }});
        }
    }
    page.table(
        {"precision", "steps there", "farthest moved [m]", "distance [m]", "speed [m/s]",
         "32-bit words of the state changed"},
        fmt::format(
            "{} at a spacing of {} m, CFL {}: forwards and back; distance and speed are the largest differences to the start",
            arguments.case_name, arguments.spacing, arguments.cfl));
    bool passed = true;
    Study("reversal", options).run(jobs, [&](std::size_t k, const Results& rows) {
        const auto& [precision, steps] = measurements[k];
        const auto& r = rows.at(0);
        page.row({precision, fmt::format("{}", steps), fmt::format("{:.3g}", r.at(moved)),
                  fmt::format("{:.2e}", r.at(distance)), fmt::format("{:.2e}", r.at(speed)),
                  fmt::format("{} of {}{}", r.at(changed), r.at(values), r.at(broke) != 0 ? " (STOPPED)" : "")});
        table.row(fmt::format("{},{},{},{},{},{},{}", precision, steps, r.at(moved), r.at(distance), r.at(speed),
                              r.at(changed), r.at(values)));
        for (std::size_t i = 1; i < rows.size(); ++i)
            film.row(fmt::format("{},{},{},{},{}", precision, moments.at(static_cast<std::size_t>(rows[i].at(0))),
                                 rows[i].at(1), rows[i].at(2), rows[i].at(3)));
        if (precision == "reversible") passed = passed && r.at(changed) == 0 && r.at(broke) == 0;
    });
    table.close();
    film.close();
    page.verdict(passed, "not one bit of the reversible state differs from the start");
    page.draw(
        table.path(), "reversal",
        "Above: the fluid on its way there and back, coloured by its first height. Below: how far from the start it "
        "comes back.");
    return page.close();
}

const bool registered = register_experiment({
    .command = "validate",
    .name = "reversal",
    .summary =
        "A collapse run forwards and back to its start: what rounding leaves, and a policy in which nothing is left",
    .set_up =
        [](CLI::App& command) {
            auto arguments = std::make_shared<Arguments>();
            add_study_options(command, arguments->study);
            command.add_option("--case", arguments->case_name, "An inviscid case with a fixed step")
                ->capture_default_str();
            command.add_option("--spacing", arguments->spacing, "Particle spacing, m")
                ->check(CLI::PositiveNumber)
                ->capture_default_str();
            command.add_option("--cfl", arguments->cfl, "CFL number on c0")
                ->check(CLI::PositiveNumber)
                ->capture_default_str();
            command
                .add_option("--steps", arguments->steps,
                            "Steps before the turn, ascending (default: 100 1000 10000; --quick: 100 1000)")
                ->check(CLI::Range(2, 10'000'000));
            return [arguments] { return run_experiment(*arguments); };
        },
});

}  // namespace

}  // namespace halfulp
