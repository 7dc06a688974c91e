// Small linear systems against Eigen with the quad type as its scalar: matrices of prescribed eigenvalues, from
// well-conditioned to nearly singular, in every number type.
#include <vector>

#include <gtest/gtest.h>
#include <Eigen/Dense>

#include "precision/quad_in_eigen.hpp"

#include "kernels/small_solves.hpp"
#include "tests/precision/reference.hpp"

namespace halfulp::test {
namespace {

// Of a size known at run time: a solver of each size takes long to compile.
using QuadMatrix = Eigen::Matrix<Quad, Eigen::Dynamic, Eigen::Dynamic>;
using QuadVector = Eigen::Matrix<Quad, Eigen::Dynamic, 1>;

// Q diag(values) Q^T with a random rotation, rounded to T: as a triangle, and what that is exactly.
template <int N, class T>
struct Rotated {
    T triangle[halfulp::triangle<N>];
    QuadMatrix exact;

    Rotated(Random& random, const std::vector<double>& values) : exact(N, N)
    {
        QuadMatrix any(N, N);
        for (int i = 0; i < N; ++i) {
            for (int j = 0; j < N; ++j) any(i, j) = Quad(random.uniform(-1, 1));
        }
        const QuadMatrix q = Eigen::HouseholderQR<QuadMatrix>(any).householderQ();
        QuadVector diagonal(N);
        for (int i = 0; i < N; ++i) diagonal[i] = Quad(values[static_cast<std::size_t>(i)]);
        const QuadMatrix full = q * diagonal.asDiagonal() * q.transpose();
        for (int i = 0; i < N; ++i) {
            for (int j = i; j < N; ++j) {
                triangle[in_triangle<N>(i, j)] = static_cast<T>(full(i, j));
                exact(i, j) = exact(j, i) = Quad(triangle[in_triangle<N>(i, j)]);
            }
        }
    }
    [[nodiscard]] QuadVector solution(const QuadVector& right) const { return exact.fullPivLu().solve(right); }
    [[nodiscard]] double condition() const
    {
        const Eigen::SelfAdjointEigenSolver<QuadMatrix> solver(exact, Eigen::EigenvaluesOnly);
        return static_cast<double>(solver.eigenvalues()[N - 1] / solver.eigenvalues()[0]);
    }
};

template <int N, class T>
QuadVector random_right_side(Random& random)
{
    QuadVector right(N);
    for (int i = 0; i < N; ++i) right[i] = Quad(static_cast<T>(random.uniform(-1, 1)));
    return right;
}

// |x - exact| / |exact| over condition and unit roundoff.
template <int N, class T, class X>
double error_over_condition(const X& x, const QuadVector& exact, double condition)
{
    QuadVector difference = exact;
    for (int i = 0; i < N; ++i) difference[i] -= Quad(x[i]);
    return static_cast<double>(difference.norm() / exact.norm() / Quad(condition) /
                               (Quad(std::numeric_limits<T>::epsilon()) / 2));
}

// Spectra of a given condition: one small eigenvalue (neighbours nearly in a plane), or all but one (in a line).
template <int N>
std::vector<double> in_a_plane(double condition)
{
    std::vector<double> values(N, 1.0);
    values.back() = 1 / condition;
    return values;
}
template <int N>
std::vector<double> in_a_line(double condition)
{
    std::vector<double> values(N, 1 / condition);
    values.front() = 1;
    return values;
}

template <class Products, int D, class T>
double worst_of_adjugate(std::vector<double> (*spectrum)(double), double condition)
{
    Random random(19);
    double worst = 0;
    for (int k = 0; k < 300; ++k) {
        const Rotated<D, T> system(random, spectrum(condition));
        const QuadVector right = random_right_side<D, T>(random);
        Vec<D, T> g;
        for (int i = 0; i < D; ++i) g[i] = static_cast<T>(right[i]);
        const auto solution = solve_symmetric<Products>(system.triangle, g, T(0));
        EXPECT_TRUE(solution.regular);
        worst = std::max(worst, error_over_condition<D, T>(solution.x, system.solution(right), system.condition()));
    }
    return worst;
}

TEST(SmallSolves, TheAdjugateLosesTheConditionInAPlane)
{
    for (const double condition : {1.0, 10.0, 1e3, 1e5}) {
        const auto check = [&]<class Products>() {
            EXPECT_LT((worst_of_adjugate<Products, 2, float>(in_a_plane<2>, condition)), 12) << condition;
            EXPECT_LT((worst_of_adjugate<Products, 3, float>(in_a_plane<3>, condition)), 12) << condition;
            EXPECT_LT((worst_of_adjugate<Products, 2, double>(in_a_plane<2>, condition * condition)), 12) << condition;
            EXPECT_LT((worst_of_adjugate<Products, 3, double>(in_a_plane<3>, condition * condition)), 12) << condition;
        };
        check.operator()<FusedProducts>();
        check.operator()<ExactProducts>();
    }
}

// With one product of a cofactor rounded its error is that of the larger product: the square of the condition is lost.
TEST(SmallSolves, InALineOnlyExactCofactorsDo)
{
    for (const double condition : {10.0, 100.0, 1000.0}) {
        EXPECT_LT((worst_of_adjugate<ExactProducts, 3, float>(in_a_line<3>, condition)), 12) << condition;
        EXPECT_GT((worst_of_adjugate<FusedProducts, 3, float>(in_a_line<3>, condition)), condition / 40) << condition;
        EXPECT_LT((worst_of_adjugate<ExactProducts, 3, double>(in_a_line<3>, condition * 1000)), 12) << condition;
    }
}

TEST(SmallSolves, NearlySingularMatricesAreTold)
{
    const float plane[6] = {1, 0, 0, 1, 0, 0.01F};
    EXPECT_FALSE(solve_symmetric(plane, Vec<3, float>{{1, 1, 1}}, 0.01F).regular);
    EXPECT_EQ(solve_symmetric(plane, Vec<3, float>{{1, 1, 1}}, 0.01F).x[0], 0);
    EXPECT_TRUE(solve_symmetric(plane, Vec<3, float>{{1, 1, 1}}, 0.0099F).regular);
    double x[3];
    const double ones[3] = {1, 1, 1};
    const double singular[6] = {1, 1, 0, 1, 0, 1};
    EXPECT_FALSE(solve_ldlt<3>(singular, ones, 1e-12, x));
    const double indefinite[6] = {1, 0, 0, -1, 0, 1};
    EXPECT_FALSE(solve_ldlt<3>(indefinite, ones, 0.0, x));
    double y[2][1];
    const double nearly[2][3] = {{1, 2, 3}, {2, 4.0001, 4}};
    EXPECT_FALSE((eliminate<2, 1>(nearly, 1e-3, y)));
    const double half[2][3] = {{0, 0, 3}, {0, 1, 4}};
    EXPECT_FALSE((eliminate<2, 1>(half, 0.0, y)));
    const double exchanged[2][3] = {{0, 1, 3}, {1, 0, 4}};
    EXPECT_TRUE((eliminate<2, 1>(exchanged, 1e-3, y)));
    EXPECT_EQ(y[0][0], 4);
    EXPECT_EQ(y[1][0], 3);
}

template <int N, class T>
double worst_of_ldlt(double condition)
{
    Random random(23);
    double worst = 0;
    for (int k = 0; k < 100; ++k) {
        std::vector<double> values(N);
        for (int i = 0; i < N; ++i) values[static_cast<std::size_t>(i)] = std::pow(condition, -i / (N - 1.0));
        const Rotated<N, T> system(random, values);
        const QuadVector right = random_right_side<N, T>(random);
        T b[N];
        for (int i = 0; i < N; ++i) b[i] = static_cast<T>(right[i]);
        T x[N];
        EXPECT_TRUE(solve_ldlt<N>(system.triangle, b, T(0), x));
        worst = std::max(worst, error_over_condition<N, T>(x, system.solution(right), system.condition()));
    }
    return worst;
}

TEST(SmallSolves, LdltLosesTheCondition)
{
    for (const double condition : {1.0, 100.0, 1e4}) {
        EXPECT_LT((worst_of_ldlt<3, float>(condition)), 6) << condition;
        EXPECT_LT((worst_of_ldlt<5, float>(condition)), 6) << condition;
        EXPECT_LT((worst_of_ldlt<9, float>(condition)), 6) << condition;
        EXPECT_LT((worst_of_ldlt<9, double>(condition * condition)), 6) << condition;
    }
    EXPECT_LT((worst_of_ldlt<9, Quad>(1e4)), 6);
}

// Other units of the unknowns change no digit.
TEST(SmallSolves, PowersOfTwoPassThroughLdlt)
{
    Random random(29);
    const Rotated<5, float> system(random, {1, 0.1, 0.01, 0.5, 0.2});
    const float b[5] = {1, -2, 3, 0.25F, 7};
    const int powers[5] = {0, 3, -4, 10, -7};
    float scaled[triangle<5>];
    float scaled_b[5];
    for (int i = 0; i < 5; ++i) {
        scaled_b[i] = std::ldexp(b[i], powers[i]);
        for (int j = i; j < 5; ++j)
            scaled[in_triangle<5>(i, j)] = std::ldexp(system.triangle[in_triangle<5>(i, j)], powers[i] + powers[j]);
    }
    float x[5];
    float y[5];
    ASSERT_TRUE(solve_ldlt<5>(system.triangle, b, 1e-6F, x));
    ASSERT_TRUE(solve_ldlt<5>(scaled, scaled_b, 1e-6F, y));
    for (int i = 0; i < 5; ++i) EXPECT_EQ(std::ldexp(y[i], powers[i]), x[i]) << i;
}

TEST(SmallSolves, EliminationLosesTheCondition)
{
    Random random(31);
    for (const double condition : {1.0, 1e3, 1e6}) {
        double worst = 0;
        for (int k = 0; k < 100; ++k) {
            // Not symmetric: rotated on one side more.
            const Rotated<4, double> some(random, {1, 0.5, 0.1, 1 / condition});
            const Rotated<4, double> other(random, {1, -1, 1, 1});
            double rows[4][6];
            QuadMatrix exact(4, 4);
            const QuadMatrix product = some.exact * other.exact;
            const QuadVector first = random_right_side<4, double>(random);
            const QuadVector second = random_right_side<4, double>(random);
            for (int i = 0; i < 4; ++i) {
                for (int j = 0; j < 4; ++j) exact(i, j) = Quad(rows[i][j] = static_cast<double>(product(i, j)));
                rows[i][4] = static_cast<double>(first[i]);
                rows[i][5] = static_cast<double>(second[i]);
            }
            double x[4][2];
            ASSERT_TRUE((eliminate<4, 2>(rows, 0.0, x)));
            for (int side = 0; side < 2; ++side) {
                const double column[4] = {x[0][side], x[1][side], x[2][side], x[3][side]};
                const QuadVector answer = exact.fullPivLu().solve(side == 0 ? first : second);
                worst = std::max(worst, error_over_condition<4, double>(column, answer, std::max(condition, 10.0)));
            }
        }
        EXPECT_LT(worst, 6) << condition;
    }
}

// Against the exact value where nearly all digits cancel.
TEST(SmallSolves, DifferencesOfProducts)
{
    Random random(37);
    double worst = 0;
    double worst_fused = 0;
    for (int k = 0; k < 20000; ++k) {
        const auto a = static_cast<float>(random.uniform(1, 2));
        const auto b = static_cast<float>(random.uniform(1, 2));
        const auto c = static_cast<float>(random.uniform(1, 2));
        const auto d = static_cast<float>(static_cast<double>(a) * b / c * (1 + 1e-7 * random.uniform(-1, 1)));
        const double exact = static_cast<double>(a) * b - static_cast<double>(c) * d;
        if (exact == 0) continue;
        const auto error = [&](float value) {
            return std::abs(value - exact) / std::abs(exact) / std::numeric_limits<float>::epsilon();
        };
        worst = std::max(worst, error(difference_of_products(a, b, c, d)));
        worst_fused = std::max(worst_fused, error(fma(a, b, -(c * d))));
    }
    EXPECT_LE(worst, 1.5);
    EXPECT_GT(worst_fused, 1e5);
}

// Against Eigen in quad: the smallest eigenvalue is known to a unit in the last place of the largest.
template <int D, class T>
void expect_condition()
{
    Random random(43);
    const auto u = static_cast<double>(std::numeric_limits<T>::epsilon()) / 2;
    for (const double condition : {1.0, 3.0, 1e2, 1e4}) {
        for (const auto spectrum : {in_a_plane<D>, in_a_line<D>}) {
            for (int k = 0; k < 100; ++k) {
                const Rotated<D, T> system(random, spectrum(condition));
                const auto found = static_cast<double>(condition_number<D>(system.triangle));
                EXPECT_NEAR(found / system.condition(), 1, 12 * u * condition) << condition;
            }
        }
    }
    const T line[triangle<2>] = {T(1), T(1), T(1)};
    EXPECT_EQ(condition_number<2>(line), T(0));
}

TEST(SmallSolves, ConditionNumbers)
{
    expect_condition<2, float>();
    expect_condition<3, float>();
    expect_condition<3, double>();
}

}  // namespace
}  // namespace halfulp::test
