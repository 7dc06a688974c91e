// The region that fluid can reach without passing through a wall.
//
// Walls that move together (all fixed walls; all walls of one motion) are examined separately, at their initial
// positions: their lattice sites are blocked, and the free sites connected face to face with those where fluid starts
// are reachable. So is everything within one site of these: fluid pressed into the outermost layer of a wall has not
// penetrated it. If a tank is open, everything outside is reachable as well, since a splash may pass over the rim; then
// only fluid deep inside a wall, or in a closed compartment that started without fluid, is detected.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/setup/lattice.hpp"
#include "core/setup/problem.hpp"

namespace halfulp {

// Particles at their initial sites, which follow each other along x: of one kind, and walls of one motion. In the order
// of the problem's particles.
struct StartRun {
    Site first;
    std::int64_t last;  // sites before it
    std::size_t particle;
    Kind kind;
    std::int32_t motion;

    [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(last - first[0]); }
};
std::vector<StartRun> start_runs(const Problem& problem);

class FluidRegion {
public:
    static constexpr std::int32_t all_walls = -2;
    // The origin of the reachable sites.
    enum class From { fluid, outside };

    // For the walls of a motion, an index into Problem::motions; -1: for fixed walls; or for all walls at their initial
    // positions.
    FluidRegion(const Problem& problem, const std::vector<StartRun>& runs, std::int32_t motion,
                From from = From::fluid);

    // x in spacings from the case's origin, transformed back to the initial positions.
    [[nodiscard]] bool holds(const std::array<double, 3>& x) const;
    // Whether the site is connected with those where fluid starts, or with the outside.
    [[nodiscard]] bool reaches(const Site& site) const;
    // Whether a wall occupies the site.
    [[nodiscard]] bool blocks(const Site& site) const;
    // The number of reachable sites, including those of the margin around the case.
    [[nodiscard]] std::uint64_t reached() const;
    [[nodiscard]] std::int32_t motion() const { return motion_; }

private:
    struct FreeRun {
        std::int64_t first;  // sites first <= x < last
        std::int64_t last;
        bool reached;
    };

    // Sites first <= x < last.
    struct Stretch {
        std::size_t row;
        std::int64_t first;
        std::int64_t last;
    };

    void find_free_runs(const std::vector<StartRun>& runs);
    void spread_from(const std::vector<StartRun>& runs, From from);
    // Calls visit(y, z, first, last) for stretches of sites beside the box around the case.
    template <class Visit>
    void for_each_of_margin(const Visit& visit) const;
    // Index of the row of sites through a site; for sites outside the box, of its nearest side.
    [[nodiscard]] std::size_t row_of(std::int64_t y, std::int64_t z) const;
    // Index of the free run that contains the site, or -1.
    [[nodiscard]] std::int64_t run_at(std::int64_t x, std::size_t row) const;
    [[nodiscard]] std::int64_t within(int axis, std::int64_t site) const;

    std::int32_t motion_;
    int dimensions_;
    std::array<std::int64_t, 3> low_{};   // the box of all sites, with a margin along non-periodic axes
    std::array<std::int64_t, 3> size_{};  // sites
    std::array<double, 3> period_{};      // spacings; 0: not periodic
    std::vector<FreeRun> runs_;           // row by row
    std::vector<std::size_t> row_start_;  // into runs_, and its end
};

// The site of a position (spacings from the case's origin), within the period along periodic axes.
Site start_site(const Problem& problem, const std::array<double, 3>& x);

// Whether regions of the case take less memory than its particles: not if the box around it has many more rows of
// sites.
bool has_regions(const Problem& problem, const std::vector<StartRun>& runs);

// For every set of walls that move together; none if there is no wall, or if has_regions is false.
std::vector<FluidRegion> fluid_regions(const Problem& problem, const std::vector<StartRun>& runs);
std::vector<FluidRegion> fluid_regions(const Problem& problem);

}  // namespace halfulp
