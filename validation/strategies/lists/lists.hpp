// Neighbour lists of a state whose particles lie in memory in an order of choice. The entries of a list keep the
// canonical order of the neighbours, so that no bit of a sum depends on where they lie.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "validation/strategies/arrangement.hpp"

namespace halfulp::strategies {

enum class Order { zyx, zxy, yzx, yxz, xzy, xyz, morton, hilbert, as_filled, random };
struct NamedOrder {
    Order order;
    const char* name;
};
inline constexpr std::array orders{NamedOrder{Order::zyx, "z, y, x (canonical)"},
                                   NamedOrder{Order::zxy, "z, x, y"},
                                   NamedOrder{Order::yzx, "y, z, x"},
                                   NamedOrder{Order::yxz, "y, x, z"},
                                   NamedOrder{Order::xzy, "x, z, y"},
                                   NamedOrder{Order::xyz, "x, y, z"},
                                   NamedOrder{Order::morton, "Morton"},
                                   NamedOrder{Order::hilbert, "Hilbert"},
                                   NamedOrder{Order::as_filled, "as filled at the start"},
                                   NamedOrder{Order::random, "random"}};

// Positions along the curves of Morton and of Hilbert through cells of 2^bits an axis.
std::uint64_t morton_key(const std::array<std::uint32_t, 3>& cell, int bits);
std::uint64_t hilbert_key(const std::array<std::uint32_t, 3>& cell, int bits);

// Particles in canonical order (core/particles/order.hpp) with their neighbours within the support, ascending; none of
// two walls.
struct CanonicalLists {
    State state;
    std::vector<std::uint32_t> id;
    std::vector<std::uint64_t> first;  // of each particle's list, and the number of all entries
    std::vector<std::uint32_t> neighbours;
};
CanonicalLists canonical_lists(const Problem& problem, const State& state);

// For each place in memory the particle that lies there.
std::vector<std::uint32_t> memory_order(const CanonicalLists& lists, Order order);

struct ListStrategy {
    Order order = Order::zyx;
    bool by_kind = true;  // targets: all fluid as it lies in memory, then all walls; else as they lie
    int chunk = 1;        // entries of a target that lie together, of 32 targets (a device) or 8; 0: all of its list
    bool split = false;   // a list has the fluid first, then the walls, with a loop each: another order of sums
    bool compensated = true;  // sums by KbnSum, which the program's passes have; else plain
    bool bounded = false;     // a device: registers so few that ten blocks of 128 threads are resident
    int threads = 1;          // a CPU
};

// Particles with a neighbour, walls without one left out.
struct LaidOut {
    int width = 1;
    int chunk = 1;
    std::vector<Four<float>> place;  // in memory order
    std::vector<Four<float>> motion;
    std::vector<Four<std::int32_t>> cell;
    std::vector<std::uint32_t> target;  // where each lies in memory
    std::vector<std::uint32_t> id;
    std::vector<std::uint8_t> fluid;          // of each target
    std::uint32_t walls_begin = 0;            // the first wall's, where targets are by kind
    std::vector<std::uint64_t> first;         // entry of each `width` targets
    std::vector<std::uint32_t> length;        // of each target's list
    std::vector<std::uint32_t> fluid_length;  // of it fluid, where split
    std::vector<std::uint32_t> entries;       // places in memory

    // Of entry k of target t.
    [[nodiscard]] std::uint64_t index(std::size_t t, std::size_t k) const
    {
        const auto w = static_cast<std::size_t>(width);
        const auto c = static_cast<std::size_t>(chunk);
        return first[t / w] + ((k / c) * w + t % w) * c + k % c;
    }
};
LaidOut lay_out(const CanonicalLists& lists, const ListStrategy& strategy, int width);

struct ListsEvaluated {
    std::vector<std::array<double, 4>> rates;
    double seconds = 0;
    double padding = 1;  // entries, unused ones included, over those used
    int registers = 0;   // a device
};
ListsEvaluated evaluate_on_host(const Problem& problem, const CanonicalLists& lists, const ListStrategy& strategy,
                                double seconds);
ListsEvaluated evaluate_on_device(const Problem& problem, const CanonicalLists& lists, const ListStrategy& strategy,
                                  double seconds);

}  // namespace halfulp::strategies
