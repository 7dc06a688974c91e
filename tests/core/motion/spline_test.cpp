// The cubic spline of motions: what theory says of cubic splines.
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
    // Differences of a cubic: the error of the central one is h^2/6 times the third derivative, below 500 here.
    const double h = 1e-4;
    for (double x = 0.2; x < knots.back() - 0.2; x += 0.037) {
        const Jet here = curve.at(x);
        EXPECT_NEAR((curve.at(x + h).value - curve.at(x - h).value) / (2 * h), here.rate, 1e-5);
        EXPECT_NEAR((curve.at(x + h).rate - curve.at(x - h).rate) / (2 * h), here.acceleration, 0.1);
    }
}

// Its second knots are none: a cubic, and with three rows a parabola, is met to its ends.
TEST(Spline, IsTheCubicThroughACubic)
{
    const auto cubic = [](double x) { return 2 + x * (-1 + x * (3 - 0.5 * x)); };
    const auto bend = [](double x) { return 6 - 3 * x; };
    for (const std::vector<double>& knots :
         {std::vector<double>{-1, 0.5, 0.7, 3}, {0, 1, 1.5, 4, 4.25}, {0, 0.1, 0.3, 1, 1.1, 2, 5, 5.5}}) {
        const CubicSpline1D curve = through(knots, cubic);
        for (double x = knots.front(); x <= knots.back(); x += 0.01) {
            EXPECT_NEAR(curve.at(x).value, cubic(x), 1e-12) << x;
            EXPECT_NEAR(curve.at(x).acceleration, bend(x), 1e-10) << x;
        }
    }
    const CubicSpline1D fall = through({0, 0.5, 2}, [](double t) { return 0.981 * t * t; });
    for (const double t : {0.0, 0.3, 0.5, 1.9, 2.0}) EXPECT_NEAR(fall.at(t).acceleration, 1.962, 1e-14) << t;
    EXPECT_NEAR(fall.at(2).rate, 3.924, 1e-14);
}

// Away from its ends it errs as every cubic spline does, by at most 5/384 h^4 max |f''''| (Hall and Meyer 1976, J.
// Approx. Theory 16, 105), in the slope by h^3/24, in the curvature by 3/8 h^2: what the ends do differently is divided
// by 2 + sqrt(3) at each knot.
TEST(Spline, ErrsByTheFourthPowerOfTheDistanceOfKnots)
{
    for (const int pieces : {40, 80, 160}) {
        const double h = pi / pieces;
        std::vector<double> knots;
        for (int k = 0; k <= pieces; ++k) knots.push_back(h * k);
        const CubicSpline1D curve = through(knots, [](double x) { return std::sin(x + 0.7); });
        double value = 0;
        double rate = 0;
        double acceleration = 0;
        for (double x = 10 * h; x <= pi - 10 * h; x += 0.001) {
            const Jet here = curve.at(x);
            value = std::max(value, std::abs(here.value - std::sin(x + 0.7)));
            rate = std::max(rate, std::abs(here.rate - std::cos(x + 0.7)));
            acceleration = std::max(acceleration, std::abs(here.acceleration + std::sin(x + 0.7)));
        }
        EXPECT_LT(value, 1.001 * 5.0 / 384 * std::pow(h, 4)) << pieces;
        EXPECT_LT(rate, 1.001 / 24 * std::pow(h, 3)) << pieces;
        EXPECT_LT(acceleration, 1.001 * 3.0 / 8 * h * h) << pieces;
        EXPECT_GT(value, 0.1 * 5.0 / 384 * std::pow(h, 4)) << pieces;
        // In the pieces at the ends, where a natural spline's acceleration is off by sin(0.7) = 0.64, too.
        for (double x = 0; x <= h; x += h / 16) {
            EXPECT_NEAR(curve.at(x).acceleration, -std::sin(x + 0.7), 2 * h * h) << x;
            EXPECT_NEAR(curve.at(pi - x).acceleration, -std::sin(pi - x + 0.7), 2 * h * h) << x;
        }
    }
}

}  // namespace
}  // namespace halfulp::test
