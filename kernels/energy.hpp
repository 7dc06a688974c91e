// A particle's energies per unit mass, and the work of a force in one kick. Always evaluated in double.
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

// Omega^2 |x|^2 / 2 in the central force -Omega^2 x, x relative to its centre.
template <int D>
HALFULP_INLINE double central_energy(double stiffness, const Vec<D, double>& x)
{
    return 0.5 * stiffness * dot(x, x);
}

// The contribution of the part D of ds/dt = C + D to the compressive energy in a step from s0 to s2 = s0 + dt (C + D),
// averaged over both orders of adding them: [e(s0 + dt D) - e(s0) + e(s2) - e(s0 + dt C)] / 2. Where the tension that
// the step ends with is cut off, s stays at zero once it is there, and D has no work after that.
HALFULP_INLINE double work_of_density_share(StateEquation equation, double stiffness, double s0, double s2, double rate,
                                            double share, double interval, bool tension_cut = false)
{
    if (tension_cut) {
        if (!(s0 > 0)) return 0;
        interval *= s0 / (s0 - s2);
        s2 = 0;
    }
    const auto energy = [&](double s) { return compressive_energy(equation, CentredDensity<double>{s}, stiffness); };
    return 0.5 *
           ((energy(fma(share, interval, s0)) - energy(s0)) + (energy(s2) - energy(fma(rate - share, interval, s0))));
}

// The work of a force in one kick u_after = u_before + a dt is exactly a_force . (u_before + u_after)/2 dt, per unit
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
