#include "core/setup/relax.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "core/setup/point.hpp"
#include "kernels/smoothing.hpp"

namespace halfulp {

namespace {

// After this many steps further gains are below the unevenness of any arrangement along a curve.
constexpr int steps_in_the_plane = 150;
constexpr int steps_in_space = 60;

// A step is the damped previous step plus the force, in units where the kernel's volume is 1. Four times the rate is
// still stable.
constexpr double kept = 0.9;
constexpr double rate = 1;
constexpr double longest_step = 0.2;  // spacings; reached only in the first steps of particles that start too close

constexpr std::int64_t worth_waiting = 2000;  // particles; for fewer, waiting costs more than it gains

// Cells as wide as the support over all points, numbered consecutively along x.
class Grid {
public:
    Grid(const std::vector<Point>& positions, const std::vector<FixedPoint>& around, double side) : side_(side)
    {
        Point high;
        low_.fill(std::numeric_limits<double>::infinity());
        high.fill(-std::numeric_limits<double>::infinity());
        const auto include = [&](const Point& p) {
            for (std::size_t k = 0; k < 3; ++k) {
                low_[k] = std::min(low_[k], p[k]);
                high[k] = std::max(high[k], p[k]);
            }
        };
        for (const Point& p : positions) include(p);
        for (const FixedPoint& f : around) include(f.position);
        for (std::size_t k = 0; k < 3; ++k) size_[k] = static_cast<std::int64_t>((high[k] - low_[k]) / side) + 1;
    }
    [[nodiscard]] std::size_t cells() const { return static_cast<std::size_t>(size_[0] * size_[1] * size_[2]); }
    // Points outside the grid count as in its outermost cell.
    [[nodiscard]] std::array<std::int64_t, 3> place_of(const Point& p) const
    {
        std::array<std::int64_t, 3> place{};
        for (std::size_t k = 0; k < 3; ++k) {
            place[k] = std::clamp<std::int64_t>(static_cast<std::int64_t>(std::floor((p[k] - low_[k]) / side_)), 0,
                                                size_[k] - 1);
        }
        return place;
    }
    [[nodiscard]] std::size_t number(const std::array<std::int64_t, 3>& place) const
    {
        return static_cast<std::size_t>((place[2] * size_[1] + place[1]) * size_[0] + place[0]);
    }
    // Calls visit(first, last) for each row of cells, `last` excluded, that may hold points near p.
    template <class Visit>
    void around(const Point& p, const Visit& visit) const
    {
        const auto place = place_of(p);
        const auto from = [&](std::size_t k) { return std::max<std::int64_t>(place[k] - 1, 0); };
        const auto to = [&](std::size_t k) { return std::min(place[k] + 1, size_[k] - 1); };
        for (std::int64_t z = from(2); z <= to(2); ++z)
            for (std::int64_t y = from(1); y <= to(1); ++y) visit(number({from(0), y, z}), number({to(0), y, z}) + 1);
    }

private:
    double side_;
    Point low_{};
    std::array<std::int64_t, 3> size_{};
};

// Points sorted by cell, in each cell in the order given.
struct Sorted {
    std::vector<std::uint32_t> order;   // of the points as given
    std::vector<std::uint32_t> starts;  // by cell
};

template <class Position>
void sort_into(const Grid& grid, std::size_t points, const Position& position, Sorted& sorted)
{
    std::vector<std::uint32_t> cell(points);
    sorted.starts.assign(grid.cells() + 1, 0);
    for (std::size_t i = 0; i < points; ++i) {
        cell[i] = static_cast<std::uint32_t>(grid.number(grid.place_of(position(i))));
        ++sorted.starts[cell[i] + 1];
    }
    for (std::size_t i = 1; i < sorted.starts.size(); ++i) sorted.starts[i] += sorted.starts[i - 1];
    std::vector<std::uint32_t> next(sorted.starts.begin(), sorted.starts.end() - 1);
    sorted.order.resize(points);
    for (std::size_t i = 0; i < points; ++i) sorted.order[next[cell[i]]++] = static_cast<std::uint32_t>(i);
}

struct Mobile {
    Point position{};
    Point step{};
    std::uint32_t id = 0;
};

}  // namespace

void relax(std::vector<Point>& positions, const std::vector<FixedPoint>& around, int dimensions)
{
    const double h = dimensions == 2 ? 2 : 1.5;  // spacings
    const double support = WendlandC2::support * h;
    const Grid grid(positions, around, support);
    const double scale = rate * WendlandC2::normalisation(dimensions) / (h * h) / (dimensions == 2 ? h * h : h * h * h);
    const int steps = dimensions == 2 ? steps_in_the_plane : steps_in_space;

    Sorted sorted;
    sort_into(
        grid, around.size(), [&](std::size_t i) { return around[i].position; }, sorted);
    std::vector<FixedPoint> fixed;
    fixed.reserve(around.size());
    for (const std::uint32_t i : sorted.order) fixed.push_back(around[i]);
    const std::vector<std::uint32_t> fixed_starts = sorted.starts;

    std::vector<Mobile> mobiles(positions.size());
    for (std::size_t i = 0; i < mobiles.size(); ++i)
        mobiles[i] = {.position = positions[i], .step = {}, .id = static_cast<std::uint32_t>(i)};
    std::vector<Mobile> next(mobiles.size());
    const auto count = static_cast<std::int64_t>(mobiles.size());
    for (int step = 0; step < steps; ++step) {
        sort_into(
            grid, mobiles.size(), [&](std::size_t i) { return mobiles[i].position; }, sorted);
        for (std::size_t i = 0; i < mobiles.size(); ++i) next[i] = mobiles[sorted.order[i]];
        mobiles.swap(next);
#pragma omp parallel for schedule(static) if (count > worth_waiting)
        for (std::int64_t i = 0; i < count; ++i) {
            const Mobile& own = mobiles[static_cast<std::size_t>(i)];
            Point force{};
            const auto add = [&](const Point& p, double volume) {
                const Point r{own.position[0] - p[0], own.position[1] - p[1], own.position[2] - p[2]};
                const double r2 = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
                if (!(r2 < support * support)) return;
                const double f = volume * WendlandC2::gradient_shape(std::sqrt(r2) / h);
                for (std::size_t k = 0; k < 3; ++k) force[k] -= f * r[k];
            };
            grid.around(own.position, [&](std::size_t first, std::size_t last) {
                for (std::size_t j = sorted.starts[first]; j < sorted.starts[last]; ++j) add(mobiles[j].position, 1);
                for (std::size_t j = fixed_starts[first]; j < fixed_starts[last]; ++j)
                    add(fixed[j].position, fixed[j].volume);
            });
            Mobile moved = own;
            double length2 = 0;
            for (std::size_t k = 0; k < 3; ++k) {
                moved.step[k] = kept * own.step[k] + scale * force[k];
                length2 += moved.step[k] * moved.step[k];
            }
            if (length2 > longest_step * longest_step) {
                for (double& s : moved.step) s *= longest_step / std::sqrt(length2);
            }
            for (std::size_t k = 0; k < 3; ++k) moved.position[k] += moved.step[k];
            next[static_cast<std::size_t>(i)] = moved;
        }
        mobiles.swap(next);
    }
    for (const Mobile& m : mobiles) positions[m.id] = m.position;
}

}  // namespace halfulp
