// Statistics against tables, closed forms and counting.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "validation/statistics.hpp"

namespace halfulp::test {
namespace {

TEST(Statistics, OfASmallSample)
{
    const Sample sample{2, 4, 4, 4, 5, 5, 7, 9};
    EXPECT_EQ(mean(sample), 5);
    EXPECT_NEAR(variance(sample), 32.0 / 7, 1e-15);
    EXPECT_EQ(variance({3}), 0);
    EXPECT_EQ(quantile({3, 1, 2}, 0.5), 2);
    EXPECT_EQ(quantile({4, 1}, 0.25), 1.75);
    EXPECT_EQ(quantile({4, 1}, 1), 4);
}

// Critical values to four digits, so p to as many.
TEST(Statistics, StudentsDistributionAgreesWithTables)
{
    EXPECT_NEAR(student_two_sided(12.706, 1), 0.05, 1e-5);
    EXPECT_NEAR(student_two_sided(2.228, 10), 0.05, 2e-5);
    EXPECT_NEAR(student_two_sided(-3.169, 10), 0.01, 2e-5);
    EXPECT_NEAR(student_two_sided(3.646, 30), 0.001, 2e-6);
    EXPECT_EQ(student_two_sided(0, 5), 1);
    // Closed forms: one degree is Cauchy's distribution, two are 1 - t / sqrt(2 + t^2).
    for (const double t : {0.1, 1.0, 7.0, 100.0}) {
        EXPECT_NEAR(student_two_sided(t, 1), 1 - 2 / std::acos(-1.0) * std::atan(t), 1e-13);
        EXPECT_NEAR(student_two_sided(t, 2), 1 - t / std::sqrt(2 + t * t), 1e-13);
    }
    // Many degrees are the normal distribution, erfc(t / sqrt 2), to O(1/degrees).
    EXPECT_NEAR(student_two_sided(2.5758, 1e7), std::erfc(2.5758 / std::sqrt(2.0)), 1e-6);
}

// Student's data on sleep (Biometrika 6 (1908) 1), as R's t.test prints them: t = -1.8608, df = 17.776, p = 0.07939.
TEST(Statistics, WelchsTestOfStudentsSleepers)
{
    const Sample a{0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0};
    const Sample b{1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4};
    const DifferenceOfMeans test = welch_test(a, b);
    EXPECT_NEAR(test.t, -1.8608, 5e-5);
    EXPECT_NEAR(test.degrees_of_freedom, 17.776, 5e-4);
    EXPECT_NEAR(test.p, 0.07939, 5e-6);
    EXPECT_NEAR(test.difference, -1.58, 1e-12);
    EXPECT_EQ(welch_test({1, 1}, {1, 1}).p, 1);
    EXPECT_EQ(welch_test({1, 1}, {2, 2}).p, 0);
}

// The same as pairs, which they are: R's t.test with paired = TRUE prints t = -4.0621, df = 9, p = 0.002833.
TEST(Statistics, PairedTestOfStudentsSleepers)
{
    const Sample a{0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0};
    const Sample b{1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4};
    const DifferenceOfMeans test = paired_test(a, b);
    EXPECT_NEAR(test.t, -4.0621, 5e-5);
    EXPECT_EQ(test.degrees_of_freedom, 9);
    EXPECT_NEAR(test.p, 0.002833, 5e-7);
    // R's cor prints 0.7951702.
    EXPECT_NEAR(correlation(a, b), 0.7951702, 5e-8);
    EXPECT_EQ(correlation({1, 1}, {2, 3}), 0);
    EXPECT_EQ(paired_test({1, 2}, {1, 2}).p, 1);
    EXPECT_EQ(paired_test({1, 2}, {2, 3}).p, 0);
    EXPECT_THROW(paired_test({1, 2}, {1}), Error);
}

TEST(Statistics, DistanceOfDistributions)
{
    EXPECT_EQ(kolmogorov_smirnov_distance({1, 2, 3}, {4, 5}), 1);
    EXPECT_EQ(kolmogorov_smirnov_distance({3, 1, 2}, {2, 3, 1}), 0);
    EXPECT_EQ(kolmogorov_smirnov_distance({1, 2, 3, 4}, {3, 4, 5, 6}), 0.5);
    EXPECT_EQ(kolmogorov_smirnov_distance({1, 1, 2}, {1, 2, 2}), 1.0 / 3);
}

double choose(int n, int k)
{
    double result = 1;
    for (int i = 1; i <= k; ++i) result = result * (n - k + i) / i;
    return k < 0 ? 0 : result;
}

// Equal sizes: P(D >= k/n) = 2 [C(2n, n-k) - C(2n, n-2k) + ...] / C(2n, n) (Gnedenko and Korolyuk 1951).
TEST(Statistics, KolmogorovAndSmirnovsTestOfEqualSizes)
{
    for (const int n : {1, 5, 16, 32}) {
        for (int k = 1; k <= n; ++k) {
            double sum = 0;
            for (int j = 1; j * k <= n; ++j) sum += (j % 2 == 1 ? 2 : -2) * choose(2 * n, n - j * k);
            const double p = kolmogorov_smirnov_p(std::size_t(n), std::size_t(n), double(k) / n);
            EXPECT_NEAR(p, sum / choose(2 * n, n), 1e-13) << n << ", " << k;
        }
    }
}

// Other sizes: every merging counted.
TEST(Statistics, KolmogorovAndSmirnovsTestOfUnequalSizes)
{
    constexpr std::size_t n = 4;
    constexpr std::size_t m = 6;
    std::vector<int> order(n + m, 0);
    std::fill(order.begin() + n, order.end(), 1);
    std::vector<double> distances;
    do {
        Sample a;
        Sample b;
        for (std::size_t k = 0; k < order.size(); ++k) (order[k] == 0 ? a : b).push_back(double(k));
        distances.push_back(kolmogorov_smirnov_distance(a, b));
    } while (std::next_permutation(order.begin(), order.end()));
    ASSERT_EQ(distances.size(), 210U);
    for (const double d : {1.0 / 12, 0.25, 0.5, 7.0 / 12, 2.0 / 3, 1.0}) {
        const auto as_far = std::count_if(distances.begin(), distances.end(), [d](double e) { return e > d - 1e-9; });
        EXPECT_NEAR(kolmogorov_smirnov_p(n, m, d), double(as_far) / 210, 1e-14) << d;
    }
}

TEST(Statistics, CriticalDistanceIsTheSmallestOfItsLevel)
{
    const double critical = kolmogorov_smirnov_critical(32, 32, 0.01);
    EXPECT_LE(kolmogorov_smirnov_p(32, 32, critical), 0.01);
    EXPECT_GT(kolmogorov_smirnov_p(32, 32, critical - 1.0 / 32), 0.01);
    EXPECT_GT(kolmogorov_smirnov_critical(2, 2, 0.01), 1) << "four values never tell that much";
}

TEST(Statistics, EquivalenceNeedsDifferenceAndSpreadWithinTheMargin)
{
    const Sample a{1, 2, 3, 4, 5, 6, 7, 8};
    Sample b = a;
    for (double& value : b) value += 0.5;
    // By hand: standard error sqrt(2 * 6 / 8), 14 degrees of freedom, t = (margin - 0.5) / sqrt(1.5).
    EXPECT_NEAR(equivalence_p(welch_test(a, b), 3), 0.5 * student_two_sided(2.5 / std::sqrt(1.5), 14), 1e-12);
    EXPECT_NEAR(equivalence_p(welch_test(b, a), 3), equivalence_p(welch_test(a, b), 3), 1e-12);
    EXPECT_LT(equivalence_p(welch_test(a, b), 3), 0.05);
    EXPECT_GT(equivalence_p(welch_test(a, b), 1), 0.05);
    // At the margin it is a toss, beyond it hopeless, whatever the test of difference says.
    EXPECT_NEAR(equivalence_p(welch_test(a, b), 0.5), 0.5, 1e-12);
    EXPECT_GT(equivalence_p(welch_test(a, b), 0.1), 0.5);
    EXPECT_EQ(equivalence_p(welch_test({1, 1}, {1.5, 1.5}), 1), 0);
    EXPECT_EQ(equivalence_p(welch_test({1, 1}, {1.5, 1.5}), 0.2), 1);
}

TEST(Statistics, LineThroughPoints)
{
    const Line line = fitted_line({1, 2, 3, 4}, {3, 5, 7, 9});
    EXPECT_NEAR(line.slope, 2, 1e-15);
    EXPECT_NEAR(line.intercept, 1, 1e-14);
    EXPECT_NEAR(fitted_line({0, 1, 2}, {0, 1, 0}).slope, 0, 1e-15);
}

}  // namespace
}  // namespace halfulp::test
