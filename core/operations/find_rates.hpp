// The operation find_rates: the results of find_forces and find_density_rate for one state, from a single pass over
// pairs. Bodies and sums are those of the two passes, so no bit differs; what both need of a pair (separation, distance
// and kernel) is computed once.
#pragma once

#include "core/operations/find_density_rate.hpp"
#include "core/operations/find_forces.hpp"

namespace halfulp {

struct FindRates {
    static constexpr OperationInfo info{
        "find_rates", TargetOfOperation::pairs, Stage::forces, {Maximum::acceleration_squared, Maximum::signal_speed}};
    // Not for a density diffusion with gradients from the forces: it reads those of neighbours, which their pass for
    // forces must have left before.
    static constexpr bool needed(const Physics& physics)
    {
        return density_gradient_of(physics) != GradientOfDensity::by_forces;
    }
    static constexpr bool in_every_policy = false;
    static constexpr bool finds_balance = false;

    using Reads =
        Parts<Part<field::WallExtrapolation, vector>, Part<field::XsphVelocity>, Part<field::DensityGradient>>;
    using NeighbourReads =
        Parts<Part<field::KindOf>, Part<field::Offset, scalar>, Part<field::Velocity>,
              Part<field::WallExtrapolation, vector>, Part<field::XsphVelocity>, Part<field::DensityGradient>>;
    using Writes =
        Parts<Part<field::Rate>, Part<field::ArtificialRate>, Part<field::LaminarRate>, Part<field::TensileRate>,
              Part<field::InertialRate>, Part<field::DiffusionRate>, Part<field::ContactPressure>>;
    using ReadOfFluidAlone = FindForces::ReadOfFluidAlone;

    template <class Policy, int D, class T, class Use>
    static auto with_pass(const PairConstants<Lane<T>>& constants, Use use);
};

// Both passes over the same pairs. As in the pass for forces, forces on walls are left out unless they are needed.
template <class T, class Forces, class DensityRate>
struct RatesPass {
    using Real = Lane<T>;

    Forces forces;
    DensityRate density_rate;

    HALFULP_INLINE explicit RatesPass(const typename Forces::Data& all) : forces(all), density_rate(all) {}

    struct Target : Forces::Target {  // of the forces
        typename DensityRate::Target density_rate;
        bool has_forces;
    };

    HALFULP_INLINE bool wants(const TargetRange& range) const { return density_rate.wants(range); }
    HALFULP_INLINE Target begin(const TargetRange& range) const
    {
        return {forces.begin(range), density_rate.begin(range), forces.wants(range)};
    }
    template <class Neighbour>
    HALFULP_INLINE void add(Target& a, const Neighbour& b) const
    {
        // First the density rate, which every target has, so that the forces can reuse what it has computed.
        density_rate.add(a.density_rate, b);
        if (a.has_forces) forces.add(a, b);
    }
    HALFULP_INLINE Largest<Real> finish(const Target& a, const TargetRange& range) const
    {
        const Real acceleration_squared = a.has_forces ? forces.finish(a, range) : Real(0);
        return {acceleration_squared, density_rate.finish(a.density_rate, range)};
    }
};

// Compiled for artificial viscosity with Fourtakas's density diffusion or none, and for all of Physics.
template <class Policy, int D, class T, class Use>
auto FindRates::with_pass(const PairConstants<Lane<T>>& constants, Use use)
{
    return with_kernel(constants.kernel, [&](auto kernel) {
        using Kernel = typename Policy::Kernels::template Of<decltype(kernel)>;
        const auto with = [&]<CompiledForces forces, CompiledDensityRate rate>() {
            return use(PassOf<RatesPass<T, ForcesPass<Policy, D, T, Kernel, forces, FindRates>,
                                        DensityRatePass<Policy, D, T, Kernel, rate, FindRates>>>{});
        };
        using enum CompiledDensityRate;
        const CompiledDensityRate rate = compiled_density_rate(constants.physics);
        if (!constants.physics.artificial_viscosity || !covered_by_special_forces(constants.physics) || rate == general)
            return with.template operator()<CompiledForces::general, general>();
        return rate == plain ? with.template operator()<CompiledForces::artificial_viscosity, plain>()
                             : with.template operator()<CompiledForces::artificial_viscosity, fourtakas_diffusion>();
    });
}

}  // namespace halfulp
