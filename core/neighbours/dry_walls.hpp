// Dry walls, the wall particles that no fluid can reach before the next rebuild of the neighbour lists, and the passes
// over pairs that must visit them. Their sums are zero.
//
// An integrator that keeps the state of the previous step (Verlet's scheme) alternates between two sequences of states;
// in each of them the density of dry walls is constant.
#pragma once

#include <array>

#include "core/schemes/operation_list.hpp"
#include "kernels/physics.hpp"

namespace halfulp {

class DryWalls {
public:
    // To be called after a rebuild of the neighbour lists.
    void rebuilt() { done_ = {}; }
    // To be called after every operation.
    void after(OperationKind kind)
    {
        if (kind == kind_of<SwapState>) sequence_ = 1 - sequence_;
        if (kind == kind_of<KeepState>) done_[1 - sequence_].fill(false);
    }
    // 0 or 1: the sequence of the present state.
    [[nodiscard]] std::size_t sequence() const { return sequence_; }
    // Whether the next pass of an operation must visit dry walls. Where their density is constant, only two kinds of
    // passes must: the first after a rebuild, which sets their rates to zero and finds their maximum, and the first
    // three of all, since the update of the first step may end the tension of walls.
    bool join(OperationKind kind, const Physics& physics)
    {
        const auto k = static_cast<std::size_t>(kind);
        bool& done = done_[sequence_][k];
        if (dry_walls_are_constant(physics) && done && passes_[k] >= 3) return false;
        done = true;
        ++passes_[k];
        return true;
    }

private:
    std::size_t sequence_ = 0;
    std::array<std::array<bool, operation_count>, 2> done_{};  // by sequence
    std::array<int, operation_count> passes_{};
};

}  // namespace halfulp
