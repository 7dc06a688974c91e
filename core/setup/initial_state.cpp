#include "core/setup/initial_state.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <unordered_map>

#include <fmt/format.h>

#include "core/error.hpp"
#include "core/setup/initial_pressure.hpp"
#include "core/setup/site_hash.hpp"
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
    for (std::size_t i = 0; i < weight.size(); ++i) {
        const auto& p = arrangement.particles[i];
        const Shape& shape = c.shapes[p.shape];
        if (shape.hydrostatic) weight[i] = larger(surface[p.shape] - height(p.position), 0.0) / c.resolution.spacing;
        else if (shape.pressure)
            weight[i] = value_at(*shape.pressure, position_of(c, units, particles[i])) / (c.fluid.density * unit);
    }
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
    std::unordered_map<Site, std::size_t, SiteHash> wet;
    for (std::size_t i = 0; i < arrangement.particles.size(); ++i) {
        const auto& p = arrangement.particles[i];
        if (!c.shapes[p.shape].hydrostatic && !c.shapes[p.shape].pressure) continue;
        particles[i].density = density(i, i);
        wet.emplace(site_at(p.position), i);
    }
    if (wet.empty() || follow_the_fluid(c.numerics.walls)) return;  // these walls take it from the fluid

    // Lattice vectors inside the support, nearest first and ties in a fixed order.
    const double reach = support_radius(c) / c.resolution.spacing;
    const int n = static_cast<int>(reach);
    std::vector<Site> vectors;
    for (int z = c.dimensions == 3 ? -n : 0; z <= (c.dimensions == 3 ? n : 0); ++z)
        for (int y = -n; y <= n; ++y)
            for (int x = -n; x <= n; ++x)
                if (x * x + y * y + z * z < reach * reach) vectors.push_back({x, y, z});
    const auto length2 = [](const Site& v) { return v[0] * v[0] + v[1] * v[1] + v[2] * v[2]; };
    std::stable_sort(vectors.begin(), vectors.end(),
                     [&](const Site& a, const Site& b) { return length2(a) < length2(b); });

    // The fluid particle in the wet site nearest to each wall particle.
    constexpr std::size_t dry = std::numeric_limits<std::size_t>::max();
    std::vector<std::size_t> nearest(arrangement.particles.size(), dry);
    constexpr std::size_t piece = 4096;
#pragma omp parallel for schedule(dynamic, piece) if (nearest.size() > piece)
    for (std::size_t i = 0; i < nearest.size(); ++i) {
        const auto& p = arrangement.particles[i];
        if (p.kind != Kind::wall) continue;
        const Site site = site_at(p.position);
        for (const auto& v : vectors) {
            const auto found = wet.find({site[0] + v[0], site[1] + v[1], site[2] + v[2]});
            if (found == wet.end()) continue;
            nearest[i] = found->second;
            break;
        }
    }
    for (std::size_t i = 0; i < nearest.size(); ++i) {
        if (nearest[i] == dry) continue;
        particles[i].density = density(i, nearest[i]);
        if (!c.numerics.wall_tension) particles[i].density = larger(particles[i].density, 0.0F);
    }
}

// The datum of potential energy, and the potential energy available to the fluid.
void find_available_energy(const Case& c, const Arrangement& arrangement, Problem& problem)
{
    const Height height(c);
    const double g = gravity_magnitude(c);
    std::vector<double> fluid;
    double lowest = std::numeric_limits<double>::infinity();
    for (const auto& p : arrangement.particles) {
        if (p.kind == Kind::fluid) fluid.push_back(height(p.position));
    }
    std::vector<double> rest;
    rest.reserve(arrangement.interior.size());
    for (const auto& site : arrangement.interior) rest.push_back(height(centre_of(site)));
    problem.available_energy_from_rest = rest.size() >= fluid.size();
    for (const double h : rest.empty() ? fluid : rest) lowest = std::min(lowest, h);
    const double floor = lowest - 0.5 * c.resolution.spacing;
    for (int i = 0; i < c.dimensions; ++i) problem.datum[i] = height.up(i) * floor / problem.units.length;

    ExactSum energy;
    for (const double h : fluid) energy.add(h - floor);
    if (problem.available_energy_from_rest) {
        // At rest the fluid occupies the lowest sites of the tank.
        std::nth_element(rest.begin(), rest.begin() + static_cast<std::ptrdiff_t>(fluid.size()) - 1, rest.end());
        for (std::size_t i = 0; i < fluid.size(); ++i) energy.add(-(rest[i] - floor));
    }
    problem.available_energy = problem.units.mass * g * energy.value();
}

}  // namespace

void initialise(const Arrangement& arrangement, Problem& problem)
{
    const Case& c = problem.source;
    problem.particles.resize(arrangement.particles.size());
    for (std::size_t i = 0; i < problem.particles.size(); ++i) {
        const auto& from = arrangement.particles[i];
        InitialParticle& particle = problem.particles[i];
        particle.kind = from.kind;
        particle.shape = from.shape;
        place(c, problem.units, from.position, particle);
        initialise_velocity(c, problem.units, c.shapes[from.shape], particle);
    }
    initialise_density(c, arrangement, problem.units, problem.particles);
    find_available_energy(c, arrangement, problem);
}

}  // namespace halfulp
