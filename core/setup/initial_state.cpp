#include "core/setup/initial_state.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <tuple>

#include <fmt/format.h>

#include "core/error.hpp"
#include "core/setup/for_each_particle.hpp"
#include "core/setup/initial_pressure.hpp"
#include "core/setup/site_runs.hpp"
#include "kernels/state_equation.hpp"
#include "precision/exact_sum.hpp"

namespace halfulp {

namespace {

using Position = std::array<double, 3>;  // spacings

// Gravity components that have a potential: not those along periodic directions.
std::array<double, 3> closed_gravity(const Case& c)
{
    std::array<double, 3> gravity = c.gravity;
    for (std::size_t i = 0; i < 3; ++i) gravity[i] = c.period[i] > 0 ? 0 : gravity[i];
    return gravity;
}

double gravity_magnitude(const Case& c)
{
    const auto g = closed_gravity(c);
    return std::sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
}

// Height of a position along -g, m.
class Height {
public:
    explicit Height(const Case& c) : spacing_(c.resolution.spacing), dimensions_(c.dimensions)
    {
        const double g = gravity_magnitude(c);
        const auto gravity = closed_gravity(c);
        for (std::size_t i = 0; i < 3; ++i) up_[i] = g > 0 ? -gravity[i] / g : 0;
    }
    double operator()(const Position& position) const
    {
        double height = 0;
        for (int i = 0; i < dimensions_; ++i) height += up_[i] * (position[i] * spacing_);
        return height;
    }
    [[nodiscard]] double up(int i) const { return up_[i]; }

private:
    double spacing_;
    int dimensions_;
    std::array<double, 3> up_{};
};

// Free surface of each hydrostatic fluid shape, m along -g; NaN for the others.
std::vector<double> free_surfaces(const Case& c, const PlacedParticles& placed, const Height& height)
{
    std::vector<double> surface(c.shapes.size(), std::numeric_limits<double>::quiet_NaN());
    for (const PlacedParticles::Stretch& stretch : placed.stretches()) {
        const auto k = static_cast<std::size_t>(stretch.shape);
        if (!c.shapes[k].hydrostatic || c.shapes[k].surface) continue;
        // A height is linear along a row of the lattice.
        const std::size_t step = stretch.on_lattice ? stretch.last - stretch.first - 1 : 1;
        for (std::size_t i = stretch.first; i < stretch.last; i += std::max<std::size_t>(step, 1)) {
            const double top = height(placed[i].position) + 0.5 * c.resolution.spacing;
            if (!(surface[k] >= top)) surface[k] = top;
        }
    }
    for (std::size_t k = 0; k < c.shapes.size(); ++k) {
        if (c.shapes[k].hydrostatic && c.shapes[k].surface) surface[k] = *c.shapes[k].surface;
    }
    return surface;
}

// The centred density under a pressure over rho0; -1 if there is none.
double density_under(const Case& c, double pressure)
{
    const double load = pressure / stiffness_of(c.fluid.state_equation, c.fluid.sound_speed * c.fluid.sound_speed);
    return load > -1 ? density_under(c.fluid.state_equation, load).s : -1;
}

// The centred density of hydrostatic fluid at a height (m), under the weight below `surface` and the excess of its
// pressure over that weight (excess, over rho0, m^2/s^2).
float hydrostatic(const Case& c, const Shape& shape, double surface, double height, double excess)
{
    const double depth = surface - height;
    const double load = gravity_magnitude(c) * depth + excess;
    if (!(depth > 0) && !(load > 0))
        return 0;  // a wall above a free surface; one under which higher water presses is not
    const double s = density_under(c, load);
    if (!(std::abs(s) <= c.numerics.density_bound)) {
        const std::string key = fmt::format("shapes.{}.{}", shape.name, shape.surface ? "surface" : "hydrostatic");
        constexpr double usual_depth = 100;  // m; more is rather a case that was drawn in mm
        throw input_error(
            "{}: {} puts {:.6g} m of fluid above a particle of it or of a wall beside it, which takes the density "
            "beyond numerics.density_bound = {}; lower the surface or raise fluid.sound_speed{}.",
            place_of(c, key), key, depth, c.numerics.density_bound,
            depth > usual_depth ? ", or give lengths in m if these are in mm" : "");
    }
    return static_cast<float>(s);
}

// The density from the shape's pressure at a position, in it or in a wall next to it.
float pressurised(const Case& c, const Shape& shape, const std::array<double, 3>& x)
{
    const double pressure = value_at(*shape.pressure, x);
    if (!std::isfinite(pressure)) {
        throw input_error(
            "{}: shapes.{}.pressure is {} Pa at the position {} m of a particle of it or of a wall beside it, but must "
            "be a finite number there; change the pressure.",
            place_of(c, fmt::format("shapes.{}.pressure", shape.name)), shape.name, number_text(pressure),
            position_text(c, x));
    }
    const double s = density_under(c, pressure / c.fluid.density);
    if (!(std::abs(s) <= c.numerics.density_bound)) {
        throw input_error(
            "{}: shapes.{}.pressure is {} Pa at the position {} m of a particle of it or of a wall beside it, which "
            "takes the density beyond numerics.density_bound = {}; bring the pressure closer to zero or raise "
            "fluid.sound_speed.",
            place_of(c, fmt::format("shapes.{}.pressure", shape.name)), shape.name, number_text(pressure),
            position_text(c, x), c.numerics.density_bound);
    }
    return static_cast<float>(s);
}

std::array<double, 3> position_of(const StartOfCase& start, std::size_t i)
{
    return position_of(start.source, start.units, start.unwrapped(i));
}

std::array<std::int64_t, 3> periods_in_sites(const Case& c)
{
    std::array<std::int64_t, 3> period{};
    for (std::size_t i = 0; i < 3; ++i) period[i] = std::llround(c.period[i] / c.resolution.spacing);
    return period;
}

// The excess of hydrostatic pressure over the weight above, over rho0, m^2/s^2, for each particle; empty if there is
// none. With a given surface, and in a relaxed fill, the weight alone acts.
std::vector<double> excess_of(const StartOfCase& start, const Height& height, const std::vector<double>& surface)
{
    const Case& c = start.source;
    const double unit = gravity_magnitude(c) * c.resolution.spacing;
    std::vector<bool> solved(c.shapes.size());
    for (std::size_t k = 0; k < c.shapes.size(); ++k) {
        const Shape& shape = c.shapes[k];
        solved[k] = shape.hydrostatic && !shape.surface && shape.fill == "lattice";
    }
    if (std::find(solved.begin(), solved.end(), true) == solved.end()) return {};
    std::vector<double> weight(start.placed.size(), 0.0);
    for_each_particle(weight.size(), [&](std::size_t i) {
        const PlacedParticle p = start.placed[i];
        const Shape& shape = c.shapes[p.shape];
        if (shape.hydrostatic) weight[i] = larger(surface[p.shape] - height(p.position), 0.0) / c.resolution.spacing;
        else if (shape.pressure)
            weight[i] = value_at(*shape.pressure, position_of(start, i)) / (c.fluid.density * unit);
    });
    std::array<double, 3> up{};
    for (std::size_t i = 0; i < 3; ++i) up[i] = height.up(static_cast<int>(i));
    std::vector<double> excess =
        excess_over_weight(start.placed, weight, solved, up, periods_in_sites(c), c.dimensions);
    for (double& e : excess) e *= unit;
    return excess;
}

// The nearest of the sites of `wet` within reach of others.
class NearestWet {
public:
    // reach: spacings.
    NearestWet(const SiteRuns& wet, double reach, int dimensions) : wet_(wet), reach_(static_cast<int>(reach))
    {
        const int deep = dimensions == 3 ? reach_ : 0;
        for (int z = -deep; z <= deep; ++z) {
            for (int y = -reach_; y <= reach_; ++y) {
                for (int x = -reach_; x <= reach_; ++x)
                    if (x * x + y * y + z * z < reach * reach) vectors_.push_back({{x, y, z}, rows_.size()});
                rows_.push_back({0, y, z});
            }
        }
        // Nearest first, and ties in a fixed order.
        const auto length2 = [](const Vector& v) { return v.by[0] * v.by[0] + v.by[1] * v.by[1] + v.by[2] * v.by[2]; };
        std::stable_sort(vectors_.begin(), vectors_.end(),
                         [&](const Vector& a, const Vector& b) { return length2(a) < length2(b); });
        if (!wet.empty()) std::tie(low_, high_) = wet.bounds();
    }

