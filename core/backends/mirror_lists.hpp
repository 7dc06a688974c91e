// Lists of the fluid near the mirror nodes of walls, kept from one sorting of the particles to the next. They hold the
// fluid within support + skin of a node: complete while neither side has moved by more than half a skin; for nodes that
// have, the cells are searched. Back ends own the memory.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/operations/mirror_walls.hpp"

namespace halfulp {

// Without lists: null pointers.
template <int D>
struct MirrorListsView {
    Vec<D, double>* at = nullptr;  // of each particle that has one: its mirror node when the lists were made
    std::size_t* first = nullptr;  // entry of each particle, and the number of entries
    std::uint32_t* entries = nullptr;

    // Calls visit(b) for all fluid within the support of wall particle i's mirror node, and for more.
    template <class Walls, class Directory, class Visit>
    HALFULP_INLINE void for_each_near(const Walls& walls, const Directory& directory, std::size_t i,
                                      const typename Walls::Image& image, const Visit& visit) const
    {
        if (at == nullptr || has_moved(walls.skin, i, image)) {
            walls.search(image, directory, visit);
            return;
        }
        const std::size_t end = first[i + 1];
        for (std::size_t e = first[i]; e < end; ++e) visit(entries[e]);
    }

    HALFULP_INLINE bool has_entries(std::size_t i) const { return at != nullptr && first[i + 1] > first[i]; }

    // Whether the list of wall particle i is no longer valid.
    template <class Image>
    HALFULP_INLINE bool has_moved(double skin, std::size_t i, const Image& image) const
    {
        const Vec<D, double> moved = image.at - at[i];
        return dot(moved, moved) > 0.2495 * skin * skin;
    }
};

// Calls visit(b) for the entries of wall particle i, which has an image there. at_sorting: the positions when particles
// were sorted.
template <class Policy, int D, class Walls, class Directory, class Visit>
HALFULP_INLINE void for_each_entry(const Walls& walls, const ParticleView<Policy>& at_sorting,
                                   const Directory& directory, const typename Walls::Image& image, const Visit& visit)
{
    const double reach = (walls.points.support + walls.skin) * (1 + 1e-6);  // margin for rounding
    walls.search(image, reach, 0.5, directory, [&](std::size_t b) {
        const auto r = position_relative_to<Policy, D>(at_sorting, walls.domain, b, image.cell, image.at);
        if (dot(r, r) < reach * reach) visit(b);
    });
}

}  // namespace halfulp
