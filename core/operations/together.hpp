// Fused operations: several operations on particles, carried out one after another for each particle in a single loop,
// so that memory is read and written once. They read nothing of other particles, so the results are those of separate
// loops. If a particle breaks a rule, all of them have been carried out.
#pragma once

#include "core/operations/accelerate.hpp"
#include "core/operations/drift.hpp"
#include "core/operations/kick.hpp"
#include "core/operations/operation.hpp"
#include "core/operations/update_density.hpp"

namespace halfulp {

template <class... Operation>
struct Together {
    using InOrder = OperationList<Operation...>;
    static constexpr bool needed(const Physics& /*physics*/)
    {
        static_assert((Operation::needed(Physics{}) && ...), "an operation that only some physics needs stands alone");
        return true;
    }
    // The fields that any of them reads, for the halo exchange between ranks.
    using Reads = typename detail::JoinedParts<typename Operation::Reads...>::type;
};

// An operation over half of the fraction.
template <class Operation>
struct Halved : Operation {
    using Whole = Operation;
};

// s += fraction dt ds/dt; x += fraction/2 dt u of the fluid.
struct UpdateDensityAndDrift : Together<UpdateDensity, Halved<Drift>> {
    static constexpr OperationInfo info{"update_density_and_drift", TargetOfOperation::particles, Stage::update};
};

// x += fraction dt u + (fraction dt)^2/2 du/dt of the fluid.
struct AcceleratedDrift : Together<Drift, Accelerate> {
    static constexpr OperationInfo info{"accelerated_drift", TargetOfOperation::particles, Stage::update};
};

// u += fraction dt du/dt; s += fraction dt ds/dt.
struct Advance : Together<Kick, UpdateDensity> {
    static constexpr OperationInfo info{"advance", TargetOfOperation::particles, Stage::update};
};

}  // namespace halfulp
