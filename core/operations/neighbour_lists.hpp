// The operations on neighbour lists, provided by the back end: check that the lists remain valid, sort the particles
// into the canonical order, search.
#pragma once

#include "core/operations/operation.hpp"

namespace halfulp {

// Rebuilds the lists if the drifts of this step, fraction dt u in all, could bring an unlisted pair within the support.
struct RefreshNeighbours {
    static constexpr OperationInfo info{"refresh_neighbours", TargetOfOperation::lists, Stage::neighbours};
    static constexpr bool needed(const Physics& /*physics*/) { return true; }
};

// The same after drifts of fraction dt u: rebuilds if they could have brought an unlisted pair within the support.
struct RefreshMovedNeighbours {
    static constexpr OperationInfo info{"refresh_moved_neighbours", TargetOfOperation::lists, Stage::neighbours};
    static constexpr bool needed(const Physics& /*physics*/) { return true; }
};

// An unconditional rebuild, which replaces the two operations above in some steps (see Simulation).
struct RenewNeighbours {
    static constexpr OperationInfo info{"renew_neighbours", TargetOfOperation::lists, Stage::neighbours};
    static constexpr bool needed(const Physics& /*physics*/) { return true; }
};

// Rebuilds the lists at once, so that the order of particles is that of their present positions.
struct RebuildNeighbours {
    static constexpr OperationInfo info{"rebuild_neighbours", TargetOfOperation::lists, Stage::neighbours};
    static constexpr bool needed(const Physics& /*physics*/) { return true; }
};

}  // namespace halfulp
