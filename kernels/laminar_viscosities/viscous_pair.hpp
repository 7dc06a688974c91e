// Data of a particle pair for laminar viscosities.
#pragma once

#include "kernels/state_equation.hpp"

namespace halfulp {

// The mean of rho_a and rho_b over rho0.
template <class T>
HALFULP_INLINE T mean_density_ratio(CentredDensity<T> a, CentredDensity<T> b)
{
    return fma(constant<T>(0.5), a.s + b.s, constant<T>(1));
}

template <class T>
struct ViscousPair {
    T approach;          // u_ab . r_ab
    T distance_squared;  // r^2
    T softening;         // eta^2
    T mean_density;      // of the pair, over rho0
};

}  // namespace halfulp
