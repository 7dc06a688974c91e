// Particle shifting (Xu, Stansby and Laurence 2009; Lind, Xu, Stansby and Rogers 2012): particles drift from crowded to
// sparse regions by Fick's law of diffusion, in addition to their velocity,
//     dx_a/dt = u_a + du_a,   du_a = -A h |u_a| phi_a grad C_a,   grad C_a = sum_b V_b grad_a W_ab,   V_b = m_b/rho_b.
// The diffusivity A h |u| is that of Skillen, Lind, Stansby and Rogers (2013). Towards a free surface C falls
// naturally, so phi_a decreases from 1 inside the fluid to 0 where the surface begins,
//     phi_a = (div r_a - t)/(D - t) within [0, 1],   div r_a = -sum_b V_b r_ab . grad_a W_ab,
// where div r is D inside and smaller where the support is truncated (Lee, Moulinec, Xu, Violeau, Laurence and Stansby
// 2008, who take t = 1.5 in 2D to detect a surface). |du_a| is limited to |u_a|.
//
// The continuity equation ignores du: density and velocity are carried with the particle unchanged, as usual for weakly
// compressible fluids. So pressure does no work in it; body forces do, and that is booked.
#pragma once

#include "kernels/vector.hpp"
#include "precision/real.hpp"

namespace halfulp {

// The value of div r where the surface begins: 1.5 in 2D, and in 3D 2.75 as in published codes.
template <int D>
constexpr double surface_threshold = D == 2 ? 1.5 : 2.75;

// du from grad C, div r and the particle's velocity; scale = A h.
template <int D, class T>
HALFULP_INLINE Vec<D, T> shifting_velocity(const Vec<D, T>& gradient, T divergence, const Vec<D, T>& u, T scale)
{
    constexpr double threshold = surface_threshold<D>;
    const T zero = constant<T>(0);
    const T one = constant<T>(1);
    const T from_surface = (divergence - constant<T>(threshold)) * constant<T>(1 / (D - threshold));
    const T inside = smaller(larger(from_surface, zero), one);
    Vec<D, T> direction;
    for (int i = 0; i < D; ++i) direction[i] = (scale * inside) * gradient[i];
    const T speed = square_root(dot(u, u)) / larger(one, square_root(dot(direction, direction)));
    for (int i = 0; i < D; ++i) direction[i] = -(speed * direction[i]);
    return direction;
}

}  // namespace halfulp
