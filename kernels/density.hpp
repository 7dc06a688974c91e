// The three representations of density, as distinct types: mixing them does not compile.
#pragma once

#include "precision/real.hpp"

namespace halfulp {

// s = rho / rho0 - 1: accurate near rest, and the form of the solver's state.
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

// rho in kg/m^3, in 2D too: there masses are per metre of width.
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
HALFULP_INLINE RelativeDensity<T> relative(RelativeDensity<T> density)
{
    return density;
}

template <class T>
HALFULP_INLINE RelativeDensity<T> relative(AbsoluteDensity<T> density, T reference_density)
{
    return {density.rho / reference_density};
}

// Exact for ratios from 1/2 to 2; the rounding error of the ratio itself is not recovered.
template <class T>
HALFULP_INLINE CentredDensity<T> centred(RelativeDensity<T> density)
{
    return {density.ratio - constant<T>(1)};
}

template <class T>
HALFULP_INLINE AbsoluteDensity<T> absolute(CentredDensity<T> density, T reference_density)
{
    return {fma(density.s, reference_density, reference_density)};
}

// Storage of the density in the state: a part of a precision policy. Each type converts the stored number to a centred
// or a relative density, a centred one to the stored number, and ds/dt to the stored number's rate. reference is rho0
// in kg/m^3.
struct CentredStorage {
    static constexpr const char* name = "centred";
    static constexpr bool is_centred = true;
    static constexpr const char* unit = "1";
    template <class T>
    static HALFULP_INLINE CentredDensity<T> centred(T stored, T /*reference*/)
    {
        return {stored};
    }
    template <class T>
    static HALFULP_INLINE RelativeDensity<T> relative(T stored, T /*reference*/)
    {
        return halfulp::relative(CentredDensity<T>{stored});
    }
    template <class T>
    static HALFULP_INLINE T stored(CentredDensity<T> density, T /*reference*/)
    {
        return density.s;
    }
    template <class T>
    static HALFULP_INLINE T rate(T rate_of_centred, T /*reference*/)
    {
        return rate_of_centred;
    }
};

struct RelativeStorage {
    static constexpr const char* name = "relative";
    static constexpr bool is_centred = false;
    static constexpr const char* unit = "1";
    template <class T>
    static HALFULP_INLINE CentredDensity<T> centred(T stored, T /*reference*/)
    {
        return halfulp::centred(RelativeDensity<T>{stored});
    }
    template <class T>
    static HALFULP_INLINE RelativeDensity<T> relative(T stored, T /*reference*/)
    {
        return {stored};
    }
    template <class T>
    static HALFULP_INLINE T stored(CentredDensity<T> density, T /*reference*/)
    {
        return halfulp::relative(density).ratio;
    }
    template <class T>
    static HALFULP_INLINE T rate(T rate_of_centred, T /*reference*/)
    {
        return rate_of_centred;
    }
};

struct AbsoluteStorage {
    static constexpr const char* name = "absolute";
    static constexpr bool is_centred = false;
    static constexpr const char* unit = "kg/m^D";
    template <class T>
    static HALFULP_INLINE CentredDensity<T> centred(T stored, T reference)
    {
        return halfulp::centred(relative(stored, reference));
    }
    template <class T>
    static HALFULP_INLINE RelativeDensity<T> relative(T stored, T reference)
    {
        return halfulp::relative(AbsoluteDensity<T>{stored}, reference);
    }
    template <class T>
    static HALFULP_INLINE T stored(CentredDensity<T> density, T reference)
    {
        return absolute(density, reference).rho;
    }
    template <class T>
    static HALFULP_INLINE T rate(T rate_of_centred, T reference)
    {
        return rate_of_centred * reference;
    }
};

}  // namespace halfulp
