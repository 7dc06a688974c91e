#include "validation/block.hpp"

#include <cmath>
#include <ctime>

#include <fmt/format.h>

#include "core/error.hpp"
#include "core/evolution/simulation.hpp"
#include "precision/position.hpp"
#include "validation/arithmetic.hpp"
#include "validation/columns.hpp"
#include "validation/seconds.hpp"

namespace halfulp {

namespace {

constexpr double spacing = 0.02;  // m; the cell side in metres is no power of two

std::size_t axes_of(const Block& block) { return static_cast<std::size_t>(block.dimensions); }

// Seconds that this thread has had a processor for.
double processor_time()
{
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace

Case case_of(const Block& block, const std::string& precision)
{
    Case c;
    c.name = "block";
    c.dimensions = block.dimensions;
    c.resolution = {.spacing = spacing, .smoothing_ratio = block.dimensions == 2 ? 2 : std::sqrt(3.0)};
    c.fluid.sound_speed = 20;
    c.numerics.precision = precision;
    c.numerics.density_bound = 0.9;
    c.numerics.walls = Walls::dynamic;  // there are none
    c.numerics.density_diffusion = DensityDiffusion::none;
    c.time = {.end = 1, .step = "fixed", .cfl = 0.1, .size = {}};
    c.output.interval = 1;
    Shape shape;
    shape.name = "water";
    for (std::size_t i = 0; i < axes_of(block); ++i) {
        c.origin.cells[i] = i == 1 ? -block.displacement : block.displacement;
        shape.to[i] = block.edge * spacing;
    }
    c.shapes.push_back(shape);
    return c;
}

Problem problem_of(const Block& block, const std::string& precision)
{
    return problem_of(block, case_of(block, precision));
}

Problem problem_of(const Block& block, const Case& c)
{
    Problem problem = prepare(c);
    const double jitter = block.jitter * spacing / problem.units.length;  // cell sides
    // Drawn in sixteenths of a metre a second, the velocity unit of the policies that scale: both units are powers of
    // two, so a velocity is the same number in either.
    constexpr double unit = 16;
    std::uint64_t seed = block.seed;
    for (InitialParticle& particle : problem.particles.stored()) {
        for (std::size_t i = 0; i < axes_of(block); ++i) {
            particle.offset[i] += static_cast<float>(jitter * drawn_either_way(seed++));
            if (!carry(particle.cell[i], particle.offset[i]))
                throw input_error("a block of particles lies outside of the 32-bit range of cells");
            const auto velocity = static_cast<float>(block.speed / unit * drawn_either_way(seed++));
            particle.velocity[i] = static_cast<float>(static_cast<double>(velocity) * (unit / problem.units.velocity));
        }
        particle.density = static_cast<float>(block.deviation * drawn_either_way(seed++));
    }
    return problem;
}

std::vector<std::size_t> interior_of(const Problem& problem, const Block& block)
{
    const double support = static_cast<double>(problem.support) * problem.units.length;
    const double edge = block.edge * spacing;
    std::vector<std::size_t> interior;
    for (std::size_t id = 0; id < problem.particles.size(); ++id) {
        const InitialParticle& particle = problem.particles[id];
        bool inside = true;
        for (std::size_t i = 0; i < axes_of(block); ++i) {
            const double x = coordinate_of(problem, particle, i);
            inside = inside && x >= support && x <= edge - support;
        }
        if (inside) interior.push_back(id);
    }
    return interior;
}

Problem timed_block(int dimensions, int edge, const std::string& precision)
{
    const Block block{
        .dimensions = dimensions, .edge = edge, .deviation = 0.01, .jitter = 0.1, .speed = 2 / std::sqrt(dimensions)};
    Case c = case_of(block, precision);
    c.fluid.artificial_viscosity = 0.1;
    c.time.step = "variable";
    c.time.cfl = 0.2;
    return problem_of(block, c);
}

std::vector<double> Timing::of_stages() const
{
    std::vector<double> numbers;
    for (const StageTime& stage : stages) numbers.push_back(stage.seconds);
    return numbers;
}

std::string Timing::stages_text(int digits, const char* unit) const
{
    std::string text;
    for (const StageTime& stage : stages)
        text += fmt::format("{}{:.{}f}{}", text.empty() ? "" : " | ", stage.seconds, digits, unit);
    return text;
}

Timing time_steps(const Problem& problem, const CpuOptions& cpu, double seconds)
{
    return time_steps(problem, make_cpu_backend(problem, cpu), seconds);
}

Timing time_steps(const Problem& problem, std::unique_ptr<Backend> on, double seconds, double after)
{
    Simulation simulation(problem, std::move(on));
    const Backend& backend = simulation.backend();
    const auto step_to_rebuild = [&] {
        const auto rebuilds = backend.rebuilds();
        for (int k = 0; k < 100 && backend.rebuilds() == rebuilds; ++k) simulation.step();
    };
    while (simulation.time() < after) simulation.step();
    step_to_rebuild();
    const double started = seconds_now();
    Timing fastest;
    double now = 0;
    while (now < seconds || fastest.nanoseconds == 0) {
        const auto before = backend.stage_times();
        const std::uint64_t first = simulation.steps();
        const double begun = now;
        const double processor_begun = processor_time();
        step_to_rebuild();
        const double processor = processor_time() - processor_begun;
        now = seconds_now() - started;
        const auto steps = static_cast<double>(simulation.steps() - first);
        const double updates = steps * static_cast<double>(problem.particles.size());
        const double nanoseconds = (now - begun) / updates * 1e9;
        if (fastest.nanoseconds != 0 && nanoseconds >= fastest.nanoseconds) continue;
        fastest = {.nanoseconds = nanoseconds,
                   .processor = processor / updates * 1e9,
                   .stages = backend.stage_times(),
                   .rebuilds_per_step = 1 / steps,
                   .bytes = static_cast<double>(backend.bytes()) / static_cast<double>(problem.particles.size()),
                   .backend = backend.description()};
        for (std::size_t i = 0; i < before.size(); ++i)
            fastest.stages[i].seconds = (fastest.stages[i].seconds - before[i].seconds) / updates * 1e9;
    }
    return fastest;
}

}  // namespace halfulp
