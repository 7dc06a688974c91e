// The canonical order of particles: by cell (z, then y, then x), then kind, then id. It is total, so every sorting
// algorithm yields it; it depends on cell differences only, so a shift of all particles by whole cells keeps it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/particles/buffers.hpp"

namespace halfulp {

// A particle's position in the order as a 128-bit number, and its present index.
struct OrderKey {
    std::uint64_t row;  // z, y; signed integers shifted to unsigned ones
    std::uint64_t low;  // x, kind, id (below 2^31)
    std::uint32_t index;

    friend bool operator<(const OrderKey& a, const OrderKey& b)
    {
        return a.row != b.row ? a.row < b.row : a.low < b.low;
    }
};

OrderKey order_key(const Four<std::int32_t>& cell, Kind kind, std::uint32_t index);

// The canonical order of all particles, given that those not flagged in `moved` are already in order among themselves.
// result[k].index is the present index of the particle that belongs at k.
std::vector<OrderKey> canonical_order(const std::vector<Four<std::int32_t>>& cell, const std::vector<Kind>& kind,
                                      const std::vector<std::uint8_t>& moved);

// The indices of the particles in ascending id. Ids may be any numbers below 2^31; 0 to count - 1 need no sort.
std::vector<std::uint32_t> places_by_id(const Four<std::int32_t>* cell, std::size_t count);

}  // namespace halfulp
