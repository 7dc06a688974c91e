// The balanced density diffusion, which vanishes where the discrete forces are in equilibrium (docs/physics.md).
#pragma once

#include "kernels/density_diffusions/gradient_of_density.hpp"
#include "kernels/density_diffusions/linear_difference.hpp"
#include "kernels/state_equation.hpp"

namespace halfulp {

// Data of a fluid particle for the balanced form, computed with the forces:
//     psi_ab = w_ab [s_b - s_a - (G_a + G_b)/2 . r_ba],    w_ab = max(w_a, w_b),
//     G = -a (1 + s)/c^2,    w = min((onset |a + f|/|f|)^2, 1),
// with f the body force and a the acceleration by the inviscid pair forces; w = 1 where f = 0. a is the discrete -grad
// p/rho, so G is the gradient of s: psi is Antuono's, without a pass of its own for the gradient, and consistent with
// the forces at a free surface; nothing is assumed to be hydrostatic. w removes the term where the discrete forces are
// in equilibrium, a = -f: near a free surface and walls the lattice equilibrium is not the linear profile, so any
// diffusion of s that ignores it keeps changing s, and the water rises. A wall takes the data of the pair's fluid
// particle.
template <int D, class T>
struct DiffusionBalance {
    Vec<D, T> gradient;
    T weight;
};

// The term acts fully where forces are out of equilibrium by g/30 or more: in waves with ka > 1/30, in any collapse. In
// water at rest they are out of equilibrium by some 1e-3 g in the first seconds, and by ever less later.
inline constexpr double diffusion_onset = 30;

// pair_acceleration: inviscid. sound_speed: of the particle.
template <int D, class T>
HALFULP_INLINE DiffusionBalance<D, T> diffusion_balance(const Vec<D, T>& pair_acceleration, const Vec<D, T>& body_force,
                                                        CentredDensity<T> density, T sound_speed)
{
    const T one = constant<T>(1);
    const T force2 = dot(body_force, body_force);
    const auto any = force2 > constant<T>(1e-30);  // far below any weight in the units of the state
    const T inverse = one / select(any, force2, one);
    const T scale = -(relative(density).ratio / (sound_speed * sound_speed));
    Vec<D, T> missed;
    for (int i = 0; i < D; ++i) missed[i] = pair_acceleration[i] + body_force[i];
    const T ratio2 = constant<T>(diffusion_onset * diffusion_onset) * (dot(missed, missed) * inverse);
    DiffusionBalance<D, T> balance;
    for (int i = 0; i < D; ++i) balance.gradient[i] = scale * pair_acceleration[i];
    balance.weight = select(any, smaller(ratio2, one), one);
    return balance;
}

// psi_ab of the balanced form.
template <int D, class T>
HALFULP_INLINE T balanced_difference(T difference, const DiffusionBalance<D, T>& a, const DiffusionBalance<D, T>& b,
                                     const Vec<D, T>& r_ab)
{
    return larger(a.weight, b.weight) * (difference - linear_difference(a.gradient, b.gradient, r_ab));
}

struct BalancedDiffusion {
    static constexpr const char* name = "balanced";
    static constexpr auto gradient = GradientOfDensity::by_forces;

    template <class Pair>
    static HALFULP_INLINE auto psi(const Pair& pair)
    {
        return pair.balanced(
            [&](const auto& a, const auto& b) { return balanced_difference(pair.difference, a, b, pair.r()); });
    }
};

}  // namespace halfulp
