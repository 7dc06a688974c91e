#include "validation/symmetry/images.hpp"

#include <cmath>
#include <random>
#include <utility>

#include "precision/position.hpp"

namespace halfulp {

namespace {

// A whole number of up to `bits` bits and either sign, over 2^bits: written out, since the library's distributions are
// not the same everywhere.
double random_fraction(std::mt19937_64& engine, int bits)
{
    const auto whole = static_cast<double>(engine() >> (63U - static_cast<unsigned>(bits)));  // bits + 1 bits
    return std::ldexp(whole, -bits) - 1;
}

template <class T>
void turn(std::array<T, 3>& v, ImageKind kind)
{
    switch (kind) {
    case ImageKind::mirror: v[0] = -v[0]; break;
    case ImageKind::half_turn: v = {-v[0], -v[1], v[2]}; break;
    case ImageKind::quarter_turn: v = {-v[1], v[0], v[2]}; break;
    case ImageKind::boost:
    case ImageKind::scaled: break;
    }
}

template <class T>
void turn_back(std::array<T, 3>& v, ImageKind kind)
{
    if (kind == ImageKind::quarter_turn) v = {v[1], -v[0], v[2]};
    else turn(v, kind);
}

}  // namespace

Problem geometric_image(Problem problem, const Image& image)
{
    for (InitialParticle& particle : problem.particles) {
        turn(particle.cell, image.kind);
        turn(particle.offset, image.kind);
        turn(particle.velocity, image.kind);
        for (std::size_t c = 0; c < 2; ++c) {
            carry(particle.cell[c], particle.offset[c]);
            if (image.kind == ImageKind::boost)
                particle.velocity[c] += static_cast<float>(image.boost[c] / problem.units.velocity);
        }
    }
    return problem;
}

Case scaled_case(Case c, const Image& image)
{
    const double length = std::ldexp(1.0, image.length);
    const double velocity = std::ldexp(1.0, image.velocity);
    c.resolution.spacing *= length;
    c.fluid.sound_speed *= velocity;
    c.fluid.density *= std::ldexp(1.0, image.density);
    c.time.end *= length / velocity;
    c.output.interval *= length / velocity;
    for (Shape& shape : c.shapes) {
        for (std::size_t i = 0; i < 3; ++i) {
            shape.from[i] *= length;
            shape.to[i] *= length;
            if (auto* const number = std::get_if<double>(&shape.velocity[i])) *number *= velocity;
        }
    }
    return c;
}

void stir(Problem& problem, std::uint64_t seed, double speed_unit)
{
    std::mt19937_64 engine(seed);
    const double largest = 0.1 * problem.source.resolution.spacing / problem.units.length;  // cell sides
    for (InitialParticle& particle : problem.particles) {
        for (std::size_t c = 0; c < 2; ++c) {
            particle.offset[c] += static_cast<float>(largest * random_fraction(engine, 20));
            carry(particle.cell[c], particle.offset[c]);
            const double extra = 0.25 * random_fraction(engine, 8) * speed_unit;
            particle.velocity[c] += static_cast<float>(extra / problem.units.velocity);
        }
        particle.density += static_cast<float>(1e-3 * random_fraction(engine, 20));
    }
}

Problem image_of(const Case& c, const Image& image, std::uint64_t seed)
{
    Problem problem = prepare(scaled_case(c, image));
    stir(problem, seed, std::ldexp(1.0, image.velocity));
    return geometric_image(std::move(problem), image);
}

FluidState taken_back(FluidState state, const Image& image, double time, double metre)
{
    const double length = std::ldexp(1.0, -image.length);
    const double velocity = std::ldexp(1.0, -image.velocity);
    for (std::size_t i = 0; i < state.position.size(); ++i) {
        turn_back(state.position[i], image.kind);
        turn_back(state.velocity[i], image.kind);
        for (std::size_t c = 0; c < 3; ++c) {
            const double boost = c < 2 ? image.boost[c] : 0;
            state.position[i][c] = state.position[i][c] * length - boost * time * metre;
            state.velocity[i][c] = state.velocity[i][c] * velocity - boost;
        }
    }
    return state;
}

std::array<double, 2> vector_taken_back(const std::array<double, 2>& vector, const Image& image)
{
    std::array<double, 3> v{vector[0], vector[1], 0};
    turn_back(v, image.kind);
    return {v[0], v[1]};
}

double reported_metre(const Problem& problem)
{
    return problem.units.length / (static_cast<double>(problem.parameters.cell_side) * problem.units.state);
}

}  // namespace halfulp
