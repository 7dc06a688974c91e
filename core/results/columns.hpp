// The columns of outputs, each defined once: content, policies that have it, and value for a particle. Snapshots, files
// and the choices of `output.columns` derive from the list; a new column is an entry and its name in the list.
//
// Values are read from an s with the particles, the domain and the factors to SI units
// (core/particles/take_snapshot_body.hpp); i is the particle, c the component.
#pragma once

#include <cstdint>
#include <type_traits>

#include "core/results/snapshot.hpp"

namespace halfulp {

struct ColumnInfo {
    const char* unit;
    const char* description;
    bool state;  // covered by the state hash
};

// The stored form of a number: itself, or its rounding to double where files have no such type.
template <class Real>
using Written = std::conditional_t<std::is_arithmetic_v<Real>, Real, double>;

// `Number` and the unit may use Policy and Real, the condition and the value Policy and Density. Which list it goes
// into, below, decides where it is: AllColumns, in every output; ColumnsOnRequest, where output.columns names it and
// neighbours serve to compute it.
#define HALFULP_COLUMN(Type, name_, components_, Number, unit, description, state, condition, ...) \
    HALFULP_COLUMN_WHERE(Type, name_, components_, Number, unit, description, state, condition, true, __VA_ARGS__)

// `asked` may use the analyses of the physics: whether outputs of a run have the column.
#define HALFULP_COLUMN_WHERE(Type, name_, components_, Number, unit, description, state, condition, asked, ...) \
    struct Type {                                                                                               \
        static constexpr const char* name = name_;                                                              \
        static constexpr int components = components_;                                                          \
        template <class Policy, class Real = typename Policy::Real>                                             \
        using Value = Number;                                                                                   \
        template <class Policy, class Density = typename Policy::Density>                                       \
        static constexpr bool present = condition;                                                              \
        template <class Analyses>                                                                               \
        static constexpr bool wanted([[maybe_unused]] const Analyses& analyses)                                 \
        {                                                                                                       \
            return asked;                                                                                       \
        }                                                                                                       \
        template <class Policy>                                                                                 \
        static constexpr ColumnInfo info()                                                                      \
        {                                                                                                       \
            using Density [[maybe_unused]] = typename Policy::Density;                                          \
            return {unit, description, state};                                                                  \
        }                                                                                                       \
        template <class Policy, class Shown>                                                                    \
        static Value<Policy> value(const Shown& s, std::uint32_t i, [[maybe_unused]] int c)                     \
        {                                                                                                       \
            using Density [[maybe_unused]] = typename Policy::Density;                                          \
            return static_cast<Value<Policy>>(__VA_ARGS__);                                                     \
        }                                                                                                       \
    };

template <class Policy>
inline constexpr const char* length_unit = Policy::Units::cell_is_one ? "cell side" : "m";

namespace column {

// Only where the row of a particle differs from its id.
HALFULP_COLUMN(Id, id_column, 1, std::uint32_t, "1", "of the particle", false, true, s.particles.cell[i].w)
HALFULP_COLUMN(Position, "position", 3, double, "m", "global position", false, true, s.position_in_all(i, c))
HALFULP_COLUMN(Velocity, "velocity", 3, Written<Real>, "m/s", "velocity, without rounding from the state", true, true,
               s.particles.velocity[i][c] * s.to_velocity)
HALFULP_COLUMN(DensityDeviation, "density_deviation", 1, Written<Real>, "1", "rho/rho0 - 1", Density::is_centred, true,
               Density::centred(s.particles.velocity[i].w, s.reference).s)
HALFULP_COLUMN(Pressure, "pressure", 1, Written<Real>, "Pa", "from the equation of state", false, true, s.pressure(i))
HALFULP_COLUMN(KindOf, "kind", 1, std::uint8_t, "1", "0 fluid, 1 wall", true, true, s.particles.kind[i])
HALFULP_COLUMN(Cell, "cell", 3, std::int32_t, "1", "cell index, the case's origin included", true, true,
               s.particles.cell[i][c])
HALFULP_COLUMN(Offset, "offset", 3, Written<Real>, length_unit<Policy>,
               Policy::Position::relative_to_cell ? "from the centre of the cell" : "coordinate",
               !Policy::Position::in_double, true, s.particles.offset[i][c])
HALFULP_COLUMN(Coordinate, "coordinate", 3, double, length_unit<Policy>, "as the policy keeps it", true,
               Policy::Position::in_double, s.particles.coordinate[i][c])
HALFULP_COLUMN(StoredDensity, "density", 1, Written<Real>, Density::unit, "as the policy keeps it", true,
               !Density::is_centred, s.particles.velocity[i].w)
HALFULP_COLUMN(OffsetResidual, "offset_residual", 3, Written<Real>, length_unit<Policy>,
               "what rounding has kept out of the offset", true, Policy::Update::has_residual,
               s.particles.offset_residual[i][c])
HALFULP_COLUMN(VelocityResidual, "velocity_residual", 3, Written<Real>, "m/s",
               "what rounding has kept out of the velocity", true, Policy::Update::has_residual,
               s.particles.velocity_residual[i][c] * s.to_velocity)
HALFULP_COLUMN(DensityResidual, "density_residual", 1, Written<Real>, Density::is_centred ? "1" : "as density",
               "what rounding has kept out of the density", true, Policy::Update::has_residual,
               s.particles.velocity_residual[i].w)

// Fits to the fluid (core/operations/fluid_fit.hpp), where the case asks for them; walls have zeros.
#define HALFULP_ANALYSIS_COLUMN(Type, name, components, unit, description, analysis, ...) \
    HALFULP_COLUMN_WHERE(Type, name, components, Written<Real>, unit, description, false, \
                         Policy::Pairs::every_physics, analyses.analysis, s.is_fluid(i) ? (__VA_ARGS__) : 0)
HALFULP_ANALYSIS_COLUMN(Vorticity, "vorticity", 3, "1/s", "curl of the velocity of the fluid", vorticity,
                        s.particles.vorticity[i][c] * s.to_rate)
HALFULP_ANALYSIS_COLUMN(Divergence, "divergence", 1, "1/s", "of the velocity of the fluid", divergence,
                        s.particles.divergence[i] * s.to_rate)
HALFULP_ANALYSIS_COLUMN(Condition, "condition", 1, "1",
                        "of the matrix that renormalises gradients in the fluid; 0 where it is singular", condition,
                        s.particles.condition[i])
HALFULP_ANALYSIS_COLUMN(Gradient, "gradient", 3, "1/m", "of the field that was given", derivatives,
                        s.particles.gradient[i][c] * s.per_length)
HALFULP_ANALYSIS_COLUMN(Laplacian, "laplacian", 1, "1/m^2", "of the field that was given", derivatives,
                        s.particles.laplacian[i] * s.per_length * s.per_length)
#undef HALFULP_ANALYSIS_COLUMN

}  // namespace column

template <class... C>
struct ColumnList {
};

// In the order of files; then those that output.columns can ask for, and those of `halfulp operators`.
using AllColumns = ColumnList<column::Position, column::Velocity, column::DensityDeviation, column::Pressure,
                              column::KindOf, column::Cell, column::Offset, column::Coordinate, column::StoredDensity,
                              column::OffsetResidual, column::VelocityResidual, column::DensityResidual>;

using ColumnsOnRequest = ColumnList<column::Vorticity, column::Divergence, column::Condition>;
using ColumnsOfOperators = ColumnList<column::Gradient, column::Laplacian>;

template <class Analyses, class... C>
constexpr bool are_on_request(ColumnList<C...> /*list*/)
{
    return (!C::wanted(Analyses{}) && ...);
}

// Calls use.template operator()<C>() for each column that outputs of a policy have.
template <class Policy, class... C, class Use>
constexpr void for_each_column(ColumnList<C...> /*list*/, Use use)
{
    const auto one = [&]<class Column>() {
        if constexpr (Column::template present<Policy>) use.template operator()<Column>();
    };
    (one.template operator()<C>(), ...);
}

}  // namespace halfulp
