#include "validation/differential/conditioning.hpp"

#include <limits>

#include <Eigen/Dense>

#include "precision/quad_in_eigen.hpp"

#include "kernels/differential_operators.hpp"

namespace halfulp::differential {

namespace {

template <class T, int N>
using Matrix = Eigen::Matrix<T, N, N>;
template <class T, int N>
using Column = Eigen::Matrix<T, N, 1>;

// The system of one particle, as its sums.
template <class T, int N>
struct System {
    T m[triangle<N>];
    T b[N];

    template <class Other>
    explicit System(const Other& other)
    {
        for (int k = 0; k < triangle<N>; ++k) m[k] = static_cast<T>(other.m[k]);
        for (int k = 0; k < N; ++k) b[k] = static_cast<T>(other.b[k]);
    }
    template <class Sums, class Right>
    System(const Sums& matrix, const Right& right)
    {
        for (int k = 0; k < triangle<N>; ++k) m[k] = matrix[k].value();
        for (int k = 0; k < N; ++k) b[k] = right[k].value();
    }
    template <class Wide>
    [[nodiscard]] Matrix<Wide, N> full() const
    {
        Matrix<Wide, N> all;
        for (int i = 0; i < N; ++i)
            for (int j = i; j < N; ++j) all(i, j) = all(j, i) = Wide(m[in_triangle<N>(i, j)]);
        return all;
    }
    template <class Wide>
    [[nodiscard]] Column<Wide, N> right() const
    {
        Column<Wide, N> all;
        for (int i = 0; i < N; ++i) all[i] = Wide(b[i]);
        return all;
    }
    template <class Wide>
    [[nodiscard]] Wide condition() const
    {
        const Eigen::SelfAdjointEigenSolver<Matrix<Wide, N>> solver(full<Wide>(), Eigen::EigenvaluesOnly);
        return solver.eigenvalues()[N - 1] / solver.eigenvalues()[0];
    }
};

// Of a solution in T, against Eigen's in quadruple precision of the same numbers.
template <class T, int N, class X>
double error_of(const System<T, N>& system, const X& x)
{
    const Column<Quad, N> exact =
        system.template full<Quad>().colPivHouseholderQr().solve(system.template right<Quad>());
    Column<Quad, N> difference = exact;
    for (int i = 0; i < N; ++i) difference[i] -= Quad(x[i]);
    return static_cast<double>(Quad(difference.norm() / exact.norm()));
}

// The fit of a particle, with the field of the rounding study.
template <class T, class Fit, class Domain, int D>
Fit fit_at(const Arrangement<D>& box, const std::vector<std::vector<std::uint32_t>>& neighbours, std::size_t i,
           double reach, double scale)
{
    Fit fit{};
    const Field<D> field = wave_field<D>();
    for (const std::uint32_t j : neighbours[i]) {
        Vec<D, T> r;
        for (int c = 0; c < D; ++c) r[c] = T(box.places[j][c]) - T(box.places[i][c]);
        fit.add(Domain::weight(r, T(1) / T(reach)), r,
                T(field.value(box.places[j], 0.2)) - T(field.value(box.places[i], 0.2)), T(1) / T(scale));
    }
    return fit;
}

constexpr double reach_of_lattice = 3.1;
constexpr int edge_of_lattice = 9;

std::size_t particle_at(const Arrangement<3>& box, Place place)
{
    for (std::size_t i = 0; i < box.where.size(); ++i)
        if (box.where[i] == place) return i;
    return 0;
}

template <class Domain>
Conditioning first_order(Place place)
{
    const auto box = lattice_box<3>(edge_of_lattice, 0, reach_of_lattice);
    const auto neighbours = neighbours_of<Domain>(box.places, reach_of_lattice);
    const std::size_t i = particle_at(box, place);
    const auto in_quad =
        fit_at<Quad, LinearFit<3, Quad, PlainSum<Quad>>, Domain>(box, neighbours, i, reach_of_lattice, 1.5);
    const auto in_double =
        fit_at<double, LinearFit<3, double, PlainSum<double>>, Domain>(box, neighbours, i, reach_of_lattice, 1.5);
    const System<Quad, 3> exact(in_quad.matrix, in_quad.right[0]);
    const System<double, 3> rounded(in_double.matrix, in_double.right[0]);
    const System<float, 3> single(exact);
    Conditioning result;
    result.condition = static_cast<double>(exact.condition<Quad>());
    result.by_double = rounded.condition<double>();
    result.own = static_cast<double>(condition_number<3>(single.m));
    const auto solved = [&]<class T>(const System<T, 3>& system) {
        const Vec<3, T> b{{system.b[0], system.b[1], system.b[2]}};
        return error_of(system, solve_symmetric<ExactProducts>(system.m, b, T(0)).x);
    };
    result.float_error = solved(single);
    result.double_error = solved(rounded);
    result.by_double_error = error_of(rounded, rounded.full<double>().inverse() * rounded.right<double>());
    return result;
}

}  // namespace

Conditioning first_order_at(Place place, bool cube)
{
    return cube ? first_order<CubicDomain>(place) : first_order<SphericalDomain>(place);
}

Conditioning second_order_at(Place place, double scale)
{
    using InQuad = QuadraticFit<3, Quad, PlainSum<Quad>>;
    constexpr int n = InQuad::terms;
    const auto box = lattice_box<3>(edge_of_lattice, 0, reach_of_lattice);
    const auto neighbours = neighbours_of<SphericalDomain>(box.places, reach_of_lattice);
    const std::size_t i = particle_at(box, place);
    const auto in_quad = fit_at<Quad, InQuad, SphericalDomain>(box, neighbours, i, reach_of_lattice, scale);
    const auto in_double = fit_at<double, QuadraticFit<3, double, PlainSum<double>>, SphericalDomain>(
        box, neighbours, i, reach_of_lattice, scale);
    const System<Quad, n> exact(in_quad.matrix, in_quad.right);
    const System<double, n> rounded(in_double.matrix, in_double.right);
    const System<float, n> single(exact);
    Conditioning result;
    result.condition = static_cast<double>(exact.condition<Quad>());
    result.by_double = rounded.condition<double>();
    const auto solved = [&]<class T>(const System<T, n>& system) {
        T x[n];
        return solve_ldlt<n>(system.m, system.b, T(0), x) ? error_of(system, x)
                                                          : std::numeric_limits<double>::infinity();
    };
    result.float_error = solved(single);
    result.double_error = solved(rounded);
    result.by_double_error =
        error_of(rounded, rounded.full<double>().colPivHouseholderQr().solve(rounded.right<double>()).eval());
    return result;
}

template <int D>
Conditions conditions_of(const Arrangement<D>& arrangement, double reach)
{
    using First = LinearFit<D, double, PlainSum<double>>;
    using Second = QuadraticFit<D, double, PlainSum<double>>;
    const auto neighbours = neighbours_of<SphericalDomain>(arrangement.places, reach);
    Conditions conditions;
    const auto condition = []<int N>(const System<double, N>& system) {
        const double value = system.template condition<double>();
        return value > 0 && value < 1e15 ? value : std::numeric_limits<double>::infinity();
    };
    for (std::size_t i = 0; i < arrangement.places.size(); ++i) {
        const auto first = fit_at<double, First, SphericalDomain>(arrangement, neighbours, i, reach, 1.5);
        const auto second = fit_at<double, Second, SphericalDomain>(arrangement, neighbours, i, reach, 1.5);
        conditions.first.push_back(condition(System<double, D>(first.matrix, first.right[0])));
        conditions.second.push_back(condition(System<double, Second::terms>(second.matrix, second.right)));
    }
    return conditions;
}
template Conditions conditions_of(const Arrangement<2>&, double);
template Conditions conditions_of(const Arrangement<3>&, double);

}  // namespace halfulp::differential
