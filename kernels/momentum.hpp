// The momentum equation, conjugate to the continuity equation of the same formulation:
// (i)  du_a/dt = -sum_b m_b (P_a/rho_a^2 + P_b/rho_b^2 + Pi_ab) grad_a W_ab + g      (Monaghan 1992; Domínguez et al.
//      2013, eq. A.4)
// (ii) du_a/dt = -sum_b m_b [(P_a + P_b)/(rho_a rho_b) + Pi_ab] grad_a W_ab + g      (Colagrossi and Landrini 2003)
// All terms are divided by rho0 and m_b = rho0 V, so that pressure enters as `pressure_term` (state_equation.hpp) and
// viscosity as rho0 Pi.
#pragma once

#include "kernels/distance.hpp"
#include "kernels/parameters.hpp"
#include "kernels/smoothing.hpp"
#include "kernels/state_equation.hpp"
#include "kernels/tensile_correction.hpp"
#include "kernels/vector.hpp"
#include "kernels/viscosity.hpp"

namespace halfulp {

// The state of a particle that a pass needs besides its position.
template <int D, class T>
struct MomentumState {
    Vec<D, T> velocity;
    T pressure_term;
    CentredDensity<T> density;
};

// The factors of r_ab (`along`) and u_ab (`across`) in a pair's term of du/dt, which is -pair_scale times the sum of
// both; and, for the energy ledger, the contribution of each booked force to them. Zero for forces not chosen.
template <class T>
struct MomentumPair {
    T along;
    T across;      // laminar viscosity along u_ab only
    T artificial;  // of r_ab
    T laminar;     // of u_ab or of r_ab, along which it acts
    T tensile;     // of r_ab
};

template <class T>
HALFULP_INLINE T pressure_of_pair(const Physics& physics, T pressure_term_a, T pressure_term_b, CentredDensity<T> a,
                                  CentredDensity<T> b)
{
    const T sum = pressure_term_a + pressure_term_b;
    if (by_mass(physics.formulation)) return sum;
    return sum / (relative(a).ratio * relative(b).ratio);
}

// rho0 P/rho^2 of one particle, for either formulation.
template <class T>
HALFULP_INLINE T pressure_over_square(const Physics& physics, T pressure_term, CentredDensity<T> density)
{
    if (by_mass(physics.formulation)) return pressure_term;
    const T ratio = relative(density).ratio;
    return pressure_term / (ratio * ratio);
}

// approach: u_ab . r_ab of the viscous velocities.
template <class Kernel, class Distance = PlainDistance, int D, class T>
HALFULP_INLINE MomentumPair<T> momentum_pair(const Physics& physics, const Vec<D, T>& r_ab, T approach,
                                             const MomentumState<D, T>& a, const MomentumState<D, T>& b,
                                             const Parameters<D, T>& p)
{
    const T r2 = dot(r_ab, r_ab);
    const T q = Distance::length(r_ab) * p.inverse_smoothing_length;
    const T f = Kernel::gradient_shape(q);
    const T zero = constant<T>(0);
    MomentumPair<T> pair{zero, zero, zero, zero, zero};
    T sum = pressure_of_pair(physics, a.pressure_term, b.pressure_term, a.density, b.density);
    if (physics.artificial_viscosity) {
        const T pi =
            artificial_viscosity(physics.state_equation, approach, r2, a.density, b.density, p.artificial_viscosity,
                                 p.smoothing_length, p.viscous_softening, p.sound_speed);
        sum = sum + pi;
        pair.artificial = pi * f;
    }
    if (physics.laminar_viscosity != LaminarViscosity::none) {
        const ViscousPair<T> viscous{approach, r2, p.viscous_softening, mean_density_ratio(a.density, b.density)};
        const T pi = laminar_viscosity<D>(physics.laminar_viscosity, viscous, p.kinematic_viscosity);
        pair.laminar = pi * f;
        if (acts_along_velocity(physics.laminar_viscosity)) pair.across = pair.laminar;
        else sum = sum + pi;
    }
    if (physics.tensile_correction) {
        const T extra = tensile_correction(tensile_share(pressure_over_square(physics, a.pressure_term, a.density)),
                                           tensile_share(pressure_over_square(physics, b.pressure_term, b.density)),
                                           Kernel::shape(q), p.inverse_shape_at_spacing);
        sum = sum + extra;
        pair.tensile = extra * f;
    }
    pair.along = sum * f;
    return pair;
}
template <class Kernel, class Distance = PlainDistance, int D, class T>
HALFULP_INLINE MomentumPair<T> momentum_pair(const Physics& physics, const Vec<D, T>& r_ab,
                                             const MomentumState<D, T>& a, const MomentumState<D, T>& b,
                                             const Parameters<D, T>& p)
{
    return momentum_pair<Kernel, Distance>(physics, r_ab, dot(a.velocity - b.velocity, r_ab), a, b, p);
}

}  // namespace halfulp
