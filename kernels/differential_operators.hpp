// Differential operators of particle methods at particle i from its neighbours j, in D dimensions, with r = x_j - x_i
// and the difference f = phi_j - phi_i of a field:
//   gradient   (d/n0) sum w f r/|r|^2             of the moving-particle semi-implicit method, MPS (Koshizuka and Oka
//   Laplacian  2d/(lambda0 n0) sum w f            1996, Nucl. Sci. Eng. 123, 421)
//   LSMPS      the derivatives of the polynomial without constant term that fits f by weighted least squares, of first
//              or second order (Tamai and Koshizuka 2014, Comput. Part. Mech. 1, 277)
// Weights, and their cost on a GPU: Murotani et al. 2015 (Comput. Part. Mech. 2, 261), equations 3 to 18; the
// interaction domain is a sphere of radius r_e or a cube of half side r_e. n0 and lambda0 are sums over a full regular
// lattice, so that the gradient of a linear and the Laplacian of a quadratic field are exact there; LSMPS reproduces
// its polynomials on any arrangement of neighbours that determines them.
//
// Lengths are in any unit; T is a number type or a vector of lanes, Sum one of precision/sums.hpp.
#pragma once

#include "kernels/small_solves.hpp"
#include "precision/sums.hpp"

namespace halfulp {

// The interaction domains: a particle's weight at r, over r_e, zero outside. Factored, so that nothing cancels near
// the border: the expanded square would.
struct SphericalDomain {
    static constexpr const char* name = "sphere";

    template <int D, class T>
    static HALFULP_INLINE T weight(const Vec<D, T>& r, const T& inverse_reach)
    {
        const T left = smaller(fma(square_root(dot(r, r)), inverse_reach, constant<T>(-1)), constant<T>(0));
        return left * left;
    }
    template <int D, class T>
    static HALFULP_INLINE auto contains(const Vec<D, T>& r, const T& reach)
    {
        return dot(r, r) < reach * reach;
    }
};
struct CubicDomain {
    static constexpr const char* name = "cube";

    template <int D, class T>
    static HALFULP_INLINE T weight(const Vec<D, T>& r, const T& inverse_reach)
    {
        T product = constant<T>(1);
        for (int i = 0; i < D; ++i)
            product = product * smaller(fma(magnitude(r[i]), inverse_reach, constant<T>(-1)), constant<T>(0));
        return product * product;
    }
    template <int D, class T>
    static HALFULP_INLINE auto contains(const Vec<D, T>& r, const T& reach)
    {
        T farthest = magnitude(r[0]);
        for (int i = 1; i < D; ++i) farthest = larger(farthest, magnitude(r[i]));
        return farthest < reach;
    }
};

// Sums over the regular lattice of spacing 1, without the particle itself.
template <class T>
struct LatticeConstants {
    int neighbours = 0;
    T number_density = T(0);  // n0 = sum w
    T spread = T(0);          // lambda0 = sum w |r|^2 / n0
};

// reach: r_e divided by the spacing. Computed on the host, in a wider type than the one that uses them.
template <int D, class Domain, class T>
LatticeConstants<T> lattice_constants(const T& reach)
{
    LatticeConstants<T> constants;
    const int most = static_cast<int>(reach) + 1;
    T squares = T(0);
    for (int z = D == 3 ? -most : 0; z <= (D == 3 ? most : 0); ++z) {
        for (int y = -most; y <= most; ++y) {
            for (int x = -most; x <= most; ++x) {
                Vec<D, T> r{};
                r[0] = T(x);
                r[1] = T(y);
                if constexpr (D == 3) r[2] = T(z);
                if ((x == 0 && y == 0 && z == 0) || !Domain::template contains<D>(r, reach)) continue;
                const T weight = Domain::template weight<D>(r, T(1) / reach);
                ++constants.neighbours;
                constants.number_density = constants.number_density + weight;
                squares = squares + weight * dot(r, r);
            }
        }
    }
    constants.spread = squares / constants.number_density;
    return constants;
}

// A hundredth of the determinant of the isotropic matrix with the same trace.
template <int D, class T>
HALFULP_INLINE T least_determinant(const T (&m)[triangle<D>])
{
    T mean = constant<T>(0);
    for (int i = 0; i < D; ++i) mean = mean + m[in_triangle<D>(i, i)];
    mean = mean * constant<T>(1.0 / D);
    T least = constant<T>(0.01);
    for (int i = 0; i < D; ++i) least = least * mean;
    return least;
}

// The sums of an operator over a particle's neighbours: add(w, r, f) for each, then the derivatives.
template <int D, class T, class Sum>
struct MpsGradient {
    static constexpr const char* name = "gradient";
    Sum sums[D];

