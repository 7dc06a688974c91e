// What is told about particles: sums for the energy ledger, snapshots with hashes. For buffers in the host's memory.
#pragma once

#include "core/output/snapshot.hpp"
#include "core/particles/frame.hpp"

namespace halfulp {

// Sums over all particles through exact accumulators, a unit of particle mass, in the units of the state.
struct LedgerSums {
    double kinetic = 0;
    double potential = 0;
    double compressive_fluid = 0;
    double compressive_wall = 0;
    double central = 0;  // potential energy of the central force
    std::array<double, works.size()> work{};
    std::array<double, 3> momentum{};
    std::array<double, 3> angular_momentum{};  // about the case's origin; in 2D only the last
    double max_speed = 0;
    double max_density_deviation = 0;  // of the fluid
    double front = 0;                  // largest x of the fluid relative to the case's origin, in cell sides
};

template <class Policy, int D>
LedgerSums ledger_sums(const Buffers<Policy>& buffers, const Frame& frame);

// All columns and the hash; time and step are the caller's to fill in.
template <class Policy, int D>
Snapshot take_snapshot(const Buffers<Policy>& buffers, const Frame& frame);

}  // namespace halfulp
