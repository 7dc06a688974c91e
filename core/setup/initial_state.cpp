#include "core/setup/initial_state.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <string>

#include <fmt/format.h>

#include "core/error.hpp"
#include "core/setup/for_each_particle.hpp"
#include "core/setup/initial_pressure.hpp"
#include "core/setup/site_runs.hpp"
#include "kernels/state_equation.hpp"
#include "precision/exact_sum.hpp"
#include "precision/position.hpp"

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

// The cell and offset of a position, with the same bits relative to the case's origin for any origin.
void place(const Case& c, const Units& units, const Position& position, InitialParticle& particle)
{
    for (int i = 0; i < c.dimensions; ++i) {
        const double x = position[i] * c.resolution.spacing / units.length;
        const double nearest = std::floor(x + 0.5);
        const double cell = static_cast<double>(c.origin.cells[i]) + nearest;
        if (!(cell >= std::numeric_limits<std::int32_t>::min() && cell <= std::numeric_limits<std::int32_t>::max())) {
            throw input_error(
                fmt::format("{}: with origin.cells = {} a particle would lie in cell {:.0f}, outside the 32-bit range "
                            "of cells (+-2147483647); move the origin or the shapes closer to zero.",
                            place_of(c, "origin.cells"), c.origin.cells[i], cell));
        }
        particle.cell[i] = static_cast<std::int32_t>(cell);
        particle.offset[i] = static_cast<float>(x - nearest);
        if (!carry(particle.cell[i], particle.offset[i])) {  // an offset that rounded up to 1/2
            throw input_error(fmt::format(
                "{}: a particle lies at the edge of the 32-bit range of cells; move the origin or the shapes "
                "closer to zero.",
                place_of(c, "origin.cells")));
        }
    }
}

// The true position of a particle relative to the case's origin, m, with its rounded offset.
std::array<double, 3> position_of(const Case& c, const Units& units, const InitialParticle& particle)
{
    std::array<double, 3> x{};
    for (int i = 0; i < c.dimensions; ++i) {
        const double cell = static_cast<double>(particle.cell[i]) - static_cast<double>(c.origin.cells[i]);
        x[i] = (cell + static_cast<double>(particle.offset[i])) * units.length;
    }
    return x;
}

std::string text_of(const Case& c, const std::array<double, 3>& x)
{
    return c.dimensions == 2 ? fmt::format("[{}, {}]", x[0], x[1]) : fmt::format("[{}, {}, {}]", x[0], x[1], x[2]);
}

// Without the sign of NaN, which varies between machines.
std::string text_of(double value) { return std::isnan(value) ? "nan" : fmt::format("{}", value); }

void initialise_velocity(const Case& c, const Units& units, const Shape& shape, InitialParticle& particle)
{
    const auto x = position_of(c, units, particle);
    for (int k = 0; k < c.dimensions; ++k) {
        const double u = value_at(shape.velocity[k], x) / units.velocity;
        if (!(std::abs(u) <= std::numeric_limits<float>::max())) {
            throw input_error(fmt::format(
                "{}: shapes.{}.velocity.{} is {} m/s at the position {} m of a particle, but must be a finite number "
                "in single precision there; change the velocity.",
                place_of(c, fmt::format("shapes.{}.velocity", shape.name)), shape.name, k, text_of(u * units.velocity),
                text_of(c, x)));
        }
        particle.velocity[k] = static_cast<float>(u);
    }
}

