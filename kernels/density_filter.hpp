// Density filters: every few steps they replace the fluid's density by a mean over the particle itself and its fluid
// neighbours b, with the weights V_b W_ab, V_b = m_b/rho_b. With the centred density nothing cancels.
//   Shepard (Panizzo 2004)          s_a = sum_b s_b V_b W_ab / sum_b V_b W_ab, exact for a constant density
//   moving least squares            the value at a of the linear fit with the same weights, exact for a linear density,
//   (Colagrossi and Landrini 2003)  and nearly so for that of water at rest
#pragma once

#include "kernels/density_diffusion.hpp"

namespace halfulp {

struct NoFilter {
    static constexpr const char* name = "none";
    static constexpr bool keeps_linear_density = false;
};
struct ShepardFilter {
    static constexpr const char* name = "shepard";
    static constexpr bool keeps_linear_density = false;
};
struct MovingLeastSquares {
    static constexpr const char* name = "mls";
    static constexpr bool keeps_linear_density = true;
};

HALFULP_HOST_DEVICE constexpr bool keeps_linear_density(DensityFilter filter)
{
    HALFULP_OF_MODEL(HALFULP_DENSITY_FILTERS, DensityFilter, filter, keeps_linear_density);
}

// The weight of a pair, up to constant factors: W_ab/(1 + s_b). Never negative, as in walls.hpp.
template <class T>
HALFULP_INLINE T filter_weight(T shape, CentredDensity<T> b)
{
    return larger(shape, constant<T>(0)) / relative(b).ratio;
}

// The value at the origin of the linear least-squares fit to values s at places x, from their means and those of x_i
// x_j (upper triangle) and s x_i. The mean of s if the places do not span the space.
template <int D, class T>
HALFULP_INLINE T fitted_value(T mean, const Vec<D, T>& place, const T (&squares)[triangle<D>],
                              const Vec<D, T>& products)
{
    T covariance[triangle<D>];
    Vec<D, T> slope;
    T trace = constant<T>(0);
    int element = 0;
    for (int i = 0; i < D; ++i) {
        slope[i] = products[i] - mean * place[i];
        for (int j = i; j < D; ++j) {
            covariance[element] = squares[element] - place[i] * place[j];
            if (i == j) trace = trace + covariance[element];
            ++element;
        }
    }
    // Scaled to a determinant of 1 for isotropically distributed neighbours.
    const T scale = constant<T>(D) / select(trace > constant<T>(0), trace, constant<T>(1));
    for (T& one : covariance) one = one * scale;
    for (int i = 0; i < D; ++i) slope[i] = slope[i] * scale;
    return mean - dot(renormalised_gradient(covariance, slope), place);
}

}  // namespace halfulp
