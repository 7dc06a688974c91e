// The quad type as a scalar of Eigen, for reference solves and condition numbers.
#pragma once

#include <limits>

#include <Eigen/Core>

#include "precision/multiprecision.hpp"

namespace Eigen {

template <>
struct NumTraits<halfulp::Quad> : GenericNumTraits<halfulp::Quad> {
    enum {
        IsComplex = 0,
        IsInteger = 0,
        IsSigned = 1,
        RequireInitialization = 1,
        ReadCost = 8,
        AddCost = 80,
        MulCost = 120
    };

    static int digits10() { return std::numeric_limits<halfulp::Quad>::digits10; }
};

}  // namespace Eigen
