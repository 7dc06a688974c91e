// The operations on the residual of an implicit step, u - (u at the start of the step + fraction dt du/dt): its
// computation, after the forces, and the end of a run whose iterations do not converge.
#pragma once

#include "core/operations/operation.hpp"
#include "core/particles/breakdown.hpp"
#include "core/particles/particle_basis.hpp"

namespace halfulp {

struct FindResidual {
    static constexpr OperationInfo info{
        "find_residual", TargetOfOperation::particles, Stage::update, {Maximum::residual}};
    static constexpr bool needed(const Physics& physics)
    {
        return physics.previous_state == PreviousState::start_of_step;
    }

    using Reads = Parts<Part<field::KindOf>, Part<field::Velocity, vector>, Part<field::VelocityResidual, vector>,
                        Part<field::PreviousVelocity, vector>, Part<field::PreviousVelocityResidual, vector>,
                        Part<field::Rate, vector>>;
    template <class Policy, int D>
    struct Measure : ParticleBasis<Policy, D, FieldsOf<Reads>, FieldList<>> {
        using Basis = ParticleBasis<Policy, D, FieldsOf<Reads>, FieldList<>>;
        using Basis::Basis;
        using typename Basis::Real;

        HALFULP_INLINE bool concerns(std::size_t i) const { return this->is_fluid(i); }
        HALFULP_INLINE double operator()(std::size_t i, const Interval<Real>& interval) const
        {
            return this->midpoint_residual(i, interval.length);
        }
    };
};

struct RequireConvergence {
    static constexpr OperationInfo info{"require_convergence", TargetOfOperation::particles, Stage::update};
    static constexpr Rule rule = Rule::converged;
    static constexpr bool needed(const Physics& physics) { return FindResidual::needed(physics); }
};

}  // namespace halfulp
