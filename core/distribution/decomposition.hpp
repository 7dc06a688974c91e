// The decomposition of a run's domain among ranks: boxes of whole cells, from a recursive bisection that gives each
// rank the same share of the work. Any decomposition gives the same bits, so it is no part of the case.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/distribution/peers.hpp"
#include "core/particles/field.hpp"

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

// Whether a cell, or one of its images along periods, is at most `reach` cells from a box along every axis.
bool is_within_reach(const Four<std::int32_t>& cell, std::int64_t reach, const CellBox& box,
                     const PeriodOfCells& periods);

class Decomposition {
public:
    // All cells belong to rank 0.
    explicit Decomposition(std::size_t ranks = 1);
    // Collective. cells, work: of the particles that this rank holds now; all ranks find the same result. dimensions:
    // axes along which may be cut.
    static Decomposition by_work(Peers& peers, std::span<const Four<std::int32_t>> cells,
                                 std::span<const std::uint32_t> work, int dimensions);
    // Collective. Cut anywhere, for tests.
    static Decomposition at_random(Peers& peers, std::span<const Four<std::int32_t>> cells, int dimensions,
                                   std::uint64_t seed);

    [[nodiscard]] std::size_t owner(const Four<std::int32_t>& cell) const;
    [[nodiscard]] const CellBox& box(std::size_t rank) const { return boxes_[rank]; }
    [[nodiscard]] std::size_t ranks() const { return boxes_.size(); }
    // Whether no other rank than a cell's owner can be within reach of it.
    [[nodiscard]] bool is_inside(const Four<std::int32_t>& cell, std::int64_t reach, std::size_t owner,
                                 const PeriodOfCells& periods) const;

private:
    // A box that is cut in two: cells below `at` along the axis are on the left. Children are nodes, or ranks.
    struct Node {
        int axis;
        std::int64_t at;
        std::uint32_t left;
        std::uint32_t right;
        bool left_is_rank;
        bool right_is_rank;
    };
    struct Part;

    template <class Choose>
    static Decomposition bisected(Peers& peers, std::span<const Four<std::int32_t>> cells, const Choose& choose);

    std::vector<CellBox> boxes_;
    std::vector<Node> nodes_;  // the first is the whole domain
};

}  // namespace halfulp
