// The passes over pairs that visit dry walls: wall particles that no fluid can reach before the next rebuild of the
// neighbour lists. Their sums are zero.
#pragma once

#include <array>

#include "core/schemes/operation_list.hpp"
#include "kernels/physics.hpp"

namespace halfulp {

class DryWalls {
public:
    // Neighbour lists have been rebuilt.
    void rebuilt() { done_.fill(false); }
    // Whether the coming pass of an operation visits dry walls. Where their density is constant these are the first
    // one after a rebuild, which sets their rates to zero and finds their maximum, and the first three of all, as the
    // update of the first step may end the tension of walls.
    bool join(OperationKind kind, const Physics& physics)
    {
        const auto k = static_cast<std::size_t>(kind);
        if (dry_walls_are_constant(physics) && done_[k] && passes_[k] >= 3) return false;
        done_[k] = true;
        ++passes_[k];
        return true;
    }

private:
    std::array<bool, operation_count> done_{};
    std::array<int, operation_count> passes_{};
};

}  // namespace halfulp
