// Monaghan's correction of the tensile instability (Monaghan 2000): a repulsion of particles that clump under negative
// pressure, (W/W(Delta p))^4 (R_a + R_b) added to the pressures, with R = P/rho^2 times 0.2 in magnitude where P < 0
// and times 0.01 where P > 0, by each particle's own sign (Monaghan: 0.01 only if both pressures are positive). It has
// no conjugate term in the continuity equation: its effect is booked as work.
#pragma once

#include "precision/real.hpp"

namespace halfulp {

// |R| term of one particle, from rho0 P/rho^2: never negative.
template <class T>
HALFULP_INLINE T tensile_share(T pressure_over_square)
{
    return pressure_over_square * select(pressure_over_square < constant<T>(0), constant<T>(-0.2), constant<T>(0.01));
}

// To be added to rho0 (P_a/rho_a^2 + P_b/rho_b^2). shape: w(q); inverse_shape_at_spacing: 1/w(Delta p/h).
template <class T>
HALFULP_INLINE T tensile_correction(T share_a, T share_b, T shape, T inverse_shape_at_spacing)
{
    const T ratio = shape * inverse_shape_at_spacing;
    const T square = ratio * ratio;
    return (square * square) * (share_a + share_b);
}

}  // namespace halfulp
