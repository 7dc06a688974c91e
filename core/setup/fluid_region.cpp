#include "core/setup/fluid_region.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "core/setup/for_each_particle.hpp"
#include "kernels/periodic_image.hpp"

namespace halfulp {

namespace {

std::array<double, 3> place_of(const Problem& problem, const InitialParticle& particle)
{
    const double side = problem.units.length / problem.source.resolution.spacing;
    std::array<double, 3> x{};
    for (std::size_t i = 0; i < 3; ++i) {
        const auto cells = static_cast<double>(std::int64_t(particle.cell[i]) - problem.source.origin.cells[i]);
        x[i] = (cells + static_cast<double>(particle.offset[i])) * side;
    }
    return x;
}

// The box around all particles, in sites: lowest, highest.
struct Corners {
    Site low{};
    Site high{};

    [[nodiscard]] std::uint64_t rows() const
    {
        return static_cast<std::uint64_t>(high[1] - low[1] + 3) * static_cast<std::uint64_t>(high[2] - low[2] + 3);
    }
};

std::array<double, 3> periods_of(const Problem& problem)
{
    std::array<double, 3> period{};
    for (std::size_t i = 0; i < 3; ++i) period[i] = problem.source.period[i] / problem.source.resolution.spacing;
    return period;
}

// Particles along a period may have started beyond either of its ends.
Site site_of(const std::array<double, 3>& x, const std::array<double, 3>& period, int dimensions)
{
    Site site{};
    for (std::size_t i = 0; i < static_cast<std::size_t>(dimensions); ++i) {
        const double inside = period[i] > 0 ? x[i] - period[i] * std::floor(x[i] / period[i]) : x[i];
        site[i] = static_cast<std::int64_t>(std::floor(inside));
    }
    return site;
}

Corners box_of(const std::vector<StartRun>& runs)
{
    Corners box{.low = runs.front().first, .high = runs.front().first};
    for (const StartRun& run : runs) {
        for (std::size_t i = 0; i < 3; ++i) {
            box.low[i] = std::min(box.low[i], run.first[i]);
            box.high[i] = std::max(box.high[i], i == 0 ? run.last - 1 : run.first[i]);
        }
    }
    return box;
}

void add_runs(const Problem& problem, std::size_t begin, std::size_t end, std::vector<StartRun>& runs)
{
    const auto period = periods_of(problem);
    for (std::size_t i = begin; i < end; ++i) {
        const InitialParticle particle = problem.particles.without_velocity(i);
        const Site site = site_of(place_of(problem, particle), period, problem.source.dimensions);
        if (!runs.empty()) {
            StartRun& run = runs.back();
            if (site == Site{run.last, run.first[1], run.first[2]} && particle.kind == run.kind &&
                particle.motion == run.motion) {
                ++run.last;
                continue;
            }
        }
        runs.push_back({site, site[0] + 1, i, particle.kind, particle.motion});
    }
}

}  // namespace

std::vector<StartRun> start_runs(const Problem& problem)
{
    // In parts, so that a run may be cut.
    constexpr std::size_t part = 65536;
    const std::size_t count = problem.particles.size();
    std::vector<std::vector<StartRun>> parts((count + part - 1) / part);
    for_each_in_blocks(parts.size(), 1, count >= worth_threads, [&](std::size_t k) {
        parts[k].clear();
        add_runs(problem, k * part, std::min(count, (k + 1) * part), parts[k]);
    });
    std::vector<StartRun> runs;
    for (std::vector<StartRun>& some : parts) {
        runs.insert(runs.end(), some.begin(), some.end());
        std::vector<StartRun>().swap(some);
    }
    return runs;
}

FluidRegion::FluidRegion(const Problem& problem, const std::vector<StartRun>& runs, std::int32_t motion, From from)
    : motion_(motion), dimensions_(problem.source.dimensions), period_(periods_of(problem))
{
    const Corners box = box_of(runs);
    for (std::size_t i = 0; i < 3; ++i) {
        if (period_[i] > 0) {
            size_[i] = static_cast<std::int64_t>(std::ceil(period_[i] - 1e-6));
        } else {
            const std::int64_t margin = i < static_cast<std::size_t>(dimensions_) ? 1 : 0;
            low_[i] = box.low[i] - margin;
            size_[i] = box.high[i] + margin + 1 - low_[i];
        }
    }
    find_free_runs(runs);
    spread_from(runs, from);
}

template <class Visit>
void FluidRegion::for_each_of_margin(const Visit& visit) const
{
    const auto outermost = [this](std::size_t axis, std::int64_t site) {
        return axis < static_cast<std::size_t>(dimensions_) && period_[axis] == 0 &&
               (site == low_[axis] || site == low_[axis] + size_[axis] - 1);
    };
    const std::int64_t end = low_[0] + size_[0];
    for (std::int64_t z = low_[2]; z < low_[2] + size_[2]; ++z) {
        for (std::int64_t y = low_[1]; y < low_[1] + size_[1]; ++y) {
            if (outermost(1, y) || outermost(2, z)) visit(y, z, low_[0], low_[0] + 1);
            if (period_[0] > 0) continue;
            visit(y, z, low_[0], low_[0] + 1);
            visit(y, z, end - 1, end);
        }
    }
}

std::int64_t FluidRegion::within(int axis, std::int64_t site) const
{
    const auto i = static_cast<std::size_t>(axis);
    if (period_[i] > 0) return wrapped(site, 0, size_[i]);
    return std::clamp(site, low_[i], low_[i] + size_[i] - 1);
}

std::size_t FluidRegion::row_of(std::int64_t y, std::int64_t z) const
{
    return static_cast<std::size_t>((within(2, z) - low_[2]) * size_[1] + (within(1, y) - low_[1]));
}

void FluidRegion::find_free_runs(const std::vector<StartRun>& all)
{
    std::vector<Stretch> walls;
    for (const StartRun& run : all) {
        if (run.kind == Kind::wall && (motion_ == all_walls || run.motion == motion_))
            walls.push_back({row_of(run.first[1], run.first[2]), run.first[0], run.last});
    }
    const auto before = [](const Stretch& a, const Stretch& b) {
        return a.row != b.row ? a.row < b.row : a.first < b.first;
    };
    if (!std::is_sorted(walls.begin(), walls.end(), before)) std::sort(walls.begin(), walls.end(), before);
    const auto rows = static_cast<std::size_t>(size_[1] * size_[2]);
    const std::int64_t end = low_[0] + size_[0];
    auto wall = walls.begin();
    row_start_.reserve(rows + 1);
    for (std::size_t row = 0; row < rows; ++row) {
        row_start_.push_back(runs_.size());
        std::int64_t first = low_[0];
        for (; wall != walls.end() && wall->row == row; ++wall) {
            if (wall->first > first) runs_.push_back({first, wall->first, false});
            first = std::max(first, wall->last);
        }
        if (first < end) runs_.push_back({first, end, false});
    }
    row_start_.push_back(runs_.size());
}

std::int64_t FluidRegion::run_at(std::int64_t x, std::size_t row) const
{
    const auto begin = runs_.begin() + static_cast<std::ptrdiff_t>(row_start_[row]);
    const auto end = runs_.begin() + static_cast<std::ptrdiff_t>(row_start_[row + 1]);
    const auto after =
        std::upper_bound(begin, end, x, [](std::int64_t site, const FreeRun& run) { return site < run.first; });
    if (after == begin || std::prev(after)->last <= x) return -1;
    return std::prev(after) - runs_.begin();
}

// Run by run: each reached run reaches those that it touches in adjacent rows.
void FluidRegion::spread_from(const std::vector<StartRun>& seeds, From from)
{
    struct Reached {
        std::size_t run;
        std::int64_t y;
        std::int64_t z;
    };
    std::vector<Reached> ahead;
    const auto reach = [&](std::int64_t run, std::int64_t y, std::int64_t z) {
        if (run < 0 || runs_[static_cast<std::size_t>(run)].reached) return;
        runs_[static_cast<std::size_t>(run)].reached = true;
        ahead.push_back({static_cast<std::size_t>(run), y, z});
    };
    const auto reach_stretch = [&](std::int64_t y, std::int64_t z, std::int64_t first, std::int64_t last) {
        const std::size_t row = row_of(y, z);
        for (std::int64_t x = first; x < last;) {
            const std::int64_t run = run_at(within(0, x), row);
            reach(run, y, z);
            // On to the end of this run, or one by one through what is no run, or wrapped.
            const bool whole = run >= 0 && within(0, x) == x;
            x = whole ? runs_[static_cast<std::size_t>(run)].last : x + 1;
        }
    };
    if (from == From::outside) for_each_of_margin(reach_stretch);
    for (const StartRun& run : seeds) {
        if (run.kind == Kind::fluid && from == From::fluid)
            reach_stretch(run.first[1], run.first[2], run.first[0], run.last);
    }
    while (!ahead.empty()) {
        const Reached here = ahead.back();
        ahead.pop_back();
        const std::int64_t first = runs_[here.run].first;
        const std::int64_t last = runs_[here.run].last;
        const auto reach_row = [&](std::int64_t y, std::int64_t z) {
            y = within(1, y);
            z = within(2, z);
            const std::size_t row = row_of(y, z);
            for (std::size_t run = row_start_[row]; run < row_start_[row + 1]; ++run) {
                if (runs_[run].first < last && first < runs_[run].last) reach(static_cast<std::int64_t>(run), y, z);
            }
        };
        reach_row(here.y - 1, here.z);
        reach_row(here.y + 1, here.z);
        if (dimensions_ == 3) {
            reach_row(here.y, here.z - 1);
            reach_row(here.y, here.z + 1);
        }
        if (period_[0] > 0) {
            const std::size_t row = row_of(here.y, here.z);
            if (first == low_[0]) reach(run_at(low_[0] + size_[0] - 1, row), here.y, here.z);
            if (last == low_[0] + size_[0]) reach(run_at(low_[0], row), here.y, here.z);
        }
    }
}

bool FluidRegion::reaches(const Site& site) const
{
    const std::int64_t run = run_at(within(0, site[0]), row_of(site[1], site[2]));
    return run >= 0 && runs_[static_cast<std::size_t>(run)].reached;
}

bool FluidRegion::blocks(const Site& site) const { return run_at(within(0, site[0]), row_of(site[1], site[2])) < 0; }

std::uint64_t FluidRegion::reached() const
{
    std::uint64_t sites = 0;
    for (const FreeRun& run : runs_) sites += run.reached ? static_cast<std::uint64_t>(run.last - run.first) : 0;
    return sites;
}

bool FluidRegion::holds(const std::array<double, 3>& x) const
{
    const Site site = site_of(x, period_, dimensions_);
    if (reaches(site)) return true;
    const std::int64_t deep = dimensions_ == 3 ? 1 : 0;
    for (std::int64_t dz = -deep; dz <= deep; ++dz) {
        for (std::int64_t dy = -1; dy <= 1; ++dy) {
            for (std::int64_t dx = -1; dx <= 1; ++dx) {
                if (reaches({site[0] + dx, site[1] + dy, site[2] + dz})) return true;
            }
        }
    }
    return false;
}

Site start_site(const Problem& problem, const std::array<double, 3>& x)
{
    return site_of(x, periods_of(problem), problem.source.dimensions);
}

bool has_regions(const Problem& problem, const std::vector<StartRun>& runs)
{
    return !runs.empty() && box_of(runs).rows() <= 8 * problem.particles.size() + 1024;
}

std::vector<FluidRegion> fluid_regions(const Problem& problem, const std::vector<StartRun>& runs)
{
    std::vector<FluidRegion> regions;
    if (!has_regions(problem, runs)) return regions;
    std::set<std::int32_t> motions;
    for (const StartRun& run : runs) {
        if (run.kind == Kind::wall) motions.insert(run.motion);
    }
    for (const std::int32_t motion : motions) regions.emplace_back(problem, runs, motion);
    return regions;
}

std::vector<FluidRegion> fluid_regions(const Problem& problem) { return fluid_regions(problem, start_runs(problem)); }

}  // namespace halfulp
