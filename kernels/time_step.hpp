// The stable time step (Monaghan and Kos 1999; Domínguez et al. 2013, eq. A.8):
//     dt = CFL min( sqrt(h / |a|max), h / max_a (c_a + max_b |h u_ab . r_ab| / (r_ab^2 + eta^2)) ).
#pragma once

#include "precision/real.hpp"

namespace halfulp {

// |h u.r| / (r^2 + eta^2) of one pair, eta^2 = 0.01 h^2 as in the artificial viscosity; zero for a particle with
// itself. The equation has r^2 alone, as have cases with time.step_softening = false. Without eta a single close
// passage reduces the step to nothing (to half its length for a third of a dam break); with it, as in DualSPHysics, one
// pair counts at most five times its speed of approach.
template <class T>
HALFULP_INLINE T closing_speed(T approach, T distance_squared, T smoothing_length, T softening)
{
    return magnitude(smoothing_length * approach) * reciprocal_of_normal(distance_squared + softening);
}

// The longest stable step of an explicit laminar viscosity, h^2/(8 nu) (Morris, Fox and Zhu 1997, eq. 20, for shear),
// with the largest viscosity that waves feel: along them it may be larger (lengthwise_viscosity).
inline double viscous_step(double smoothing_length, double viscosity)
{
    return 0.125 * smoothing_length * smoothing_length / viscosity;
}

// All lengths, times and speeds in the same units. max_acceleration and viscosity may be zero.
inline double stable_step(double cfl, double smoothing_length, double max_acceleration, double max_signal_speed,
                          double viscosity = 0)
{
    double step = cfl * (smoothing_length / max_signal_speed);
    if (max_acceleration > 0) step = smaller(step, cfl * square_root(smoothing_length / max_acceleration));
    if (viscosity > 0) step = smaller(step, viscous_step(smoothing_length, viscosity));
    return step;
}

}  // namespace halfulp
