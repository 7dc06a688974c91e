// halfulp validate reversal: a collapse run forwards and then backwards, with the same steps of the other sign. The
// integrator is time-symmetric and nothing dissipates, so what differs from the start is rounding; in the fixed-point
// policy nothing differs.
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

namespace halfulp {

namespace {

struct Arguments {
    std::string folder = "out/validate-reversal";
    std::string case_name = "inviscid-tank-2d";
    double spacing = 0.025;
    double cfl = 0.1;
    std::vector<int> steps{100, 1000, 10000};
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

struct Return {
    std::size_t values = 0;   // 32-bit words of the state
    std::size_t changed = 0;  // of them, after the way back
    double distance = 0;      // largest from the start, m
    double speed = 0;         // largest difference to the start's velocity, m/s
    double moved = 0;         // largest distance on the far end, m
    bool broke = false;
};

// Positions at five moments go to the table of the film strip.
Return there_and_back(const Problem& problem, int steps, Table* film)
{
    const auto backend = make_cpu_backend(problem, {});
    const Scheme scheme = scheme_of(problem);
    const auto step = static_cast<double>(static_cast<float>(problem.fixed_step / problem.units.time()));
    for (const Operation& operation : scheme.start) backend->execute(operation, 0);
    const Snapshot start = backend->snapshot();
    const FluidState from = fluid_of(problem, start);

    const auto record = [&](const char* when) {
        if (film == nullptr) return;
        const FluidState now = fluid_of(problem, backend->snapshot());
        for (std::size_t i = 0; i < now.position.size(); ++i) {
            film->row(fmt::format("{},{},{},{},{}", problem.source.numerics.precision, when, now.position[i][0],
                                  now.position[i][1], from.position[i][1]));
        }
    };
    const auto go = [&](int count, double interval) {
        for (int k = 0; k < count; ++k)
            for (const Operation& operation : scheme.step) backend->execute(operation, interval);
    };
    Return result;
    try {
        record("start");
        go(steps / 2, step);
        record("halfway");
        go(steps - steps / 2, step);
        record("turn");
        const FluidState there = fluid_of(problem, backend->snapshot());
        for (std::size_t i = 0; i < there.position.size(); ++i)
            result.moved = std::max(result.moved, std::hypot(there.position[i][0] - from.position[i][0],
                                                             there.position[i][1] - from.position[i][1],
                                                             there.position[i][2] - from.position[i][2]));
        go(steps - steps / 2, -step);
        record("halfway back");
        go(steps / 2, -step);
        record("back");
    } catch (const SimulationBroke&) {
        result.broke = true;
    }
    const Snapshot end = backend->snapshot();
    const FluidState to = fluid_of(problem, end);
    for (std::size_t i = 0; i < to.position.size(); ++i) {
        double distance = 0;
        double speed = 0;
        for (std::size_t c = 0; c < 3; ++c) {
            distance = std::hypot(distance, to.position[i][c] - from.position[i][c]);
            speed = std::hypot(speed, to.velocity[i][c] - from.velocity[i][c]);
        }
        result.distance = std::max(result.distance, distance);
        result.speed = std::max(result.speed, speed);
    }
    const auto before = state_of(start);
    const auto after = state_of(end);
    result.values = before.size() / 4;
    for (std::size_t k = 0; k + 4 <= before.size(); k += 4)
        result.changed += std::memcmp(&before[k], &after[k], 4) != 0 ? 1 : 0;
    return result;
}

ExitCode run_experiment(const Arguments& arguments)
{
    Table table(arguments.folder, "reversal",
                "precision,steps[1],moved[m],distance[m],speed[m/s],changed[1],values[1]");
    Table film(arguments.folder, "reversal-film", "precision,moment,x[m],y[m],first_y[m]");
    fmt::print(
        "{} at a spacing of {} m, CFL {}: forwards and back; distance and speed are the largest differences to the start\n\n"
        "| precision | steps there | farthest moved [m] | distance [m] | speed [m/s] | 32-bit words of the state changed |\n"
        "|---|---|---|---|---|---|\n",
        arguments.case_name, arguments.spacing, arguments.cfl);
    bool passed = true;
    for (const char* precision : {"robust/sums=plain", "robust", "double", "reversible"}) {
        const Problem problem =
            prepare(read_case(find_case(arguments.case_name), {fmt::format("resolution.spacing={}", arguments.spacing),
                                                               fmt::format("time.cfl={}", arguments.cfl),
                                                               fmt::format("numerics.precision={}", precision)}));
        for (const int steps : arguments.steps) {
            const bool last = steps == arguments.steps.back();
            const Return r = there_and_back(problem, steps, last ? &film : nullptr);
            fmt::print("| {} | {} | {:.3g} | {:.2e} | {:.2e} | {} of {}{} |\n", precision, steps, r.moved, r.distance,
                       r.speed, r.changed, r.values, r.broke ? " (STOPPED)" : "");
            std::fflush(stdout);
            table.row(fmt::format("{},{},{},{},{},{},{}", precision, steps, r.moved, r.distance, r.speed, r.changed,
                                  r.values));
            if (precision == std::string_view("reversible")) passed = passed && r.changed == 0 && !r.broke;
        }
    }
    table.close();
    film.close();
    fmt::print("\n{}: not one bit of the reversible state differs from the start\n", passed ? "passed" : "FAILED");
    draw_table(table.path(), "reversal");
    return passed ? ExitCode::success : ExitCode::differs;
}

const bool registered = register_experiment({
    .command = "validate",
    .name = "reversal",
    .summary =
        "A collapse run forwards and back to its start: what rounding leaves, and a policy in which nothing is left",
    .set_up =
        [](CLI::App& command) {
            auto arguments = std::make_shared<Arguments>();
            command.add_option("-o,--output", arguments->folder, "Folder for the tables and the figure")
                ->capture_default_str();
            command.add_option("--case", arguments->case_name, "An inviscid case with a fixed step")
                ->capture_default_str();
            command.add_option("--spacing", arguments->spacing, "Particle spacing, m")
                ->check(CLI::PositiveNumber)
                ->capture_default_str();
            command.add_option("--cfl", arguments->cfl, "CFL number on c0")
                ->check(CLI::PositiveNumber)
                ->capture_default_str();
            command.add_option("--steps", arguments->steps, "Steps before the turn, ascending")
                ->check(CLI::Range(2, 10'000'000))
                ->capture_default_str();
            return [arguments] { return run_experiment(*arguments); };
        },
});

}  // namespace

}  // namespace halfulp
