// The decomposition of a run's domain among ranks: boxes of whole cells, from a recursive bisection that gives each
// rank the same share of the work. Any decomposition gives the same bits, so it is no part of the case.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/distribution/peers.hpp"
#include "core/particles/field.hpp"
#include "kernels/vector.hpp"

namespace halfulp {

// Cells with low <= cell < high along each axis; 64 bits, so that the outermost boxes have no end.
struct CellBox {
    std::array<std::int64_t, 3> low;
    std::array<std::int64_t, 3> high;

    [[nodiscard]] bool contains(const Four<std::int32_t>& cell) const;
};

struct PeriodOfCells {
    std::array<std::int32_t, 3> origin{};
    std::array<std::int32_t, 3> period{};  // 0: not periodic
};

namespace detail {

// The cells of a box along an axis, without the images beyond the ends of a period.
struct CellsAlong {
    std::int64_t low;
    std::int64_t high;
};
HALFULP_INLINE CellsAlong cells_along(const CellBox& box, const PeriodOfCells& periods, std::size_t axis)
{
    CellsAlong cells{box.low[axis], box.high[axis]};
    if (periods.period[axis] == 0) return cells;
    const std::int64_t begin = periods.origin[axis];
    const std::int64_t end = begin + periods.period[axis];
    if (cells.low < begin) cells.low = begin;
    if (cells.high > end) cells.high = end;
    return cells;
}

}  // namespace detail

// Whether a cell, or one of its images along periods, is at most `reach` cells from a box along every axis.
HALFULP_INLINE bool is_within_reach(const Four<std::int32_t>& cell, std::int64_t reach, const CellBox& box,
                                    const PeriodOfCells& periods)
{
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const detail::CellsAlong cells = detail::cells_along(box, periods, axis);
        if (cells.low >= cells.high) return false;
        const std::int64_t here = cell[static_cast<int>(axis)];
        const std::int64_t period = periods.period[axis];
        const auto overlaps = [&](std::int64_t image) {
            return image + reach >= cells.low && image - reach < cells.high;
        };
        bool near = overlaps(here);
        for (std::int64_t images = 1; !near && period > 0 && (images - 1) * period <= 2 * reach; ++images)
            near = overlaps(here - images * period) || overlaps(here + images * period);
        if (!near) return false;
    }
    return true;
}

// Whether every cell within reach of a cell of the box lies in the box.
HALFULP_INLINE bool is_inside(const Four<std::int32_t>& cell, std::int64_t reach, const CellBox& box,
                              const PeriodOfCells& periods)
{
    for (std::size_t axis = 0; axis < 3; ++axis) {
        if (periods.period[axis] > 0) {
            const std::int64_t begin = periods.origin[axis];
            // The box spans the period, so every image lies in it, too.
            if (box.low[axis] <= begin && box.high[axis] >= begin + periods.period[axis]) continue;
        }
        const detail::CellsAlong cells = detail::cells_along(box, periods, axis);
        const std::int64_t here = cell[static_cast<int>(axis)];
        if (here - reach < cells.low || here + reach >= cells.high) return false;
    }
    return true;
}

// A box that is cut in two: cells below `at` along the axis are on the left. Children are cuts, or ranks.
struct CutOfCells {
    int axis;
    std::int64_t at;
    std::uint32_t left;
    std::uint32_t right;
    bool left_is_rank;
    bool right_is_rank;
};

// The rank that a cell belongs to. cuts: the first is that of the whole domain; none for one rank.
HALFULP_INLINE std::uint32_t owner_of(const Four<std::int32_t>& cell, const CutOfCells* cuts, bool any)
{
    if (!any) return 0;
    for (std::uint32_t k = 0;;) {
        const CutOfCells& cut = cuts[k];
        const bool left = cell[cut.axis] < cut.at;
        k = left ? cut.left : cut.right;
        if (left ? cut.left_is_rank : cut.right_is_rank) return k;
    }
}

class Decomposition {
public:
    // All cells belong to rank 0.
    explicit Decomposition(std::size_t ranks = 1);
    // Collective: cuts the domain into boxes of equal work; all ranks find the same result. cells, work: of the
    // particles that this rank holds now. dimensions: the axes along which boxes may be cut. powers: the relative speed
    // of each rank, to which its share of the work is proportional; if empty, all are equal.
    static Decomposition by_work(Peers& peers, std::span<const Four<std::int32_t>> cells,
                                 std::span<const std::uint32_t> work, int dimensions,
                                 std::span<const double> powers = {});
    // Collective: cuts the domain at random, for tests.
    static Decomposition at_random(Peers& peers, std::span<const Four<std::int32_t>> cells, int dimensions,
                                   std::uint64_t seed);

    [[nodiscard]] std::size_t owner(const Four<std::int32_t>& cell) const
    {
        return owner_of(cell, cuts_.data(), !cuts_.empty());
    }
    [[nodiscard]] const CellBox& box(std::size_t rank) const { return boxes_[rank]; }
    [[nodiscard]] std::size_t ranks() const { return boxes_.size(); }
    [[nodiscard]] const std::vector<CellBox>& boxes() const { return boxes_; }
    [[nodiscard]] const std::vector<CutOfCells>& cuts() const { return cuts_; }
    // Whether all cells within reach of a cell belong to its owner.
    [[nodiscard]] bool is_inside(const Four<std::int32_t>& cell, std::int64_t reach, std::size_t owner,
                                 const PeriodOfCells& periods) const
    {
        return halfulp::is_inside(cell, reach, boxes_[owner], periods);
    }

private:
    struct Part;

    template <class Choose>
    static Decomposition bisected(Peers& peers, std::span<const Four<std::int32_t>> cells, const Choose& choose);

    std::vector<CellBox> boxes_;
    std::vector<CutOfCells> cuts_;
};

}  // namespace halfulp
