// Random pairs of particles within and around the support, in any number type, and run constants whose h is 0.7.
#pragma once

#include <array>

#include "kernels/continuity.hpp"
#include "kernels/momentum.hpp"
#include "tests/precision/reference.hpp"

namespace halfulp::test {

inline constexpr Physics pressure_only{};
inline constexpr Physics with_artificial_viscosity{.artificial_viscosity = true};

// Every pair force on its own and together, in both formulations.
inline constexpr std::array every_physics{
    pressure_only,
    with_artificial_viscosity,
    Physics{.state_equation = StateEquation::linear, .artificial_viscosity = true},
    Physics{.formulation = Formulation::volume_weighted},
    Physics{.laminar_viscosity = LaminarViscosity::morris},
    Physics{.laminar_viscosity = LaminarViscosity::monaghan_gingold},
    Physics{.laminar_viscosity = LaminarViscosity::brookshaw},
    Physics{.tensile_correction = true},
    Physics{.formulation = Formulation::volume_weighted,
            .artificial_viscosity = true,
            .laminar_viscosity = LaminarViscosity::morris,
            .tensile_correction = true},
    Physics{.state_equation = StateEquation::linear,
            .formulation = Formulation::volume_weighted,
            .artificial_viscosity = true,
            .laminar_viscosity = LaminarViscosity::monaghan_gingold,
            .tensile_correction = true}};

template <int D>
Parameters<D, float> test_parameters()
{
    Parameters<D, float> p{};
    p.smoothing_length = 0.7F;
    p.inverse_smoothing_length = 1 / 0.7F;
    p.pair_scale = 0.3F;
    p.sound_speed = 11.0F;
    p.stiffness = 11.0F * 11.0F / 7;
    p.artificial_viscosity = 0.1F;
    p.viscous_softening = 0.01F * 0.49F;
    p.kinematic_viscosity = 0.37F;
    p.inverse_shape_at_spacing = 1.9F;
    p.density_diffusion = 0.6F;
    p.contact_reaches = 1.25F;
    p.xsph_scale = 0.11F;
    p.shifting_scale = 0.9F;
    p.central_stiffness = 0.23F;
    p.gravity[D - 1] = -9.81F;
    return p;
}

template <int D, class T>
struct PairInput {
    Vec<D, T> r;
    MomentumState<D, T> a, b;

    PairInput exchanged() const
    {
        PairInput other{{}, b, a};
        for (int i = 0; i < D; ++i) other.r[i] = -r[i];
        return other;
    }

    template <class U>
    PairInput<D, U> as() const
    {
        PairInput<D, U> other{};
        const auto copy = [](const MomentumState<D, T>& from, MomentumState<D, U>& to) {
            for (int i = 0; i < D; ++i) to.velocity[i] = U(from.velocity[i]);
            to.pressure_term = U(from.pressure_term);
            to.density.s = U(from.density.s);
        };
        copy(a, other.a);
        copy(b, other.b);
        for (int i = 0; i < D; ++i) other.r[i] = U(r[i]);
        return other;
    }
};

template <int D>
MomentumState<D, float> random_state(Random& random, float stiffness)
{
    MomentumState<D, float> state{};
    for (int i = 0; i < D; ++i) state.velocity[i] = static_cast<float>(random.uniform(-3, 3));
    state.density.s = static_cast<float>(random.uniform(-0.02, 0.05));
    state.pressure_term = pressure_term(Physics{}, state.density, stiffness);
    return state;
}

// r inside a box a little larger than the support, which is in smoothing lengths, so that some pairs lie beyond it.
template <int D>
PairInput<D, float> random_pair(Random& random, double support = 2)
{
    const Parameters<D, float> p = test_parameters<D>();
    PairInput<D, float> pair{{}, random_state<D>(random, p.stiffness), random_state<D>(random, p.stiffness)};
    for (int i = 0; i < D; ++i) pair.r[i] = static_cast<float>(random.uniform(-0.65 * support, 0.65 * support));
    return pair;
}

}  // namespace halfulp::test
