// A run of one or several copies of a case, followed from output to output.
#pragma once

#include <string>
#include <vector>

#include "core/setup/case.hpp"
#include "validation/pools/copies.hpp"
#include "validation/study_cache.hpp"

namespace halfulp {

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
    StateHash hash;                      // of all its particles, seen from the copy's place
    std::array<std::size_t, 2> moved{};  // fluid particles that are not where they started, along x and along y
    std::size_t crossed = 0;             // fluid particles in another cell than at the start
    std::vector<FluidParticle> fluid;    // in order of id
};

struct RecordedOutput {
    double time = 0;  // s
    StateHash hash;
    double energy_error = 0;  // the ledger's residual over the available energy
    double max_speed = 0;     // m/s
    std::vector<CopyRecord> copies;
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

    // Those at the times of the case's output.
    [[nodiscard]] std::size_t regular() const { return outputs.size() - (ending == Ending::completed ? 0 : 1); }
};

// Copies of the case, in two dimensions and with a fixed step, at places whole cells from its origin; on one thread.
Record follow(const Case& c, const std::vector<Cells>& places);

// For the cache of a study.
Results encode(const Record& record);
Record decode(const Results& rows);

}  // namespace halfulp
