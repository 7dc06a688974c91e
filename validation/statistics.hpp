// Statistics of small samples: what tells two ensembles apart.
#pragma once

#include <cstddef>
#include <vector>

namespace halfulp {

using Sample = std::vector<double>;

double mean(const Sample& sample);
// Unbiased, over n - 1; 0 for less than two values.
double variance(const Sample& sample);
// p in [0, 1], by linear interpolation between the sorted values (Hyndman and Fan 1996, type 7).
double quantile(Sample sample, double p);

// P(|T| >= |t|) of Student's distribution.
double student_two_sided(double t, double degrees_of_freedom);

struct WelchTest {
    double difference = 0;      // mean of a - mean of b
    double standard_error = 0;  // of it
    double t = 0;               // their quotient
    double degrees_of_freedom = 0;
    double p = 1;  // two-sided
};
// Whether the means of two samples differ, variances unknown and not equal (Welch, Biometrika 34 (1947) 28). Samples
// without any spread: p is 1 if their means are equal and 0 if not.
WelchTest welch_test(const Sample& a, const Sample& b);

// Whether the means of two samples differ by less than a margin stated beforehand: two one-sided tests (Schuirmann, J.
// Pharmacokinet. Biopharm. 15 (1987) 657) with Welch's t. p: of finding them so close if they differed by the margin or
// more. A large p shows nothing.
struct EquivalenceTest {
    WelchTest welch;
    double p = 1;
};
EquivalenceTest equivalence_test(const Sample& a, const Sample& b, double margin);

// The largest distance of the two empirical distribution functions.
double kolmogorov_smirnov_distance(const Sample& a, const Sample& b);
// The probability that samples of one continuous distribution are at least that far apart: exact, by counting paths
// (Hodges, Ark. Mat. 3 (1958) 469). Conservative where values are equal.
double kolmogorov_smirnov_p(std::size_t count_a, std::size_t count_b, double distance);
// The smallest distance with p of at most `level`; more than 1 if there is none.
double kolmogorov_smirnov_critical(std::size_t count_a, std::size_t count_b, double level);

// The straight line through points by least squares.
struct Line {
    double slope = 0;
    double intercept = 0;
};
Line fitted_line(const Sample& x, const Sample& y);

}  // namespace halfulp
