// Momentum, angular momentum and the centre of mass of an isolated system, and how far rounding may take them.
//
// Why there is a bound: exchanging a and b changes the sign of a pair's term and no other bit, so pairs add nothing to
// the momentum. What does is one particle's rounding at a time. In `robust` the compensated sum over neighbours rounds
// once (u |a|, and below u |a| of second order), its factor rounds once more (u |a|), and the kick keeps what it rounds
// away but 2^-48 of it: a step of size dt changes sum m u by at most sum m 3 u |a| dt, an axis at a time, and 2^-46 of
// the speed for its two kicks.
#include <Eigen/Core>

#include "validation/experiment.hpp"
#include "validation/symmetry/images.hpp"

namespace halfulp {

namespace {

constexpr double roundoff = 0x1p-24;
constexpr double update_rest = 0x1p-46;  // two kicks or two drifts of a compensated state, relative

struct Totals {
    Eigen::Vector2d momentum;  // kg m/s
    double angular_momentum;   // kg m^2/s
    Eigen::Vector2d centre;    // m
};

Totals totals_of(const Simulation& simulation, const Problem& problem)
{
    const LedgerRow row = simulation.ledger_row();
    Totals totals{{row.momentum_x, row.momentum_y}, row.angular_momentum_z, {0, 0}};
    // Sums of 150 doubles: an error of 1e-15 m, which is seen in double only.
    const FluidState fluid = fluid_of(problem, simulation.snapshot());
    for (const auto& x : fluid.position) totals.centre += Eigen::Vector2d(x[0], x[1]);
    totals.centre /= static_cast<double>(fluid.position.size());
    return totals;
}

// Sums over the steps so far, an axis each, in kg m/s and m.
struct Roundings {
    std::array<double, 2> all_to_one_side{};
    std::array<double, 2> variance{};
    std::array<double, 2> centre{};

    void add(const Simulation& simulation, const Problem& problem, double interval)
    {
        const Rates rates = simulation.backend().rates();
        const Units& units = problem.units;
        const double speed = simulation.ledger_row().max_speed;
        const auto count = static_cast<double>(problem.particles.size());
        for (std::size_t c = 0; c < 2; ++c) {
            double bound = count * update_rest * speed;
            for (const auto& rate : rates.leading) {
                const double gained = std::abs(rate[c]) * units.acceleration() * interval;
                bound += 3 * roundoff * gained;
                // Two roundings, each spread evenly over at most u to either side.
                variance[c] += 2 * (roundoff * gained) * (roundoff * gained) / 3 * units.mass * units.mass;
            }
            all_to_one_side[c] += bound * units.mass;
            // The centre moves with the momentum; positions are held to 2^-47 of a cell side and the speed's share.
            centre[c] +=
                all_to_one_side[c] / (count * units.mass) * interval + update_rest * (units.length + speed * interval);
        }
    }
};

}  // namespace

Conservation measure_conservation(const Case& c, std::uint64_t seed, int steps, int moments)
{
    const Problem problem = image_of(c, {.name = "itself", .kind = ImageKind::scaled}, seed);
    Simulation simulation(problem, make_cpu_backend(problem, one_thread));
    const std::vector<int> kept = spread_steps(steps, moments);
    const Totals start = totals_of(simulation, problem);
    const double mass = problem.units.mass * static_cast<double>(problem.particles.size());
    double momentum_scale = 0;
    double angular_scale = 0;
    const FluidState fluid = fluid_of(problem, simulation.snapshot());
    for (std::size_t i = 0; i < fluid.position.size(); ++i) {
        const double speed = std::hypot(fluid.velocity[i][0], fluid.velocity[i][1]);
        momentum_scale += problem.units.mass * speed;
        angular_scale += problem.units.mass * speed * std::hypot(fluid.position[i][0], fluid.position[i][1]);
    }
    const double metre = reported_metre(problem);
    const double spacing = c.resolution.spacing;
    Conservation result;
    Roundings roundings;
    result.broke = breaks_down([&] {
        for (int step = 0;; ++step) {
            if (std::ranges::binary_search(kept, step)) {
                const Totals now = totals_of(simulation, problem);
                const double t = simulation.time();
                const Eigen::Vector2d off = now.centre - start.centre - start.momentum / mass * t * metre;
                result.moments.push_back(
                    {.step = step,
                     .time = t,
                     .momentum = (now.momentum - start.momentum).norm() / momentum_scale,
                     .angular_momentum = std::abs(now.angular_momentum - start.angular_momentum) / angular_scale,
                     .centre = off.norm() / spacing,
                     .momentum_bound =
                         std::hypot(roundings.all_to_one_side[0], roundings.all_to_one_side[1]) / momentum_scale,
                     .momentum_expected = std::sqrt(roundings.variance[0] + roundings.variance[1]) / momentum_scale,
                     .centre_bound = std::hypot(roundings.centre[0], roundings.centre[1]) / spacing});
            }
            if (step == steps) break;
            // The forces at the end of a step make its last kick and the next step's first; those of the start make
            // one.
            const double interval = simulation.next_step();
            if (step == 0) roundings.add(simulation, problem, 0.5 * interval);
            simulation.step();
            roundings.add(simulation, problem, interval);
        }
    });
    return result;
}

}  // namespace halfulp
