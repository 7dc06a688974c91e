// The lists of fluid near mirror nodes (core/backends/mirror_lists.hpp) in the host's memory.
#pragma once

#include <vector>

#include "core/backends/mirror_lists.hpp"
#include "core/neighbours/cell_directory.hpp"

namespace halfulp {

template <class Policy, int D>
class MirrorLists {
public:
    using Walls = MirrorWalls::Body<Policy, D>;

    // From the fluid positions when particles were sorted and the present mirror nodes.
    void build(const Walls& walls, const ParticleView<Policy>& at_sorting, const CellDirectory& directory)
    {
        const std::size_t count = walls.particles.count;
        at_.resize(count);
        first_.assign(count + 1, 0);
        visit_all(walls, at_sorting, directory, [&](std::size_t i, std::size_t) { ++first_[i + 1]; });
        for (std::size_t i = 0; i < count; ++i) first_[i + 1] += first_[i];
        entries_.resize(first_[count]);
        std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
        visit_all(walls, at_sorting, directory,
                  [&](std::size_t i, std::size_t b) { entries_[next[i]++] = static_cast<std::uint32_t>(b); });
    }

    [[nodiscard]] MirrorListsView<D> view() { return {at_.data(), first_.data(), entries_.data()}; }
    [[nodiscard]] std::size_t bytes() const
    {
        return at_.capacity() * sizeof at_[0] + first_.capacity() * sizeof first_[0] +
               entries_.capacity() * sizeof entries_[0];
    }

private:
    template <class Visit>
    void visit_all(const Walls& walls, const ParticleView<Policy>& at_sorting, const CellDirectory& directory,
                   const Visit& visit)
    {
        const std::size_t count = walls.particles.count;
#pragma omp parallel for schedule(dynamic, 64)
        for (std::size_t i = 0; i < count; ++i) {
            if (!walls.has_image(i)) continue;
            const auto image = walls.image_of(i);
            at_[i] = image.at;
            for_each_entry<Policy, D>(walls, at_sorting, directory, image, [&](std::size_t b) { visit(i, b); });
        }
    }

    std::vector<Vec<D, double>> at_;
    std::vector<std::size_t> first_;
    std::vector<std::uint32_t> entries_;
};

}  // namespace halfulp
