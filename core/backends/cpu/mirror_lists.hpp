// Lists of the fluid near the mirror nodes of walls, kept between neighbour list rebuilds. They hold the fluid within
// support + skin of a node: complete while neither side has moved by more than half a skin; for nodes that have, the
// cells are searched.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/neighbours/cell_directory.hpp"
#include "core/operations/mirror_walls.hpp"

namespace halfulp {

template <class Policy, int D>
class MirrorLists {
public:
    using Walls = MirrorWalls::Body<Policy, D>;

    // From the fluid positions at the last neighbour list rebuild and the present mirror nodes.
    void build(const Walls& walls, const ParticleView<Policy>& at_rebuild, const CellDirectory& directory)
    {
        const std::size_t count = walls.particles.count;
        at_.resize(count);
        first_.assign(count + 1, 0);
        visit_all(walls, at_rebuild, directory, [&](std::size_t i, std::size_t) { ++first_[i + 1]; });
        for (std::size_t i = 0; i < count; ++i) first_[i + 1] += first_[i];
        entries_.resize(first_[count]);
        std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
        visit_all(walls, at_rebuild, directory,
                  [&](std::size_t i, std::size_t b) { entries_[next[i]++] = static_cast<std::uint32_t>(b); });
    }

    // The interface required by Walls::extrapolate.
    template <class Visit>
    void for_each_near(const Walls& walls, const CellDirectory& directory, std::size_t i,
                       const typename Walls::Image& image, Visit visit) const
    {
        const Vec<D, double> moved = image.at - at_[i];
        if (dot(moved, moved) > 0.2495 * walls.skin * walls.skin) {
            walls.search(image, directory, visit);
            return;
        }
        for (std::size_t e = first_[i]; e < first_[i + 1]; ++e) visit(entries_[e]);
    }

    [[nodiscard]] std::size_t bytes() const
    {
        return at_.capacity() * sizeof at_[0] + first_.capacity() * sizeof first_[0] +
               entries_.capacity() * sizeof entries_[0];
    }

private:
    template <class Visit>
    void visit_all(const Walls& walls, const ParticleView<Policy>& at_rebuild, const CellDirectory& directory,
                   Visit visit)
    {
        const std::size_t count = walls.particles.count;
        const double reach = (walls.points.support + walls.skin) * (1 + 1e-6);  // margin for rounding
#pragma omp parallel for schedule(dynamic, 64)
        for (std::size_t i = 0; i < count; ++i) {
            if (!walls.has_image(i)) continue;
            const auto image = walls.image_of(i);
            at_[i] = image.at;
            walls.search(image, reach, 0.5, directory, [&](std::size_t b) {
                const auto r = position_relative_to<Policy, D>(at_rebuild, walls.domain, b, image.cell, image.at);
                if (dot(r, r) < reach * reach) visit(i, b);
            });
        }
    }

    std::vector<Vec<D, double>> at_;
    std::vector<std::size_t> first_;  // first entry of each particle, and the number of entries
    std::vector<std::uint32_t> entries_;
};

}  // namespace halfulp
