// Drops without walls: the oscillating one (Monaghan and Rafiee 2013) and the elliptical one of Monaghan (1994). Both
// stay ellipses: a' = A a, b' = -A b, A' = (rate^2 + A^2) (b^2 - a^2) / (a^2 + b^2), rate zero for the second.
#include <Eigen/Core>

#include "validation/analytic/analytic.hpp"
#include "validation/measurements/scores.hpp"

namespace halfulp {

namespace {

using Ellipse = Eigen::Vector3d;  // semi-axes a and b, strain A

// The exact solution by Runge-Kutta's fourth-order method, in steps far shorter than what is measured.
class ExactEllipse {
public:
    ExactEllipse(double strain, double rate) : rate_(rate), state_{1, 1, strain} {}

    Ellipse at(double time)
    {
        constexpr int substeps = 200;
        const double dt = (time - time_) / substeps;
        for (int i = 0; i < substeps && dt > 0; ++i) {
            const Ellipse k1 = slope(state_);
            const Ellipse k2 = slope(state_ + dt / 2 * k1);
            const Ellipse k3 = slope(state_ + dt / 2 * k2);
            const Ellipse k4 = slope(state_ + dt * k3);
            state_ += dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
        }
        time_ = std::max(time, time_);
        return state_;
    }

private:
    [[nodiscard]] Ellipse slope(const Ellipse& s) const
    {
        const double a = s[0], b = s[1], strain = s[2];
        return {strain * a, -strain * b, (rate_ * rate_ + strain * strain) * (b * b - a * a) / (a * a + b * b)};
    }

    double rate_;
    double time_ = 0;
    Ellipse state_;
};

// At one time: the semi-axes of the ellipse that has the second moments of the particles, without the choice of a
// surface particle.
struct Axes {
    double time;
    double a;
    double b;
};

struct DropRun {
    AnalyticResult result;
    std::vector<Axes> axes;
    std::vector<double> residuals;  // of the energy, relative to its start, at the times of axes
    double largest_residual = 0;
};

DropRun run_drop(const std::string& case_file, std::vector<std::string> overrides, int particles, int every)
{
    overrides.push_back(fmt::format("resolution.spacing={}", 1.0 / particles));
    DropRun run;
    double total = 0;
    run.result = follow(case_file, overrides, static_cast<std::uint64_t>(every),
                        [&](AnalyticResult&, const Problem& problem, const Simulation& now) {
                            const LedgerRow row = now.ledger_row();
                            if (now.steps() == 0) total = row.total;
                            run.residuals.push_back(row.residual / total);
                            raise(run.largest_residual, std::abs(run.residuals.back()));
                            double xx = 0;
                            double yy = 0;
                            const FluidState fluid = fluid_of(problem, now.snapshot());
                            for (const auto& x : fluid.position) {
                                xx += x[0] * x[0];
                                yy += x[1] * x[1];
                            }
                            const auto count = static_cast<double>(fluid.position.size());
                            run.axes.push_back({now.time(), 2 * std::sqrt(xx / count), 2 * std::sqrt(yy / count)});
                        });
    return run;
}

// When a - b passes zero upwards again: after one period. Not a number if it never does.
double first_return(const std::vector<Axes>& axes)
{
    Series difference;
    for (const auto& [time, a, b] : axes) difference.add(time, a - b);
    // Not the start, whose axes are equal but for rounding.
    const auto below =
        std::find_if(difference.value.begin() + 1, difference.value.end(), [](double x) { return x < 0; });
    if (below == difference.value.end()) return NAN;
    const auto first = static_cast<std::size_t>(below - difference.value.begin());
    return arrival_time(difference, 0, difference.time[first]).value_or(NAN);
}

AnalyticResult run_oscillating(int particles)
{
    // Some 100 moments in a period of 180 steps a particle in the radius.
    DropRun run = run_drop("oscillating-drop-2d", {"time.end=4.95"}, particles, 2 * particles);
    ExactEllipse exact(1, 1);
    std::vector<Axes> exact_axes;
    for (int k = 0; k <= 5000; ++k) {
        const Ellipse e = exact.at(0.001 * k);
        exact_axes.push_back({0.001 * k, e[0], e[1]});
    }
    ExactEllipse along(1, 1);
    for (const auto& [time, a, b] : run.axes) run.result.curve.push_back({time, a, along.at(time)[0]});
    const double period = first_return(exact_axes);
    // Rounding: the same drop, coarse, with a tenth of the step, in both precisions.
    const auto fine = [](const std::string& precision) {
        return run_drop("oscillating-drop-2d", {"time.cfl=0.02", "time.end=1", "numerics.precision=" + precision}, 15,
                        20);
    };
    const DropRun robust = fine("robust");
    const DropRun in_double = fine("double");
    double apart = 0;
    for (std::size_t k = 0; k < std::min(robust.residuals.size(), in_double.residuals.size()); ++k)
        raise(apart, std::abs(robust.residuals[k] - in_double.residuals[k]));
    run.result.broke |= robust.result.broke || in_double.result.broke;
    run.result.errors = {std::abs(first_return(run.axes) - period) / period, run.largest_residual,
                         apart / in_double.largest_residual};
    return run.result;
}

AnalyticResult run_elliptical(int particles)
{
    DropRun run = run_drop("elliptical-drop-2d", {}, particles, particles / 2);
    ExactEllipse exact(-100, 0);
    for (const auto& [time, a, b] : run.axes) {
        const double expected = exact.at(time)[1];
        run.result.curve.push_back({time, b, expected});
        run.result.raise(0, std::abs(b - expected) / expected);
    }
    run.result.raise(1, run.largest_residual);
    return run.result;
}

}  // namespace

std::vector<AnalyticCase> drops()
{
    return {{.name = "drop",
             .summary = "a drop oscillates in a central force; its period and its energy",
             .case_file = "oscillating-drop-2d",
             .resolution = "particles a radius",
             .y_label = "semi-axis (m)",
             .particles = {25, 50, 100},
             .quick = 20,
             .criteria = {{"period, relative error", 0.01, 0.02, 0.5},
                          {"energy, largest relative error", 1e-5, 1e-4, 0.8},
                          {"deviation of float's energy from double's over the error of double's, step a tenth", 0.03,
                           0.03}},
             .run = run_oscillating},
            {.name = "elliptical-drop",
             .summary = "a drop draws itself out; its long semi-axis",
             .case_file = "elliptical-drop-2d",
             .resolution = "particles a radius",
             .y_label = "semi-axis (m)",
             .particles = {20, 40, 80},
             .quick = 20,
             .criteria = {{"semi-axis, largest relative error", 0.01, 0.02},
                          {"energy, largest relative error", 1e-5, 1e-4}},
             .run = run_elliptical}};
}

}  // namespace halfulp
