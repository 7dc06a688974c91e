#include "core/setup/site_runs.hpp"

#include <algorithm>
#include <iterator>
#include <tuple>

namespace halfulp {

namespace {

auto row_of(const SiteRun& run) { return std::tuple(run.first[2], run.first[1]); }

bool before(const SiteRun& a, const SiteRun& b)
{
    return std::tuple(a.first[2], a.first[1], a.first[0]) < std::tuple(b.first[2], b.first[1], b.first[0]);
}

bool overlap(const SiteRun& a, const SiteRun& b) { return row_of(a) == row_of(b) && b.first[0] < a.last; }

// Site by site, and the first particle of each.
void append_single(std::span<const SiteRun> runs, std::vector<SiteRun>& to)
{
    std::vector<SiteRun> single;
    for (const SiteRun& run : runs) {
        for (std::int64_t x = run.first[0]; x < run.last; ++x)
            single.push_back({{x, run.first[1], run.first[2]}, x + 1, run.particle_at(x)});
    }
    std::sort(single.begin(), single.end(), [](const SiteRun& a, const SiteRun& b) {
        return std::tuple(a.first[0], a.particle) < std::tuple(b.first[0], b.particle);
    });
    const auto same = [](const SiteRun& a, const SiteRun& b) { return a.first[0] == b.first[0]; };
    std::unique_copy(single.begin(), single.end(), std::back_inserter(to), same);
}

// The first run of a row that ends after x.
auto first_after(std::span<const SiteRun> row, std::int64_t x)
{
    return std::partition_point(row.begin(), row.end(), [x](const SiteRun& run) { return run.last <= x; });
}

}  // namespace

std::pair<Site, Site> SiteRuns::bounds() const
{
    Site low = runs_.front().first;
    Site high = low;
    for (const SiteRun& run : runs_) {
        for (std::size_t k = 0; k < 3; ++k) {
            low[k] = std::min(low[k], run.first[k]);
            high[k] = std::max(high[k], k == 0 ? run.last - 1 : run.first[k]);
        }
    }
    return {low, high};
}

void SiteRuns::sort()
{
    if (!std::is_sorted(runs_.begin(), runs_.end(), before)) std::stable_sort(runs_.begin(), runs_.end(), before);
    if (std::adjacent_find(runs_.begin(), runs_.end(), overlap) == runs_.end()) return;
    std::vector<SiteRun> apart;
    for (auto run = runs_.begin(); run != runs_.end();) {
        const auto end =
            std::find_if(run, runs_.end(), [&](const SiteRun& one) { return row_of(one) != row_of(*run); });
        if (std::adjacent_find(run, end, overlap) == end) apart.insert(apart.end(), run, end);
        else append_single({run, end}, apart);
        run = end;
    }
    runs_ = std::move(apart);
}

std::span<const SiteRun> SiteRuns::row(std::int64_t y, std::int64_t z) const
{
    const auto is_before = [&](const SiteRun& run) { return row_of(run) < std::tuple(z, y); };
    const auto is_there = [&](const SiteRun& run) { return row_of(run) == std::tuple(z, y); };
    const auto begin = std::partition_point(runs_.begin(), runs_.end(), is_before);
    if (begin == runs_.end() || !is_there(*begin)) return {};
    return {begin, std::partition_point(begin, runs_.end(), is_there)};
}

std::int32_t SiteRuns::at(const Site& site, std::size_t& near) const
{
    if (near >= runs_.size() || !runs_[near].holds(site)) {
        const auto after = std::upper_bound(runs_.begin(), runs_.end(), SiteRun{site, 0, 0}, before);
        if (after == runs_.begin() || !std::prev(after)->holds(site)) return -1;
        near = static_cast<std::size_t>(after - runs_.begin()) - 1;
    }
    return runs_[near].particle_at(site[0]);
}

std::int32_t particle_at(std::span<const SiteRun> row, std::int64_t x)
{
    const auto run = first_after(row, x);
    return run == row.end() || run->first[0] > x ? -1 : run->particle_at(x);
}

}  // namespace halfulp
