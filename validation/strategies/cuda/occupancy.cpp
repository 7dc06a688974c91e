#include "validation/strategies/cuda/occupancy.hpp"

#include <algorithm>

namespace halfulp::strategies {

double occupancy_of(const Multiprocessor& on, int registers, int threads)
{
    constexpr int warp = 32;
    const int warps = (threads + warp - 1) / warp;
    const int wanted = (warps * warp * registers + on.allocation - 1) / on.allocation * on.allocation;
    const int blocks = std::min({on.blocks, on.warps / warps, on.registers / wanted});
    return static_cast<double>(blocks * warps) / on.warps;
}

}  // namespace halfulp::strategies
