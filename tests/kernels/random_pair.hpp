// Random pairs of particles within and around the support, in any number type, and run constants whose h is 0.7.
#pragma once

#include "kernels/continuity.hpp"
#include "kernels/momentum.hpp"
#include "tests/precision/reference.hpp"

namespace halfulp::test {

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
    state.pressure_term = pressure_term(state.density, stiffness);
    return state;
}

// r inside a box a little larger than the support, so that some pairs lie beyond it.
template <int D>
PairInput<D, float> random_pair(Random& random)
{
    const Parameters<D, float> p = test_parameters<D>();
    PairInput<D, float> pair{{}, random_state<D>(random, p.stiffness), random_state<D>(random, p.stiffness)};
    for (int i = 0; i < D; ++i) pair.r[i] = static_cast<float>(random.uniform(-1.3, 1.3));
    return pair;
}

}  // namespace halfulp::test
