// Records of runs of several copies of one case, far apart from each other: each copy relative to its own place, at
// every output.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "core/results/snapshot.hpp"
#include "core/setup/case.hpp"
#include "core/setup/problem.hpp"

namespace halfulp {

using Cells = std::array<std::int32_t, 3>;

// All particles of the problem once for each place, whole cells from where they are, in the order of the places; the
// ids of a copy follow one another in the order of the problem's. Throws an Error where a cell would leave the 32-bit
// range.
Problem with_copies(const Problem& problem, const std::vector<Cells>& places);

struct CopyParticle {
    std::array<double, 3> position{};  // m, from the copy's place, residuals included
    std::array<double, 3> velocity{};  // m/s
    double density = 0;                // s = rho/rho0 - 1
    Kind kind = Kind::fluid;
    Cells cell{};  // from the copy's place
    // Everything that defines it, bit by bit, its position from the copy's place: cell, offset and residual where the
    // policy keeps these, otherwise the difference of the coordinates in double.
    std::vector<std::uint64_t> words;
};
using CopyState = std::vector<CopyParticle>;  // in order of id

// Of particles first to first + count. place: the cell, the case's origin included. A position is made of cells and
// offsets, or of the coordinate as the policy keeps it, and never of a rounded global one.
CopyState state_of_copy(const Problem& problem, const Snapshot& snapshot, std::size_t first, std::size_t count,
                        const Cells& place);

// How many particles of one are not those of the other, bit by bit.
std::size_t differing_particles(const CopyState& a, const CopyState& b);

// Of all words, and which particle has them: equal for states that differing_particles() finds none in.
StateHash hash_of_copy(const CopyState& state);

struct FluidParticle {
    double x = 0;  // m, from the copy's place
    double y = 0;
    double u = 0;  // m/s
    double v = 0;
    double density = 0;  // s = rho/rho0 - 1
    bool operator==(const FluidParticle&) const = default;
};

struct CopyRecord {
    std::size_t differing = 0;           // particles, walls included, that are not bit by bit those of the first copy
    StateHash hash;                      // of all its particles, relative to the copy's place
    std::array<std::size_t, 2> moved{};  // fluid particles that are not where they started, along x and along y
    std::size_t crossed = 0;             // fluid particles in another cell than at the start
    std::vector<FluidParticle> fluid;    // in order of id
    static auto members(auto& r) { return std::tie(r.differing, r.hash, r.moved, r.crossed, r.fluid); }

    // Fluid particles that are not where they started, along the axis along which fewest are.
    [[nodiscard]] std::size_t moved_along_both() const { return std::min(moved[0], moved[1]); }
};
// The largest distance of two copies' particles, m; infinite where a position is not a number.
double largest_difference(const CopyRecord& a, const CopyRecord& b);

struct RecordedOutput {
    double time = 0;  // s
    StateHash hash;
    double energy_error = 0;  // the ledger's residual over the available energy
    double max_speed = 0;     // m/s
    std::vector<CopyRecord> copies;
    static auto members(auto& r) { return std::tie(r.time, r.hash, r.energy_error, r.max_speed, r.copies); }
};

struct Record {
    enum class Ending {
        completed,
        frozen,  // no fluid particle has moved, and none can: the run was not followed further
        broke
    };
    Ending ending = Ending::completed;
    double time = 0;              // s; the end
    double half_ulp = 0;          // m; half the spacing of the coordinates that the fluid can take; 0: does not matter
    std::size_t broken_copy = 0;  // that of the particle that broke the run
    std::string reason;           // why it broke
    std::vector<RecordedOutput> outputs;  // if it was frozen or broke, the last is of that moment
    static auto members(auto& r) { return std::tie(r.ending, r.time, r.half_ulp, r.broken_copy, r.reason, r.outputs); }

    // Those at the times of the case's output.
    [[nodiscard]] std::size_t regular() const { return outputs.size() - (ending == Ending::completed ? 0 : 1); }
    // Of an output, for tables: empty, frozen or broke.
    [[nodiscard]] const char* ending_at(std::size_t output) const;
    // How the run ended, in words.
    [[nodiscard]] std::string ending_in_words() const;
};
// At how many outputs does the first copy of one have the bits of the first copy of the other, each relative to its
// place? Outputs that only one has count as different.
std::size_t outputs_with_the_same_bits(const Record& a, const Record& b);

// Copies of the case, in two dimensions and with a fixed step, at places whole cells from its origin; on one thread.
Record follow(const Case& c, const std::vector<Cells>& places);

}  // namespace halfulp
