// Ranks for tests: threads that all do the same.
#pragma once

#include "core/distribution/local_ranks.hpp"

namespace halfulp::test {

// Calls act(peers) on every rank and waits for all of them.
template <class Act>
void on_ranks(std::size_t ranks, const Act& act)
{
    LocalRanks others(ranks, act);
    act(others.first());
}

}  // namespace halfulp::test
