// Viscous forces of one pair, divided by rho0 and m_b = rho0 V, as in momentum.hpp. A laminar viscosity
// (kernels/laminar_viscosities) has a name, the vector of the pair along which it acts, the factor of that vector,
// its viscosity for lengthwise waves as a multiple of that for shear, and the rate at which it damps a lattice's waves.
#pragma once

#include "kernels/laminar_viscosities/brookshaw.hpp"
#include "kernels/laminar_viscosities/monaghan_gingold.hpp"
#include "kernels/laminar_viscosities/morris.hpp"
#include "kernels/laminar_viscosities/none.hpp"
#include "kernels/parameters.hpp"

namespace halfulp {

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
    return -(strength * closing) * reciprocal_of_normal((distance_squared + softening) * mean_density_ratio(a, b));
}

// The factor of r_ab F or, for forces along the velocity, of u_ab F: rho0 Pi of the chosen form.
template <int D, class T>
HALFULP_INLINE T laminar_viscosity(LaminarViscosity form, const ViscousPair<T>& pair, T kinematic_viscosity)
{
    HALFULP_OF_MODEL(HALFULP_LAMINAR_VISCOSITIES, LaminarViscosity, form,
                     template factor<D>(pair, kinematic_viscosity));
}

HALFULP_HOST_DEVICE constexpr bool acts_along_velocity(LaminarViscosity form)
{
    HALFULP_OF_MODEL(HALFULP_LAMINAR_VISCOSITIES, LaminarViscosity, form, along_velocity);
}

// In nu/h^2.
inline double laminar_damping(LaminarViscosity form, const LatticeSums& sums, int dimensions)
{
    HALFULP_OF_MODEL(HALFULP_LAMINAR_VISCOSITIES, LaminarViscosity, form, damping(sums, dimensions));
}

HALFULP_HOST_DEVICE constexpr int lengthwise_viscosity(LaminarViscosity form)
{
    HALFULP_OF_MODEL(HALFULP_LAMINAR_VISCOSITIES, LaminarViscosity, form, lengthwise);
}

}  // namespace halfulp
