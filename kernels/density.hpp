// The three ways to write a density, as types of their own: mixing them does not compile.
#pragma once

#include "precision/real.hpp"

namespace halfulp {

// s = rho / rho0 - 1: the form that loses nothing near rest, and the one the solver's state holds.
// Source: Hérault, Bilotta and Dalrymple 2014; Bilotta et al. 2018, section 5.5.
template <class T>
struct CentredDensity {
    T s;
};

// rho / rho0.
template <class T>
struct RelativeDensity {
    T ratio;
};

// rho in kg/m^3 (3D) or kg/m^2 (2D).
template <class T>
struct AbsoluteDensity {
    T rho;
};

template <class T>
HALFULP_INLINE RelativeDensity<T> relative(CentredDensity<T> density)
{
    return {density.s + constant<T>(1)};
}

template <class T>
HALFULP_INLINE AbsoluteDensity<T> absolute(CentredDensity<T> density, T reference_density)
{
    return {fma(density.s, reference_density, reference_density)};
}

}  // namespace halfulp
