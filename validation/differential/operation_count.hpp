// Floating-point operations of differential operators, as counted for a graphics processor by Murotani et al. 2015
// (Comput. Part. Mech. 2, 261, table 3), from the numbers of candidates, neighbours and particles.
#pragma once

#include <cstdint>

namespace halfulp::differential {

// What a search visits. The particle itself counts as a candidate and a neighbour, as in the paper.
struct Visits {
    std::int64_t candidates = 0;
    std::int64_t in_sphere = 0;
    std::int64_t in_cube = 0;
    std::int64_t particles = 0;
};

// A fused multiply-add counts as two.
struct OperationCount {
    std::int64_t adds = 0;
    std::int64_t multiplies = 0;
    std::int64_t fused = 0;

    [[nodiscard]] constexpr std::int64_t total() const { return adds + multiplies + 2 * fused; }
};

// First-order LSMPS with the cubic domain: 3 C + 43 N + 67 P, the only one of which the paper prints the parts.
constexpr OperationCount lsmps_in_cube(const Visits& visits)
{
    const std::int64_t n = visits.in_cube;
    const std::int64_t p = visits.particles;
    return {3 * visits.candidates + 4 * n + 6 * p, 15 * n + 25 * p, 12 * n + 18 * p};
}
// With the sphere, from the paper's times and efficiencies (within 2 %).
constexpr std::int64_t laplacian_in_sphere(const Visits& v) { return 8 * v.candidates + 19 * v.in_sphere; }
constexpr std::int64_t gradient_in_sphere(const Visits& v) { return 8 * v.candidates + 39 * v.in_sphere; }
constexpr std::int64_t lsmps_in_sphere(const Visits& v)
{
    return 8 * v.candidates + 44 * v.in_sphere + 67 * v.particles;
}

}  // namespace halfulp::differential
