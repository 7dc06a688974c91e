// Data of a particle pair, and of waves on a lattice, for laminar viscosities.
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

// Sums over the neighbours b of a lattice site for a wave vector k, V the volume of a site, eta^2 = 0.01 h^2; 1/h^2.
struct LatticeSums {
    double scalar = 0;      // V |F| (1 - cos k.r)
    double softened = 0;    // of that times r^2 / (r^2 + eta^2)
    double lengthwise = 0;  // of that times (k.r)^2 / (k^2 (r^2 + eta^2)), F as above
};

}  // namespace halfulp