    // Calls take(x, particle) for each site of a run that has a wet one within reach: its x, the particle there.
    template <class Take>
    void for_each_near(const SiteRun& run, const Take& take) const
    {
        if (wet_.empty() || run.first[0] > high_[0] + reach_ || run.last <= low_[0] - reach_) return;
        for (std::size_t k = 1; k < 3; ++k)
            if (run.first[k] < low_[k] - reach_ || run.first[k] > high_[k] + reach_) return;
        std::vector<std::span<const SiteRun>> near;
        near.reserve(rows_.size());
        std::int64_t from = run.last;
        std::int64_t to = run.first[0];
        for (const Site& by : rows_) {
            const auto row = wet_.row(run.first[1] + by[1], run.first[2] + by[2]);
            near.push_back(row);
            if (row.empty()) continue;
            from = std::min(from, row.front().first[0] - reach_);
            to = std::max(to, row.back().last + reach_);
        }
        for (std::int64_t x = std::max(from, run.first[0]); x < std::min(to, run.last); ++x) {
            for (const Vector& vector : vectors_) {
                const std::int32_t particle = particle_at(near[vector.row], x + vector.by[0]);
                if (particle < 0) continue;
                take(x, particle);
                break;
            }
        }
    }

private:
    struct Vector {
        Site by;
        std::size_t row;  // of rows_
    };

