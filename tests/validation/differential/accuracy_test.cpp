// Condition numbers of least-squares matrices against numbers computed apart in 30 digits; what parts of an evaluation
// in single precision lose.
#include <gtest/gtest.h>

#include "validation/differential/conditioning.hpp"
#include "validation/differential/discretisation.hpp"

namespace halfulp::differential {
namespace {

TEST(Conditioning, OfFirstOrderByPlace)
{
    constexpr Place places[] = {Place::inside, Place::face, Place::edge, Place::corner};
    constexpr double sphere[] = {1.000, 1.421, 2.234, 2.758};
    constexpr double cube[] = {1.000, 1.461, 2.182, 2.482};
    for (int k = 0; k < 4; ++k) {
        const Conditioning in_sphere = first_order_at(places[k], false);
        EXPECT_NEAR(in_sphere.condition, sphere[k], 0.0006);
        EXPECT_NEAR(in_sphere.own, in_sphere.condition, 1e-5);
        EXPECT_NEAR(in_sphere.by_double, in_sphere.condition, 1e-12);
        EXPECT_NEAR(first_order_at(places[k], true).condition, cube[k], 0.0006);
    }
}

TEST(Conditioning, OfSecondOrderByScale)
{
    EXPECT_NEAR(second_order_at(Place::inside, 0.1).condition, 398, 1);
    EXPECT_NEAR(second_order_at(Place::inside, 1.5).condition, 5.0, 0.05);
    EXPECT_NEAR(second_order_at(Place::face, 1.5).condition, 56, 1);
    EXPECT_NEAR(second_order_at(Place::corner, 1.5).condition, 85, 1);
    EXPECT_NEAR(second_order_at(Place::corner, 100).condition / 8.2e4, 1, 0.01);
}

// The solution by L D L^T loses nothing to the scale, whatever it does to the condition.
TEST(Conditioning, TheScaleCostsTheSolutionNothing)
{
    const Conditioning best = second_order_at(Place::corner, 1.5);
    const Conditioning worst = second_order_at(Place::corner, 100);
    EXPECT_GT(worst.condition, 900 * best.condition);
    EXPECT_LT(worst.float_error, 4 * best.float_error);
}

TEST(Parts, ShareOfWhatIsExactIsZero)
{
    RoundingStart start;
    start.edge = 10;
    start.displacement = 1'000'000;
    start.reference = 1e4;
    const RoundingErrors robust = rounding_errors({.name = "robust"}, start, true);
    const RoundingErrors global = rounding_errors(
        {.name = "global", .position = PositionPart::global, .value = ValuePart::absolute}, start, true);
    for (std::size_t q = 0; q < quantity_count; ++q) {
        EXPECT_EQ(robust.shares[q][0], 0) << "cells and offsets are stored exactly";
        EXPECT_GT(robust.shares[q][1], 0);
        EXPECT_LT(robust.whole[q], 4);
        EXPECT_GT(global.shares[q][0], 1e5);
        EXPECT_GT(global.shares[q][1], 1e3);
        EXPECT_EQ(global.shares[q][2] > 0, false) << "differences of near coordinates are exact";
    }
    start.displacement = 0;
    start.reference = 0;
    EXPECT_EQ(rounding_errors({.name = "robust"}, start, false).whole, robust.whole);
    const RoundingErrors in_double = rounding_errors({.name = "double", .in_double = true}, start, false);
    for (const double error : in_double.whole) EXPECT_LT(error, 1e-7);
}

TEST(Discretisation, PolynomialsAreExactOnAnyArrangement)
{
    const auto box = lattice_box<3>(10, 0.3, 3.1);
    const auto neighbours = neighbours_of<SphericalDomain>(box.places, 3.1);
    const auto linear = errors_of<SphericalDomain>(box, neighbours, sampled(linear_field<3>(), box.places, 0), 3.1);
    const auto quadratic =
        errors_of<SphericalDomain>(box, neighbours, sampled(quadratic_field<3>(), box.places, 0), 3.1);
    for (const Place place : {Place::inside, Place::face, Place::edge, Place::corner}) {
        const auto at = static_cast<std::size_t>(place);
        ASSERT_GT(linear.particles[at], 0);
        EXPECT_LT(linear.rms[at][static_cast<std::size_t>(Quantity::lsmps_gradient)], 1e-12);
        EXPECT_LT(quadratic.rms[at][static_cast<std::size_t>(Quantity::second_gradient)], 1e-10);
        EXPECT_LT(quadratic.rms[at][static_cast<std::size_t>(Quantity::second_laplacian)], 1e-10);
        // Which MPS is not.
        EXPECT_GT(linear.rms[at][static_cast<std::size_t>(Quantity::mps_gradient)], 1e-2);
    }
}

}  // namespace
}  // namespace halfulp::differential
