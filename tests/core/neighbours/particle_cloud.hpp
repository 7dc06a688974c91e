// Random particles in any cells, in the canonical order, for tests of the neighbour search and the pair sums.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <tuple>
#include <vector>

#include "core/particles/buffers.hpp"
#include "kernels/parameters.hpp"
#include "kernels/state_equation.hpp"
#include "tests/precision/reference.hpp"

namespace halfulp::test {

using Cell = std::array<std::int64_t, 3>;  // 64 bits, so that a mistake shows instead of wrapping around

// The canonical order, written out: by z, y, x, kind, id.
inline auto canonical_key(const Four<std::int32_t>& cell, Kind kind)
{
    return std::tuple(cell.z, cell.y, cell.x, kind == Kind::wall ? 1 : 0, cell.w);
}

// h such that support + skin is `search_cells` cells with a skin of a fifth of the support; `support` is in h.
inline Parameters<3, float> cloud_parameters(int search_cells, double support = 2)
{
    Parameters<3, float> p{};
    const double h = search_cells / 1.2 / support;
    p.smoothing_length = static_cast<float>(h);
    p.inverse_smoothing_length = static_cast<float>(1 / h);
    p.pair_scale = 0.3F;
    p.sound_speed = 1.25F;
    p.stiffness = 1.25F * 1.25F / 7;
    p.artificial_viscosity = 0.1F;
    p.viscous_softening = static_cast<float>(0.01 * h * h);
    p.contact_reaches = 1.25F;
    p.kinematic_viscosity = 0.07F;
    p.inverse_shape_at_spacing = 2.3F;
    p.density_diffusion = 0.2F;
    p.xsph_scale = 0.1F;
    p.shifting_scale = 0.8F;
    p.central_stiffness = 0.0005F;
    p.gravity[0] = 0.001F;
    p.gravity[1] = -0.01F;
    return p;
}

// One particle in each of the given cells, at a random place in it, with a random state; one in `walls` of them wall,
// or none.
template <class Policy, int D>
Buffers<Policy> cloud_in(std::vector<Cell> cells, const Parameters<3, float>& p, Random& random, int walls = 3,
                         const Physics& physics = {.artificial_viscosity = true})
{
    using Real = typename Policy::Real;
    const auto number = [&](double low, double high) { return static_cast<Real>(random.uniform(low, high)); };
    std::vector<std::pair<Four<std::int32_t>, Kind>> places;
    std::int32_t id = 0;
    for (const Cell& c : cells)
        places.push_back(
            {{static_cast<std::int32_t>(c[0]), static_cast<std::int32_t>(c[1]), static_cast<std::int32_t>(c[2]), id++},
             walls > 0 && random.integer(1, walls) == 1 ? Kind::wall : Kind::fluid});
    std::sort(places.begin(), places.end(), [](const auto& a, const auto& b) {
        return canonical_key(a.first, a.second) < canonical_key(b.first, b.second);
    });
    Buffers<Policy> buffers(physics);
    buffers.resize(places.size());
    for (std::size_t i = 0; i < places.size(); ++i) {
        std::tie(buffers.cell[i], buffers.kind[i]) = places[i];
        for (int c = 0; c < D; ++c) {
            buffers.offset[i][c] = number(-0.5, 0.5);
            buffers.velocity[i][c] = number(-0.1, 0.1);
        }
        buffers.velocity[i].w = number(-0.02, 0.05);
        buffers.offset[i].w =
            pressure_term(physics, CentredDensity<Real>{buffers.velocity[i].w}, static_cast<Real>(p.stiffness));
    }
    return buffers;
}

// Puts particles whose cells have changed into the canonical order.
template <class Policy>
void sort_canonically(Buffers<Policy>& buffers)
{
    std::vector<std::size_t> order(buffers.count());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return canonical_key(buffers.cell[a], buffers.kind[a]) < canonical_key(buffers.cell[b], buffers.kind[b]);
    });
    buffers.for_each([&](const FieldInfo&, auto& buffer) {
        const auto old = buffer;
        for (std::size_t i = 0; i < order.size(); ++i) buffer[i] = old[order[i]];
    });
}

// `count` cells drawn from a block of the given size, whose lowest corner is at `from`.
inline std::vector<Cell> block(Cell from, const std::array<int, 3>& size, int count, Random& random)
{
    std::vector<Cell> cells;
    for (int k = 0; k < count; ++k) {
        Cell cell = from;
        for (std::size_t c = 0; c < 3; ++c) cell[c] += random.integer(0, size[c] - 1);
        cells.push_back(cell);
    }
    return cells;
}

}  // namespace halfulp::test
