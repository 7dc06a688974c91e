// The cubic spline of motions: what theory says of natural cubic splines.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "core/setup/spline.hpp"
#include "tests/precision/reference.hpp"

namespace halfulp::test {
namespace {

constexpr double pi = 3.14159265358979323846;

CubicSpline1D through(const std::vector<double>& knots, double (*f)(double))
{
    std::vector<double> values;
    for (const double x : knots) values.push_back(f(x));
    return {knots, values};
}

TEST(Spline, PassesThroughItsPointsAndIsAStraightLineThroughTwo)
{
    const CubicSpline1D curve = through({-1, 0.25, 0.5, 2, 7}, [](double x) { return std::exp(-x); });
    for (const double x : {-1.0, 0.25, 0.5, 2.0, 7.0}) EXPECT_NEAR(curve.at(x).value, std::exp(-x), 1e-15) << x;
    const CubicSpline1D line({1, 3}, {5, 9});
    EXPECT_EQ(line.at(1.5).value, 6);
    EXPECT_EQ(line.at(1.5).rate, 2);
    EXPECT_EQ(line.at(1.5).acceleration, 0);
}

// Value, slope and curvature are one function's, and continuous across uneven knots.
TEST(Spline, IsTwiceContinuouslyDifferentiable)
{
    Random random(5);
    std::vector<double> knots{0};
    std::vector<double> values{0};
    for (int k = 0; k < 20; ++k) {
        knots.push_back(knots.back() + random.uniform(0.1, 1));
        values.push_back(random.uniform(-1, 1));
    }
    const CubicSpline1D curve(knots, values);
    for (std::size_t k = 1; k + 1 < knots.size(); ++k) {
        const Jet before = curve.at(std::nextafter(knots[k], 0.0));
        const Jet after = curve.at(knots[k]);
        EXPECT_NEAR(before.value, after.value, 1e-13);
        EXPECT_NEAR(before.rate, after.rate, 1e-11);
        EXPECT_NEAR(before.acceleration, after.acceleration, 1e-10);
    }
    EXPECT_EQ(curve.at(knots.front()).acceleration, 0);
    // Differences of a cubic: the error of the central one is h^2/6 times the third derivative, below 500 here.
    const double h = 1e-4;
    for (double x = 0.2; x < knots.back() - 0.2; x += 0.037) {
        const Jet here = curve.at(x);
        EXPECT_NEAR((curve.at(x + h).value - curve.at(x - h).value) / (2 * h), here.rate, 1e-5);
        EXPECT_NEAR((curve.at(x + h).rate - curve.at(x - h).rate) / (2 * h), here.acceleration, 0.1);
    }
}

// Through a function without curvature at its ends a natural spline errs by at most 5/384 h^4 max |f''''| (Hall and
// Meyer 1976, J. Approx. Theory 16, 105), in the slope by h^3/24, in the curvature by 3/8 h^2.
TEST(Spline, ErrsByTheFourthPowerOfTheDistanceOfKnots)
{
    for (const int pieces : {20, 40, 80}) {
        const double h = pi / pieces;
        std::vector<double> knots;
        for (int k = 0; k <= pieces; ++k) knots.push_back(h * k);
        const CubicSpline1D curve = through(knots, [](double x) { return std::sin(x); });
        double value = 0;
        double rate = 0;
        double acceleration = 0;
        for (double x = 0; x <= pi; x += 0.001) {
            const Jet here = curve.at(x);
            value = std::max(value, std::abs(here.value - std::sin(x)));
            rate = std::max(rate, std::abs(here.rate - std::cos(x)));
            acceleration = std::max(acceleration, std::abs(here.acceleration + std::sin(x)));
        }
        EXPECT_LT(value, 1.001 * 5.0 / 384 * std::pow(h, 4)) << pieces;
        EXPECT_LT(rate, 1.001 / 24 * std::pow(h, 3)) << pieces;
        EXPECT_LT(acceleration, 1.001 * 3.0 / 8 * h * h) << pieces;
        EXPECT_GT(value, 0.1 * 5.0 / 384 * std::pow(h, 4)) << pieces;
    }
}

}  // namespace
}  // namespace halfulp::test
