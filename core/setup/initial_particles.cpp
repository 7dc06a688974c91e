#include "core/setup/initial_particles.hpp"

#include <cmath>
#include <limits>
#include <string>

#include <fmt/format.h>

#include "core/error.hpp"
#include "core/setup/for_each_particle.hpp"
#include "precision/position.hpp"

namespace halfulp {

std::array<double, 3> position_of(const Case& c, const Units& units, const InitialParticle& particle)
{
    std::array<double, 3> x{};
    for (int i = 0; i < c.dimensions; ++i) {
        const double cell = static_cast<double>(particle.cell[i]) - static_cast<double>(c.origin.cells[i]);
        x[i] = (cell + static_cast<double>(particle.offset[i])) * units.length;
    }
    return x;
}

std::string position_text(const Case& c, const std::array<double, 3>& x)
{
    return c.dimensions == 2 ? fmt::format("[{}, {}]", x[0], x[1]) : fmt::format("[{}, {}, {}]", x[0], x[1], x[2]);
}

std::string number_text(double value) { return std::isnan(value) ? "nan" : fmt::format("{}", value); }

namespace {

// The cell and offset of a position, with the same bits relative to the case's origin for any origin.
void place(const Case& c, const Units& units, const std::array<double, 3>& position, InitialParticle& particle)
{
    for (int i = 0; i < c.dimensions; ++i) {
        const double x = position[i] * c.resolution.spacing / units.length;
        const double nearest = std::floor(x + 0.5);
        const double cell = static_cast<double>(c.origin.cells[i]) + nearest;
        if (!(cell >= std::numeric_limits<std::int32_t>::min() && cell <= std::numeric_limits<std::int32_t>::max())) {
            throw input_error(
                "{}: with origin.cells = {} a particle would lie in cell {:.0f}, outside the 32-bit range of cells "
                "(+-2147483647); move the origin or the shapes closer to zero.",
                place_of(c, "origin.cells"), c.origin.cells[i], cell);
        }
        particle.cell[i] = static_cast<std::int32_t>(cell);
        particle.offset[i] = static_cast<float>(x - nearest);
        if (!carry(particle.cell[i], particle.offset[i])) {  // an offset that rounded up to 1/2
            throw input_error(
                "{}: a particle lies at the edge of the 32-bit range of cells; move the origin or the shapes closer to "
                "zero.",
                place_of(c, "origin.cells"));
        }
    }
}

void initialise_velocity(const Case& c, const Units& units, const Shape& shape, InitialParticle& particle)
{
    const auto x = position_of(c, units, particle);
    for (int k = 0; k < c.dimensions; ++k) {
        const double u = value_at(shape.velocity[k], x) / units.velocity;
        if (!(std::abs(u) <= std::numeric_limits<float>::max())) {
            throw input_error(
                "{}: shapes.{}.velocity.{} is {} m/s at the position {} m of a particle, but must be a finite number "
                "in single precision there; change the velocity.",
                place_of(c, fmt::format("shapes.{}.velocity", shape.name)), shape.name, k,
                number_text(u * units.velocity), position_text(c, x));
        }
        particle.velocity[k] = static_cast<float>(u);
    }
}

// Particles start within the periods [0, L); the first cell is the one that contains zero or begins there.
void wrap_into_periods(const Case& c, const Units& units, const std::array<std::int32_t, 3>& periods,
                       InitialParticle& particle)
{
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const std::int32_t period = periods[axis];
        if (period == 0) continue;
        const std::int64_t cell = std::int64_t(particle.cell[axis]) - c.origin.cells[axis];
        const double x = (static_cast<double>(cell) + static_cast<double>(particle.offset[axis]));
        if (!(x >= 0 && x < period)) {
            const auto shape = static_cast<std::size_t>(particle.shape);
            throw input_error(
                "{}: shape \"{}\" has a particle at {:.6g} m along {}, outside of the period from 0 to {} m; cut the "
                "shape off there (its `without` may name a void shape beyond that), and add what was cut off, moved by a "
                "period, as a shape of its own: images continue what is within the period.",
                place_of(c, "shapes." + c.shapes[shape].name), c.shapes[shape].name, x * units.length, "xyz"[axis],
                c.period[axis]);
        }
        if (cell == period) particle.cell[axis] -= period;
    }
}

}  // namespace

InitialParticle StartOfCase::unwrapped(std::size_t i) const
{
    const PlacedParticle from = placed[i];
    const auto shape = static_cast<std::size_t>(from.shape);
    InitialParticle particle{.density = density.empty() ? 0 : density[i],
                             .kind = from.kind,
                             .motion = motion_of.empty() ? -1 : motion_of[shape],
                             .shape = from.shape};
    place(source, units, from.position, particle);
    return particle;
}

InitialParticle StartOfCase::without_velocity(std::size_t i) const
{
    InitialParticle particle = unwrapped(i);
    wrap_into_periods(source, units, period, particle);
    return particle;
}

InitialParticle StartOfCase::operator[](std::size_t i) const
{
    InitialParticle particle = unwrapped(i);
    initialise_velocity(source, units, source.shapes[static_cast<std::size_t>(particle.shape)], particle);
    wrap_into_periods(source, units, period, particle);
    return particle;
}

std::vector<InitialParticle>& InitialParticles::stored()
{
    if (start_) {
        stored_.resize(size());
        for_each_particle(stored_.size(), [&](std::size_t i) { stored_[i] = (*start_)[i]; });
        start_.reset();
    }
    return stored_;
}

}  // namespace halfulp
