// The constants of a run in the units of the state. Computed once in double and rounded once to single precision, for
// every policy alike: all policies solve the same discrete problem, and their energies are those of that problem.
#pragma once

#include "precision/real.hpp"

namespace halfulp {

template <int D, class T>
struct Parameters {
    T smoothing_length;          // h
    T inverse_smoothing_length;  // 1/h, rounded on its own
    T pair_scale;                // V alpha/h^2: particle volume times the constant of F (kernels/smoothing.hpp)
    T stiffness;                 // B/rho0 = c0^2/7
    T sound_speed;               // c0
    T artificial_viscosity;      // Monaghan's alpha
    T viscous_softening;         // eta^2 = 0.01 h^2
    T gravity[D];

    // The same constants for another number type and dimension; exact when this one is float.
    template <int E, class U>
    HALFULP_HOST_DEVICE Parameters<E, U> as() const
    {
        static_assert(E <= D);
        Parameters<E, U> p{};
        p.smoothing_length = constant<U>(smoothing_length);
        p.inverse_smoothing_length = constant<U>(inverse_smoothing_length);
        p.pair_scale = constant<U>(pair_scale);
        p.stiffness = constant<U>(stiffness);
        p.sound_speed = constant<U>(sound_speed);
        p.artificial_viscosity = constant<U>(artificial_viscosity);
        p.viscous_softening = constant<U>(viscous_softening);
        for (int i = 0; i < E; ++i) p.gravity[i] = constant<U>(gravity[i]);
        return p;
    }
};

}  // namespace halfulp
