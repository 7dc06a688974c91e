// Sums over pairs by the strategies of Dominguez, Crespo and Gomez-Gesteira (2011, 2013) for the CPU: every pair from
// both sides or once for both of its particles; one pair at a time or packs of pairs of one target. The physics of a
// pair is that of kernels/, the arithmetic single precision with plain sums.
#pragma once

#include <algorithm>
#include <bit>
#include <cstring>
#include <type_traits>

#include "core/operations/lanes.hpp"
#include "precision/simd.hpp"
#include "validation/strategies/arrangement.hpp"
#include "validation/strategies/pair_physics.hpp"

namespace halfulp::strategies {

// Sums of a particle: of the force's pair terms, and of the density rate's.
using Sums = Four<float>;

// Pair terms rounded once to whole multiples of a unit, whose sums do not depend on any order.
struct FixedSums {
    std::int64_t x, y, z, w;
};
// How finely forces and density rates are counted.
struct FixedUnits {
    double force = 1;  // steps to a unit of the state
    double rate = 1;
};

// Adds the terms of a pair to both sums, to one, or as whole numbers.
struct PlainAdd {
    using Element = Sums;
    HALFULP_INLINE void force(Sums& sums, float x, float y, float z) const
    {
        sums.x += x;
        sums.y += y;
        sums.z += z;
    }
    HALFULP_INLINE void rate(Sums& sums, float value) const { sums.w += value; }
    [[nodiscard]] Sums value(const Sums& sums) const { return sums; }
};
struct FixedAdd {
    using Element = FixedSums;
    FixedUnits units;

    HALFULP_INLINE void force(FixedSums& sums, float x, float y, float z) const
    {
        sums.x += whole(x, units.force);
        sums.y += whole(y, units.force);
        sums.z += whole(z, units.force);
    }
    HALFULP_INLINE void rate(FixedSums& sums, float value) const { sums.w += whole(value, units.rate); }
    [[nodiscard]] Sums value(const FixedSums& s) const
    {
        return {static_cast<float>(static_cast<double>(s.x) / units.force),
                static_cast<float>(static_cast<double>(s.y) / units.force),
                static_cast<float>(static_cast<double>(s.z) / units.force),
                static_cast<float>(static_cast<double>(s.w) / units.rate)};
    }

private:
    // To nearest, ties to even, without a branch: what is added and taken away again moves the units to the last place.
    static HALFULP_INLINE std::int64_t whole(float value, double steps)
    {
        constexpr double shift = 0x1.8p52;
        const double moved = static_cast<double>(value) * steps + shift;
        return std::bit_cast<std::int64_t>(moved) - std::bit_cast<std::int64_t>(shift);
    }
};

// width: pairs at a time.
template <class Kernel, class Add, int width, Part part = Part::both>
class Sweep {
public:
    using Element = typename Add::Element;
    using T = std::conditional_t<width == 1, float, Simd<float, width>>;

    Sweep(const Arrangement& particles, const PairPhysics<Kernel>& physics, Add add)
        : at_(particles), physics_(physics), add_(add), p_(physics.parameters.template as<3, T>())
    {
    }

    // All sums of the particles of some cells; pairs with the others count from this side only.
    void asymmetric(std::int32_t first, std::int32_t last, Element* sums) const
    {
        for_cells(first, last, [&](std::int32_t cell, Range fluid, Range walls) {
            for (const std::int32_t row : at_.offsets) {
                const std::int32_t begin = cell + row - at_.divisions;
                pairs<false, false>(fluid, at_.fluid(begin, length()), sums);
                pairs<false, false>(fluid, at_.walls(begin, length()), sums);
                pairs<false, true>(walls, at_.fluid(begin, length()), sums);
            }
        });
    }

    // Every pair once, from the fluid of the earlier cell; fluid and walls from the fluid.
    void symmetric(std::int32_t first, std::int32_t last, Element* sums) const
    {
        for_cells(first, last,
                  [&](std::int32_t cell, Range fluid, Range) { symmetric_of(cell, fluid, 0, at_.columns(), sums); });
    }

