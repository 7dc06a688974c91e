// Smoothing kernels: normalisation, gradient, support and rounding.
#include <gtest/gtest.h>

#include "precision/multiprecision.hpp"

#include "kernels/smoothing.hpp"
#include "precision/simd.hpp"
#include "tests/precision/reference.hpp"

namespace halfulp::test {
namespace {

// Roundings on the longest path to a result, times u, as read off the formulas; u^2 is covered by counting one more.
template <class Kernel>
struct Roundings;
template <>
struct Roundings<WendlandC2> {
    static constexpr int shape =
        9 + 1;  // t: 1, four times; two products t t each used, t2 t2: 2 + 1; 1 + 2q: 1; product: 1
    static constexpr int gradient = 6 + 1;  // t: 1, three times; three products
};
template <>
struct Roundings<CubicSpline> {
    static constexpr int shape = 7 + 1;     // inner: q q and the fma, 2u of at most 0.75, and 1, over at least 0.25
    static constexpr int gradient = 3 + 1;  // outer: two products and a division; t = 2 - q is exact for q in [1, 2]
};

template <class Kernel>
class Smoothing : public testing::Test {
};
using Kernels = testing::Types<WendlandC2, CubicSpline>;
TYPED_TEST_SUITE(Smoothing, Kernels);

// Simpson's rule, 1000 intervals on each side of q = 1, where the cubic spline has its knot. Both kernels are
// polynomials there with fourth derivatives below 10^3 after the factor q^(D-1): error below 2 * 10^3 * (10^-3)^4 / 180
// = 2e-11.
template <class Kernel>
double integral(int dimensions)
{
    const auto integrand = [&](double q) {
        const double surface = dimensions == 2 ? 2 * std::numbers::pi * q : 4 * std::numbers::pi * q * q;
        return Kernel::shape(q) * surface;
    };
    constexpr int intervals = 1000;
    double total = 0;
    for (const double from : {0.0, 1.0}) {
        for (int k = 0; k <= intervals; ++k) {
            const int weight = k == 0 || k == intervals ? 1 : (k % 2 == 1 ? 4 : 2);
            total += weight * integrand(from + k / double(intervals));
        }
    }
    return Kernel::normalisation(dimensions) * total / (3.0 * intervals);
}

TYPED_TEST(Smoothing, IntegratesToOne)
{
    EXPECT_NEAR(integral<TypeParam>(2), 1, 2e-11);
    EXPECT_NEAR(integral<TypeParam>(3), 1, 2e-11);
}

// Central differences in quad precision, step d = 1e-10: truncation d^2/6 times a third derivative of at most about 60
// over q of at least 0.01, rounding 1e-34/d: below 1e-16.
TYPED_TEST(Smoothing, GradientIsTheDerivativeOverQ)
{
    const Quad d("1e-10");
    for (int k = 1; k < 300; ++k) {
        const Quad q = Quad(k) / 100 + Quad("0.001");
        const Quad derivative = (TypeParam::shape(Quad(q + d)) - TypeParam::shape(Quad(q - d))) / (2 * d);
        EXPECT_LE(abs(TypeParam::gradient_shape(q) - derivative / q), Quad("1e-16")) << q;
    }
}

TYPED_TEST(Smoothing, IsOneAtTheCentreOrAsTheFormulaSays)
{
    EXPECT_EQ(TypeParam::shape(0.0F), 1.0F);
    // Half-way: Wendland t = 1/2, 1/16 * 3 and -5/8; cubic spline 1/4 and -3/4.
    const bool wendland = std::is_same_v<TypeParam, WendlandC2>;
    EXPECT_EQ(TypeParam::shape(1.0F), wendland ? 0.1875F : 0.25F);
    EXPECT_EQ(TypeParam::gradient_shape(1.0F), wendland ? -0.625F : -0.75F);
    EXPECT_EQ(TypeParam::gradient_shape(0.0F), wendland ? -5.0F : -3.0F);
}

template <class Kernel, class T>
void expect_exact_support()
{
    const T edge = T(Kernel::support);
    for (const T q : {edge, std::nextafter(edge, T(3)), T(2.25), T(3), T(1e3), T(1e15)}) {
        EXPECT_EQ(Kernel::shape(q), T(0)) << q;
        EXPECT_EQ(Kernel::gradient_shape(q), T(0)) << q;
    }
    const T inside = std::nextafter(edge, T(0));
    EXPECT_GT(Kernel::shape(inside), T(0));
    EXPECT_LT(Kernel::gradient_shape(inside), T(0));
}

TYPED_TEST(Smoothing, VanishesExactlyFromTheSupportOn)
{
    expect_exact_support<TypeParam, float>();
    expect_exact_support<TypeParam, double>();
}

template <class Kernel, class T>
void expect_small_relative_errors()
{
    Random random(71);
    const Quad u = unit_roundoff<T>;
    Quad worst_shape = 0;
    Quad worst_gradient = 0;
    for (int k = 0; k < 20'000; ++k) {
        // Evenly, and crowding at the edge of the support, where an expanded polynomial would cancel.
        const double from_edge = k % 2 == 0 ? random.uniform(0, 2) : std::abs(random.number<double>(-12, -1));
        const T q = static_cast<T>(2 - from_edge);
        const Quad shape = Kernel::shape(Quad(q));
        const Quad gradient = Kernel::gradient_shape(Quad(q));
        worst_shape = std::max(worst_shape, Quad(abs(Quad(Kernel::shape(q)) - shape) / shape));
        worst_gradient = std::max(worst_gradient, Quad(abs((Quad(Kernel::gradient_shape(q)) - gradient) / gradient)));
    }
    EXPECT_LE(worst_shape, Roundings<Kernel>::shape * u);
    EXPECT_LE(worst_gradient, Roundings<Kernel>::gradient * u);
}

TYPED_TEST(Smoothing, RelativeErrorStaysWithinTheRoundings)
{
    expect_small_relative_errors<TypeParam, float>();
    expect_small_relative_errors<TypeParam, double>();
}

TYPED_TEST(Smoothing, LanesEqualTheScalar)
{
    Random random(72);
    for (int k = 0; k < 2000; ++k) {
        Simd<float, 8> q;
        for (int lane = 0; lane < 8; ++lane) q.set(lane, static_cast<float>(random.uniform(0, 2.5)));
        const auto shape = TypeParam::shape(q);
        const auto gradient = TypeParam::gradient_shape(q);
        for (int lane = 0; lane < 8; ++lane) {
            ASSERT_TRUE(same(shape[lane], TypeParam::shape(q[lane])));
            ASSERT_TRUE(same(gradient[lane], TypeParam::gradient_shape(q[lane])));
        }
    }
}

}  // namespace
}  // namespace halfulp::test
