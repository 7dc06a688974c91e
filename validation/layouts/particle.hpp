// A particle of the swarm: how it begins, flies and is judged, on host and device.
#pragma once

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>

#include "precision/annotation.hpp"
#include "validation/arithmetic.hpp"

namespace halfulp::layouts {

constexpr int dimensions = 3;
constexpr float inertia = 0.729F;
constexpr float attraction = 1.494F;
constexpr float edge = 5.12F;

inline std::uint64_t mixed(std::uint64_t bits, float value)
{
    return (bits ^ std::bit_cast<std::uint32_t>(value)) * 0x100000001b3U;
}

// What an iteration knows of a particle.
struct Particle {
    float x[dimensions];
    float v[dimensions];
    float best[dimensions];
    float best_cost;
};

HALFULP_INLINE float cost_of(const float (&x)[dimensions])
{
    float cost = 0;
    for (const float c : x) cost += c * c - 10 * std::cos(2 * std::numbers::pi_v<float> * c) + 10;
    return cost;
}

inline Particle particle_at_start(std::size_t i)
{
    Particle p{};
    for (int c = 0; c < dimensions; ++c) {
        const std::uint64_t seed = 2 * (i * dimensions + static_cast<std::uint64_t>(c));
        p.x[c] = p.best[c] = edge * static_cast<float>(drawn_either_way(seed));
        p.v[c] = 0.1F * edge * static_cast<float>(drawn_either_way(seed + 1));
    }
    p.best_cost = cost_of(p.x);
    return p;
}

// A new velocity towards the particle's best place and the common one, and the position after it. number: of the
// particle and iteration.
HALFULP_INLINE void fly(Particle& p, std::uint64_t number, const float* common)
{
    for (int c = 0; c < dimensions; ++c) {
        const std::uint64_t seed = 2 * (number * dimensions + static_cast<std::uint64_t>(c));
        const auto own = static_cast<float>(drawn(seed));
        const auto shared = static_cast<float>(drawn(seed + 1));
        p.v[c] =
            inertia * p.v[c] + attraction * own * (p.best[c] - p.x[c]) + attraction * shared * (common[c] - p.x[c]);
        p.x[c] += p.v[c];
    }
}

// Of component `number` of all particles' positions and velocities.
inline float wide_position(std::uint64_t number) { return edge * static_cast<float>(drawn_either_way(2 * number)); }
inline float wide_velocity(std::uint64_t number)
{
    return 0.01F * static_cast<float>(drawn_either_way(2 * number + 1));
}

}  // namespace halfulp::layouts
