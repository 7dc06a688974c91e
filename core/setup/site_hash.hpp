// A hash of lattice sites, for maps and sets of them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/setup/lattice.hpp"

namespace halfulp {

struct SiteHash {
    std::size_t operator()(const Site& s) const
    {
        std::uint64_t h = 0;
        for (const auto v : s) h = (h ^ static_cast<std::uint64_t>(v)) * 0x9e3779b97f4a7c15ULL, h ^= h >> 29U;
        return static_cast<std::size_t>(h);
    }
};

}  // namespace halfulp