    const SiteRuns& wet_;
    int reach_;
    std::vector<Vector> vectors_;
    std::vector<Site> rows_;
    Site low_{};
    Site high_{};
};

void add_sites(const PlacedParticles& placed, const PlacedParticles::Stretch& stretch, SiteRuns& to)
{
    const auto first = static_cast<std::int32_t>(stretch.first);
    if (stretch.on_lattice) {
        const auto length = static_cast<std::int64_t>(stretch.last - stretch.first);
        return to.add(stretch.site, stretch.site[0] + length, first);
    }
    for (std::size_t i = stretch.first; i < stretch.last; ++i)
        to.add(site_at(placed[i].position), static_cast<std::int32_t>(i));
}

// Adds the images of runs along the periods (sites; 0: none) that are within reach of the sites of others.
void add_images(const SiteRuns& others, std::int64_t reach, const std::array<std::int64_t, 3>& period, SiteRuns& to)
{
    if (others.empty()) return;
    const auto [low, high] = others.bounds();
    const std::vector<SiteRun> runs = to.all();
    const auto images = [&](std::size_t k) { return period[k] == 0 ? 0 : 1; };
    for (int z = -images(2); z <= images(2); ++z) {
        for (int y = -images(1); y <= images(1); ++y) {
            for (int x = -images(0); x <= images(0); ++x) {
                if (x == 0 && y == 0 && z == 0) continue;
                for (const SiteRun& run : runs) {
                    const Site at{run.first[0] + x * period[0], run.first[1] + y * period[1],
                                  run.first[2] + z * period[2]};
                    bool near = true;
                    for (std::size_t k = 1; k < 3; ++k)
                        near = near && at[k] >= low[k] - reach && at[k] <= high[k] + reach;
                    const std::int64_t from = std::max(at[0], low[0] - reach);
                    const std::int64_t last = std::min(run.last + x * period[0], high[0] + reach + 1);
                    if (near && from < last)
                        to.add({from, at[1], at[2]}, last, run.particle + static_cast<std::int32_t>(from - at[0]));
                }
            }
        }
    }
}

// Initial densities: of fluids that start under pressure, and of walls within their support, which continue it.
void initialise_density(StartOfCase& start)
{
    const Case& c = start.source;
    const PlacedParticles& placed = start.placed;
    const auto is_loaded = [&](std::int32_t shape) {
        return c.shapes[static_cast<std::size_t>(shape)].hydrostatic ||
               c.shapes[static_cast<std::size_t>(shape)].pressure;
    };
    if (std::ranges::none_of(placed.stretches(), is_loaded, &PlacedParticles::Stretch::shape)) return;
    const Height height(c);
    const auto surface = free_surfaces(c, placed, height);
    const auto excess = excess_of(start, height, surface);
    // At particle i, with the pressure of the fluid particle `from`, itself or one nearby.
    const auto density = [&](std::size_t i, std::size_t from) {
        const auto k = static_cast<std::size_t>(placed[from].shape);
        const Shape& shape = c.shapes[k];
        return shape.pressure
                   ? pressurised(c, shape, position_of(start, i))
                   : hydrostatic(c, shape, surface[k], height(placed[i].position), excess.empty() ? 0 : excess[from]);
    };
    std::vector<float> all(placed.size());
    for_each_particle(all.size(), [&](std::size_t i) {
        if (is_loaded(placed[i].shape)) all[i] = density(i, i);
    });
    // Other walls take it from the fluid.
    if (!follow_the_fluid(c.numerics.walls)) {
        SiteRuns wet;
        SiteRuns walls;
        for (const PlacedParticles::Stretch& stretch : placed.stretches()) {
            if (is_loaded(stretch.shape)) add_sites(placed, stretch, wet);
            if (stretch.kind == Kind::wall) add_sites(placed, stretch, walls);
        }
        const double reach = support_radius(c) / c.resolution.spacing;
        add_images(walls, static_cast<std::int64_t>(reach), periods_in_sites(c), wet);
        wet.sort();
        const NearestWet nearest(wet, reach, c.dimensions);
        for_each_run(walls.all().size(), all.size(), [&](std::size_t k) {
            const SiteRun& run = walls.all()[k];
            nearest.for_each_near(run, [&](std::int64_t x, std::int32_t from) {
                const auto i = static_cast<std::size_t>(run.particle_at(x));
                all[i] = density(i, static_cast<std::size_t>(from));
                if (!c.numerics.wall_tension) all[i] = larger(all[i], 0.0F);
            });
        });
    }
    start.density = std::move(all);
}

// Sites of a part of a tank at the same height, m.
struct Layer {
    double height;
    std::uint32_t sites;
    std::int32_t part;
};
static_assert(sizeof(Layer) == 16, "refuse_too_many() has counted on 16 bytes");

// Of the sites of a tank, whose parts are numbered: runs, which are level unless gravity acts along them.
std::vector<Layer> layers_of(const Rows& rows, const Height& height)
{
    const bool level = height.up(0) == 0;
    std::size_t count = 0;
    for (const auto& [row, runs] : rows) {
        for (const Run& run : runs) count += level ? 1 : run.size();
    }
    // No more than refuse_too_many() has counted on.
    std::vector<Layer> layers;
    layers.reserve(count);
    for (const auto& [row, runs] : rows) {
        for (const Run& run : runs) {
            const auto at = [&, y = row[1], z = row[0]](std::int64_t x) { return height(centre_of({x, y, z})); };
            if (level) layers.push_back({at(run.first), static_cast<std::uint32_t>(run.size()), run.shape});
            else
                for (std::int64_t x = run.first; x < run.last; ++x) layers.push_back({at(x), 1, run.shape});
        }
    }
    return layers;
}

// The datum of potential energy, and the potential energy available to the fluid.
void find_available_energy(const Case& c, const Arrangement& arrangement, const PlacedParticles& particles,
                           Problem& problem)
{
    const Height height(c);
    const double g = gravity_magnitude(c);
    // Walls keep the fluid of a chamber apart from that of others.
    std::vector<Layer> rest = layers_of(arrangement.interior, height);
    const auto is_lower = [](const Layer& a, const Layer& b) { return a.height < b.height; };
    std::sort(rest.begin(), rest.end(), is_lower);
    const auto last = std::ranges::max_element(rest, {}, &Layer::part);
    const std::size_t parts = rest.empty() ? 0 : static_cast<std::size_t>(last->part) + 1;
    std::vector<std::uint64_t> fluid(parts);
    if (parts > 0) {
        SiteRuns sites;
        for (const PlacedParticles::Stretch& stretch : particles.stretches()) {
            if (stretch.kind == Kind::fluid) add_sites(particles, stretch, sites);
        }
        std::uint64_t placed = 0;
        for (const SiteRun& run : sites.all()) {
            const std::int32_t part = shape_at(arrangement.interior, run.first);
            if (part < 0) continue;  // moved off the lattice, and into a wall's site
            const auto number = static_cast<std::uint64_t>(run.last - run.first[0]);
            fluid[static_cast<std::size_t>(part)] += number;
            placed += number;
        }
        *std::ranges::max_element(fluid) += arrangement.fluid - placed;
    }
    std::vector<std::uint64_t> room(parts);
    for (const Layer& layer : rest) room[static_cast<std::size_t>(layer.part)] += layer.sites;
    problem.available_energy_from_rest =
        (parts > 0 || arrangement.fluid == 0) && std::ranges::equal(fluid, room, std::ranges::less_equal());
    double lowest = rest.empty() ? std::numeric_limits<double>::infinity() : rest.front().height;
    if (rest.empty()) {
#pragma omp parallel for reduction(min : lowest) if (particles.size() >= worth_threads)
        for (std::size_t i = 0; i < particles.size(); ++i) {
            if (particles[i].kind == Kind::fluid) lowest = std::min(lowest, height(particles[i].position));
        }
    }
    const double floor = lowest - 0.5 * c.resolution.spacing;
    for (int i = 0; i < c.dimensions; ++i) problem.datum[i] = height.up(i) * floor / problem.units.length;

    ExactSum energy;
#pragma omp parallel if (particles.size() >= worth_threads)
    {
        ExactSum part;
#pragma omp for schedule(static)
        for (std::size_t i = 0; i < particles.size(); ++i) {
            if (particles[i].kind == Kind::fluid) part.add(height(particles[i].position) - floor);
        }
#pragma omp critical
        energy.merge(part);
    }
    if (problem.available_energy_from_rest) {
        // At rest the fluid occupies the lowest sites of its chamber.
        for (const Layer& layer : rest) {
            std::uint64_t& left = fluid[static_cast<std::size_t>(layer.part)];
            const std::uint64_t taken = std::min<std::uint64_t>(layer.sites, left);
            for (std::uint64_t k = 0; k < taken; ++k) energy.add(-(layer.height - floor));
            left -= taken;
        }
    }
    problem.available_energy = problem.units.mass * g * energy.value();
}

}  // namespace

void initialise(const Arrangement& arrangement, StartOfCase& start, Problem& problem)
{
    for_each_particle(start.placed.size(), [&](std::size_t i) { static_cast<void>(start[i]); });  // may throw
    initialise_density(start);
    find_available_energy(start.source, arrangement, start.placed, problem);
}

}  // namespace halfulp
