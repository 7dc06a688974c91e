#include "core/setup/start_region.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "core/setup/for_each_particle.hpp"
#include "kernels/periodic_image.hpp"

namespace halfulp {

int closed_gravity_axes(const Case& c)
{
    int axes = 0;
    for (std::size_t i = 0; i < 3; ++i) axes += c.gravity[i] != 0 && c.period[i] == 0 ? 1 : 0;
    return axes;
}

std::optional<std::size_t> steepest_axis(const Case& c)
{
    std::optional<std::size_t> axis;
    for (std::size_t i = 0; i < 3; ++i) {
        if (c.period[i] == 0 && std::abs(c.gravity[i]) > (axis ? std::abs(c.gravity[*axis]) : 0)) axis = i;
    }
    return axis;
}

StartRegion::StartRegion(const Problem& problem, std::vector<StartRun> of_particles)
    : problem_(problem), runs_(std::move(of_particles)), all_(problem, runs_, FluidRegion::all_walls),
      outside_(problem, runs_, FluidRegion::all_walls, FluidRegion::From::outside),
      regions_(fluid_regions(problem, runs_))
{
    down_ = steepest_axis(problem.source);
    if (down_) towards_lower_ = problem.source.gravity[*down_] < 0;
    low_ = runs_.front().first;
    high_ = low_;
    for (const StartRun& run : runs_) {
        for (std::size_t i = 0; i < 3; ++i) {
            low_[i] = std::min(low_[i], run.first[i]);
            high_[i] = std::max(high_[i], i == 0 ? run.last - 1 : run.first[i]);
        }
        if (run.kind == Kind::fluid) fluid_.add(run.first, run.last, static_cast<std::int32_t>(run.particle));
    }
    std::uint64_t outside = 0;
#pragma omp parallel for schedule(dynamic, 32) reduction(+ : outside) if (problem.fluid >= worth_threads)
    for (std::size_t k = 0; k < runs_.size(); ++k) {
        const StartRun& run = runs_[k];
        if (run.kind != Kind::fluid) continue;
        for (std::int64_t x = run.first[0]; x < run.last; ++x)
            outside += is_outside({x, run.first[1], run.first[2]}) ? 1 : 0;
    }
    fluid_.sort();
    enclosed_ = problem.fluid - outside;
    // Relaxed fills have one particle per site of their volume, up to a few along their boundary.
    full_ = outside == 0 && static_cast<double>(all_.reached()) <= 1.02 * static_cast<double>(problem.fluid);
    if (enclosed_ == 0 && down_) find_floor();
}

Site StartRegion::site(std::size_t particle) const
{
    const auto after = std::ranges::upper_bound(runs_, particle, {}, &StartRun::particle);
    Site site = std::prev(after)->first;
    site[0] += static_cast<std::int64_t>(particle - std::prev(after)->particle);
    return site;
}

std::vector<std::optional<SiteBox>> StartRegion::boxes() const
{
    std::vector<std::optional<SiteBox>> boxes(problem_.of_shape.size());
    auto run = runs_.begin();
    std::size_t end = 0;
    for (std::size_t shape = 0; shape < boxes.size(); ++shape) {
        std::size_t particle = end;
        end += problem_.of_shape[shape];
        // A run may go on into the next shape.
        while (particle < end) {
            while (run->particle + run->size() <= particle) ++run;
            const std::size_t past = std::min(end, run->particle + run->size());
            SiteBox here{run->first, run->first};
            here.from[0] += static_cast<std::int64_t>(particle - run->particle);
            here.to[0] += static_cast<std::int64_t>(past - run->particle) - 1;
            std::optional<SiteBox>& box = boxes[shape];
            if (!box) box = SiteBox{here.from, here.from};
            for (std::size_t i = 0; i < here.from.size(); ++i) {
                box->from[i] = std::min(box->from[i], here.from[i]);
                box->to[i] = std::max(box->to[i], here.to[i] + 1);
            }
            particle = past;
        }
    }
    return boxes;
}

void StartRegion::find_floor()
{
    const std::size_t axis = *down_;
    for (const StartRun& run : runs_) {
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
    if (!down_) return false;
    const std::size_t axis = *down_;
    Site column = within_periods(site);
    column[axis] = 0;
    const auto found = floor_.find(column);
    return found != floor_.end() && (towards_lower_ ? found->second < site[axis] : found->second > site[axis]);
}

std::int32_t StartRegion::fluid_at(const Site& site) const
{
    std::size_t any = 0;
    return fluid_.at(within_periods(site), any);
}

Site StartRegion::within_periods(Site site) const
{
    const Case& c = problem_.source;
    for (std::size_t i = 0; i < 3; ++i) {
        if (c.period[i] > 0) site[i] = wrapped(site[i], 0, std::llround(c.period[i] / c.resolution.spacing));
    }
    return site;
}

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
    if (problem.wall == 0) return std::nullopt;
    std::vector<StartRun> runs = start_runs(problem);
    if (!has_regions(problem, runs)) return std::nullopt;
    return std::optional<StartRegion>(std::in_place, problem, std::move(runs));
}

}  // namespace halfulp
