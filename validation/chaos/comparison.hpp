// An ensemble against that of double: when members part, and whether the statistics of what follows differ.
#pragma once

#include "validation/chaos/ensemble.hpp"

namespace halfulp {

struct Divergence {
    std::vector<double> times;
    std::vector<double> typical;  // geometric mean over the pairs, spacings; 0 where a pair does not differ
    std::vector<double> smallest;
    std::vector<double> largest;
    Sample first;   // of each pair, s: beyond 1e-3 spacings
    Sample second;  // beyond 1e-1 spacings
};

// Member k of an ensemble against member k of another, which starts the same; or, of the same ensemble, against the
// next.
Divergence divergence(const Ensemble& ensemble, const Ensemble& reference, double spacing);

// Of the typical distance from one time to another, by a straight line through its logarithms, 1/s; 0 where there are
// less than three records.
double growth_rate(const Divergence& apart, double from, double to);
// At a time, by the nearest record.
double typical_at(const Divergence& apart, double time);

struct QuantityTest {
    Quantity quantity = Quantity::front;
    std::size_t record = 0;
    double time = 0;
    WelchTest welch;
    double distance = 0;  // Kolmogorov and Smirnov's
    double distance_p = 1;
};

struct Distinction {
    std::vector<QuantityTest> tests;
    double smallest_p = 1;  // of all of both kinds, times their number (Bonferroni), at most 1
    std::string where;      // which that is
    Quantity quantity = Quantity::front;
    std::size_t record = 0;
    bool of_means = true;  // or of the distributions
};

// Every quantity at the records, by Welch's test and Kolmogorov and Smirnov's.
Distinction distinguish(const Ensemble& ensemble, const Ensemble& reference, const std::vector<std::size_t>& records);

// The one test that found the smallest p, repeated with ensembles of other members: its p.
double confirmed_p(const Distinction& found, const Ensemble& ensemble, const Ensemble& reference);

// Of each member: the root mean square of its energy error over all records, over the available energy.
Sample energy_errors(const Ensemble& ensemble);

}  // namespace halfulp
