// An axis-aligned box.
#pragma once

#include <array>

#include "core/setup/key.hpp"

namespace halfulp {

struct Box {
    std::array<double, 3> from{};  // lower corner, m
    std::array<double, 3> to{};    // upper corner
};

template <class Archive>
void box_fields(Archive& a, Box& box, int dimensions)
{
    a.vector({.name = "from", .meaning = "lower corner, m", .required = true}, box.from, dimensions, any_number);
    a.vector({.name = "to", .meaning = "upper corner, m", .required = true}, box.to, dimensions, any_number);
}

}  // namespace halfulp
