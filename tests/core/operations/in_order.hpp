// The operations that several together consist of.
#pragma once

#include <type_traits>
#include <vector>

#include "core/operations/operations.hpp"
#include "core/operations/perform.hpp"

namespace halfulp::test {

// In their order; an operation itself if it is none of several together.
inline std::vector<Operation> in_order(const Operation& operation)
{
    std::vector<Operation> all;
    const auto add = [&]<class One>(std::type_identity<One>) {
        if constexpr (requires { typename One::Whole; })
            all.push_back({kind_of<typename One::Whole>, 0.5 * operation.fraction, operation.booking});
        else all.push_back({kind_of<One>, operation.fraction, operation.booking});
    };
    with_operation(operation.kind, [&]<class Op>() {
        [&]<class... One>(OperationList<One...>) {
            (add(std::type_identity<One>{}), ...);
        }(typename detail::InOrder<Op>::type{});
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

}  // namespace halfulp::test
