// The policy in quadruple precision. Included before any formula, so that name lookup finds Quad's operations.
#pragma once

#include "precision/multiprecision.hpp"

#include "kernels/policy.hpp"

namespace halfulp {

struct QuadPolicy : DoublePolicy {
    static constexpr const char* name = "quad";
    static constexpr bool every_physics = false;
    using Real = Quad;
    using Pairs = QuadPolicy;
};

}  // namespace halfulp