// Free surface of each hydrostatic fluid shape, m along -g; NaN for the others.
std::vector<double> free_surfaces(const Case& c, const Arrangement& arrangement, const Height& height)
{
    std::vector<double> surface(c.shapes.size(), std::numeric_limits<double>::quiet_NaN());
    for (const auto& p : arrangement.particles) {
        const Shape& shape = c.shapes[p.shape];
        if (!shape.hydrostatic) continue;
        double& s = surface[p.shape];
        const double top = height(p.position) + 0.5 * c.resolution.spacing;
        if (!(s >= top)) s = top;
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
    if (!(depth > 0)) return 0;
    const double s = density_under(c, gravity_magnitude(c) * depth + excess);
    if (!(std::abs(s) <= c.numerics.density_bound)) {
        const std::string key = fmt::format("shapes.{}.{}", shape.name, shape.surface ? "surface" : "hydrostatic");
        throw input_error(
            fmt::format("{}: {} puts {:.6g} m of fluid above a particle of it or of a wall beside it, which takes the "
                        "density beyond numerics.density_bound = {}; lower the surface or raise fluid.sound_speed.",
                        place_of(c, key), key, depth, c.numerics.density_bound));
    }
    return static_cast<float>(s);
}

// The density from the shape's pressure at a position, in it or in a wall next to it.
float pressurised(const Case& c, const Shape& shape, const std::array<double, 3>& x)
{
    const double pressure = value_at(*shape.pressure, x);
    if (!std::isfinite(pressure)) {
        throw input_error(fmt::format(
            "{}: shapes.{}.pressure is {} Pa at the position {} m of a particle of it or of a "
            "wall beside it, but must be a finite number there; change the pressure.",
            place_of(c, fmt::format("shapes.{}.pressure", shape.name)), shape.name, text_of(pressure), text_of(c, x)));
    }
    const double s = density_under(c, pressure / c.fluid.density);
    if (!(std::abs(s) <= c.numerics.density_bound)) {
        throw input_error(
            fmt::format("{}: shapes.{}.pressure is {} Pa at the position {} m of a particle of it or of a wall beside "
                        "it, which takes the density beyond numerics.density_bound = {}; bring the pressure closer to "
                        "zero or raise fluid.sound_speed.",
                        place_of(c, fmt::format("shapes.{}.pressure", shape.name)), shape.name, text_of(pressure),
                        text_of(c, x), c.numerics.density_bound));
    }
    return static_cast<float>(s);
}

// The excess of hydrostatic pressure over the weight above, over rho0, m^2/s^2, for each particle; empty if there is
// none. With a given surface, and in a relaxed fill, the weight alone acts.
std::vector<double> excess_of(const Case& c, const Arrangement& arrangement, const Height& height,
                              const std::vector<double>& surface, const Units& units,
                              const std::vector<InitialParticle>& particles)
{
    const double unit = gravity_magnitude(c) * c.resolution.spacing;
    std::vector<bool> solved(c.shapes.size());
    for (std::size_t k = 0; k < c.shapes.size(); ++k) {
        const Shape& shape = c.shapes[k];
        solved[k] = shape.hydrostatic && !shape.surface && shape.fill == "lattice";
    }
    if (std::find(solved.begin(), solved.end(), true) == solved.end()) return {};
    std::vector<double> weight(particles.size(), 0.0);
    for_each_particle(weight.size(), [&](std::size_t i) {
        const auto& p = arrangement.particles[i];
        const Shape& shape = c.shapes[p.shape];
        if (shape.hydrostatic) weight[i] = larger(surface[p.shape] - height(p.position), 0.0) / c.resolution.spacing;
        else if (shape.pressure)
            weight[i] = value_at(*shape.pressure, position_of(c, units, particles[i])) / (c.fluid.density * unit);
    });
    std::array<double, 3> up{};
    std::array<std::int64_t, 3> period{};
    for (std::size_t i = 0; i < 3; ++i) {
        up[i] = height.up(static_cast<int>(i));
        period[i] = std::llround(c.period[i] / c.resolution.spacing);
    }
    std::vector<double> excess = excess_over_weight(arrangement, weight, solved, up, period, c.dimensions);
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
        if (wet.empty()) return;
        low_ = wet.all().front().first;
        high_ = low_;
        for (const SiteRun& run : wet.all()) {
            for (std::size_t k = 0; k < 3; ++k) {
                low_[k] = std::min(low_[k], run.first[k]);
                high_[k] = std::max(high_[k], k == 0 ? run.last - 1 : run.first[k]);
            }
        }
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

// Initial densities: of fluids that start under pressure, and of walls within their support, which continue it.
void initialise_density(const Case& c, const Arrangement& arrangement, const Units& units,
                        std::vector<InitialParticle>& particles)
{
    const Height height(c);
    const auto surface = free_surfaces(c, arrangement, height);
    const auto excess = excess_of(c, arrangement, height, surface, units, particles);
    // At particle i, with the pressure of the fluid particle `from`, itself or one nearby.
    const auto density = [&](std::size_t i, std::size_t from) {
        const std::int32_t k = arrangement.particles[from].shape;
        const Shape& shape = c.shapes[k];
        return shape.pressure ? pressurised(c, shape, position_of(c, units, particles[i]))
                              : hydrostatic(c, shape, surface[k], height(arrangement.particles[i].position),
                                            excess.empty() ? 0 : excess[from]);
    };
    const auto is_loaded = [&](const PlacedParticle& p) {
        return c.shapes[p.shape].hydrostatic || c.shapes[p.shape].pressure;
    };
    for_each_particle(particles.size(), [&](std::size_t i) {
        if (is_loaded(arrangement.particles[i])) particles[i].density = density(i, i);
    });
    if (follow_the_fluid(c.numerics.walls)) return;  // these walls take it from the fluid
    SiteRuns wet;
    SiteRuns walls;
    for (std::size_t i = 0; i < particles.size(); ++i) {
        const auto& p = arrangement.particles[i];
        if (is_loaded(p)) wet.add(site_at(p.position), static_cast<std::int32_t>(i));
        if (p.kind == Kind::wall) walls.add(site_at(p.position), static_cast<std::int32_t>(i));
    }
    wet.sort();
    const NearestWet nearest(wet, support_radius(c) / c.resolution.spacing, c.dimensions);
    for_each_run(walls.all().size(), particles.size(), [&](std::size_t k) {
        const SiteRun& run = walls.all()[k];
        nearest.for_each_near(run, [&](std::int64_t x, std::int32_t from) {
            const auto i = static_cast<std::size_t>(run.particle_at(x));
            particles[i].density = density(i, static_cast<std::size_t>(from));
            if (!c.numerics.wall_tension) particles[i].density = larger(particles[i].density, 0.0F);
        });
    });
}

// Sites at the same height, m.
struct Layer {
    double height;
    std::uint64_t sites;
};

// Of the sites of a tank: runs, which are level unless gravity acts along them.
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
            if (level) layers.push_back({at(run.first), run.size()});
            else
                for (std::int64_t x = run.first; x < run.last; ++x) layers.push_back({at(x), 1});
        }
    }
    return layers;
}

