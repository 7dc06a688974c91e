// Solvers for the small linear systems of a particle's neighbourhood: symmetric systems of two or three unknowns by the
// adjugate (renormalised gradients, moving least squares, first-order LSMPS), symmetric positive definite ones by L D
// L^T (second-order LSMPS), and general ones by elimination (mDBC). Each detects nearly singular matrices, for which it
// computes no solution. The condition number of symmetric matrices is here, too. Symmetric matrices are stored as their
// upper triangle, row by row.
#pragma once

#include "kernels/vector.hpp"
#include "precision/error_free.hpp"

namespace halfulp {

template <int N>
inline constexpr int triangle = N*(N + 1) / 2;

// The element of row i and column j >= i in the triangle.
template <int N>
HALFULP_INLINE constexpr int in_triangle(int i, int j)
{
    return i * N - i * (i - 1) / 2 + (j - i);
}

// Two evaluations of the cofactors a b - c d and of the determinant. FusedProducts rounds one product, so that the
// error of a cofactor is at most an ulp of its larger product. ExactProducts has an error of at most 1.5 ulps of the
// cofactor itself (Jeannerod, Louvet and Muller 2013, Math. Comput. 82, 2245), and adds the rounding errors of products
// and sums to the determinant.
struct FusedProducts {
    static constexpr const char* name = "adjugate";

    template <class T>
    static HALFULP_INLINE T difference(const T& a, const T& b, const T& c, const T& d)
    {
        return fma(a, b, -(c * d));
    }
    template <class T>
    static HALFULP_INLINE T sum(const Vec<3, T>& a, const Vec<3, T>& b)
    {
        return fma(a[2], b[2], fma(a[1], b[1], a[0] * b[0]));
    }
};
struct ExactProducts {
    static constexpr const char* name = "adjugate-exact";

