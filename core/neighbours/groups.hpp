// Stored neighbour lists: groups of consecutive particles (the lanes of a SIMD vector) share one list of candidates.
//
// A list holds, in ascending index, every particle within support + skin of at least one lane at the last rebuild, with
// one bit per lane that has it as a neighbour. Walls do not interact with walls, nor a particle with itself. Entries
// beyond the true neighbours never change a bit: such pairs add an exact zero.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/neighbours/cell_directory.hpp"
#include "core/particles/buffers.hpp"

namespace halfulp {

struct Candidate {
    std::uint32_t index;
    std::uint16_t lanes;  // bit k: lane k has it as a neighbour
    std::uint16_t shift;  // into the table of cell differences (ShiftTable)
};

// Consecutive particles of one row of cells that are visited together: the lanes of a vector, or one particle.
struct TargetRange {
    std::uint32_t first;        // particle in lane 0; the others follow
    std::uint16_t count;        // lanes in use
    std::uint16_t fluid_lanes;  // bit k: lane k is fluid
};

struct Group : TargetRange {
    std::uint32_t begin;  // candidates in the strip's list
    std::uint32_t end;
};

// A piece of a row of cells: the unit of work of a thread. Its size is fixed, independent of the number of threads.
struct Strip {
    std::uint32_t row = 0;
    std::uint32_t first_cell = 0;
    std::uint32_t last_cell = 0;  // one past the end
    std::vector<Group> groups;
    std::size_t wet = 0;                // number of groups with fluid or candidates, which come first
    std::vector<Candidate> candidates;  // up to the last group's end; keeps its size between rebuilds
};

// Walls that no fluid can reach before the next rebuild.
inline bool is_dry(const Group& group) { return group.fluid_lanes == 0 && group.begin == group.end; }

// Groups never leave a row of cells and span at most this many cells along x, so that the cell difference of any lane
// and any candidate is a small integer: exact in every number type.
inline constexpr int largest_group_span = 16;
inline constexpr std::uint32_t cells_per_strip = 64;

// Divides the occupied cells into strips, in the canonical order, reusing the memory of old strips. owned: for each
// particle, whether its cell is included; if empty, all cells are.
void make_strips(const CellDirectory& directory, const std::vector<std::uint8_t>& owned, std::vector<Strip>& strips);

// Fills strip.groups with groups of at most `lanes` particles, without candidates.
void make_groups(const CellDirectory& directory, const std::vector<Four<std::int32_t>>& cell,
                 const std::vector<Kind>& kind, int lanes, Strip& strip);

}  // namespace halfulp
