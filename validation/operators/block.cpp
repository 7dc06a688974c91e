#include "validation/operators/block.hpp"

#include <cmath>

#include "core/error.hpp"
#include "precision/position.hpp"
#include "validation/arithmetic.hpp"

namespace halfulp {

namespace {

constexpr double spacing = 0.02;  // m; the cell side in metres is no power of two

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
    for (std::size_t i = 0; i < static_cast<std::size_t>(block.dimensions); ++i)
        c.origin.cells[i] = i == 1 ? -block.displacement : block.displacement;
    Shape shape;
    shape.name = "water";
    for (std::size_t i = 0; i < static_cast<std::size_t>(block.dimensions); ++i) shape.to[i] = block.edge * spacing;
    c.shapes.push_back(shape);
    return c;
}

Problem problem_of(const Block& block, const std::string& precision)
{
    Problem problem = prepare(case_of(block, precision));
    const double jitter = 0.2 * spacing / problem.units.length;  // cell sides
    constexpr double fastest = 2;                                // m/s
    // Drawn in sixteenths of a metre a second, the velocity unit of the policies that scale: both units are powers of
    // two, so a velocity is the same number in either.
    constexpr double unit = 16;
    std::uint64_t seed = block.seed << 32U;
    for (InitialParticle& particle : problem.particles) {
        for (std::size_t i = 0; i < static_cast<std::size_t>(block.dimensions); ++i) {
            particle.offset[i] += static_cast<float>(jitter * drawn_either_way(seed++));
            if (!carry(particle.cell[i], particle.offset[i]))
                throw input_error("a block of particles lies outside of the 32-bit range of cells");
            const auto velocity = static_cast<float>(fastest / unit * drawn_either_way(seed++));
            particle.velocity[i] = static_cast<float>(static_cast<double>(velocity) * (unit / problem.units.velocity));
        }
        particle.density = static_cast<float>(block.deviation * drawn_either_way(seed++));
    }
    return problem;
}

std::vector<std::size_t> interior_of(const Problem& problem, const Block& block)
{
    const double support = static_cast<double>(problem.support);
    const double edge = block.edge * spacing / problem.units.length;
    std::vector<std::size_t> interior;
    for (std::size_t id = 0; id < problem.particles.size(); ++id) {
        const InitialParticle& particle = problem.particles[id];
        bool inside = true;
        for (std::size_t i = 0; i < static_cast<std::size_t>(block.dimensions); ++i) {
            const double x = static_cast<double>(std::int64_t(particle.cell[i]) - problem.source.origin.cells[i]) +
                             static_cast<double>(particle.offset[i]);
            inside = inside && x >= support && x <= edge - support;
        }
        if (inside) interior.push_back(id);
    }
    return interior;
}

}  // namespace halfulp
