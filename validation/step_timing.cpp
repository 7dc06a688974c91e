#include "validation/step_timing.hpp"

#include <chrono>
#include <cmath>
#include <ctime>

#include <fmt/format.h>

#include "core/evolution/simulation.hpp"
#include "validation/arithmetic.hpp"

namespace halfulp {

namespace {

// Seconds that this thread has had a processor for.
double processor_time()
{
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace

Problem block(int dimensions, int edge, const std::string& precision)
{
    Case c;
    c.name = "block";
    c.dimensions = dimensions;
    c.resolution = {.spacing = 0.01, .smoothing_ratio = dimensions == 3 ? std::sqrt(3.0) : 2.0};
    c.fluid = {.density = 1000, .sound_speed = 20, .artificial_viscosity = 0.1};
    c.numerics.precision = precision;
    c.numerics.density_bound = 0.9;
    c.numerics.walls = Walls::dynamic;  // there are none
    c.numerics.density_diffusion = DensityDiffusion::none;
    c.time = {.end = 1, .step = "variable", .cfl = 0.2, .size = {}};
    Shape shape;
    shape.name = "block";
    const auto components = static_cast<std::size_t>(dimensions);
    for (std::size_t i = 0; i < components; ++i) shape.to[i] = edge * 0.01;
    c.shapes.push_back(shape);
    Problem problem = prepare(c);
    const auto jitter = static_cast<float>(0.1 * c.resolution.spacing / problem.units.length);
    const auto speed = static_cast<float>(0.1 * c.fluid.sound_speed / problem.units.velocity / std::sqrt(dimensions));
    std::uint64_t seed = 1;
    for (InitialParticle& particle : problem.particles) {
        for (std::size_t i = 0; i < components; ++i) {
            particle.offset[i] += jitter * static_cast<float>(drawn_either_way(seed++));
            particle.velocity[i] = speed * static_cast<float>(drawn_either_way(seed++));
        }
        particle.density = 0.01F * static_cast<float>(drawn_either_way(seed++));
    }
    return problem;
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
    const auto started = std::chrono::steady_clock::now();
    const auto elapsed = [&] {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
    };
    Timing fastest;
    double now = 0;
    while (now < seconds || fastest.nanoseconds == 0) {
        const auto before = backend.stage_times();
        const std::uint64_t first = simulation.steps();
        const double begun = now;
        const double processor_begun = processor_time();
        step_to_rebuild();
        const double processor = processor_time() - processor_begun;
        now = elapsed();
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
