// Additional numbers of lanes of the laboratory; the program has one lane and the usual number.
#pragma once

#include "core/backends/cpu/pair_loops.hpp"
#include "core/registry.hpp"

namespace halfulp {

template <class Policy, int D>
struct MoreLanes {
    // Same contract as pair_loops.
    const PairLoops<Policy, D>* (*find)(int lanes);
};

// Null if no object file of the program has registered any.
template <class Policy, int D>
const PairLoops<Policy, D>* more_pair_loops(int lanes)
{
    for (const MoreLanes<Policy, D>& more : registry<MoreLanes<Policy, D>>()) {
        if (const auto* loops = more.find(lanes)) return loops;
    }
    return nullptr;
}

// Defines pair_loops for a policy and dimension: one lane, the usual number and registered ones.
#define HALFULP_DEFINE_EXTENSIBLE_PAIR_LOOPS(Policy, D, usual)               \
    template <>                                                              \
    const PairLoops<Policy, D>* pair_loops<Policy, D>(int lanes)             \
    {                                                                        \
        if (lanes == (usual)) return &PairLoopBody<Policy, D, usual>::table; \
        if (lanes == 1) return &PairLoopBody<Policy, D, 1>::table;           \
        return more_pair_loops<Policy, D>(lanes);                            \
    }

}  // namespace halfulp