    HALFULP_INLINE void add(const T& weight, const Vec<D, T>& r, const T& difference)
    {
        const T square = dot(r, r);
        const T zero = constant<T>(0);
        // Particles at one place determine no direction.
        const T share = select(square > zero, (weight * difference) / square, zero);
        for (int i = 0; i < D; ++i) sums[i].add(share * r[i]);
    }
    // factor: d/n0.
    HALFULP_INLINE Vec<D, T> value(const T& factor) const
    {
        Vec<D, T> gradient;
        for (int i = 0; i < D; ++i) gradient[i] = factor * sums[i].value();
        return gradient;
    }
};

template <class T, class Sum>
struct MpsLaplacian {
    static constexpr const char* name = "Laplacian";
    Sum sum;

    template <int D>
    HALFULP_INLINE void add(const T& weight, const Vec<D, T>& /*r*/, const T& difference)
    {
        sum.add(weight * difference);
    }
    // factor: 2d/(lambda0 n0).
    HALFULP_INLINE T value(const T& factor) const { return factor * sum.value(); }
};

// First order, p = r/r_s, of one field or several. r_s keeps powers of lengths near 1; the condition of the matrix does
// not depend on it.
template <int D, class T, class Sum, int fields = 1>
struct LinearFit {
    static constexpr const char* name = "LSMPS";
    Sum matrix[triangle<D>];
    Sum right[fields][D];

    HALFULP_INLINE void add(const T& weight, const Vec<D, T>& r, const T (&differences)[fields], const T& inverse_scale)
    {
        Vec<D, T> p;
        for (int i = 0; i < D; ++i) p[i] = r[i] * inverse_scale;
        int element = 0;
        for (int i = 0; i < D; ++i) {
            const T weighted = weight * p[i];
            for (int k = 0; k < fields; ++k) right[k][i].add(weighted * differences[k]);
            for (int j = i; j < D; ++j) matrix[element++].add(weighted * p[j]);
        }
    }
    HALFULP_INLINE void add(const T& weight, const Vec<D, T>& r, const T& difference, const T& inverse_scale)
    {
        static_assert(fields == 1);
        const T differences[1] = {difference};
        add(weight, r, differences, inverse_scale);
    }
    // The gradient of a field; zero, and not regular, where det M is not above a hundredth of that of the isotropic
    // matrix with the same trace: the neighbours are nearly in a plane.
    template <class Products>
    HALFULP_INLINE SymmetricSolution<D, T> value(const T& inverse_scale, int field = 0) const
    {
        T m[triangle<D>];
        for (int k = 0; k < triangle<D>; ++k) m[k] = matrix[k].value();
        Vec<D, T> b;
        for (int i = 0; i < D; ++i) b[i] = right[field][i].value();
        SymmetricSolution<D, T> solution = solve_symmetric<Products>(m, b, least_determinant<D>(m));
        for (int i = 0; i < D; ++i) solution.x[i] = solution.x[i] * inverse_scale;
        return solution;
    }
};

// Second order, p = (x, y, z, x^2, y^2, z^2, xy, yz, zx)/powers of r_s; in 2D (x, y, x^2, y^2, xy).
template <int D, class T, class Sum>
struct QuadraticFit {
    static constexpr const char* name = "LSMPS, second order";
    static constexpr int terms = 2 * D + D * (D - 1) / 2;
    Sum matrix[triangle<terms>];
    Sum right[terms];

    HALFULP_INLINE void add(const T& weight, const Vec<D, T>& r, const T& difference, const T& inverse_scale)
    {
        T p[terms];
        for (int i = 0; i < D; ++i) p[i] = r[i] * inverse_scale;
        for (int i = 0; i < D; ++i) p[D + i] = p[i] * p[i];
        for (int k = 2 * D; k < terms; ++k) p[k] = p[first_of(k)] * p[(first_of(k) + 1) % D];
        int element = 0;
        for (int i = 0; i < terms; ++i) {
            const T weighted = weight * p[i];
            right[i].add(weighted * difference);
            for (int j = i; j < terms; ++j) matrix[element++].add(weighted * p[j]);
        }
    }
    // d/dx_i, then the second derivatives along each axis, then the mixed ones. False where the neighbours do not
    // determine them.
    HALFULP_INLINE bool value(const T& inverse_scale, T (&derivatives)[terms]) const
    {
        T m[triangle<terms>];
        T b[terms];
        for (int k = 0; k < triangle<terms>; ++k) m[k] = matrix[k].value();
        for (int k = 0; k < terms; ++k) b[k] = right[k].value();
        return solve(m, b, inverse_scale, derivatives);
    }
    // The same from the values of the sums, of one lane where T is a vector.
    template <class One>
    static HALFULP_INLINE bool solve(const One (&m)[triangle<terms>], const One (&b)[terms], const One& inverse_scale,
                                     One (&derivatives)[terms])
    {
        if (!solve_ldlt<terms>(m, b, One(1e-5F), derivatives)) return false;
        const One square = inverse_scale * inverse_scale;
        for (int k = 0; k < terms; ++k)
            derivatives[k] = derivatives[k] * (k < D ? inverse_scale : k < 2 * D ? square + square : square);
        return true;
    }

private:
    // The first factor of a mixed term.
    static HALFULP_HOST_DEVICE constexpr int first_of(int term) { return term - 2 * D; }
};

}  // namespace halfulp
