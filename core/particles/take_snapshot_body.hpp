// Snapshots with their hashes, for every policy. Included where a policy is instantiated.
#pragma once

#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "core/output/state_hash.hpp"
#include "core/particles/report.hpp"
#include "kernels/state_equation.hpp"

namespace halfulp {

namespace detail {

template <class Value>
constexpr ColumnType type_of()
{
    if constexpr (std::is_same_v<Value, float>) return ColumnType::float32;
    else if constexpr (std::is_same_v<Value, double>) return ColumnType::float64;
    else if constexpr (std::is_same_v<Value, std::int32_t>) return ColumnType::int32;
    else return ColumnType::uint8;
}

// A column in the order of ids; value(i, c) is component c of the particle at place i.
template <class Value, class Get>
ColumnSource make_column(const char* name, const char* unit, const char* description, bool state, int components,
                         const std::shared_ptr<const std::vector<std::uint32_t>>& place_of_id, Get value)
{
    return {{name, unit, description, type_of<Value>(), components, state, {}},
            [components, place_of_id, value](std::uint64_t first, std::uint64_t count, std::byte* to) {
                const std::size_t width = static_cast<std::size_t>(components);
#pragma omp parallel for schedule(static)
                for (std::uint64_t k = 0; k < count; ++k) {
                    const std::uint32_t i = (*place_of_id)[first + k];
                    for (std::size_t c = 0; c < width; ++c) {
                        const Value v = value(i, static_cast<int>(c));
                        std::memcpy(to + (k * width + c) * sizeof(Value), &v, sizeof(Value));
                    }
                }
            }};
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

}  // namespace detail

template <class Policy, int D>
SnapshotSource snapshot_source(const ParticleView<Policy>& view, const Frame& given, std::shared_ptr<const void> keep)
{
    using detail::absorb;
    using detail::make_column;
    using Real = typename Policy::Real;
    using Written = detail::Written<Real>;
    using Density = typename Policy::Density;
    const std::size_t count = view.count;
    // What every column refers to, alive as long as one of them is.
    struct Shared {
        ParticleView<Policy> particles;
        Frame frame;
        std::vector<std::uint32_t> place;  // of each id
        std::shared_ptr<const void> keep;
    };
    const auto shared =
        std::make_shared<Shared>(Shared{view, given, std::vector<std::uint32_t>(count), std::move(keep)});
    const ParticleView<Policy>& particles = shared->particles;
    const Frame& frame = shared->frame;
    std::uint64_t first = 0;
    std::uint64_t second = 0;
#pragma omp parallel for schedule(static) reduction(+ : first, second)
    for (std::size_t i = 0; i < count; ++i) {
        shared->place[static_cast<std::uint32_t>(particles.cell[i].w)] = static_cast<std::uint32_t>(i);
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

    SnapshotSource snapshot;
    snapshot.count = count;
    snapshot.hash.words = {first, second};
    auto& columns = snapshot.columns;
    const Real stiffness = static_cast<Real>(frame.parameters.stiffness);
    const Real reference = static_cast<Real>(frame.parameters.reference_density);
    const Real to_velocity = static_cast<Real>(frame.units.velocity);
    const Real to_pressure = static_cast<Real>(frame.units.density * frame.units.velocity * frame.units.velocity);
    const bool stores_centred = std::is_same_v<Density, CentredStorage>;
    const char* const length = Policy::Units::cell_is_one ? "cell side" : "m";
    const auto written = [](const Real& value) { return static_cast<Written>(value); };
    const std::shared_ptr<const std::vector<std::uint32_t>> place(shared, &shared->place);
    // Relative to the case's origin, in m.
    const auto place_of = [&frame, &particles](std::uint32_t i, int c) {
        if (c >= D) return static_cast<double>(particles.cell[i][c]) * frame.units.length;
        return position_of<Policy, D>(particles, frame, i)[c] * frame.units.length;
    };
    columns.push_back(make_column<double>(
        "position", "m", "global position", false, 3, place, [&frame, &particles](std::uint32_t i, int c) {
            if (c >= D) return static_cast<double>(particles.cell[i][c]) * frame.units.length;
            const double origin = frame.origin[static_cast<std::size_t>(c)];
            return (origin + position_of<Policy, D>(particles, frame, i)[c]) * frame.units.length;
        }));
    columns.push_back(make_column<Written>("velocity", "m/s", "velocity, without rounding from the state", true, 3,
                                           place, [&particles, written, to_velocity](std::uint32_t i, int c) {
                                               return written(particles.velocity[i][c] * to_velocity);
                                           }));
    columns.push_back(make_column<Written>("density_deviation", "1", "rho/rho0 - 1", stores_centred, 1, place,
                                           [&particles, written, reference](std::uint32_t i, int) {
                                               return written(Density::centred(particles.velocity[i].w, reference).s);
                                           }));
    columns.push_back(make_column<Written>(
        "pressure", "Pa", "from the equation of state", false, 1, place,
        [&frame, &particles, written, reference, to_pressure, stiffness](std::uint32_t i, int) {
            const auto density = Policy::Pressure::template density<Density>(particles.velocity[i].w, reference);
            return written(to_pressure *
                           pressure_over_reference_density(frame.physics.state_equation, density, stiffness));
        }));
    columns.push_back(make_column<std::uint8_t>(
        "kind", "1", "0 fluid, 1 wall", true, 1, place,
        [&particles](std::uint32_t i, int) { return static_cast<std::uint8_t>(particles.kind[i]); }));
    columns.push_back(make_column<std::int32_t>("cell", "1", "cell index, the case's origin included", true, 3, place,
                                                [&particles](std::uint32_t i, int c) { return particles.cell[i][c]; }));
    columns.push_back(make_column<Written>(
        "offset", length, Policy::Position::relative_to_cell ? "from the centre of the cell" : "coordinate",
        !Policy::Position::in_double, 3, place,
        [&particles, written](std::uint32_t i, int c) { return written(particles.offset[i][c]); }));
    if constexpr (Policy::Position::in_double) {
        columns.push_back(
            make_column<double>("coordinate", length, "as the policy keeps it", true, 3, place,
                                [&particles](std::uint32_t i, int c) { return particles.coordinate[i][c]; }));
    }
    if (!stores_centred) {
        columns.push_back(make_column<Written>(
            "density", std::is_same_v<Density, AbsoluteStorage> ? "kg/m^D" : "1", "as the policy keeps it", true, 1,
            place, [&particles, written](std::uint32_t i, int) { return written(particles.velocity[i].w); }));
    }
    if constexpr (Policy::Update::has_residual) {
        columns.push_back(make_column<Written>(
            "offset_residual", length, "what rounding has kept out of the offset", true, 3, place,
            [&particles, written](std::uint32_t i, int c) { return written(particles.offset_residual[i][c]); }));
        columns.push_back(make_column<Written>("velocity_residual", "m/s", "what rounding has kept out of the velocity",
                                               true, 3, place,
                                               [&particles, written, to_velocity](std::uint32_t i, int c) {
                                                   return written(particles.velocity_residual[i][c] * to_velocity);
                                               }));
        columns.push_back(make_column<Written>(
            "density_residual", stores_centred ? "1" : "as density", "what rounding has kept out of the density", true,
            1, place,
            [&particles, written](std::uint32_t i, int) { return written(particles.velocity_residual[i].w); }));
    }
    snapshot.place = [place, place_of](std::uint64_t first, std::uint64_t count, double* to) {
        for (std::uint64_t k = 0; k < count; ++k) {
            for (int c = 0; c < 3; ++c) to[3 * k + static_cast<std::uint64_t>(c)] = place_of((*place)[first + k], c);
        }
    };
    return snapshot;
}

}  // namespace halfulp
