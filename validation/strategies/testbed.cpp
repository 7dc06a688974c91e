#include "validation/strategies/testbed.hpp"

#include "validation/experiment.hpp"
#include "validation/strategies/cpu/strategies.hpp"

namespace halfulp::strategies {

double spacing_for(double particles, double volume, double area)
{
    const auto count = [&](double s) { return volume / (s * s * s) + area / (s * s); };
    double low = 1e-4;
    double high = 0.1;
    for (int k = 0; k < 60; ++k) {
        const double middle = 0.5 * (low + high);
        (count(middle) > particles ? low : high) = middle;
    }
    return std::round(low * 1e6) / 1e6;
}

Testbed testbed(double particles, double after, const BackendOptions& on)
{
    const Problem problem = prepare(case_with(
        "dominguez-2013", {fmt::format("resolution.spacing={}", spacing_for(particles)), "numerics.precision=robust"}));
    require_covered(problem);
    Simulation simulation(problem, make_backend(problem, on).backend);
    while (simulation.time() < after) simulation.step();
    const Snapshot snapshot = simulation.snapshot();
    Testbed bed{starting_from(problem, snapshot), {}, {}};
    const Simulation later(bed.problem, make_backend(bed.problem, on).backend);
    bed.state = state_of(bed.problem, later.snapshot());
    bed.canonical = later.backend().rates();
    return bed;
}

Differences differences(const std::vector<std::array<double, 4>>& rates, const Rates& canonical,
                        const std::vector<Kind>& kind)
{
    double squares[2] = {0, 0};
    double largest[2] = {0, 0};
    double counts[2] = {0, 0};
    for (std::size_t i = 0; i < rates.size(); ++i) {
        for (std::size_t c = 0; c < 4; ++c) {
            if (c < 3 && kind[i] != Kind::fluid) continue;
            const std::size_t which = c < 3 ? 0 : 1;
            const double there = canonical.leading[i][c];
            squares[which] += there * there;
            counts[which] += c == 0 || c == 3 ? 1 : 0;
            largest[which] = std::max(largest[which], std::abs(rates[i][c] - there));
        }
    }
    const auto ulps = [&](int which) { return largest[which] / std::sqrt(squares[which] / counts[which]) * 0x1p23; };
    return {ulps(0), ulps(1)};
}

}  // namespace halfulp::strategies
