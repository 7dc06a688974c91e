// What there is to say of a policy, from its type.
#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>

#include "core/setup/policy_table.hpp"
#include "kernels/policy.hpp"

namespace halfulp {

// Of snapshot_source, in its order.
template <class Policy>
std::vector<std::string_view> columns_written()
{
    std::vector<std::string_view> names{"position", "velocity", "density_deviation", "pressure", "kind",
                                        "cell",     "offset"};
    if (Policy::Position::in_double) names.emplace_back("coordinate");
    if (!std::is_same_v<typename Policy::Density, CentredStorage>) names.emplace_back("density");
    if (Policy::Update::has_residual)
        names.insert(names.end(), {"offset_residual", "velocity_residual", "density_residual"});
    return names;
}

// Of every column of snapshot_source: what is in double whatever the policy, whole numbers, and the policy's own
// numbers.
template <class Policy>
constexpr std::size_t bytes_written()
{
    using Real = typename Policy::Real;
    const std::size_t doubles = 3 + (Policy::Position::in_double ? 3 : 0);  // position, coordinate
    const std::size_t whole = 3 * sizeof(std::int32_t) + 1;                 // cell, kind
    std::size_t numbers = 8;                                                // velocity, s, pressure, offset
    if (!std::is_same_v<typename Policy::Density, CentredStorage>) ++numbers;
    if (Policy::Update::has_residual) numbers += 7;
    // Files know no type beyond double.
    return doubles * sizeof(double) + whole + numbers * (std::is_same_v<Real, float> ? sizeof(float) : sizeof(double));
}

template <class Policy>
PolicyInfo info_of()
{
    using Real = typename Policy::Real;
    PolicyInfo info;
    info.name = Policy::name;
    info.number = std::is_same_v<Real, float> ? "float" : std::is_same_v<Real, double> ? "double" : "quad";
    info.position = Policy::Position::name;
    info.density = Policy::Density::name;
    info.pressure = Policy::Pressure::name;
    info.kernels = Policy::Kernels::name;
    info.sums = Policy::template Sum<Real>::name;
    info.update = Policy::Update::name;
    info.distance = Policy::Distance::name;
    info.units = Policy::Units::name;
    info.bundle = info.name.find('/') == std::string::npos;
    info.every_physics = Policy::Pairs::every_physics;
    info.relative_to_cell = Policy::Position::relative_to_cell && !Policy::Position::in_double;
    info.cell_is_one = Policy::Units::cell_is_one;
    info.reversible = std::is_base_of_v<ReversiblePolicy, Policy>;
    info.digits = std::numeric_limits<Real>::digits;
    info.columns = columns_written<Policy>();
    info.bytes_written = bytes_written<Policy>();
    return info;
}

}  // namespace halfulp
