// Modified dynamic boundary conditions, mDBC (English et al. 2022, Comput. Part. Mech. 9, 911): a wall's density from
// that of the fluid at its mirror node g across the wall's surface, with the first-order consistent interpolation of
// Liu and Liu (2006, Appl. Numer. Math. 56, 19). With sums over fluid neighbours b, V_b = m_b/rho_b, x = x_b - x_g:
//     | sum W V       sum x_j W V      |  | s_g   |   | sum s W V      |
//     | sum d_i W V   sum x_j d_i W V  |  | d_j s | = | sum s d_i W V  |,        s_w = s_g + (x_w - x_g) . grad s,
// d_i W = -F x_i the derivative by x_g. The centred density s replaces rho, so that nothing cancels: both systems have
// the same solution, as they reproduce constants. With x in smoothing lengths the matrix is dimensionless and close to
// unity inside the fluid. Where its determinant is below 1e-3, or the linear value exceeds a bound on densities, s_w is
// sum s W V / sum W V; without fluid 0. Pressure cloning (DualSPHysics 5.4, "mDBC2": Mdbc2PressClone in
// JSphCpu_mdbc.cpp) takes s_g at the node and continues the pressure as in fluid at rest,
//     P_w = P(s_g) + rho0 (g - a_w) . (x_w - x_g),
// a_w the wall's own acceleration. The fluid's velocity at the mirror node is the solution of the same system, or
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

// with_velocity: whether the fluid's velocity is interpolated, too; otherwise it is zero.
template <int D, bool with_velocity = true>
struct MirroredSums {
    static constexpr int size = D + 1;  // unknowns
    static constexpr int answers =
        with_velocity ? D + 1 : 1;  // right-hand sides: of s, and of the velocity's components
    static constexpr int columns = size + answers;

    double rows[size][columns]{};  // of the matrix, and behind it of the right-hand sides

    // What a fluid neighbour adds: rows[i][j] += weight[i] factor[j].
    struct Term {
        double weight[size];
        double factor[columns];
    };
    // The term of a neighbour at x (smoothing lengths) from the mirror node, with velocity u relative to the wall's.
    // value: W V; gradient: -F V h^2; both divided by the same constant.
    static HALFULP_INLINE Term term(const Vec<D, double>& x, double value, double gradient, double s,
                                    const Vec<D, double>& u)
    {
        Term term{{value}, {1}};
        term.factor[size] = s;
        for (int c = 0; c < D; ++c) {
            term.weight[c + 1] = gradient * x[c];
            term.factor[c + 1] = x[c];
            if constexpr (with_velocity) term.factor[size + 1 + c] = u[c];
        }
        return term;
    }

    HALFULP_INLINE void add(const Term& term)
    {
        for (int i = 0; i < size; ++i) {
            for (int j = 0; j < columns; ++j) rows[i][j] = fma(term.weight[i], term.factor[j], rows[i][j]);
        }
    }

    // to: from the wall to its mirror node, smoothing lengths.
    [[nodiscard]] HALFULP_INLINE Mirrored<D> value(const Vec<D, double>& to, double bound) const
    {
        Mirrored<D> mirrored;
        const double weights = rows[0][0];
        if (!(weights > 0)) return mirrored;
        mirrored.s = rows[0][size] / weights;
        if constexpr (with_velocity) {
            for (int c = 0; c < D; ++c) mirrored.velocity[c] = rows[0][size + 1 + c] / weights;
        }
        double lines[size][answers];  // each: the value at the mirror node, and the slope
        if (!eliminate<size, answers>(rows, smallest_determinant, lines)) return mirrored;
        if constexpr (with_velocity) {
            for (int c = 0; c < D; ++c) mirrored.velocity[c] = lines[0][c + 1];
        }
        double s = lines[0][0];
        for (int i = 0; i < D; ++i) s = fma(-to[i], lines[i + 1][0], s);
        if (magnitude(s) <= bound) mirrored.s = s;
        return mirrored;
    }

private:
    static constexpr double smallest_determinant = 1e-3;
};

}  // namespace halfulp
