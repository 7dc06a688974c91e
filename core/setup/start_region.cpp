#include "core/setup/start_region.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/setup/for_each_particle.hpp"

namespace halfulp {

int closed_gravity_axes(const Case& c)
{
    int axes = 0;
    for (std::size_t i = 0; i < 3; ++i) axes += c.gravity[i] != 0 && c.period[i] == 0 ? 1 : 0;
    return axes;
}

StartRegion::StartRegion(const Problem& problem, const std::vector<StartRun>& runs)
    : problem_(problem), all_(problem, runs, FluidRegion::all_walls),
      outside_(problem, runs, FluidRegion::all_walls, FluidRegion::From::outside),
      regions_(fluid_regions(problem, runs))
{
    const Case& c = problem.source;
    for (std::size_t i = 0; i < 3; ++i) {
        if (c.gravity[i] == 0 || c.period[i] > 0) continue;
        if (down_ < 0 || std::abs(c.gravity[i]) > std::abs(c.gravity[static_cast<std::size_t>(down_)])) {
            down_ = static_cast<int>(i);
            towards_lower_ = c.gravity[i] < 0;
        }
    }
    sites_.resize(problem.particles.size());
    low_ = runs.front().first;
    high_ = low_;
    for (const StartRun& run : runs) {
        for (std::size_t i = 0; i < 3; ++i) {
            low_[i] = std::min(low_[i], run.first[i]);
            high_[i] = std::max(high_[i], i == 0 ? run.last - 1 : run.first[i]);
        }
        if (run.kind == Kind::fluid) fluid_.add(run.first, run.last, static_cast<std::int32_t>(run.particle));
    }
    std::uint64_t outside = 0;
#pragma omp parallel for schedule(dynamic, 32) reduction(+ : outside) if (sites_.size() >= worth_threads)
    for (std::size_t k = 0; k < runs.size(); ++k) {
        const StartRun& run = runs[k];
        for (std::size_t j = 0; j < run.size(); ++j) {
            const Site site{run.first[0] + static_cast<std::int64_t>(j), run.first[1], run.first[2]};
            sites_[run.particle + j] = site;
            outside += run.kind == Kind::fluid && is_outside(site) ? 1 : 0;
        }
    }
    fluid_.sort();
    enclosed_ = problem.fluid - outside;
    // Relaxed fills have one particle per site of their volume, up to a few along their boundary.
    full_ = outside == 0 && static_cast<double>(all_.reached()) <= 1.02 * static_cast<double>(problem.fluid);
    if (enclosed_ == 0 && down_ >= 0) find_floor(runs);
}

void StartRegion::find_floor(const std::vector<StartRun>& runs)
{
    const auto axis = static_cast<std::size_t>(down_);
    for (const StartRun& run : runs) {
        if (run.kind == Kind::fluid) continue;
        for (std::int64_t x = run.first[0]; x < run.last; ++x) {
            Site column{x, run.first[1], run.first[2]};
            const std::int64_t height = std::exchange(column[axis], 0);
            const auto [at, added] = floor_.try_emplace(column, height);
            if (!added) at->second = towards_lower_ ? std::min(at->second, height) : std::max(at->second, height);
        }
    }
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

bool StartRegion::has_fluid(const Site& site) const
{
    std::size_t any = 0;
    return fluid_.at(site, any) >= 0;
}

bool StartRegion::near_fluid(const Site& site) const
{
    const std::int64_t deep = problem_.source.dimensions == 3 ? 1 : 0;
    for (std::int64_t dz = -deep; dz <= deep; ++dz) {
        for (std::int64_t dy = -1; dy <= 1; ++dy) {
            if (any_particle(fluid_.row(site[1] + dy, site[2] + dz), site[0] - 1, site[0] + 2)) return true;
        }
    }
    return false;
}

std::optional<StartRegion> start_region(const Problem& problem)
{
    if (problem.wall == 0) return std::nullopt;
    const std::vector<StartRun> runs = start_runs(problem);
    if (!has_regions(problem, runs)) return std::nullopt;
    return std::optional<StartRegion>(std::in_place, problem, runs);
}

}  // namespace halfulp