    // Of the cells in columns [low, high) of every row: symmetric inside, from this side across.
    void slice(std::int32_t low, std::int32_t high, Element* sums) const
    {
        for (std::int32_t begin = 0; begin < at_.cells(); begin += at_.columns()) {
            for_cells(begin + low, begin + high, [&](std::int32_t cell, Range fluid, Range walls) {
                symmetric_of(cell, fluid, low, high, sums);
                const std::int32_t column = at_.column_of(cell);
                for (const std::int32_t row : at_.offsets) {
                    const auto across = [&](std::int32_t from, std::int32_t to) {
                        if (from >= to) return;
                        const std::int32_t at = cell + row + from - column;
                        pairs<false, false>(fluid, at_.fluid(at, to - from), sums);
                        pairs<false, false>(fluid, at_.walls(at, to - from), sums);
                        pairs<false, true>(walls, at_.fluid(at, to - from), sums);
                    };
                    across(column - at_.divisions, std::min(low, column + at_.divisions + 1));
                    across(std::max(high, column - at_.divisions), column + at_.divisions + 1);
                }
            });
        }
    }

private:
    [[nodiscard]] int length() const { return 2 * at_.divisions + 1; }

    template <class Use>
    void for_cells(std::int32_t first, std::int32_t last, Use use) const
    {
        for (std::int32_t cell = first; cell < last; ++cell) {
            const Range fluid = at_.fluid(cell);
            const Range walls = at_.walls(cell);
            if (fluid.begin != fluid.end || walls.begin != walls.end) use(cell, fluid, walls);
        }
    }

    // Pairs of the cell's fluid with later fluid and with all walls, in columns [low, high).
    void symmetric_of(std::int32_t cell, Range fluid, std::int32_t low, std::int32_t high, Element* sums) const
    {
        if (fluid.begin == fluid.end) return;
        const std::int32_t column = at_.column_of(cell);
        const std::int32_t from = std::max(low, column - at_.divisions);
        const std::int32_t to = std::min(high, column + at_.divisions + 1);
        for (const std::int32_t row : at_.offsets) {
            const std::int32_t begin = cell + row + from - column;
            if (row > 0) pairs<true, false>(fluid, at_.fluid(begin, to - from), sums);
            pairs<true, true>(fluid, at_.walls(begin, to - from), sums);
        }
        const Range own = at_.fluid(cell, to - column);
        for (std::uint32_t a = fluid.begin; a < fluid.end; ++a) pairs<true, false>({a, a + 1}, {a + 1, own.end}, sums);
    }

    // both: adds to the candidates as well. with_wall: one of the two is a wall, which has a rate alone.
    template <bool both, bool with_wall>
    HALFULP_INLINE void pairs(Range targets, Range candidates, Element* sums) const
    {
        if (candidates.begin == candidates.end) return;
        for (std::uint32_t a = targets.begin; a < targets.end; ++a) {
            if constexpr (width == 1) one_by_one<both, with_wall>(a, candidates, sums);
            else in_packs<both, with_wall>(a, candidates, sums);
        }
    }

    // Walls are targets without a force where the candidates, fluid, are not added to.
    template <bool both, bool with_wall>
    static constexpr bool force_on_target = part != Part::density && (both || !with_wall);
    template <bool with_wall>
    static constexpr bool force_on_candidate = part != Part::density && !with_wall;
    static constexpr bool rate = part != Part::forces;

    HALFULP_INLINE Vec<3, float> separation(std::uint32_t a, std::uint32_t b) const
    {
        return separation_of(at_.place[a], at_.place[b], at_.cell[a], at_.cell[b]);
    }
    HALFULP_INLINE MomentumState<3, float> moving(std::uint32_t a) const
    {
        const Four<float>& u = at_.motion[a];
        return {{{u.x, u.y, u.z}}, at_.place[a].w, {u.w}};
    }

    template <bool both, bool with_wall>
    HALFULP_INLINE void one_by_one(std::uint32_t a, Range candidates, Element* sums) const
    {
        const auto here = moving(a);
        Element own{};
        for (std::uint32_t b = candidates.begin; b < candidates.end; ++b) {
            const Vec<3, float> r = separation(a, b);
            if (!(dot(r, r) < physics_.reach_squared) || a == b) continue;
            const PairTerms<float> terms = physics_.template of<float, part>(r, here, moving(b), physics_.parameters);
            if constexpr (force_on_target<both, with_wall>)
                add_.force(own, terms.force[0], terms.force[1], terms.force[2]);
            if constexpr (rate) add_.rate(own, terms.rate);
            if constexpr (both) {
                if constexpr (force_on_candidate<with_wall>)
                    add_.force(sums[b], -terms.force[0], -terms.force[1], -terms.force[2]);
                if constexpr (rate) add_.rate(sums[b], terms.rate);
            }
        }
        add_to(sums[a], own);
    }

