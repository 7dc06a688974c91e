// Modified dynamic boundary conditions, mDBC (English et al. 2022, Comput. Part. Mech. 9, 911): a wall's density from
// that of the fluid at its mirror node g across the wall's surface, with the first-order consistent interpolation of
// Liu and Liu (2006, Appl. Numer. Math. 56, 19). With sums over fluid neighbours b, V_b = m_b/rho_b, x = x_b - x_g:
//     | sum W V       sum x_j W V      |  | s_g   |   | sum s W V      |
//     | sum d_i W V   sum x_j d_i W V  |  | d_j s | = | sum s d_i W V  |,        s_w = s_g + (x_w - x_g) . grad s,
// d_i W = -F x_i the derivative by x_g. The centred density s replaces rho, so that nothing cancels: both systems have
// the same solution, as they reproduce constants. With x in smoothing lengths the matrix is dimensionless and close to
// unity inside the fluid. Where its determinant is below 1e-3, or the linear value exceeds a bound on densities, s_w is
// sum s W V / sum W V; without fluid 0. The fluid's velocity at the mirror node is the solution of the same system, or
// its weighted mean where that is singular.
#pragma once

#include "kernels/small_solves.hpp"
#include "precision/real.hpp"

namespace halfulp {

// The values at a wall's mirror node: s_w, and the fluid's velocity relative to the wall's.
template <int D>
struct Mirrored {
    double s = 0;
    Vec<D, double> velocity{};
};

template <int D>
struct MirroredSums {
    static constexpr int size = D + 1;     // unknowns
    static constexpr int answers = D + 1;  // right-hand sides: of s, and of the velocity's components

    double matrix[size][size]{};
    double right[size][answers]{};

    // A fluid neighbour at x (smoothing lengths) from the mirror node, of velocity u relative to the wall's; value: W
    // V, gradient: -F V h^2, over the same constant.
    HALFULP_INLINE void add(const Vec<D, double>& x, double value, double gradient, double s, const Vec<D, double>& u)
    {
        for (int row = 0; row < size; ++row) {
            const double weight = row == 0 ? value : gradient * x[row - 1];
            matrix[row][0] += weight;
            for (int j = 0; j < D; ++j) matrix[row][j + 1] = fma(weight, x[j], matrix[row][j + 1]);
            right[row][0] = fma(weight, s, right[row][0]);
            for (int j = 0; j < D; ++j) right[row][j + 1] = fma(weight, u[j], right[row][j + 1]);
        }
    }

    // to: from the wall to its mirror node, smoothing lengths.
    [[nodiscard]] HALFULP_INLINE Mirrored<D> value(const Vec<D, double>& to, double bound) const
    {
        Mirrored<D> mirrored;
        if (!(matrix[0][0] > 0)) return mirrored;
        mirrored.s = right[0][0] / matrix[0][0];
        for (int c = 0; c < D; ++c) mirrored.velocity[c] = right[0][c + 1] / matrix[0][0];
        double lines[size][answers];  // each: the value at the mirror node, and the slope
        if (!eliminate(matrix, right, smallest_determinant, lines)) return mirrored;
        for (int c = 0; c < D; ++c) mirrored.velocity[c] = lines[0][c + 1];
        double s = lines[0][0];
        for (int i = 0; i < D; ++i) s = fma(-to[i], lines[i + 1][0], s);
        if (magnitude(s) <= bound) mirrored.s = s;
        return mirrored;
    }

private:
    static constexpr double smallest_determinant = 1e-3;
};

}  // namespace halfulp
