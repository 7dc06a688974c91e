// Where fluid can come without passing through a wall.
//
// Walls that move together (all that rest; all that one motion moves) are looked at by themselves, at the places where
// they start: their sites of the lattice block the way, and the free sites that are connected face to face with those
// where fluid starts are within reach. So is what lies within one site of these: fluid that is pressed into the
// outermost layer of a wall is not through it. Where a tank is open, everything outside is within reach as well, since
// a splash may come there over the rim; what is noticed then is fluid in the depth of a wall, or in a closed
// compartment where none started.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/setup/lattice.hpp"
#include "core/setup/problem.hpp"

namespace halfulp {

class FluidRegion {
public:
    static constexpr std::int32_t all_walls = -2;
    // Where the sites within reach spread from.
    enum class From { fluid, outside };

    // Of the walls that the motion moves, an index into Problem::motions; -1: those at rest; or of all of them at the
    // places where they start.
    FluidRegion(const Problem& problem, std::int32_t motion, From from = From::fluid);

    // x in spacings from the case's origin, at the time when everything was at its place of the start.
    [[nodiscard]] bool holds(const std::array<double, 3>& x) const;
    // Is the site connected with those where fluid starts, or with the outside?
    [[nodiscard]] bool reaches(const Site& site) const;
    // Is a wall in the way there?
    [[nodiscard]] bool blocks(const Site& site) const;
    // The number of sites within reach, those of the margin around the case included.
    [[nodiscard]] std::uint64_t reached() const;
    [[nodiscard]] std::int32_t motion() const { return motion_; }

private:
    struct FreeRun {
        std::int64_t first;  // sites first <= x < last
        std::int64_t last;
        bool reached;
    };

    void find_free_runs(std::vector<Site>& walls);
    [[nodiscard]] std::vector<Site> margin() const;
    void spread_from(const std::vector<Site>& seeds);
    // Index of the row of sites through a site; of those outside of the box, at its nearest side.
    [[nodiscard]] std::size_t row_of(std::int64_t y, std::int64_t z) const;
    // Index of the free run that has the site, or -1.
    [[nodiscard]] std::int64_t run_at(std::int64_t x, std::size_t row) const;
    [[nodiscard]] std::int64_t within(int axis, std::int64_t site) const;

    std::int32_t motion_;
    int dimensions_;
    std::array<std::int64_t, 3> low_{};   // the box of all sites, with a margin where there is no period
    std::array<std::int64_t, 3> size_{};  // sites
    std::array<double, 3> period_{};      // spacings; 0: not periodic
    std::vector<FreeRun> runs_;           // row by row
    std::vector<std::size_t> row_start_;  // into runs_, and its end
};

// The site of a particle at the start, within the period where there is one.
Site start_site(const Problem& problem, const InitialParticle& particle);
// Likewise of a place, spacings from the case's origin.
Site start_site(const Problem& problem, const std::array<double, 3>& x);

// Whether regions of the case take less memory than its particles: not where the box around it has many more rows of
// sites.
bool has_regions(const Problem& problem);

// Of every set of walls that move together; none where there is no wall, or where the case has no regions.
std::vector<FluidRegion> fluid_regions(const Problem& problem);

}  // namespace halfulp
