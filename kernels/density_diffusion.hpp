// The density diffusion term of delta-SPH, added to the continuity equation to damp pressure noise,
//     ds_a/dt += 2 delta h c0 sum_b V psi_ab r_ba . grad_a W_ab / (r^2 + eta^2),    r_ba = x_b - x_a,
// with psi_ab = s_b - s_a less the correction of a form in kernels/density_diffusions. V is constant, so that where
// psi_ab = -psi_ba each pair conserves sum m s to the bit.
//
// A form has a name, declares which gradient of s it needs of every particle (GradientOfDensity), and gives psi(pair).
// The pair provides the difference s_b - s_a, r() = x_a - x_b, gravity_along_r(), state_equation() and
// inverse_stiffness(), and of the gradients only the declared one: target_gradient() and neighbour_gradient(), or
// balanced(use), which calls use(a, b) with the DiffusionBalance of both particles. psi must be finite for r = 0, too:
// the sum includes the particle itself, whose term the other factors make zero.
#pragma once

#include "kernels/density_diffusions/antuono.hpp"
#include "kernels/density_diffusions/balanced.hpp"
#include "kernels/density_diffusions/fourtakas.hpp"
#include "kernels/density_diffusions/molteni_colagrossi.hpp"
#include "kernels/density_diffusions/none.hpp"
#include "kernels/small_solves.hpp"

namespace halfulp {

// s_b - s_a.
template <class T>
HALFULP_INLINE T density_difference(CentredDensity<T> a, CentredDensity<T> b)
{
    return b.s - a.s;
}

// The gradient of s that the chosen form needs of every particle.
HALFULP_HOST_DEVICE constexpr GradientOfDensity density_gradient_of(const Physics& physics)
{
    HALFULP_OF_MODEL(HALFULP_DENSITY_DIFFUSIONS, DensityDiffusion, physics.density_diffusion, gradient);
}
HALFULP_HOST_DEVICE constexpr bool has_density_gradient(const Physics& physics)
{
    return density_gradient_of(physics) != GradientOfDensity::none;
}

// Whether the contact pressure of walls.hpp keeps fluid out of walls.
HALFULP_HOST_DEVICE constexpr bool has_contact_pressure(const Physics& physics)
{
    return follow_the_fluid(physics.walls) && physics.density_diffusion != DensityDiffusion::none;
}

// The view of a pair that a form gets: it hides the gradients that the form does not declare.
template <GradientOfDensity gradient, class Pair>
struct SeenByDiffusion {
    const Pair& pair;
    decltype(Pair::difference) difference;

    HALFULP_INLINE decltype(auto) r() const { return pair.r(); }
    HALFULP_INLINE auto gravity_along_r() const { return pair.gravity_along_r(); }
    HALFULP_INLINE StateEquation state_equation() const { return pair.state_equation(); }
    HALFULP_INLINE auto inverse_stiffness() const { return pair.inverse_stiffness(); }
    HALFULP_INLINE decltype(auto) target_gradient() const requires(gradient == GradientOfDensity::renormalised)
    {
        return pair.target_gradient();
    }
    HALFULP_INLINE auto neighbour_gradient() const requires(gradient == GradientOfDensity::renormalised)
    {
        return pair.neighbour_gradient();
    }
    template <class Use>
    HALFULP_INLINE auto balanced(Use use) const requires(gradient == GradientOfDensity::by_forces)
    {
        return pair.balanced(use);
    }
};

template <class Form, class Pair>
HALFULP_INLINE auto psi_of(const Pair& pair)
{
    return Form::psi(SeenByDiffusion<Form::gradient, Pair>{pair, pair.difference});
}

// psi_ab of the chosen form.
template <class Pair>
HALFULP_INLINE auto diffused_difference(DensityDiffusion form, const Pair& pair)
{
#define HALFULP_PSI_OF_FORM(enumerator, Form, ...) \
    case DensityDiffusion::enumerator: return psi_of<Form>(pair);
    switch (form) {
        HALFULP_DENSITY_DIFFUSIONS(HALFULP_PSI_OF_FORM)
    }
#undef HALFULP_PSI_OF_FORM
    __builtin_unreachable();
}

// The term of one pair in ds_a/dt, divided by 2 delta h c0 and pair_scale.
template <class T>
HALFULP_INLINE T diffusion_pair(T psi, T distance_squared, T gradient_shape, T softening)
{
    return -((psi * gradient_shape) * (distance_squared * reciprocal_of_normal(distance_squared + softening)));
}

// The renormalised gradient M^-1 g (Randles and Libersky 1996), from the sums over pairs g = sum_b V (s_b - s_a) grad W
// and M = sum_b V (x_b - x_a) grad W, both with the factor pair_scale. M is symmetric and near unity inside the fluid;
// its upper triangle is stored row by row.
//
// Zero where the neighbours do not span the space (det M <= 0.01; it is 1 inside the fluid and some tenths at a free
// surface).
template <class T, int size, int D>
HALFULP_INLINE Vec<D, T> renormalised_gradient(const T (&m)[size], const Vec<D, T>& g)
{
    return solve_symmetric(m, g, constant<T>(0.01)).x;
}

}  // namespace halfulp
