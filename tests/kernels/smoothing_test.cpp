// Smoothing kernels: normalisation, gradient, support and rounding.
#include <gtest/gtest.h>

#include <boost/math/constants/constants.hpp>

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
template <>
struct Roundings<Gaussian> {
    // q q moves the exponential by q^2 u <= 9 u, which itself errs by less than an ulp, 2 u; the shape's difference and
    // constant: 1, of e^-9 too.
    static constexpr int shape = 12 + 1;
    static constexpr int gradient = 11 + 1;
};

// What a shape's terms have in size beyond the shape: the Gaussian is lowered by e^-9.
template <class Kernel>
Quad lowered_by()
{
    return std::is_same_v<Kernel, Gaussian> ? Quad(exp(Quad(-9))) : Quad(0);
}

template <class Kernel>
class Smoothing : public testing::Test {
};
using Kernels = testing::Types<WendlandC2, CubicSpline, Gaussian>;
TYPED_TEST_SUITE(Smoothing, Kernels);

// Simpson's rule, 1000 intervals a unit of q, so that the cubic spline's knot at q = 1 is between two. Fourth
// derivatives are below 10^3 after the factor q^(D-1): error below 3 * 10^3 * (10^-3)^4 / 180 = 2e-11.
template <class Kernel>
double integral(int dimensions)
{
    const auto integrand = [&](double q) {
        const double surface = dimensions == 1   ? 2
                               : dimensions == 2 ? 2 * std::numbers::pi * q
                                                 : 4 * std::numbers::pi * q * q;
        return Kernel::shape(q) * surface;
    };
    constexpr int intervals = 1000;
    double total = 0;
    for (double from = 0; from < Kernel::support; ++from) {
        for (int k = 0; k <= intervals; ++k) {
            const int weight = k == 0 || k == intervals ? 1 : (k % 2 == 1 ? 4 : 2);
            total += weight * integrand(from + k / double(intervals));
        }
    }
    return Kernel::normalisation(dimensions) * total / (3.0 * intervals);
}

TYPED_TEST(Smoothing, IntegratesToOne)
{
    EXPECT_NEAR(integral<TypeParam>(1), 1, 2e-11);
    EXPECT_NEAR(integral<TypeParam>(2), 1, 2e-11);
    EXPECT_NEAR(integral<TypeParam>(3), 1, 2e-11);
}

// The constants of the Gaussian are written out as numbers; these are the formulas of the comment beside them. erf(3)
// is long double's, good to 1e-19; the constants' own rounding is 3e-17, in 1D
// 6e-17.
TEST(GaussianConstants, AreThoseOfTheClosedForms)
{
    const Quad pi = boost::math::constants::pi<Quad>();
    const Quad cut = exp(Quad(-9));
    EXPECT_LE(abs(Gaussian::normalisation(1) - 1 / (sqrt(pi) * Quad(std::erf(3.0L)) - 6 * cut)), Quad("6e-17"));
    EXPECT_LE(abs(Gaussian::normalisation(2) - 1 / (pi * (1 - 10 * cut))), Quad("3e-17"));
    EXPECT_LE(abs(Gaussian::normalisation(3) - 1 / (pi * sqrt(pi) * Quad(std::erf(3.0L)) - 42 * pi * cut)),
              Quad("3e-17"));
    EXPECT_LE(abs(Gaussian::shape(Quad(1)) - (exp(Quad(-1)) - cut)), Quad(0x1p-66)) << "e^-9 is rounded to double";
    EXPECT_EQ(Gaussian::gradient_shape(0.0), -2.0);
    EXPECT_EQ(Gaussian::gradient_shape(0.0F), -2.0F);
    // The jump at the end of the support: -2 e^-9, as the comment says 2.5e-4.
    EXPECT_NEAR(Gaussian::gradient_shape(std::nextafter(3.0, 0.0)), -2.468e-4, 1e-7);
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
    if (std::is_same_v<TypeParam, Gaussian>) {  // 1 - e^-9
        EXPECT_EQ(TypeParam::shape(0.0F), 0.99987659F);
        return;
    }
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
    for (const T q : {edge, std::nextafter(edge, T(4)), edge + T(0.25), T(4), T(1e3), T(1e15)}) {
        EXPECT_EQ(Kernel::shape(q), T(0)) << q;
        EXPECT_EQ(Kernel::gradient_shape(q), T(0)) << q;
    }
    const T inside = std::nextafter(edge, T(0));
    EXPECT_GT(Kernel::shape(inside), T(0));
    EXPECT_LT(Kernel::gradient_shape(inside), T(0));
}

#define HALFULP_IF_IT_IS(enumerator, Kernel, Chosen) \
    if constexpr (std::is_same_v<Chosen, Kernel>) return SmoothingKernel::enumerator;
template <class Chosen>
constexpr SmoothingKernel enumerator_of(){HALFULP_SMOOTHING_KERNELS(HALFULP_IF_IT_IS, Chosen)}

TYPED_TEST(Smoothing, ChosenAtRunTimeIsTheSame)
{
    constexpr SmoothingKernel kernel = enumerator_of<TypeParam>();
    for (double q = 0; q < 3.5; q += 0.01) EXPECT_EQ(shape_of(kernel, q), TypeParam::shape(q));
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
        const double from_edge =
            k % 2 == 0 ? random.uniform(0, Kernel::support) : std::abs(random.number<double>(-12, -1));
        const T q = static_cast<T>(Kernel::support - from_edge);
        const Quad shape = Kernel::shape(Quad(q));
        const Quad gradient = Kernel::gradient_shape(Quad(q));
        worst_shape = std::max(worst_shape, Quad(abs(Quad(Kernel::shape(q)) - shape) / (shape + lowered_by<Kernel>())));
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
        for (int lane = 0; lane < 8; ++lane)
            q.set(lane, static_cast<float>(random.uniform(0, TypeParam::support + 0.5)));
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
