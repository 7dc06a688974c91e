// Density diffusion: a term in the continuity equation that smooths the noise of the pressure,
//     ds_a/dt += 2 delta h c0 sum_b V psi_ab r_ba . grad_a W_ab / (r^2 + eta^2),    r_ba = x_b - x_a,
// where psi_ab is s_b - s_a (Molteni and Colagrossi 2009), the same less the hydrostatic difference (Fourtakas et al.
// 2019), or less the linear part of the density field (Antuono et al. 2010), or the balanced form below. V is constant,
// so that where psi_ab = -psi_ba each pair conserves sum m s to the bit. The hydrostatic difference of Tait's equation
// is odd to first order only: there sum m s is conserved but for 6/49 x^2 a pair, x = rho0 g.r_ab / B.
#pragma once

#include "kernels/density.hpp"
#include "kernels/state_equation.hpp"
#include "kernels/vector.hpp"

namespace halfulp {

// Molteni and Colagrossi's psi.
template <class T>
HALFULP_INLINE T density_difference(CentredDensity<T> a, CentredDensity<T> b)
{
    return b.s - a.s;
}

// What hydrostatic equilibrium would make of s_b - s_a, for b lower than a by -g.r_ab/|g|: (1 + x)^(1/7) - 1 with x =
// -rho0 g.r_ab / B for Tait's equation (Fourtakas et al. 2019, eq. 8), x itself for the linear one. Eight terms of the
// binomial series, right to 1e-8 of itself for |x| < 0.1. x stays below 0.01 where the sound speed is ten times that of
// the flow; a seventh root would cost ten times as much.
template <class T>
HALFULP_INLINE T hydrostatic_difference(StateEquation equation, T gravity_along_r, T inverse_stiffness)
{
    const T x = -(gravity_along_r * inverse_stiffness);
    if (equation == StateEquation::linear) return x;
    // The coefficients (1/7 choose k), k = 1 to 8.
    constexpr double c1 = 1.0 / 7, c2 = c1 * (1.0 / 7 - 1) / 2, c3 = c2 * (1.0 / 7 - 2) / 3,
                     c4 = c3 * (1.0 / 7 - 3) / 4, c5 = c4 * (1.0 / 7 - 4) / 5, c6 = c5 * (1.0 / 7 - 5) / 6,
                     c7 = c6 * (1.0 / 7 - 6) / 7, c8 = c7 * (1.0 / 7 - 7) / 8;
    return x * horner(x, constant<T>(c1), constant<T>(c2), constant<T>(c3), constant<T>(c4), constant<T>(c5),
                      constant<T>(c6), constant<T>(c7), constant<T>(c8));
}

// The linear part of s_b - s_a from the renormalised gradients of both (Antuono et al. 2010): (grad s_a + grad
// s_b)/2 . r_ba.
template <int D, class T>
HALFULP_INLINE T linear_difference(const Vec<D, T>& gradient_a, const Vec<D, T>& gradient_b, const Vec<D, T>& r_ab)
{
    T sum = (gradient_a[0] + gradient_b[0]) * r_ab[0];
    for (int i = 1; i < D; ++i) sum = fma(gradient_a[i] + gradient_b[i], r_ab[i], sum);
    return constant<T>(-0.5) * sum;
}

// What the balanced form keeps of a fluid particle, found with the forces:
//     psi_ab = w_ab [s_b - s_a - (G_a + G_b)/2 . r_ba],    w_ab = max(w_a, w_b),
//     G = -a (1 + s)/c^2,    w = min((onset |a + f|/|f|)^2, 1),
// with f the body force and a what the pair forces without viscosity do to the particle; where f = 0, w = 1. a is
// -grad p/rho as the particles feel it, so that G is the gradient of s: psi is Antuono's, without a pass of its own for
// the gradient, and consistent with the forces at a free surface; nothing is taken for hydrostatic that is not. w takes
// the term off where the discrete forces are in equilibrium, a = -f: near a free surface and walls the equilibrium of
// the lattice is not the linear profile, so that any diffusion of s that does not know it goes on moving s for ever,
// and the water rises. A wall has what the fluid of the pair has.
template <int D, class T>
struct DiffusionBalance {
    Vec<D, T> gradient;
    T weight;
};

// Where the forces miss their equilibrium by g/30 the term acts in full: waves with ka > 1/30, any collapse; water at
// rest misses it by some 1e-3 g in the first seconds, and ever less.
inline constexpr double diffusion_onset = 30;

// pair_acceleration: without viscosity. sound_speed: of the particle.
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

// One pair's share of ds_a/dt over 2 delta h c0 and pair_scale.
template <class T>
HALFULP_INLINE T diffusion_pair(T psi, T distance_squared, T gradient_shape, T softening)
{
    return -((psi * gradient_shape) * (distance_squared / (distance_squared + softening)));
}

// One pair's share of the sums behind the renormalised gradient (Randles and Libersky 1996): of sum_b V (s_b - s_a)
// grad W and of the matrix sum_b V (x_b - x_a) grad W, over pair_scale. The matrix is symmetric and near unity inside
// the fluid; its upper triangle is stored row by row.
template <int D>
inline constexpr int triangle = D*(D + 1) / 2;

// The gradient M^-1 g, zero where the neighbours do not span the space (det M <= 0.01; it is 1 inside the fluid and
// some tenths at a free surface). M and g carry the factor pair_scale.
template <class T>
HALFULP_INLINE Vec<2, T> renormalised_gradient(const T (&m)[3], const Vec<2, T>& g)
{
    const T determinant = fma(m[0], m[2], -(m[1] * m[1]));
    const T inverse = constant<T>(1) / larger(determinant, constant<T>(0.01));
    const auto regular = determinant > constant<T>(0.01);
    const T x = fma(m[2], g[0], -(m[1] * g[1])) * inverse;
    const T y = fma(m[0], g[1], -(m[1] * g[0])) * inverse;
    return {{select(regular, x, constant<T>(0)), select(regular, y, constant<T>(0))}};
}

template <class T>
HALFULP_INLINE Vec<3, T> renormalised_gradient(const T (&m)[6], const Vec<3, T>& g)
{
    // The adjugate of the symmetric matrix (xx, xy, xz, yy, yz, zz).
    const T xx = fma(m[3], m[5], -(m[4] * m[4]));
    const T xy = fma(m[2], m[4], -(m[1] * m[5]));
    const T xz = fma(m[1], m[4], -(m[2] * m[3]));
    const T yy = fma(m[0], m[5], -(m[2] * m[2]));
    const T yz = fma(m[1], m[2], -(m[0] * m[4]));
    const T zz = fma(m[0], m[3], -(m[1] * m[1]));
    const T determinant = fma(m[2], xz, fma(m[1], xy, m[0] * xx));
    const T inverse = constant<T>(1) / larger(determinant, constant<T>(0.01));
    const auto regular = determinant > constant<T>(0.01);
    const T x = fma(xz, g[2], fma(xy, g[1], xx * g[0])) * inverse;
    const T y = fma(yz, g[2], fma(yy, g[1], xy * g[0])) * inverse;
    const T z = fma(zz, g[2], fma(yz, g[1], xz * g[0])) * inverse;
    const T zero = constant<T>(0);
    return {{select(regular, x, zero), select(regular, y, zero), select(regular, z, zero)}};
}

}  // namespace halfulp
