// Tests of the candidates of a neighbour search: whether one is within reach of a particle.
#pragma once

#include <algorithm>
#include <cstring>
#include <limits>

#include "core/backends/cuda/pair_kernels.cuh"
#include "core/operations/pair_pass.hpp"

namespace halfulp::cuda {

template <class Real>
__device__ Four<Real> cell_difference(const Reach& reach, int row, std::int32_t dx)
{
    return {Real(dx), Real(-reach.dy(row)), Real(-reach.dz(row)), Real(0)};
}

__host__ __device__ inline TargetRange target_of(std::uint32_t i, Kind kind)
{
    return {i, 1, static_cast<std::uint16_t>(kind == Kind::fluid ? 1 : 0)};
}

// A candidate as read by the search in one load: its position, and in w a tag with its cell along x and whether it is a
// wall. As a number, counted from the first cell and negative for walls, the tag costs one subtraction per candidate;
// where that many cells are not exact numbers, it has the bits of an integer.
template <class Real>
struct NumberTag {
    static __device__ Real of(std::int32_t x, std::int32_t first, Kind kind)
    {
        const auto cells = static_cast<Real>(static_cast<std::uint32_t>(x) - static_cast<std::uint32_t>(first) + 1U);
        return kind == Kind::wall ? -cells : cells;
    }
    // The difference of cells along x from the image of b to a, for cells near each other.
    using Image = Real;
    static __device__ Real cells_between(Real a, Real b, Image image)
    {
        return (magnitude(a) - image) - magnitude(b);  // the difference in brackets is the same for all b
    }
    static __device__ bool is_wall(Real tag) { return tag < Real(0); }
    static bool holds(const CellBounds& bounds)
    {
        const std::int64_t cells = std::int64_t(bounds.high[0]) - bounds.low[0] + 1;
        return cells < std::int64_t(1) << std::min(std::numeric_limits<Real>::digits, 32);
    }
};
template <class Real>
struct BitsTag {
    using Word = std::conditional_t<sizeof(Real) == 4, std::uint32_t, std::uint64_t>;

    static __device__ Real of(std::uint32_t tag_of_particle)
    {
        const Word word = tag_of_particle;
        Real tag = 0;
        std::memcpy(&tag, &word, sizeof word);
        return tag;
    }
    static __device__ Real of(std::int32_t x, std::int32_t /*first*/, Kind kind)
    {
        return of(static_cast<std::uint32_t>(x) << 1U | (kind == Kind::wall ? 1U : 0U));
    }
    static __device__ std::uint32_t word_of(Real tag)
    {
        Word word = 0;
        std::memcpy(&word, &tag, sizeof word);
        return static_cast<std::uint32_t>(word);
    }
    using Image = std::int32_t;
    static __device__ Real cells_between(Real a, Real b, Image image)
    {
        return Real((static_cast<std::int32_t>((word_of(a) & ~1U) - (word_of(b) & ~1U)) >> 1) - image);
    }
    static __device__ bool is_wall(Real tag) { return (word_of(tag) & 1U) != 0; }
};

// Output of make_records, and what it was made from; or what records are composed of on the fly.
template <class Real>
struct SearchRecords {
    const Four<Real>* records;
    const Four<Real>* moves;              // of a course (core/neighbours/course.hpp); or null
    const std::uint32_t* tags = nullptr;  // of RangesView
};

// Records of candidates, position and tag: read from the output of make_records, or composed on the fly.
template <class Real>
struct KeptRecords {
    const Four<Real>* records;
    __device__ KeptRecords(const PairData<Real>& /*data*/, const SearchRecords<Real>& kept) : records(kept.records) {}
    __device__ Four<Real> operator()(std::size_t b) const { return records[b]; }
};
template <class Tag, class Real>
struct FreshRecords {
    const PairData<Real>& data;
    const std::uint32_t* tags;
    __device__ FreshRecords(const PairData<Real>& particles, const SearchRecords<Real>& kept)
        : data(particles), tags(kept.tags)
    {
    }
    __device__ Four<Real> operator()(std::size_t b) const
    {
        Four<Real> record = data.offset[b];
        record.w = Tag::of(tags[b]);
        return record;
    }
};

// Tests candidates with the separation that passes use.
template <class Policy, int D, class TagOf, class Real, class Records>
struct ExactTest {
    using Tag = TagOf;
    static constexpr bool folded = false;

    const PairData<Real>& data;
    Records record_of;
    Targets<Policy, D, Real> target;
    Real own;
    typename Tag::Image image{};
    Four<Real> row{};

