#include "core/setup/placed_particles.hpp"

#include <algorithm>

namespace halfulp {

void PlacedParticles::add(const Rows& sites, Kind kind, std::int32_t shape)
{
    for (const auto& [row, runs] : sites) {
        for (const Run& run : runs) {
            stretches_.push_back({.first = count_,
                                  .last = count_ + run.size(),
                                  .kind = kind,
                                  .shape = shape,
                                  .on_lattice = true,
                                  .site = {run.first, row[1], row[0]},
                                  .positions = 0});
            count_ += run.size();
        }
    }
}

void PlacedParticles::add(const std::vector<std::array<double, 3>>& positions, Kind kind, std::int32_t shape)
{
    if (positions.empty()) return;
    stretches_.push_back({.first = count_,
                          .last = count_ + positions.size(),
                          .kind = kind,
                          .shape = shape,
                          .on_lattice = false,
                          .site = {},
                          .positions = positions_.size()});
    count_ += positions.size();
    positions_.insert(positions_.end(), positions.begin(), positions.end());
}

const PlacedParticles::Stretch& PlacedParticles::stretch_of(std::size_t i) const
{
    // Most loops ascend: that of the particle before, or the next one.
    thread_local std::size_t near = 0;
    const auto holds = [&](std::size_t k) {
        return k < stretches_.size() && i >= stretches_[k].first && i < stretches_[k].last;
    };
    if (holds(near)) return stretches_[near];
    if (holds(near + 1)) return stretches_[++near];
    const auto after = std::ranges::upper_bound(stretches_, i, {}, &Stretch::first);
    near = static_cast<std::size_t>(after - stretches_.begin()) - 1;
    return stretches_[near];
}

PlacedParticle PlacedParticles::operator[](std::size_t i) const
{
    const Stretch& stretch = stretch_of(i);
    const std::size_t by = i - stretch.first;
    if (!stretch.on_lattice) return {positions_[stretch.positions + by], stretch.kind, stretch.shape};
    const Site site{stretch.site[0] + static_cast<std::int64_t>(by), stretch.site[1], stretch.site[2]};
    return {centre_of(site), stretch.kind, stretch.shape};
}

}  // namespace halfulp
