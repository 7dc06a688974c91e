// The exact accumulator against integers of any length: every double is a whole multiple of 2^-1074.
#include <gtest/gtest.h>

#include <algorithm>

#include <boost/multiprecision/cpp_int.hpp>

#include "precision/exact_sum.hpp"
#include "tests/precision/reference.hpp"

namespace halfulp::test {
namespace {

using Integer = boost::multiprecision::cpp_int;

Integer in_smallest_subnormals(double value)
{
    int exponent = 0;
    const double fraction = std::frexp(value, &exponent);
    const Integer mantissa = static_cast<std::int64_t>(std::ldexp(fraction, 53));
    const int shift = exponent - 53 + 1074;
    return shift >= 0 ? Integer(mantissa << shift)
                      : Integer(mantissa >> -shift);  // subnormals: the bits shifted out are zero
}

// Nothing nearer than value, and at a tie the even one: the definition of correct rounding, not an algorithm for it.
testing::AssertionResult is_correctly_rounded(double value, const Integer& exact)
{
    if (!std::isfinite(value)) return testing::AssertionFailure() << value << " is not finite";
    const Integer distance = abs(in_smallest_subnormals(value) - exact);
    for (const double towards : {-std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()}) {
        const double neighbour = std::nextafter(value, towards);
        if (std::isinf(neighbour)) continue;
        const Integer other = abs(in_smallest_subnormals(neighbour) - exact);
        if (other < distance) return testing::AssertionFailure() << neighbour << " is nearer than " << value;
        if (other == distance && (bits_of(value) & 1U) != 0)
            return testing::AssertionFailure() << value << " is odd at a tie";
    }
    return testing::AssertionSuccess();
}

double any_finite(Random& random)
{
    for (;;) {
        const auto value = std::bit_cast<double>(random.bits());
        if (std::isfinite(value)) return value;
    }
}

// Exponents drawn evenly over the whole range, so a tenth of the terms are near the subnormals.
std::vector<double> random_terms(Random& random, std::size_t count)
{
    std::vector<double> terms;
    for (std::size_t k = 0; k < count; ++k) {
        if (k % 10 == 0) terms.push_back(std::bit_cast<double>(random.bits() & 0x801fffffffffffffULL));
        else if (k % 10 == 1) terms.push_back(random.number<double>(-3, 3));
        else terms.push_back(any_finite(random) / 1024);
    }
    return terms;
}

ExactSum sum_of(const std::vector<double>& terms)
{
    ExactSum sum;
    for (const double term : terms) sum.add(term);
    return sum;
}

TEST(ExactSum, EqualsTheCorrectlyRoundedIntegerSum)
{
    Random random(51);
    for (const std::size_t count : {1U, 2U, 3U, 50U, 500U}) {
        for (int repetition = 0; repetition < 20; ++repetition) {
            const auto terms = random_terms(random, count);
            Integer exact = 0;
            for (const double term : terms) exact += in_smallest_subnormals(term);
            EXPECT_TRUE(is_correctly_rounded(sum_of(terms).value(), exact));
        }
    }
}

// Sums that shrink as they go: each prefix has another magnitude and another sign of the leading digit.
TEST(ExactSum, EqualsTheIntegerSumAtEveryMagnitude)
{
    Random random(52);
    ExactSum sum;
    Integer exact = 0;
    for (int exponent = 1000; exponent >= -1080; --exponent) {
        for (int k = 0; k < 2; ++k) {
            const double term = std::ldexp(random.number<double>(0, 0), exponent);
            sum.add(term);
            exact += in_smallest_subnormals(term);
        }
        ASSERT_TRUE(is_correctly_rounded(sum.value(), exact)) << exponent;
        // Takes off what is seen, so that the rest, far below, decides the next value.
        const double seen = sum.value();
        sum.add(-seen);
        exact -= in_smallest_subnormals(seen);
        ASSERT_TRUE(is_correctly_rounded(sum.value(), exact)) << exponent;
    }
}

TEST(ExactSum, ASubnormalSumIsExact)
{
    const double smallest = std::numeric_limits<double>::denorm_min();
    EXPECT_EQ(sum_of({smallest, smallest, smallest}).value(), 3 * smallest);
    EXPECT_EQ(sum_of({-smallest}).value(), -smallest);
    EXPECT_EQ(sum_of({1.0, smallest, -1.0}).value(), smallest);
    EXPECT_EQ(sum_of({std::numeric_limits<double>::min(), -smallest}).value(),
              std::numeric_limits<double>::min() - smallest);
}

TEST(ExactSum, NeitherOrderNorGroupingMatters)
{
    Random random(53);
    auto terms = random_terms(random, 1000);
    const ExactSum reference = sum_of(terms);
    for (int repetition = 0; repetition < 20; ++repetition) {
        for (std::size_t k = terms.size() - 1; k > 0; --k) std::swap(terms[k], terms[random.bits() % (k + 1)]);
        EXPECT_TRUE(sum_of(terms) == reference);
        std::vector<ExactSum> parts(1 + random.bits() % 7);
        for (std::size_t k = 0; k < terms.size(); ++k) parts[random.bits() % parts.size()].add(terms[k]);
        ExactSum total;
        for (const ExactSum& part : parts) total.merge(part);
        EXPECT_TRUE(total == reference);
        EXPECT_EQ(bits_of(total.value()), bits_of(reference.value()));
    }
}

// Parts of all magnitudes down to the subnormals, of either sign.
TEST(ExactSum, MergedPartsAreTheCorrectlyRoundedIntegerSum)
{
    Random random(56);
    for (int repetition = 0; repetition < 100; ++repetition) {
        auto terms = random_terms(random, 60);
        if (repetition % 2 == 0) {  // the lowest digits alone
            for (double& term : terms) term = std::bit_cast<double>(random.bits() & 0x800fffffffffffffULL);
        }
        Integer exact = 0;
        ExactSum total;
        for (std::size_t first = 0; first < terms.size(); first += 6) {
            ExactSum part;
            for (std::size_t k = first; k < first + 6; ++k) {
                part.add(terms[k]);
                exact += in_smallest_subnormals(terms[k]);
            }
            total.merge(part);
        }
        EXPECT_TRUE(is_correctly_rounded(total.value(), exact));
        total.add(terms[0]);
        EXPECT_TRUE(is_correctly_rounded(total.value(), exact + in_smallest_subnormals(terms[0])));
    }
}

TEST(ExactSum, AMergeAndWhatFollowsIsASum)
{
    Random random(54);
    const auto terms = random_terms(random, 300);
    ExactSum a;
    ExactSum b;
    for (std::size_t k = 0; k < 100; ++k) a.add(terms[k]);
    for (std::size_t k = 100; k < 200; ++k) b.add(terms[k]);
    a.merge(b);
    for (std::size_t k = 200; k < 300; ++k) a.add(terms[k]);
    EXPECT_TRUE(a == sum_of(terms));
    ExactSum doubled = b;
    doubled.merge(doubled);
    ExactSum twice = b;
    for (std::size_t k = 100; k < 200; ++k) twice.add(terms[k]);
    EXPECT_TRUE(doubled == twice) << "a sum merged with itself";
}

TEST(ExactSum, CancelsToZero)
{
    Random random(55);
    auto terms = random_terms(random, 500);
    const std::size_t count = terms.size();
    for (std::size_t k = 0; k < count; ++k) terms.push_back(-terms[count - 1 - k]);
    const ExactSum sum = sum_of(terms);
    EXPECT_EQ(bits_of(sum.value()), bits_of(0.0)) << "+0, not -0";
    EXPECT_TRUE(sum == ExactSum());
    EXPECT_EQ(bits_of(sum_of({-0.0}).value()), bits_of(0.0));
}

// 1 + 2^-53 lies half-way between two doubles.
TEST(ExactSum, RoundsTiesToEven)
{
    const double half = 0x1p-53;
    const double next = 1 + 0x1p-52;
    EXPECT_EQ(sum_of({1.0, half}).value(), 1.0);
    EXPECT_EQ(sum_of({next, half}).value(), 1 + 0x1p-51);
    EXPECT_EQ(sum_of({-1.0, -half}).value(), -1.0);
    EXPECT_EQ(sum_of({-next, -half}).value(), -(1 + 0x1p-51));
    // The slightest thing beside the tie decides it, be it 1021 bits further down.
    EXPECT_EQ(sum_of({1.0, half, 0x1p-1074}).value(), next);
    EXPECT_EQ(sum_of({next, half, -0x1p-1074}).value(), next);
    EXPECT_EQ(sum_of({1.0, half, 0x1p-90}).value(), next);
    EXPECT_EQ(sum_of({1 - 0x1p-53, 0x1p-54}).value(), 1.0) << "rounding up into the next binade";
}

TEST(ExactSum, WhatIsNotFiniteMakesNan)
{
    const double infinity = std::numeric_limits<double>::infinity();
    for (const double term : {infinity, -infinity, std::numeric_limits<double>::quiet_NaN()}) {
        ExactSum sum = sum_of({1.0, term, 2.0});
        EXPECT_TRUE(std::isnan(sum.value()));
        EXPECT_FALSE(sum == sum_of({1.0, 2.0}));
        ExactSum total = sum_of({1.0});
        total.merge(sum);
        EXPECT_TRUE(std::isnan(total.value())) << "and merging hands it on";
    }
}

// Beyond the largest double the accumulator still holds the sum; only reading it overflows.
TEST(ExactSum, PassesThroughOverflow)
{
    const double largest = std::numeric_limits<double>::max();
    EXPECT_EQ(sum_of({largest, largest}).value(), std::numeric_limits<double>::infinity());
    EXPECT_EQ(sum_of({largest, largest, -largest}).value(), largest);
    EXPECT_EQ(sum_of({-largest, -largest, largest}).value(), -largest);
}

TEST(ExactSum, EqualityIsThatOfTheExactSums)
{
    EXPECT_TRUE(sum_of({0.5, 0.5}) == sum_of({1.0}));
    EXPECT_TRUE(sum_of({1.0, -2.0}) == sum_of({-1.0}));
    EXPECT_FALSE(sum_of({1.0, 0x1p-1074}) == sum_of({1.0})) << "though both read as 1";
}

}  // namespace
}  // namespace halfulp::test
