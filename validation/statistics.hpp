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

// A test of the difference of two means.
struct DifferenceOfMeans {
    double difference = 0;      // mean of a - mean of b
    double standard_error = 0;  // of it
    double t = 0;               // their quotient
    double degrees_of_freedom = 0;
    double p = 1;  // two-sided
};
// Whether the means of two independent samples differ, variances unknown and not equal (Welch, Biometrika 34 (1947)
// 28). Samples without any spread: p is 1 if their means are equal and 0 if not.
DifferenceOfMeans welch_test(const Sample& a, const Sample& b);
// The same of pairs, a[k] with b[k], by Student's t of their differences: where what is common to a pair spreads more
// than what tells it apart, only this finds a difference. Throws an Error unless both have the same number.
DifferenceOfMeans paired_test(const Sample& a, const Sample& b);

// Whether two means differ by less than a margin stated beforehand: two one-sided tests (Schuirmann, J. Pharmacokinet.
// Biopharm. 15 (1987) 657). The probability of finding them so close if they differed by the margin or more; a large
// one shows nothing.
double equivalence_p(const DifferenceOfMeans& tested, double margin);

// Pearson's coefficient of correlation of pairs; 0 where one of the samples has no spread.
double correlation(const Sample& a, const Sample& b);

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
