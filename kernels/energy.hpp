// A particle's energies a unit mass, and the work of a force over one kick. Always evaluated in double.
#pragma once

#include "kernels/state_equation.hpp"
#include "kernels/vector.hpp"

namespace halfulp {

// u^2 / 2.
template <int D>
HALFULP_INLINE double kinetic_energy(const Vec<D, double>& velocity)
{
    return 0.5 * dot(velocity, velocity);
}

// -g . x, x relative to the point where it is zero.
template <int D>
HALFULP_INLINE double potential_energy(const Vec<D, double>& gravity, const Vec<D, double>& x)
{
    return -dot(gravity, x);
}

// The work of a force over one kick u_after = u_before + a dt is exactly a_force . (u_before + u_after)/2 dt, a unit
// mass.
template <int D>
HALFULP_INLINE double work_of_kick(const Vec<D, double>& force, const Vec<D, double>& before,
                                   const Vec<D, double>& after, double interval)
{
    double power = 0;
    for (int i = 0; i < D; ++i) power = fma(force[i], 0.5 * (before[i] + after[i]), power);
    return power * interval;
}

}  // namespace halfulp