    template <bool both, bool with_wall>
    HALFULP_INLINE void in_packs(std::uint32_t a, Range candidates, Element* sums) const
    {
        const auto here = moving(a);
        const MomentumState<3, T> state{{{T(here.velocity[0]), T(here.velocity[1]), T(here.velocity[2])}},
                                        T(here.pressure_term),
                                        {T(here.density.s)}};
        Element own{};
        // Plain sums of the target stay in lanes until its last pair.
        constexpr bool in_lanes = std::is_same_v<Add, PlainAdd>;
        Vec<3, T> force{{T(0.0F), T(0.0F), T(0.0F)}};
        T density(0.0F);
        std::uint32_t pack[width];
        float apart_of_pack[3][width];
        int filled = 0;
        const auto evaluate = [&] {
            // Lanes without a pair repeat the first.
            float of_pack[5][width];
            for (int k = 0; k < width; ++k) {
                const std::uint32_t b = pack[k < filled ? k : 0];
                const Four<float>& u = at_.motion[b];
                for (int c = 0; c < 4; ++c) of_pack[c][k] = u[c];
                of_pack[4][k] = at_.place[b].w;
                for (int c = 0; c < 3; ++c) apart_of_pack[c][k] = apart_of_pack[c][k < filled ? k : 0];
            }
            const Vec<3, T> r{{loaded(apart_of_pack[0]), loaded(apart_of_pack[1]), loaded(apart_of_pack[2])}};
            const MomentumState<3, T> there{{{loaded(of_pack[0]), loaded(of_pack[1]), loaded(of_pack[2])}},
                                            loaded(of_pack[4]),
                                            {loaded(of_pack[3])}};
            const PairTerms<T> terms = physics_.template of<T, part>(r, state, there, p_);
            for (int k = 0; k < filled; ++k) {
                const float x = terms.force[0][k], y = terms.force[1][k], z = terms.force[2][k];
                if constexpr (!in_lanes) {
                    if constexpr (force_on_target<both, with_wall>) add_.force(own, x, y, z);
                    if constexpr (rate) add_.rate(own, terms.rate[k]);
                }
                if constexpr (both) {
                    if constexpr (force_on_candidate<with_wall>) add_.force(sums[pack[k]], -x, -y, -z);
                    if constexpr (rate) add_.rate(sums[pack[k]], terms.rate[k]);
                }
            }
            if constexpr (in_lanes) {
                const unsigned lanes = (1U << static_cast<unsigned>(filled)) - 1;
                if constexpr (force_on_target<both, with_wall>)
                    for (int c = 0; c < 3; ++c) force[c] += keep_lanes(lanes, terms.force[c]);
                if constexpr (rate) density += keep_lanes(lanes, terms.rate);
            }
            filled = 0;
        };
        for (std::uint32_t b = candidates.begin; b < candidates.end; ++b) {
            const Vec<3, float> apart = separation(a, b);
            if (!(dot(apart, apart) < physics_.reach_squared) || a == b) continue;
            for (int c = 0; c < 3; ++c) apart_of_pack[c][filled] = apart[c];
            pack[filled++] = b;
            if (filled == width) evaluate();
        }
        if (filled > 0) evaluate();
        if constexpr (in_lanes) {
            for (int k = 0; k < width; ++k)
                own = {own.x + force[0][k], own.y + force[1][k], own.z + force[2][k], own.w + density[k]};
        }
        add_to(sums[a], own);
    }

    static HALFULP_INLINE T loaded(const float (&lanes)[width])
    {
        typename T::Vector vector;
        std::memcpy(&vector, lanes, sizeof vector);
        return T(vector);
    }
    static HALFULP_INLINE void add_to(Element& sum, const Element& more)
    {
        sum.x += more.x;
        sum.y += more.y;
        sum.z += more.z;
        sum.w += more.w;
    }

    const Arrangement& at_;
    const PairPhysics<Kernel>& physics_;
    Add add_;
    Parameters<3, T> p_;
};

}  // namespace halfulp::strategies
