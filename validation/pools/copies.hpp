// Copies of one case far apart in a single run, and the state of each as it looks from its own place.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/results/snapshot.hpp"
#include "core/setup/problem.hpp"

namespace halfulp {

using Cells = std::array<std::int32_t, 3>;

// All particles of the problem once for each place, whole cells from where they are, in the order of the places; the
// ids of a copy follow one another in the order of the problem's. Throws an Error where a cell would leave the 32-bit
// range.
Problem with_copies(const Problem& problem, const std::vector<Cells>& places);

// Of the particles of one copy, in order of id.
struct CopyState {
    std::vector<std::array<double, 3>> position;  // m, from the copy's place, residuals included
    std::vector<std::array<double, 3>> velocity;  // m/s
    std::vector<double> density;                  // s = rho/rho0 - 1
    std::vector<Kind> kind;
    std::vector<Cells> cell;  // from the copy's place
    // Everything that defines a particle, bit by bit, `width` words for each, its position from the copy's place: cell,
    // offset and residual where the policy keeps these, otherwise the difference of the coordinates in double.
    std::vector<std::uint64_t> words;
    std::size_t width = 0;
};

// Of particles first to first + count. place: the cell, the case's origin included. A position is made of cells and
// offsets, or of the coordinate as the policy keeps it, and never of a rounded global one.
CopyState state_of_copy(const Problem& problem, const Snapshot& snapshot, std::size_t first, std::size_t count,
                        const Cells& place);

// How many particles of one are not those of the other, bit by bit; all if their policies differ.
std::size_t differing_particles(const CopyState& a, const CopyState& b);

// Of all words, and which particle has them: equal for states that differing_particles() finds none in.
StateHash hash_of_copy(const CopyState& state);

}  // namespace halfulp
