// Viscous forces of one pair. Everything is divided by rho0 and m_b = rho0 V, as in momentum.hpp.
#pragma once

#include "kernels/parameters.hpp"
#include "kernels/state_equation.hpp"

namespace halfulp {

// The mean of rho_a and rho_b over rho0.
template <class T>
HALFULP_INLINE T mean_density_ratio(CentredDensity<T> a, CentredDensity<T> b)
{
    return fma(constant<T>(0.5), a.s + b.s, constant<T>(1));
}

// Monaghan's artificial viscosity as rho0 Pi (Monaghan 1992): Pi = -alpha c mu/rho for u.r < 0, mu = h u.r/(r^2 +
// eta^2), with c and rho the means of the pair.
template <class T>
HALFULP_INLINE T artificial_viscosity(StateEquation equation, T approach, T distance_squared, CentredDensity<T> a,
                                      CentredDensity<T> b, T alpha, T smoothing_length, T softening,
                                      T reference_sound_speed)
{
    const T half = constant<T>(0.5);
    const T mean_sound_speed =
        half * (sound_speed(equation, a, reference_sound_speed) + sound_speed(equation, b, reference_sound_speed));
    const T strength = (alpha * smoothing_length) * mean_sound_speed;
    const T closing = smaller(approach, constant<T>(0));
    return -(strength * closing) / ((distance_squared + softening) * mean_density_ratio(a, b));
}

// Laminar viscosity along r_ab as rho0 Pi (Monaghan and Gingold 1983; Monaghan 2005): Pi = -2(d+2) nu u.r / (rho (r^2 +
// eta^2)), rho the mean of the pair. It conserves angular momentum, and acts on pairs that part as on those that
// approach.
template <int D, class T>
HALFULP_INLINE T monaghan_gingold_viscosity(T approach, T distance_squared, CentredDensity<T> a, CentredDensity<T> b,
                                            T kinematic_viscosity, T softening)
{
    const T strength = constant<T>(2 * (D + 2)) * kinematic_viscosity;
    return -(strength * approach) / ((distance_squared + softening) * mean_density_ratio(a, b));
}

// Laminar viscosity along u_ab (Morris, Fox and Zhu 1997; Lo and Shao 2002): the factor of u_ab F in
// du_a/dt = sum_b m_b 4 nu (r_ab . grad_a W) u_ab / [(rho_a + rho_b)(r^2 + eta^2)], over -V, as Pi is of r_ab F.
template <class T>
HALFULP_INLINE T morris_viscosity(T distance_squared, CentredDensity<T> a, CentredDensity<T> b, T kinematic_viscosity,
                                  T softening)
{
    const T strength = constant<T>(2) * kinematic_viscosity;
    return -(strength * distance_squared) / ((distance_squared + softening) * mean_density_ratio(a, b));
}

}  // namespace halfulp
