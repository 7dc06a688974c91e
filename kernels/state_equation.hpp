// Equations of state and their stored energy, for a centred density s = rho/rho0 - 1, without cancellation: those of
// kernels/state_equations, chosen at run time. Their stiffness is B / rho0: c0^2 / 7 for Tait's equation, c0^2 for the
// linear one.
#pragma once

#include "kernels/physics.hpp"
#include "kernels/state_equations/linear.hpp"
#include "kernels/state_equations/tait.hpp"

namespace halfulp {

// B / rho0 from c0^2.
constexpr double stiffness_of(StateEquation equation, double sound_speed_squared)
{
    HALFULP_OF_MODEL(HALFULP_STATE_EQUATIONS, StateEquation, equation, stiffness(sound_speed_squared));
}

// P / rho0, from a centred or a relative density.
template <template <class> class Density, class T>
requires requires(Density<T> density) { TaitEquation::pressure(density, T()); }
HALFULP_INLINE T pressure_over_reference_density(StateEquation equation, Density<T> density, T stiffness)
{
    HALFULP_OF_MODEL(HALFULP_STATE_EQUATIONS, StateEquation, equation, pressure(density, stiffness));
}

// A particle's term in the pressure force, zero at s = 0: rho0 P / rho^2 if neighbours are weighted by mass, P / rho0
// if by volume. From a centred or a relative density.
template <template <class> class Density, class T>
requires requires(Density<T> density) { TaitEquation::pressure(density, T()); }
HALFULP_INLINE T pressure_term(const Physics& physics, Density<T> density, T stiffness)
{
    const T pressure = pressure_over_reference_density(physics.state_equation, density, stiffness);
    if (!by_mass(physics.formulation)) return pressure;
    const T ratio = relative(density).ratio;
    return pressure / (ratio * ratio);
}

// P / rho0, recovered from pressure_term.
template <class T>
HALFULP_INLINE T pressure_from_term(const Physics& physics, T term, CentredDensity<T> density)
{
    if (!by_mass(physics.formulation)) return term;
    const T ratio = relative(density).ratio;
    return term * (ratio * ratio);
}

// The density from which the equation of state is evaluated: a part of a precision policy. Storing s and evaluating
// from the ratio, or the reverse, loses the gain in accuracy; both exist to show it.
struct CentredEvaluation {
    static constexpr const char* name = "horner";
    template <class Storage, class T>
    static HALFULP_INLINE CentredDensity<T> density(T stored, T reference)
    {
        return Storage::centred(stored, reference);
    }
};
struct RatioEvaluation {
    static constexpr const char* name = "powers";
    template <class Storage, class T>
    static HALFULP_INLINE RelativeDensity<T> density(T stored, T reference)
    {
        return Storage::relative(stored, reference);
    }
};

// The pressure term of a particle as a policy stores and evaluates it.
template <class Policy, class T>
HALFULP_INLINE T pressure_term_of(const Physics& physics, T stored_density, T reference_density, T stiffness)
{
    using Storage = typename Policy::Density;
    return pressure_term(physics, Policy::Pressure::template density<Storage>(stored_density, reference_density),
                         stiffness);
}

// Speed of sound from c^2 = dP/drho.
template <class T>
HALFULP_INLINE T sound_speed(StateEquation equation, CentredDensity<T> density, T reference_sound_speed)
{
    HALFULP_OF_MODEL(HALFULP_STATE_EQUATIONS, StateEquation, equation, sound_speed(density, reference_sound_speed));
}

// Compressive energy per unit mass, e = integral of P/rho^2 drho from rho0, which tends to c0^2 s^2 / 2.
template <class T>
HALFULP_INLINE T compressive_energy(StateEquation equation, CentredDensity<T> density, T stiffness)
{
    HALFULP_OF_MODEL(HALFULP_STATE_EQUATIONS, StateEquation, equation, compressive_energy(density, stiffness));
}

// The difference quotient of the compressive energy over a change of density from middle - d to middle + d, minus
// P/(rho0 (1+s)^2) at the middle, its limit for small d: of order d^2, and evaluated without the difference.
template <class T>
HALFULP_INLINE T energy_quotient_excess(StateEquation equation, CentredDensity<T> middle, T d, T stiffness)
{
    HALFULP_OF_MODEL(HALFULP_STATE_EQUATIONS, StateEquation, equation, energy_quotient_excess(middle, d, stiffness));
}

// The centred density under a pressure P = rho0 stiffness load, from half to twice the density at rest.
template <class T>
HALFULP_INLINE CentredDensity<T> density_from_load(StateEquation equation, T load)
{
    HALFULP_OF_MODEL(HALFULP_STATE_EQUATIONS, StateEquation, equation, density_from_load(load));
}

// The same for any load above -1, for set-up only. Uses correctly rounded operations, so the bits are the same
// everywhere.
inline CentredDensity<double> density_under(StateEquation equation, double load)
{
    HALFULP_OF_MODEL(HALFULP_STATE_EQUATIONS, StateEquation, equation, density_under(load));
}

// The hydrostatic value of s_b - s_a, where b lies below a by -g.r_ab/|g|, as a function of x = -rho0 g.r_ab / B.
template <class T>
HALFULP_INLINE T hydrostatic_difference(StateEquation equation, T gravity_along_r, T inverse_stiffness)
{
    const T x = -(gravity_along_r * inverse_stiffness);
    HALFULP_OF_MODEL(HALFULP_STATE_EQUATIONS, StateEquation, equation, hydrostatic_difference(x));
}

}  // namespace halfulp
