// The canonical order of particles: by cell (z, then y, then x), then kind, then id. It is a total order, so whatever
// sorts yields it; it depends on cells only through their differences, so moving all particles by whole cells keeps it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/particles/buffers.hpp"

namespace halfulp {

// A particle's place in the order as a 128-bit number, and where the particle is now.
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

// The canonical order of all particles, given that those not flagged in `moved` are in order among themselves already.
// result[k].index is the present index of the particle that belongs at k.
std::vector<OrderKey> canonical_order(const std::vector<Four<std::int32_t>>& cell, const std::vector<Kind>& kind,
                                      const std::vector<std::uint8_t>& moved);

// Where the particles are in ascending id. Ids may be any numbers below 2^31; those that are 0 to count - 1 need no
// sort.
std::vector<std::uint32_t> places_by_id(const Four<std::int32_t>* cell, std::size_t count);

}  // namespace halfulp
