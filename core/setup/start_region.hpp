// The initial fluid, walls and free space, site by site, for checks of a case: the sites that fluid can reach without
// passing a wall, those of them outside of the case's tanks, and those with nothing beneath.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "core/setup/fluid_region.hpp"
#include "core/setup/lattice.hpp"
#include "core/setup/problem.hpp"
#include "core/setup/site_hash.hpp"
#include "core/setup/site_runs.hpp"

namespace halfulp {

// The number of dimensions along which gravity acts and the case is not periodic.
int closed_gravity_axes(const Case& c);
// Of these the one along which it is strongest, if there is any.
std::optional<std::size_t> steepest_axis(const Case& c);

class StartRegion {
public:
    // The problem must outlive it.
    StartRegion(const Problem& problem, std::vector<StartRun> runs);

    [[nodiscard]] Site site(std::size_t particle) const;
    // The lowest and the highest site of the particles.
    [[nodiscard]] const Site& low() const { return low_; }
    [[nodiscard]] const Site& high() const { return high_; }
    // The box around the particles of each shape; none for a shape without particles.
    [[nodiscard]] std::vector<std::optional<SiteBox>> boxes() const;
    // For the walls of a motion (-1: fixed walls); null if there are none.
    [[nodiscard]] const FluidRegion* region(std::int32_t motion) const;
    // Whether fluid can reach the site before any wall has moved.
    [[nodiscard]] bool reaches(const Site& site) const { return all_.reaches(site); }
    // Whether a wall occupies the site before any has moved.
    [[nodiscard]] bool blocks(const Site& site) const { return all_.blocks(site); }
    // Whether fluid is expected at the site: inside of a tank, above a support, or at its start.
    [[nodiscard]] bool may_be_wet(const Site& site) const { return reaches(site) && (!lost(site) || near_fluid(site)); }
    // Whether fluid at the site is lost: outside of all closed tanks and, if gravity acts and no fluid starts in a
    // closed tank, with nothing beneath the site.
    [[nodiscard]] bool lost(const Site& site) const { return is_outside(site) && (enclosed_ > 0 || !has_floor(site)); }
    [[nodiscard]] bool is_outside(const Site& site) const { return outside_.reaches(site); }
    // Number of fluid particles that start in closed tanks.
    [[nodiscard]] std::uint64_t enclosed() const { return enclosed_; }
    // Whether fluid fills all that it can reach.
    [[nodiscard]] bool is_full() const { return full_; }
    [[nodiscard]] bool has_fluid(const Site& site) const { return fluid_at(site) >= 0; }
    // The number of the fluid particle that starts at the site; or -1.
    [[nodiscard]] std::int32_t fluid_at(const Site& site) const;
    // The same place within the periods.
    [[nodiscard]] Site within_periods(Site site) const;
    // In the order of the particles.
    [[nodiscard]] const std::vector<StartRun>& runs() const { return runs_; }
    // Whether there is fluid at the site or next to it.
    [[nodiscard]] bool near_fluid(const Site& site) const;

private:
    void find_floor();
    [[nodiscard]] bool has_floor(const Site& site) const;

    const Problem& problem_;
    std::vector<StartRun> runs_;  // by particle
    Site low_{};
    Site high_{};
    FluidRegion all_;
    FluidRegion outside_;
    std::vector<FluidRegion> regions_;
    SiteRuns fluid_;
    std::optional<std::size_t> down_;
    bool towards_lower_ = true;
    std::unordered_map<Site, std::int64_t, SiteHash> floor_;  // by column: the lowest wall, if no fluid is in a tank
    std::uint64_t enclosed_ = 0;
    bool full_ = false;
};

// None if there is no wall, or if the box around the case has so many rows of sites that it would take too much memory
// (has_regions).
std::optional<StartRegion> start_region(const Problem& problem);

}  // namespace halfulp
