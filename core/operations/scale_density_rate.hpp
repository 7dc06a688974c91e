// The operation scale_density_rate: ds/dt of the predicted state becomes the mean rate over a step in which the density
// changes by the factor (2 - e)/(2 + e) (kernels/continuity.hpp), and with it the share of density diffusion.
#pragma once

#include "core/operations/operation.hpp"
#include "core/particles/particle_basis.hpp"
#include "kernels/continuity.hpp"

namespace halfulp {

struct ScaleDensityRate {
    static constexpr OperationInfo info{"scale_density_rate", TargetOfOperation::particles, Stage::update};
    static constexpr bool needed(const Physics& physics)
    {
        return physics.previous_state == PreviousState::start_of_step;
    }

    using Reads = Parts<Part<field::KindOf>, Part<field::Velocity, scalar>, Part<field::PreviousVelocity, scalar>>;
    using Writes = Parts<Part<field::Rate, scalar>, Part<field::DiffusionRate>>;
    template <class Policy, int D>
    struct Update : ParticleBasis<Policy, D, FieldsOf<Reads>, FieldsOf<Writes>> {
        using Basis = ParticleBasis<Policy, D, FieldsOf<Reads>, FieldsOf<Writes>>;
        using Basis::Basis, Basis::particles, Basis::domain, Basis::parameters;
        using typename Basis::Density, typename Basis::Real;

        HALFULP_INLINE bool concerns(std::size_t i) const { return this->integrates_density(i); }
        HALFULP_INLINE void operator()(std::size_t i, const Interval<Real>& interval) const
        {
            const Real reference = parameters.reference_density;
            Real& rate = particles.rate[i].w;
            const Real factor = factor_of_mean_rate(Density::centred(particles.previous_velocity[i].w, reference),
                                                    Density::centred(particles.velocity[i].w, reference),
                                                    Real(rate / Density::rate(Real(1), reference)), interval.length);
            rate = rate * factor;
            if (domain.physics.density_diffusion != DensityDiffusion::none)
                particles.diffusion_rate[i] = particles.diffusion_rate[i] * static_cast<double>(factor);
        }
    };
};

}  // namespace halfulp
