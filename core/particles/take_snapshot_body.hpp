// Snapshots with their hashes, for every policy. Included where a policy is instantiated.
#pragma once

#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "core/particles/report.hpp"
#include "core/results/columns.hpp"
#include "core/results/state_hash.hpp"
#include "kernels/state_equation.hpp"

namespace halfulp {

static_assert(are_on_request<Analyses>(ColumnsOnRequest{}) && are_on_request<Analyses>(ColumnsOfOperators{}),
              "a column that every output has goes into AllColumns; one on request says which analysis asks for it "
              "(HALFULP_COLUMN_WHERE)");

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

// Writes the row of the particle at index i; Get{}(shown, i, c), which has no state, is its component c.
template <class Value, int components, class Shown, class Get>
void write_row(const void* shown, std::uint32_t i, std::byte* to)
{
    for (int c = 0; c < components; ++c) {
        const Value value = Get{}(*static_cast<const Shown*>(shown), i, c);
        std::memcpy(to + static_cast<std::size_t>(c) * sizeof(Value), &value, sizeof(Value));
    }
}

// Adds a column to a source.
template <class Column, class Policy, class Shown>
void add_column(SnapshotSource& source, const std::shared_ptr<const ShownParticles>& from)
{
    using Value = typename Column::template Value<Policy>;
    const ColumnInfo info = Column::template info<Policy>();
    const auto get = [](const Shown& shown, std::uint32_t i, int c) {
        return Column::template value<Policy>(shown, i, c);
    };
    source.columns.push_back(
        column_source({Column::name, info.unit, info.description, type_of<Value>(), Column::components, info.state, {}},
                      from, write_row<Value, Column::components, Shown, decltype(get)>));
}

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

// The inputs from which the values of columns are computed.
template <class Policy, int D>
struct Shown {
    using Real = typename Policy::Real;
    using Density = typename Policy::Density;
    ParticleView<Policy> particles;
    Domain domain;
    Real stiffness = static_cast<Real>(domain.parameters.stiffness);
    Real reference = static_cast<Real>(domain.parameters.reference_density);
    Real to_velocity = static_cast<Real>(domain.units.velocity);
    Real to_rate = static_cast<Real>(1 / domain.units.time());
    Real per_length = static_cast<Real>(1 / domain.units.state);
    Real to_pressure = static_cast<Real>(domain.units.density * domain.units.velocity * domain.units.velocity);
    std::shared_ptr<const void> keep;

    // m, relative to the case's origin
    [[nodiscard]] double place(std::uint32_t i, int c) const
    {
        if (c >= D) return static_cast<double>(particles.cell[i][c]) * domain.units.length;
        return position_of<Policy, D>(particles, domain, i)[c] * domain.units.length;
    }
    [[nodiscard]] double position_in_all(std::uint32_t i, int c) const
    {
        if (c >= D) return static_cast<double>(particles.cell[i][c]) * domain.units.length;
        const double origin = domain.origin[static_cast<std::size_t>(c)];
        return (origin + position_of<Policy, D>(particles, domain, i)[c]) * domain.units.length;
    }
    [[nodiscard]] bool is_fluid(std::uint32_t i) const { return particles.kind[i] == Kind::fluid; }
    [[nodiscard]] Real pressure(std::uint32_t i) const
    {
        const auto density = Policy::Pressure::template density<Density>(particles.velocity[i].w, reference);
        return to_pressure * pressure_over_reference_density(domain.physics.state_equation, density, stiffness);
    }
};

}  // namespace detail

template <class Policy, int D>
SnapshotSource snapshot_source(const ParticleView<Policy>& particles, const Domain& domain,
                               std::shared_ptr<const void> keep)
{
    using detail::absorb;
    using Real = typename Policy::Real;
    using Shown = detail::Shown<Policy, D>;
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
                          static_cast<std::uint32_t>(domain.origin[c]));
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
        std::make_shared<const Shown>(Shown{.particles = particles, .domain = domain, .keep = std::move(keep)}),
        std::move(place)});
    if (!dense) detail::add_column<column::Id, Policy, Shown>(snapshot, from);
    const auto add = [&]<class Column>() {
        if (Column::wanted(domain.physics.analyses)) detail::add_column<Column, Policy, Shown>(snapshot, from);
    };
    for_each_column<Policy>(AllColumns{}, add);
    for_each_column<Policy>(ColumnsOnRequest{}, add);
    for_each_column<Policy>(ColumnsOfOperators{}, add);
    const auto place_in_case = [](const Shown& shown, std::uint32_t i, int c) { return shown.place(i, c); };
    snapshot.place = place_source(from, detail::write_row<double, 3, Shown, decltype(place_in_case)>);
    return snapshot;
}

}  // namespace halfulp
