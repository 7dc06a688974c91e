// The description of a policy, derived from its type.
#pragma once

#include <limits>
#include <type_traits>

#include "core/results/columns.hpp"
#include "core/setup/policy_table.hpp"
#include "kernels/policy.hpp"

namespace halfulp {

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
    const auto add = [&]<class Column>() {
        info.columns.emplace_back(Column::name);
        info.sizes.push_back({Column::components, sizeof(typename Column::template Value<Policy>)});
    };
    for_each_column<Policy>(AllColumns{}, add);
    info.always = info.columns.size();
    for_each_column<Policy>(ColumnsOnRequest{}, add);
    return info;
}

}  // namespace halfulp
