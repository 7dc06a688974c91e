// Particles as the strategies for the CPU have them: a dense grid of cubic cells of side r/n, r the support; all fluid
// in the order of its cells, then all walls, so that a row of cells is one range of each.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/particles/buffers.hpp"
#include "core/results/snapshot.hpp"
#include "core/setup/problem.hpp"

namespace halfulp::strategies {

// A state in units of the state, in order of id.
struct State {
    std::vector<Four<std::int32_t>> cell;
    std::vector<Four<float>> place;   // offset from the cell's centre, cell sides; pressure term
    std::vector<Four<float>> motion;  // velocity; s
    std::vector<Kind> kind;
};
State state_of(const Problem& problem, const Snapshot& snapshot);

// A problem that starts from the fluid and walls of a snapshot: its cells are those of the snapshot, so that a back
// end's first rates are in the canonical order of just these.
Problem starting_from(const Problem& problem, const Snapshot& snapshot);

float reach_squared(const Problem& problem);

// du/dt and ds/dt in units of the state, in order of id, from sums in an order of their own; no du/dt of walls.
std::vector<std::array<double, 4>> rates_from(const Problem& problem, const std::vector<Four<float>>& sums,
                                              const std::vector<std::uint32_t>& id);
std::uint64_t bits_of(const std::vector<std::array<double, 4>>& rates);

struct Range {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
};

class Arrangement {
public:
    // axes: which axis of the case is the first, along which rows run, the second and the third.
    Arrangement(const State& state, double support, int divisions, std::array<int, 3> axes = {0, 1, 2});

    [[nodiscard]] std::uint32_t count() const { return static_cast<std::uint32_t>(id.size()); }
    [[nodiscard]] std::int32_t cells() const { return size_[0] * size_[1] * size_[2]; }
    [[nodiscard]] std::int32_t columns() const { return size_[0]; }
    [[nodiscard]] std::int32_t layer() const { return size_[0] * size_[1]; }
    [[nodiscard]] std::int32_t column_of(std::int32_t cell) const { return cell % size_[0]; }
    [[nodiscard]] Range fluid(std::int32_t cell, int length = 1) const { return range(fluid_, cell, length); }
    [[nodiscard]] Range walls(std::int32_t cell, int length = 1) const { return range(walls_, cell, length); }

    // The first particle of each cell, and their number.
    [[nodiscard]] const std::vector<std::uint32_t>& first_fluid() const { return fluid_; }
    [[nodiscard]] const std::vector<std::uint32_t>& first_walls() const { return walls_; }

    // The cells n rows and more from the rim hold all particles. offsets: of the (2n + 1)^2 rows around a cell, from
    // the lowest to the highest; the one in the middle is its own.
    std::vector<std::int32_t> offsets;
    int divisions;

    std::vector<std::uint32_t> id;
    std::vector<std::uint32_t> cell_of;    // in this grid
    std::vector<Four<std::int32_t>> cell;  // in the state
    std::vector<Four<float>> place;
    std::vector<Four<float>> motion;
    std::uint32_t fluid_count = 0;

private:
    [[nodiscard]] static Range range(const std::vector<std::uint32_t>& first, std::int32_t cell, int length)
    {
        return {first[static_cast<std::size_t>(cell)], first[static_cast<std::size_t>(cell + length)]};
    }

    std::array<std::int32_t, 3> size_{};
    std::vector<std::uint32_t> fluid_;  // first of each cell, and the number
    std::vector<std::uint32_t> walls_;
};

// Relative to a corner of all particles, cell sides: as codes without cells have them.
std::vector<Four<float>> global_places(const Arrangement& at);

}  // namespace halfulp::strategies