// The datum of potential energy, and the potential energy available to the fluid.
void find_available_energy(const Case& c, const Arrangement& arrangement, Problem& problem)
{
    const Height height(c);
    const double g = gravity_magnitude(c);
    const auto& particles = arrangement.particles;
    std::vector<Layer> rest = layers_of(arrangement.interior, height);
    const auto is_lower = [](const Layer& a, const Layer& b) { return a.height < b.height; };
    std::sort(rest.begin(), rest.end(), is_lower);
    std::uint64_t room = 0;
    for (const Layer& layer : rest) room += layer.sites;
    problem.available_energy_from_rest = room >= arrangement.fluid;
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
        // At rest the fluid occupies the lowest sites of the tank.
        std::uint64_t left = arrangement.fluid;
        for (auto layer = rest.begin(); left > 0; ++layer) {
            const std::uint64_t taken = std::min(layer->sites, left);
            for (std::uint64_t k = 0; k < taken; ++k) energy.add(-(layer->height - floor));
            left -= taken;
        }
    }
    problem.available_energy = problem.units.mass * g * energy.value();
}

}  // namespace

void initialise(const Arrangement& arrangement, Problem& problem)
{
    const Case& c = problem.source;
    problem.particles.resize(arrangement.particles.size());
    for_each_particle(problem.particles.size(), [&](std::size_t i) {
        const auto& from = arrangement.particles[i];
        InitialParticle& particle = problem.particles[i];
        particle.kind = from.kind;
        particle.shape = from.shape;
        place(c, problem.units, from.position, particle);
        initialise_velocity(c, problem.units, c.shapes[from.shape], particle);
    });
    initialise_density(c, arrangement, problem.units, problem.particles);
    find_available_energy(c, arrangement, problem);
}

}  // namespace halfulp
