// Energies over time of many runs, each beside its reference in double: the same start, as the policy holds it, and the
// same steps; and the conclusions from them.
#pragma once

#include "validation/experiment.hpp"
#include "validation/laboratory.hpp"

namespace halfulp {

// A flow whose energy is followed.
struct EnergyFlow {
    std::string title;
    std::string case_name;
    double spacing;
    double end = 0;  // s; 0: the case's
    double least_cfl = 0;
};

struct EnergyRun {
    std::string case_name;
    Variant variant;  // its precision is the policy's
    PolicyInfo policy;
    std::optional<Integrator> integrator{};  // nothing: the case's own

    // The case of the same run in another precision.
    [[nodiscard]] Case in(const std::string& precision) const
    {
        Variant other = variant;
        other.precision = precision;
        Case c = case_with(case_name, other);
        c.numerics.integrator = integrator.value_or(c.numerics.integrator);
        return c;
    }
};

struct EnergyError {
    std::uint64_t steps = 0;
    double failed_at = std::numeric_limits<double>::quiet_NaN();  // s; where the run broke down
    bool failed = false;
    bool frozen = false;   // no particle's velocity moves it any more: the potential energy never changes
    double available = 0;  // J/m (J in 3D): available potential energy, or the total at the start where there is none
    double own = 0;        // largest |E - E(0)| / available
    double deviation = 0;  // largest |(E - E(0)) - (E - E(0) of the reference)| / available, at equal steps
    double flow = 0;       // the same of the kinetic energy: a flow that is another one may conserve its energy
    double reference = 0;  // largest |E - E(0)| / available of the reference in double
    StateHash hash;        // at the end
};

// One for each run, in their order; `each` is called with every index in ascending order as soon as it is known.
void measure_energies(const std::vector<EnergyRun>& runs, Study& study,
                      const std::function<void(std::size_t, const EnergyError&)>& each);

struct MeasuredEnergy {
    EnergyRun run;
    EnergyError error;

    [[nodiscard]] bool of(const char* policy) const { return run.policy.name == policy; }
};

// Of the available energy, by which the kinetic energy differs from the reference's: another flow, whose energies tell
// nothing about rounding.
inline constexpr double another_flow = 0.01;
// At this CFL number policies are compared over the distance; so many cells away an ulp of naive's positions is at most
// 10^-3 spacings, and it still moves.
inline constexpr double asked_cfl = 0.01;
inline constexpr std::int64_t still_moving = 4096;

// The CFL number at which a policy's deviation meets the integrator's own error, in words. series: one policy over the
// step, CFL numbers descending.
std::string crossover(const std::vector<MeasuredEnergy>& series);

// What each technique is worth at the origin, and robust beside double and the others. all: over the step.
void conclude_steps(Page& page, const std::vector<PolicyInfo>& policies, const std::vector<MeasuredEnergy>& all);

// robust beside itself, naive and double over the distance from the origin.
void conclude_distance(Page& page, const std::vector<MeasuredEnergy>& distance);

}  // namespace halfulp
