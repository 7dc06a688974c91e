// An index of particles by lattice site, in which consecutive sites along x form one run. Fills place particles row by
// row, so there are few runs, and searches need not visit single particles.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/setup/lattice.hpp"

namespace halfulp {

// Sites from `first` on along x, before `last`, with the particles of consecutive numbers from `particle` on.
struct SiteRun {
    Site first;
    std::int64_t last;
    std::int32_t particle;

    [[nodiscard]] bool holds(const Site& site) const
    {
        return site[2] == first[2] && site[1] == first[1] && site[0] >= first[0] && site[0] < last;
    }
    [[nodiscard]] std::int32_t particle_at(std::int64_t x) const
    {
        return particle + static_cast<std::int32_t>(x - first[0]);
    }
};

class SiteRuns {
public:
    // Adds a particle, or those from it on in sites before `last`; in ascending order.
    void add(const Site& site, std::int32_t particle) { add(site, site[0] + 1, particle); }
    void add(const Site& first, std::int64_t last, std::int32_t particle)
    {
        if (!runs_.empty()) {
            SiteRun& run = runs_.back();
            if (run.last == first[0] && run.first[1] == first[1] && run.first[2] == first[2] &&
                run.particle_at(first[0]) == particle) {
                run.last = last;
                return;
            }
        }
        runs_.push_back({first, last, particle});
    }
    // After the last one: sorts by site. Of particles in the same site the first remains.
    void sort();

    [[nodiscard]] bool empty() const { return runs_.empty(); }
    // The lowest and the highest site along each axis; there must be one.
    [[nodiscard]] std::pair<Site, Site> bounds() const;
    // After sort() in the order (z, y, x), without overlaps.
    [[nodiscard]] const std::vector<SiteRun>& all() const { return runs_; }
    // The runs of a row.
    [[nodiscard]] std::span<const SiteRun> row(std::int64_t y, std::int64_t z) const;
    // The particle in a site, or -1. near: the run to try first, then the one that was found.
    [[nodiscard]] std::int32_t at(const Site& site, std::size_t& near) const;

private:
    std::vector<SiteRun> runs_;
};

// The particle at x among the runs of a row, or -1.
std::int32_t particle_at(std::span<const SiteRun> row, std::int64_t x);

}  // namespace halfulp
