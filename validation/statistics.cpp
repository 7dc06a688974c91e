#include "validation/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace halfulp {

namespace {

// The continued fraction of the regularised incomplete beta function, by Lentz's method (DLMF 8.17.22).
double beta_fraction(double a, double b, double x)
{
    constexpr double tiny = 1e-300;
    const auto away_from_zero = [](double v) { return std::abs(v) < tiny ? tiny : v; };
    double c = 1;
    double d = 1 / away_from_zero(1 - (a + b) * x / (a + 1));
    double value = d;
    for (int m = 1; m <= 10000; ++m) {
        const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        d = 1 / away_from_zero(1 + even * d);
        c = away_from_zero(1 + even / c);
        value *= d * c;
        const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        d = 1 / away_from_zero(1 + odd * d);
        c = away_from_zero(1 + odd / c);
        const double factor = d * c;
        value *= factor;
        if (std::abs(factor - 1) < 1e-15) break;
    }
    return value;
}

// I_x(a, b). complement is 1 - x, given on its own so that a small one keeps its digits.
double incomplete_beta(double a, double b, double x, double complement)
{
    if (x <= 0) return 0;
    if (complement <= 0) return 1;
    const double front =
        std::exp(std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) + a * std::log(x) + b * std::log(complement));
    if (x < (a + 1) / (a + b + 2)) return front * beta_fraction(a, b, x) / a;
    return 1 - front * beta_fraction(b, a, complement) / b;
}

}  // namespace

double mean(const Sample& sample)
{
    return std::accumulate(sample.begin(), sample.end(), 0.0) / static_cast<double>(sample.size());
}

double variance(const Sample& sample)
{
    if (sample.size() < 2) return 0;
    const double middle = mean(sample);
    double sum = 0;
    for (const double value : sample) sum += (value - middle) * (value - middle);
    return sum / static_cast<double>(sample.size() - 1);
}

double quantile(Sample sample, double p)
{
    std::sort(sample.begin(), sample.end());
    const double place = p * static_cast<double>(sample.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const std::size_t above = std::min(below + 1, sample.size() - 1);
    return sample[below] + (place - static_cast<double>(below)) * (sample[above] - sample[below]);
}

double student_two_sided(double t, double degrees_of_freedom)
{
    const double square = t * t;
    if (!std::isfinite(square)) return 0;
    const double whole = degrees_of_freedom + square;
    return incomplete_beta(degrees_of_freedom / 2, 0.5, degrees_of_freedom / whole, square / whole);
}

WelchTest welch_test(const Sample& a, const Sample& b)
{
    const double share_a = variance(a) / static_cast<double>(a.size());
    const double share_b = variance(b) / static_cast<double>(b.size());
    WelchTest test;
    test.difference = mean(a) - mean(b);
    test.standard_error = std::sqrt(share_a + share_b);
    if (test.standard_error == 0) {
        test.t = test.difference == 0 ? 0 : std::copysign(std::numeric_limits<double>::infinity(), test.difference);
        test.p = test.difference == 0 ? 1 : 0;
        return test;
    }
    test.t = test.difference / test.standard_error;
    test.degrees_of_freedom =
        (share_a + share_b) * (share_a + share_b) /
        (share_a * share_a / static_cast<double>(a.size() - 1) + share_b * share_b / static_cast<double>(b.size() - 1));
    test.p = student_two_sided(test.t, test.degrees_of_freedom);
    return test;
}

double kolmogorov_smirnov_distance(const Sample& a, const Sample& b)
{
    Sample x = a;
    Sample y = b;
    std::sort(x.begin(), x.end());
    std::sort(y.begin(), y.end());
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
    const double x0 = mean(x);
    const double y0 = mean(y);
    double xy = 0;
    double xx = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        xy += (x[i] - x0) * (y[i] - y0);
        xx += (x[i] - x0) * (x[i] - x0);
    }
    Line line;
    line.slope = xx > 0 ? xy / xx : 0;
    line.intercept = y0 - line.slope * x0;
    return line;
}

}  // namespace halfulp
