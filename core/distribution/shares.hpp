// The shares of a problem that ranks would hold and send, estimated from the cells of its initial particles: a model of
// a run on several ranks that needs no other rank.
#pragma once

#include <cstdint>
#include <vector>

#include "core/distribution/decomposition.hpp"
#include "core/setup/problem.hpp"

namespace halfulp {

struct RankShare {
    std::uint64_t own = 0;  // particles
    std::uint64_t fluid = 0;
    std::uint64_t halo = 0;  // copies of others' particles
    std::uint64_t fluid_of_halo = 0;
};

// Work of a particle before there are neighbour lists: most of it is the fluid's.
constexpr std::uint32_t work_at_start(Kind kind) { return kind == Kind::fluid ? 100 : 10; }

// Cells from a particle to the farthest that it may meet before the next rebuild of the neighbour lists.
std::int64_t reach_of_halo(const Problem& problem);

std::vector<RankShare> shares_at_start(const Problem& problem, std::size_t ranks);

}  // namespace halfulp
