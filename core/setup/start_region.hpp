// What fluid, walls and free space are at the start, site by site, for checks of a case: where fluid can come without
// passing a wall, what of that is outside of the case's tanks, and where nothing is beneath.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "core/setup/fluid_region.hpp"
#include "core/setup/lattice.hpp"
#include "core/setup/problem.hpp"
#include "core/setup/site_hash.hpp"

namespace halfulp {

// The number of dimensions along which gravity acts and the case does not repeat itself.
int closed_gravity_axes(const Case& c);

class StartRegion {
public:
    // The problem must outlive it.
    explicit StartRegion(const Problem& problem);

    [[nodiscard]] const std::vector<Site>& sites() const { return sites_; }  // by particle
    // The lowest and the highest site of the particles.
    [[nodiscard]] const Site& low() const { return low_; }
    [[nodiscard]] const Site& high() const { return high_; }
    // Of the walls of a motion (-1: of those at rest); null where there are none.
    [[nodiscard]] const FluidRegion* region(std::int32_t motion) const;
    // Can fluid come there before any wall has moved?
    [[nodiscard]] bool reaches(const Site& site) const { return all_.reaches(site); }
    // Is fluid to be expected there: inside of a tank, over something on which it can lie, or where it starts?
    [[nodiscard]] bool may_be_wet(const Site& site) const { return reaches(site) && (!lost(site) || near_fluid(site)); }
    // Outside of all closed tanks and, where gravity acts, with nothing beneath; or with fluid in a closed tank.
    [[nodiscard]] bool lost(const Site& site) const { return is_outside(site) && (enclosed_ > 0 || !has_floor(site)); }
    [[nodiscard]] bool is_outside(const Site& site) const { return outside_.reaches(site); }
    // Particles of the fluid that start in closed tanks.
    [[nodiscard]] std::uint64_t enclosed() const { return enclosed_; }
    // Does fluid fill all that it can reach?
    [[nodiscard]] bool is_full() const { return full_; }
    // Is fluid at a site beside it, or there?
    [[nodiscard]] bool near_fluid(const Site& site) const;

private:
    [[nodiscard]] bool has_floor(const Site& site) const;

    const Problem& problem_;
    std::vector<Site> sites_;
    Site low_{};
    Site high_{};
    FluidRegion all_;
    FluidRegion outside_;
    std::vector<FluidRegion> regions_;
    std::vector<Site> fluid_;  // ascending
    int down_ = -1;            // the axis along which gravity is strongest; -1: none
    bool towards_lower_ = true;
    std::unordered_map<Site, std::int64_t, SiteHash> floor_;  // by column: the lowest wall
    std::uint64_t enclosed_ = 0;
    bool full_ = false;
};

// None where there is no wall, or where the box around the case has so many rows of sites that it would take too much
// memory (has_regions).
std::optional<StartRegion> start_region(const Problem& problem);

}  // namespace halfulp
