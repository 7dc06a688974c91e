// Ensembles of one case whose members start one rounding of a float coordinate apart, and their comparison with that of
// double: the divergence of members, and whether the statistics differ.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "core/results/snapshot.hpp"
#include "core/setup/problem.hpp"
#include "validation/statistics.hpp"
#include "validation/study.hpp"

namespace halfulp {

// Quantities recorded over time. The pressure is that of the lower half of the far wall's first layer, on average.
enum class Quantity { front, kinetic, energy_error, impulse };
inline constexpr std::array quantities{Quantity::front, Quantity::kinetic, Quantity::energy_error, Quantity::impulse};
inline const char* name_of(Quantity quantity)
{
    return std::array{"front", "kinetic energy", "energy error",
                      "pressure impulse"}[static_cast<std::size_t>(quantity)];
}
inline const char* unit_of(Quantity quantity)
{
    return std::array{"m", "available energy", "available energy", "Pa s"}[static_cast<std::size_t>(quantity)];
}

struct MemberOptions {
    std::uint64_t member = 0;  // alone determines the signs of its perturbation
    double perturbation = 0;   // m
    int records = 60;          // evenly over the run, besides the start
    bool positions = false;    // whether they are recorded too
};

struct Member {
    struct Record {
        double time = 0;  // s
        std::array<double, quantities.size()> values{};
        std::vector<double> positions;  // x and y of up to a hundred particles of the fluid, m
        static auto members(auto& self) { return std::tie(self.time, self.values, self.positions); }
    };
    std::vector<Record> records;  // fewer where the run stopped
    bool broke = false;
    StateHash hash;  // at the end
    static auto members(auto& self) { return std::tie(self.records, self.broke, self.hash); }

    // The record nearest to a time.
    [[nodiscard]] std::size_t record_at(double time) const;
};

// The distance to the next float at the largest coordinate of the fluid, m: with the case's origin, or relative to it.
double coordinate_ulp(const Problem& problem, bool with_origin);

// Moves every fluid particle by plus or minus `distance` metres along each axis, at random.
void perturb(Problem& problem, std::uint64_t member, double distance);

Member run_member(const Case& c, const MemberOptions& options);

struct Ensemble {
    std::string name;  // the policy's, and where it is if not at the origin
    std::string reference;
    double perturbation = 0;  // m
    std::vector<Member> members;

    [[nodiscard]] bool is_reference() const { return name == reference; }
    // Of the members that have the record.
    [[nodiscard]] Sample values(Quantity quantity, std::size_t record) const;
    [[nodiscard]] std::size_t stopped() const;
};

// The rms distance of two members over time, in metres, as far as both have positions.
std::vector<double> distances(const Member& a, const Member& b);

// When a series first exceeds a threshold, between records by the straight line through the logarithms; the last time
// if it never does.
double time_beyond(const std::vector<double>& times, const std::vector<double>& series, double threshold);

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
    DifferenceOfMeans welch;
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
