#include "validation/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <fmt/format.h>
#include <boost/math/distributions/students_t.hpp>
#include <Eigen/Dense>

#include "core/error.hpp"

namespace halfulp {

namespace {

Eigen::Map<const Eigen::VectorXd> vector_of(const Sample& sample)
{
    return {sample.data(), static_cast<Eigen::Index>(sample.size())};
}

DifferenceOfMeans tested(double difference, double variance, double degrees_of_freedom)
{
    DifferenceOfMeans test{.difference = difference, .standard_error = std::sqrt(variance)};
    if (test.standard_error == 0) {
        test.t = difference == 0 ? 0 : std::copysign(std::numeric_limits<double>::infinity(), difference);
        test.p = difference == 0 ? 1 : 0;
        return test;
    }
    test.t = difference / test.standard_error;
    test.degrees_of_freedom = degrees_of_freedom;
    test.p = student_two_sided(test.t, degrees_of_freedom);
    return test;
}

void require_pairs(const Sample& a, const Sample& b)
{
    if (a.size() != b.size() || a.size() < 2)
        throw Error(ExitCode::bad_input, fmt::format("{} and {} values are no pairs.", a.size(), b.size()));
}

}  // namespace

// In their order: Eigen's sums depend on the address of the first value in memory, in their last bit.
double mean(const Sample& sample)
{
    return std::accumulate(sample.begin(), sample.end(), 0.0) / static_cast<double>(sample.size());
}

double variance(const Sample& sample)
{
    if (sample.size() < 2) return 0;
    const double centre = mean(sample);
    double squares = 0;
    for (const double value : sample) squares += (value - centre) * (value - centre);
    return squares / static_cast<double>(sample.size() - 1);
}

double quantile(Sample sample, double p)
{
    std::ranges::sort(sample);
    const double place = p * static_cast<double>(sample.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const std::size_t above = std::min(below + 1, sample.size() - 1);
    return sample[below] + (place - static_cast<double>(below)) * (sample[above] - sample[below]);
}

double student_two_sided(double t, double degrees_of_freedom)
{
    return 2 * cdf(complement(boost::math::students_t(degrees_of_freedom), std::abs(t)));
}

DifferenceOfMeans welch_test(const Sample& a, const Sample& b)
{
    const double share_a = variance(a) / static_cast<double>(a.size());
    const double share_b = variance(b) / static_cast<double>(b.size());
    return tested(mean(a) - mean(b), share_a + share_b,
                  (share_a + share_b) * (share_a + share_b) /
                      (share_a * share_a / static_cast<double>(a.size() - 1) +
                       share_b * share_b / static_cast<double>(b.size() - 1)));
}

DifferenceOfMeans paired_test(const Sample& a, const Sample& b)
{
    require_pairs(a, b);
    Sample differences;
    for (std::size_t k = 0; k < a.size(); ++k) differences.push_back(a[k] - b[k]);
    const auto count = static_cast<double>(differences.size());
    return tested(mean(differences), variance(differences) / count, count - 1);
}

double equivalence_p(const DifferenceOfMeans& tested, double margin)
{
    const double inside = margin - std::abs(tested.difference);
    if (tested.standard_error == 0) return inside > 0 ? 0 : 1;
    const double tail = 0.5 * student_two_sided(inside / tested.standard_error, tested.degrees_of_freedom);
    return inside > 0 ? tail : 1 - tail;
}

double correlation(const Sample& a, const Sample& b)
{
    require_pairs(a, b);
    const double spread = std::sqrt(variance(a) * variance(b));
    if (spread == 0) return 0;
    const double centre_a = mean(a);
    const double centre_b = mean(b);
    double products = 0;
    for (std::size_t k = 0; k < a.size(); ++k) products += (a[k] - centre_a) * (b[k] - centre_b);
    return products / static_cast<double>(a.size() - 1) / spread;
}

double kolmogorov_smirnov_distance(const Sample& a, const Sample& b)
{
    Sample x = a;
    Sample y = b;
    std::ranges::sort(x);
    std::ranges::sort(y);
    std::size_t i = 0;
    std::size_t j = 0;
    double largest = 0;
    while (i < x.size() && j < y.size()) {
        const double value = std::min(x[i], y[j]);
        while (i < x.size() && x[i] == value) ++i;
        while (j < y.size() && y[j] == value) ++j;
        largest = std::max(largest, std::abs(static_cast<double>(i) / static_cast<double>(x.size()) -
                                             static_cast<double>(j) / static_cast<double>(y.size())));
    }
    return largest;
}

double kolmogorov_smirnov_p(std::size_t count_a, std::size_t count_b, double distance)
{
    // reached[j]: the probability that a random merging of the samples has come to (i, j) and stayed nearer than
    // `distance` to the diagonal.
    const auto n = static_cast<double>(count_a);
    const auto m = static_cast<double>(count_b);
    const double limit = distance - 0.5 / (n * m);  // distances are multiples of 1 / lcm(n, m)
    std::vector<double> reached(count_b + 1, 0.0);
    for (std::size_t i = 0; i <= count_a; ++i) {
        for (std::size_t j = 0; j <= count_b; ++j) {
            const double off = std::abs(static_cast<double>(i) / n - static_cast<double>(j) / m);
            if (off > limit) {
                reached[j] = 0;
                continue;
            }
            if (i == 0 && j == 0) {
                reached[j] = 1;
                continue;
            }
            // The next value comes from the sample that has more left with that probability.
            const double left = n + m - static_cast<double>(i + j) + 1;
            double probability = 0;
            if (i > 0) probability += reached[j] * (n - static_cast<double>(i) + 1) / left;
            if (j > 0) probability += reached[j - 1] * (m - static_cast<double>(j) + 1) / left;
            reached[j] = probability;
        }
    }
    return std::clamp(1 - reached[count_b], 0.0, 1.0);
}

double kolmogorov_smirnov_critical(std::size_t count_a, std::size_t count_b, double level)
{
    // Distances are multiples of 1/(n m); p falls with them.
    const std::size_t all = count_a * count_b;
    std::size_t low = 0;
    std::size_t high = all + 1;
    while (low + 1 < high) {
        const std::size_t middle = (low + high) / 2;
        const double distance = static_cast<double>(middle) / static_cast<double>(all);
        (kolmogorov_smirnov_p(count_a, count_b, distance) <= level ? high : low) = middle;
    }
    return static_cast<double>(high) / static_cast<double>(all);
}

Line fitted_line(const Sample& x, const Sample& y)
{
    Eigen::MatrixX2d powers(x.size(), 2);
    powers << Eigen::VectorXd::Ones(powers.rows()), vector_of(x);
    const Eigen::Vector2d coefficients = powers.colPivHouseholderQr().solve(vector_of(y));
    return {.slope = coefficients[1], .intercept = coefficients[0]};
}

}  // namespace halfulp