    __device__ ExactTest(const PairData<Real>& particles, const SearchRecords<Real>& kept, std::uint32_t i)
        : data(particles), record_of(particles, kept),
          target(particles, Real(particles.parameters.cell_side), target_of(i, particles.kind[i])), own(record_of(i).w)
    {
    }
    __device__ void enter(const Reach& reach, int slot, std::int64_t image_offset)
    {
        image = static_cast<typename Tag::Image>(image_offset);
        row = cell_difference<Real>(reach, slot / reach.images, 0);
    }
    __device__ Real tag(std::uint32_t b) const { return record_of(b).w; }
    template <bool wall>
    __device__ bool near(std::uint32_t b) const
    {
        const Four<Real> there = record_of(b);
        const Four<Real> shift{Tag::cells_between(own, there.w, image), row.y, row.z, row.w};
        const Vec<D, Real> r = target.separation(data, b, there, shift);
        return (dot(r, r) < data.reach_squared) & (!wall | !Tag::is_wall(there.w));
    }
};

// Tests candidates with coordinates that are counted along x from the first cell, and along y and z from the middle of
// their own: a subtraction an axis. They are rounded once more than those of the passes, so the reach has a margin; a
// particle that enters a list for it alone is beyond the support and adds an exact zero.
template <class Policy, int D, class Real>
struct FoldedTest {
    using Tag = NumberTag<Real>;
    static constexpr bool folded = true;
    static constexpr bool possible = Policy::Position::relative_to_cell && Policy::Units::cell_is_one;
    static constexpr std::int64_t most_cells = std::int64_t(1) << (std::numeric_limits<Real>::digits - 11);

    static bool holds(const CellBounds& bounds)
    {
        return possible && std::int64_t(bounds.high[0]) - bounds.low[0] < most_cells;
    }
    const Four<Real>* records;
    Real reach_squared;  // with the margin
    Four<Real> own;
    Real x{};
    Real y{};
    Real z{};

    __device__ FoldedTest(const PairData<Real>& data, const SearchRecords<Real>& kept, std::uint32_t i)
        : records(kept.records), reach_squared(data.reach_squared), own(kept.records[i])
    {
    }
    // Five roundings of coordinates of this many cells are less than 2.5 epsilon of them.
    static Real with_margin(Real reach_squared, const CellBounds& bounds)
    {
        const Real cells = static_cast<Real>(std::int64_t(bounds.high[0]) - bounds.low[0] + 8);
        const Real reach = square_root(reach_squared) + 4 * std::numeric_limits<Real>::epsilon() * cells;
        return reach * reach;
    }
    __device__ void enter(const Reach& reach, int slot, std::int64_t image)
    {
        x = own.x - static_cast<Real>(image);
        y = own.y - static_cast<Real>(reach.dy(slot / reach.images));
        if constexpr (D == 3) z = own.z - static_cast<Real>(reach.dz(slot / reach.images));
    }
    __device__ Real tag(std::uint32_t b) const { return records[b].w; }
    template <bool wall>
    __device__ bool near(std::uint32_t b) const
    {
        const Four<Real> there = records[b];
        const Real dx = x - there.x;
        const Real dy = y - there.y;
        Real square = fma(dy, dy, dx * dx);
        if constexpr (D == 3) square = fma(z - there.z, z - there.z, square);
        return (square < reach_squared) & (!wall | !Tag::is_wall(there.w));
    }
};

// Tests candidates of ballistic lists: with coordinates as above, halfway along the course, and the moves of the whole
// course with each particle's tolerance. Of two particles that move by m relative to each other, d apart halfway, the
// square of the shortest distance is at least d^2 - |d m|.
template <class Policy, int D, class Real>
struct BallisticTest : FoldedTest<Policy, D, Real> {
    using Base = FoldedTest<Policy, D, Real>;
    using typename Base::Tag;
    const Four<Real>* moves;
    Four<Real> own_move;
    Real own_reach;

    __device__ BallisticTest(const PairData<Real>& data, const SearchRecords<Real>& kept, std::uint32_t i)
        : Base(data, kept, i), moves(kept.moves), own_move(kept.moves[i]),
          own_reach(square_root(data.reach_squared) + own_move.w)
    {
    }
    template <bool wall>
    __device__ bool near(std::uint32_t b) const
    {
        const Four<Real> there = this->records[b];
        const Four<Real> move = moves[b];
        const Real dx = this->x - there.x;
        const Real dy = this->y - there.y;
        Real square = fma(dy, dy, dx * dx);
        Real along = fma(dy, own_move.y - move.y, dx * (own_move.x - move.x));
        if constexpr (D == 3) {
            const Real dz = this->z - there.z;
            square = fma(dz, dz, square);
            along = fma(dz, own_move.z - move.z, along);
        }
        const Real reach = own_reach + move.w;
        return (square - magnitude(along) < reach * reach) & (!wall | !Tag::is_wall(there.w));
    }
    static __device__ Four<Real> halfway(Four<Real> place, const Four<Real>& move)
    {
        for (int c = 0; c < D; ++c) place[c] += Real(0.5) * move[c];
        return place;
    }
};

}  // namespace halfulp::cuda
