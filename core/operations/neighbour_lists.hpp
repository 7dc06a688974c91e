// The operations on neighbour lists, which are services of a back end: it finds out whether the lists last, sorts the
// particles into the canonical order and searches.
#pragma once

#include "core/operations/operation.hpp"

namespace halfulp {

// Rebuilds the lists if the drifts of this step, fraction dt u in all, could bring an unlisted pair into the support.
struct RefreshNeighbours {
    static constexpr OperationInfo info{"refresh_neighbours", TargetOfOperation::lists, Stage::neighbours};
    static constexpr bool needed(const Physics& /*physics*/) { return true; }
};

// The same, with a rebuild in any case: what it becomes in some steps (Simulation).
struct RenewNeighbours {
    static constexpr OperationInfo info{"renew_neighbours", TargetOfOperation::lists, Stage::neighbours};
    static constexpr bool needed(const Physics& /*physics*/) { return true; }
};

// Rebuilds them at once, so that the order of particles is that of where they are now.
struct RebuildNeighbours {
    static constexpr OperationInfo info{"rebuild_neighbours", TargetOfOperation::lists, Stage::neighbours};
    static constexpr bool needed(const Physics& /*physics*/) { return true; }
};

}  // namespace halfulp
