// Snapshots with their hashes, for every policy. Included where a policy is instantiated.
#pragma once

#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "core/particles/report.hpp"
#include "core/results/state_hash.hpp"
#include "kernels/state_equation.hpp"

namespace halfulp {

namespace detail {

template <class Value>
constexpr ColumnType type_of()
{
    if constexpr (std::is_same_v<Value, float>) return ColumnType::float32;
    else if constexpr (std::is_same_v<Value, double>) return ColumnType::float64;
    else if constexpr (std::is_same_v<Value, std::int32_t>) return ColumnType::int32;
    else if constexpr (std::is_same_v<Value, std::uint32_t>) return ColumnType::uint32;
    else return ColumnType::uint8;
}

// Writes the row of the particle at place i; Get{}(shown, i, c), which has no state, is its component c.
template <class Value, int components, class Shown, class Get>
void write_row(const void* shown, std::uint32_t i, std::byte* to)
{
    for (int c = 0; c < components; ++c) {
        const Value value = Get{}(*static_cast<const Shown*>(shown), i, c);
        std::memcpy(to + static_cast<std::size_t>(c) * sizeof(Value), &value, sizeof(Value));
    }
}

// Adds a column to a source.
template <class Value, int components, class Shown, class Get>
void add_column(SnapshotSource& source, const std::shared_ptr<const ShownParticles>& from, const char* name,
                const char* unit, const char* description, bool state, Get /*stateless*/)
{
    source.columns.push_back(column_source({name, unit, description, type_of<Value>(), components, state, {}}, from,
                                           write_row<Value, components, Shown, Get>));
}

// What is written of a number: itself, or its rounding to double where files know no such type.
template <class Real>
using Written = std::conditional_t<std::is_arithmetic_v<Real>, Real, double>;

template <class Real>
void absorb(ParticleDigest& digest, const Real& value)
{
    if constexpr (!std::is_arithmetic_v<Real>) {
        const auto leading = static_cast<double>(value);
        absorb(digest, leading);
        absorb(digest, static_cast<double>(Real(value - leading)));
        return;
    } else {
        std::array<std::uint32_t, sizeof(Real) / 4> words{};
        std::memcpy(words.data(), &value, sizeof(Real));
        for (const auto word : words) digest.absorb(word);
    }
}

// What the columns of a policy are made of.
template <class Policy>
struct Shown {
    using Real = typename Policy::Real;
    ParticleView<Policy> particles;
    Frame frame;
    Real stiffness = static_cast<Real>(frame.parameters.stiffness);
    Real reference = static_cast<Real>(frame.parameters.reference_density);
    Real to_velocity = static_cast<Real>(frame.units.velocity);
    Real to_pressure = static_cast<Real>(frame.units.density * frame.units.velocity * frame.units.velocity);
    std::shared_ptr<const void> keep;
};

// m, relative to the case's origin
template <class Policy, int D>
double place_of(const Shown<Policy>& shown, std::uint32_t i, int c)
{
    if (c >= D) return static_cast<double>(shown.particles.cell[i][c]) * shown.frame.units.length;
    return position_of<Policy, D>(shown.particles, shown.frame, i)[c] * shown.frame.units.length;
}

template <class Policy, int D>
double position_in_all(const Shown<Policy>& shown, std::uint32_t i, int c)
{
    if (c >= D) return static_cast<double>(shown.particles.cell[i][c]) * shown.frame.units.length;
    const double origin = shown.frame.origin[static_cast<std::size_t>(c)];
    return (origin + position_of<Policy, D>(shown.particles, shown.frame, i)[c]) * shown.frame.units.length;
}

// All but the position, the same in two dimensions and three.
template <class Policy>
void add_columns(SnapshotSource& source, const std::shared_ptr<const ShownParticles>& from)
{
    using S = Shown<Policy>;
    using Value = Written<typename Policy::Real>;
    using Density = typename Policy::Density;
    const bool stores_centred = std::is_same_v<Density, CentredStorage>;
    const char* const length = Policy::Units::cell_is_one ? "cell side" : "m";
    add_column<Value, 3, S>(source, from, "velocity", "m/s", "velocity, without rounding from the state", true,
                            [](const S& s, std::uint32_t i, int c) {
                                return static_cast<Value>(s.particles.velocity[i][c] * s.to_velocity);
                            });
    add_column<Value, 1, S>(source, from, "density_deviation", "1", "rho/rho0 - 1", stores_centred,
                            [](const S& s, std::uint32_t i, int) {
                                return static_cast<Value>(Density::centred(s.particles.velocity[i].w, s.reference).s);
                            });
    add_column<Value, 1, S>(
        source, from, "pressure", "Pa", "from the equation of state", false, [](const S& s, std::uint32_t i, int) {
            const auto density = Policy::Pressure::template density<Density>(s.particles.velocity[i].w, s.reference);
            return static_cast<Value>(
                s.to_pressure * pressure_over_reference_density(s.frame.physics.state_equation, density, s.stiffness));
        });
    add_column<std::uint8_t, 1, S>(
        source, from, "kind", "1", "0 fluid, 1 wall", true,
        [](const S& s, std::uint32_t i, int) { return static_cast<std::uint8_t>(s.particles.kind[i]); });
    add_column<std::int32_t, 3, S>(source, from, "cell", "1", "cell index, the case's origin included", true,
                                   [](const S& s, std::uint32_t i, int c) { return s.particles.cell[i][c]; });
    add_column<Value, 3, S>(
        source, from, "offset", length,
        Policy::Position::relative_to_cell ? "from the centre of the cell" : "coordinate", !Policy::Position::in_double,
        [](const S& s, std::uint32_t i, int c) { return static_cast<Value>(s.particles.offset[i][c]); });
    if constexpr (Policy::Position::in_double) {
        add_column<double, 3, S>(source, from, "coordinate", length, "as the policy keeps it", true,
                                 [](const S& s, std::uint32_t i, int c) { return s.particles.coordinate[i][c]; });
    }
    if constexpr (!std::is_same_v<Density, CentredStorage>) {
        add_column<Value, 1, S>(source, from, "density", std::is_same_v<Density, AbsoluteStorage> ? "kg/m^D" : "1",
                                "as the policy keeps it", true, [](const S& s, std::uint32_t i, int) {
                                    return static_cast<Value>(s.particles.velocity[i].w);
                                });
    }
    if constexpr (Policy::Update::has_residual) {
        add_column<Value, 3, S>(
            source, from, "offset_residual", length, "what rounding has kept out of the offset", true,
            [](const S& s, std::uint32_t i, int c) { return static_cast<Value>(s.particles.offset_residual[i][c]); });
        add_column<Value, 3, S>(source, from, "velocity_residual", "m/s", "what rounding has kept out of the velocity",
                                true, [](const S& s, std::uint32_t i, int c) {
                                    return static_cast<Value>(s.particles.velocity_residual[i][c] * s.to_velocity);
                                });
        add_column<Value, 1, S>(
            source, from, "density_residual", stores_centred ? "1" : "as density",
            "what rounding has kept out of the density", true,
            [](const S& s, std::uint32_t i, int) { return static_cast<Value>(s.particles.velocity_residual[i].w); });
    }
}

}  // namespace detail

template <class Policy, int D>
SnapshotSource snapshot_source(const ParticleView<Policy>& particles, const Frame& frame,
                               std::shared_ptr<const void> keep)
{
    using detail::absorb;
    using Real = typename Policy::Real;
    using Shown = detail::Shown<Policy>;
    const std::size_t count = particles.count;
    std::uint64_t first = 0;
    std::uint64_t second = 0;
#pragma omp parallel for schedule(static) reduction(+ : first, second)
    for (std::size_t i = 0; i < count; ++i) {
        ParticleDigest digest;
        digest.absorb(static_cast<std::uint32_t>(particles.cell[i].w));
        digest.absorb(static_cast<std::uint32_t>(particles.kind[i]));
        const Four<Real> x_residual = particles.offset_residual_of(i);
        const Four<Real> u_residual = particles.velocity_residual_of(i);
        for (int c = 0; c < D; ++c) {
            digest.absorb(static_cast<std::uint32_t>(particles.cell[i][c]) -
                          static_cast<std::uint32_t>(frame.origin[c]));
            if constexpr (Policy::Position::in_double) absorb(digest, particles.coordinate[i][c]);
            else absorb(digest, particles.offset[i][c]);
            absorb(digest, particles.velocity[i][c]);
            if constexpr (Policy::Update::has_residual) {
                absorb(digest, x_residual[c]);
                absorb(digest, u_residual[c]);
            }
        }
        absorb(digest, particles.velocity[i].w);
        if constexpr (Policy::Update::has_residual) absorb(digest, u_residual.w);
        const ParticleDigest::Words words = digest.finish();
        first += words.first;
        second += words.second;
    }

    std::vector<std::uint32_t> place = places_by_id(particles.cell, count);
    const bool dense = count == 0 || static_cast<std::size_t>(particles.cell[place.back()].w) == count - 1;

    SnapshotSource snapshot;
    snapshot.count = count;
    snapshot.hash.words = {first, second};
    const std::shared_ptr<const ShownParticles> from(new ShownParticles{
        std::make_shared<const Shown>(Shown{.particles = particles, .frame = frame, .keep = std::move(keep)}),
        std::move(place)});
    if (!dense) {
        detail::add_column<std::uint32_t, 1, Shown>(
            snapshot, from, id_column, "1", "of the particle", false,
            [](const Shown& s, std::uint32_t i, int) { return static_cast<std::uint32_t>(s.particles.cell[i].w); });
    }
    detail::add_column<double, 3, Shown>(
        snapshot, from, "position", "m", "global position", false,
        [](const Shown& s, std::uint32_t i, int c) { return detail::position_in_all<Policy, D>(s, i, c); });
    detail::add_columns<Policy>(snapshot, from);
    const auto place_in_case = [](const Shown& s, std::uint32_t i, int c) {
        return detail::place_of<Policy, D>(s, i, c);
    };
    snapshot.place = place_source(from, detail::write_row<double, 3, Shown, decltype(place_in_case)>);
    return snapshot;
}

}  // namespace halfulp