    template <class T>
    static HALFULP_INLINE T difference(const T& a, const T& b, const T& c, const T& d)
    {
        return difference_of_products(a, b, c, d);
    }
    template <class T>
    static HALFULP_INLINE T sum(const Vec<3, T>& a, const Vec<3, T>& b)
    {
        WithError<T> total = two_prod(a[0], b[0]);
        for (int k = 1; k < 3; ++k) {
            const WithError<T> product = two_prod(a[k], b[k]);
            const WithError<T> next = two_sum(total.value, product.value);
            total = {next.value, total.error + (product.error + next.error)};
        }
        return total.value + total.error;
    }
};

// The solution of M x = g; zero, and not regular, where det M is not above a bound.
template <int D, class T>
struct SymmetricSolution {
    Vec<D, T> x;
    decltype(T() > T()) regular;
};

template <class Products = FusedProducts, class T>
HALFULP_INLINE SymmetricSolution<2, T> solve_symmetric(const T (&m)[3], const Vec<2, T>& g, T smallest)
{
    const T determinant = Products::difference(m[0], m[2], m[1], m[1]);
    const T inverse = constant<T>(1) / larger(determinant, smallest);
    const auto regular = determinant > smallest;
    const T x = Products::difference(m[2], g[0], m[1], g[1]) * inverse;
    const T y = Products::difference(m[0], g[1], m[1], g[0]) * inverse;
    return {{{select(regular, x, constant<T>(0)), select(regular, y, constant<T>(0))}}, regular};
}

template <class Products = FusedProducts, class T>
HALFULP_INLINE SymmetricSolution<3, T> solve_symmetric(const T (&m)[6], const Vec<3, T>& g, T smallest)
{
    // The adjugate of the matrix (xx, xy, xz, yy, yz, zz).
    const T xx = Products::difference(m[3], m[5], m[4], m[4]);
    const T xy = Products::difference(m[2], m[4], m[1], m[5]);
    const T xz = Products::difference(m[1], m[4], m[2], m[3]);
    const T yy = Products::difference(m[0], m[5], m[2], m[2]);
    const T yz = Products::difference(m[1], m[2], m[0], m[4]);
    const T zz = Products::difference(m[0], m[3], m[1], m[1]);
    const T determinant = Products::sum(Vec<3, T>{{m[0], m[1], m[2]}}, Vec<3, T>{{xx, xy, xz}});
    const T inverse = constant<T>(1) / larger(determinant, smallest);
    const auto regular = determinant > smallest;
    const T x = Products::sum(Vec<3, T>{{xx, xy, xz}}, g) * inverse;
    const T y = Products::sum(Vec<3, T>{{xy, yy, yz}}, g) * inverse;
    const T z = Products::sum(Vec<3, T>{{xz, yz, zz}}, g) * inverse;
    const T zero = constant<T>(0);
    return {{{select(regular, x, zero), select(regular, y, zero), select(regular, z, zero)}}, regular};
}

// The largest over the smallest eigenvalue of a positive definite matrix, by Jacobi's rotations: sweeps converge
// quadratically, so that five leave nothing outside of the diagonal of two or three rows. Zero where the smallest is
// not positive.
template <int D, class T>
HALFULP_INLINE T condition_number(const T (&m)[triangle<D>])
{
    T a[D][D];
    for (int i = 0; i < D; ++i) {
        for (int j = i; j < D; ++j) a[i][j] = a[j][i] = m[in_triangle<D>(i, j)];
    }
    for (int sweep = 0; sweep < 5; ++sweep) {
        for (int p = 0; p < D; ++p) {
            for (int q = p + 1; q < D; ++q) {
                if (a[p][q] == T(0)) continue;
                const T ratio = (a[q][q] - a[p][p]) / (a[p][q] + a[p][q]);
                const T tangent = T(1) / (magnitude(ratio) + square_root(fma(ratio, ratio, T(1))));
                const T t = ratio < T(0) ? -tangent : tangent;
                const T cosine = T(1) / square_root(fma(t, t, T(1)));
                const T sine = t * cosine;
                a[p][p] = fma(-t, a[p][q], a[p][p]);
                a[q][q] = fma(t, a[p][q], a[q][q]);
                a[p][q] = a[q][p] = T(0);
                for (int k = 0; k < D; ++k) {
                    if (k == p || k == q) continue;
                    const T of_p = fma(cosine, a[k][p], -(sine * a[k][q]));
                    const T of_q = fma(sine, a[k][p], cosine * a[k][q]);
                    a[k][p] = a[p][k] = of_p;
                    a[k][q] = a[q][k] = of_q;
                }
            }
        }
    }
    T least = a[0][0];
    T most = a[0][0];
    for (int i = 1; i < D; ++i) {
        least = smaller(least, a[i][i]);
        most = larger(most, a[i][i]);
    }
    return least > T(0) ? most / least : T(0);
}

// The solution of M x = b by M = L D L^T without pivoting, which positive definite matrices do not need (Higham 2002,
// theorem 10.3). False, with x undefined, where a pivot is not above `smallest` of its diagonal element: scaling a
// row and its column by a power of two, as different units of the unknowns do, changes no digit of the rest.
template <int N, class T>
HALFULP_INLINE bool solve_ldlt(const T (&m)[triangle<N>], const T (&b)[N], T smallest, T (&x)[N])
{
    T l[triangle<N>];  // L^T above the diagonal, D on it
    for (int k = 0; k < N; ++k) {
        for (int j = k; j < N; ++j) {
            T value = m[in_triangle<N>(k, j)];
            for (int i = 0; i < k; ++i) {
                const T factor = l[in_triangle<N>(i, k)] * l[in_triangle<N>(i, i)];
                value = fma(-factor, l[in_triangle<N>(i, j)], value);
            }
            if (j == k) {
                if (!(value > smallest * m[in_triangle<N>(k, k)])) return false;
                l[in_triangle<N>(k, k)] = value;
            } else {
                l[in_triangle<N>(k, j)] = value / l[in_triangle<N>(k, k)];
            }
        }
    }
    for (int k = 0; k < N; ++k) {
        x[k] = b[k];
        for (int i = 0; i < k; ++i) x[k] = fma(-l[in_triangle<N>(i, k)], x[i], x[k]);
    }
    for (int k = N - 1; k >= 0; --k) {
        x[k] = x[k] / l[in_triangle<N>(k, k)];
        for (int j = k + 1; j < N; ++j) x[k] = fma(-l[in_triangle<N>(k, j)], x[j], x[k]);
    }
    return true;
}

// The solutions x of M x = b for several right-hand sides by elimination with partial pivoting. rows: of M, and behind
// each the elements of the right-hand sides. False, with x undefined, where the determinant's magnitude is below a
// bound.
template <int N, int sides, class T>
HALFULP_INLINE bool eliminate(const T (&rows)[N][N + sides], T smallest, T (&x)[N][sides])
{
    constexpr int columns = N + sides;
    T a[N][columns];
    for (int i = 0; i < N; ++i) {
        for (int j = 0; j < columns; ++j) a[i][j] = rows[i][j];
    }
    T determinant = T(1);
    for (int k = 0; k < N; ++k) {
        int pivot = k;
        for (int i = k + 1; i < N; ++i) {
            if (magnitude(a[i][k]) > magnitude(a[pivot][k])) pivot = i;
        }
        for (int j = k; j < columns; ++j) {
            const T lower = a[k][j];
            a[k][j] = a[pivot][j];
            a[pivot][j] = lower;
        }
        determinant = determinant * a[k][k];
        if (a[k][k] == T(0)) return false;
        for (int i = k + 1; i < N; ++i) {
            const T factor = a[i][k] / a[k][k];
            for (int j = k; j < columns; ++j) a[i][j] = fma(-factor, a[k][j], a[i][j]);
        }
    }
    if (!(magnitude(determinant) >= smallest)) return false;
    for (int k = N - 1; k >= 0; --k) {
        for (int side = 0; side < sides; ++side) {
            T value = a[k][N + side];
            for (int j = k + 1; j < N; ++j) value = fma(-a[k][j], x[j][side], value);
            x[k][side] = value / a[k][k];
        }
    }
    return true;
}

}  // namespace halfulp
