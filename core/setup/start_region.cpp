#include "core/setup/start_region.hpp"

#include <algorithm>
#include <cmath>

namespace halfulp {

int closed_gravity_axes(const Case& c)
{
    int axes = 0;
    for (std::size_t i = 0; i < 3; ++i) axes += c.gravity[i] != 0 && c.period[i] == 0 ? 1 : 0;
    return axes;
}

StartRegion::StartRegion(const Problem& problem)
    : problem_(problem), all_(problem, FluidRegion::all_walls),
      outside_(problem, FluidRegion::all_walls, FluidRegion::From::outside), regions_(fluid_regions(problem))
{
    const Case& c = problem.source;
    for (std::size_t i = 0; i < 3; ++i) {
        if (c.gravity[i] == 0 || c.period[i] > 0) continue;
        if (down_ < 0 || std::abs(c.gravity[i]) > std::abs(c.gravity[static_cast<std::size_t>(down_)])) {
            down_ = static_cast<int>(i);
            towards_lower_ = c.gravity[i] < 0;
        }
    }
    sites_.reserve(problem.particles.size());
    for (const InitialParticle& particle : problem.particles) {
        const Site site = start_site(problem, particle);
        for (std::size_t i = 0; i < 3; ++i) {
            low_[i] = sites_.empty() ? site[i] : std::min(low_[i], site[i]);
            high_[i] = sites_.empty() ? site[i] : std::max(high_[i], site[i]);
        }
        sites_.push_back(site);
        if (particle.kind == Kind::fluid) fluid_.push_back(site);
        if (particle.kind == Kind::fluid || down_ < 0) continue;
        Site column = site;
        column[static_cast<std::size_t>(down_)] = 0;
        const std::int64_t height = site[static_cast<std::size_t>(down_)];
        const auto [at, added] = floor_.emplace(column, height);
        if (!added) at->second = towards_lower_ ? std::min(at->second, height) : std::max(at->second, height);
    }
    std::sort(fluid_.begin(), fluid_.end());
    const auto outside = std::count_if(fluid_.begin(), fluid_.end(), [this](const Site& s) { return is_outside(s); });
    enclosed_ = fluid_.size() - static_cast<std::uint64_t>(outside);
    // Relaxed fills have one particle per site of their volume, up to a few along their boundary.
    full_ = outside == 0 && static_cast<double>(all_.reached()) <= 1.02 * static_cast<double>(fluid_.size());
}

const FluidRegion* StartRegion::region(std::int32_t motion) const
{
    const auto has = [&](const FluidRegion& one) { return one.motion() == motion; };
    const auto found = std::find_if(regions_.begin(), regions_.end(), has);
    return found == regions_.end() ? nullptr : &*found;
}

bool StartRegion::has_floor(const Site& site) const
{
    if (down_ < 0) return false;
    const auto axis = static_cast<std::size_t>(down_);
    Site column = site;
    column[axis] = 0;
    const auto found = floor_.find(column);
    return found != floor_.end() && (towards_lower_ ? found->second < site[axis] : found->second > site[axis]);
}

bool StartRegion::has_fluid(const Site& site) const { return std::binary_search(fluid_.begin(), fluid_.end(), site); }

bool StartRegion::near_fluid(const Site& site) const
{
    const std::int64_t deep = problem_.source.dimensions == 3 ? 1 : 0;
    for (std::int64_t dz = -deep; dz <= deep; ++dz) {
        for (std::int64_t dy = -1; dy <= 1; ++dy) {
            for (std::int64_t dx = -1; dx <= 1; ++dx) {
                if (has_fluid({site[0] + dx, site[1] + dy, site[2] + dz})) return true;
            }
        }
    }
    return false;
}

std::optional<StartRegion> start_region(const Problem& problem)
{
    if (problem.wall == 0 || !has_regions(problem)) return std::nullopt;
    return std::optional<StartRegion>(std::in_place, problem);
}

}  // namespace halfulp
