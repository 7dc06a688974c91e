// Ensembles of one case whose members start one rounding of a float coordinate apart.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "core/setup/problem.hpp"
#include "validation/statistics.hpp"
#include "validation/study.hpp"

namespace halfulp {

// What is followed over time. The pressure is that of the lower half of the far wall's first layer, on average.
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
    std::uint64_t member = 0;  // decides its perturbation, alone
    double perturbation = 0;   // m
    int records = 60;          // evenly over the run, besides the start
    bool positions = false;    // whether they are recorded too
};

struct Member {
    struct Record {
        double time = 0;  // s
        std::array<double, quantities.size()> values{};
        std::vector<double> positions;  // x and y of up to a hundred particles of the fluid, m
    };
    std::vector<Record> records;  // fewer where the run stopped
    bool broke = false;
    std::array<double, 4> hash{};  // at the end (numbers_of)
};

// The distance to the next float at the largest coordinate of the fluid, m. With the case's origin, or from it.
double coordinate_ulp(const Problem& problem, bool with_origin);

// Moves every fluid particle by plus or minus `distance` metres along each axis, at random.
void perturb(Problem& problem, std::uint64_t member, double distance);

Results run_member(const Case& c, const MemberOptions& options);
Member member_of(const Results& rows);

struct Ensemble {
    std::string name;  // the policy's, and where it is if not at the origin
    std::string reference;
    bool relative_to_reference = true;  // false: the reference itself
    double perturbation = 0;            // m
    std::vector<Member> members;

    // Of the members that got there.
    [[nodiscard]] Sample values(Quantity quantity, std::size_t record) const;
    [[nodiscard]] std::size_t stopped() const;
};

// The rms distance of two members over time, in metres, as far as both have positions.
std::vector<double> distances(const Member& a, const Member& b);

// When a series first exceeds a threshold, between records by the straight line through the logarithms; the last time
// if it never does.
double time_beyond(const std::vector<double>& times, const std::vector<double>& series, double threshold);

}  // namespace halfulp
