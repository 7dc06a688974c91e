// All operations with descriptor and body, and queries over all of them by schemes and back ends.
#pragma once

#include <type_traits>
#include <vector>

#include "core/operations/accelerate.hpp"
#include "core/operations/add_contact_pressure.hpp"
#include "core/operations/book_transport.hpp"
#include "core/operations/book_wall_pressure.hpp"
#include "core/operations/drift.hpp"
#include "core/operations/extrapolate_walls.hpp"
#include "core/operations/filter_density.hpp"
#include "core/operations/find_condition.hpp"
#include "core/operations/find_density_gradient.hpp"
#include "core/operations/find_density_rate.hpp"
#include "core/operations/find_divergence.hpp"
#include "core/operations/find_forces.hpp"
#include "core/operations/find_gradient.hpp"
#include "core/operations/find_laplacian.hpp"
#include "core/operations/find_rates.hpp"
#include "core/operations/find_vorticity.hpp"
#include "core/operations/find_xsph_velocity.hpp"
#include "core/operations/kick.hpp"
#include "core/operations/mirror_walls.hpp"
#include "core/operations/move_walls.hpp"
#include "core/operations/neighbour_lists.hpp"
#include "core/operations/pressure_quotient.hpp"
#include "core/operations/previous_state.hpp"
#include "core/operations/residual.hpp"
#include "core/operations/scale_density_rate.hpp"
#include "core/operations/set_filtered_density.hpp"
#include "core/operations/set_walls.hpp"
#include "core/operations/shift_particles.hpp"
#include "core/operations/together.hpp"
#include "core/operations/update_density.hpp"
#include "core/schemes/operation_list.hpp"

namespace halfulp {

namespace detail {

template <class... Listed, class Use>
constexpr void with_one_of(OperationList<Listed...> /*list*/, OperationKind kind, Use& use)
{
    ((kind == kind_of<Listed> ? static_cast<void>(use.template operator()<Listed>()) : static_cast<void>(0)), ...);
}

template <class... Listed>
constexpr auto descriptors(OperationList<Listed...> /*list*/)
{
    return std::array{Listed::info...};
}

}  // namespace detail

// Calls use.template operator()<Operation>() for the operation of a kind.
template <class Use>
constexpr void with_operation(OperationKind kind, Use use)
{
    detail::with_one_of(Operations{}, kind, use);
}

inline constexpr auto operation_infos = detail::descriptors(Operations{});

constexpr const OperationInfo& info_of(OperationKind kind) { return operation_infos[static_cast<std::size_t>(kind)]; }

// The operations that a fused operation consists of, in order; otherwise the operation itself.
inline std::vector<Operation> in_order(const Operation& operation)
{
    std::vector<Operation> all;
    const auto add = [&]<class One>(std::type_identity<One>) {
        if constexpr (requires { typename One::Whole; })
            all.push_back({kind_of<typename One::Whole>, 0.5 * operation.fraction, operation.booking});
        else all.push_back({kind_of<One>, operation.fraction, operation.booking});
    };
    with_operation(operation.kind, [&]<class Op>() {
        [&]<class... One>(OperationList<One...>) { (add(std::type_identity<One>{}), ...); }(InOrderOf<Op>{});
    });
    return all;
}
inline std::vector<Operation> in_order(const std::vector<Operation>& operations)
{
    std::vector<Operation> all;
    for (const Operation& operation : operations) {
        for (const Operation& one : in_order(operation)) all.push_back(one);
    }
    return all;
}

}  // namespace halfulp
