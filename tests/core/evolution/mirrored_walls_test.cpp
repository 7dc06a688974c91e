// The pressure of walls with mirror nodes after some steps, against sums over all fluid with formulas of the papers'
// own, images reflected by hand and a system that Eigen solves.
#include <cmath>
#include <numbers>

#include <Eigen/Dense>

#include "core/setup/units.hpp"
#include "tests/core/backends/cases.hpp"

namespace halfulp::test {
namespace {

using Point = std::array<double, 2>;

struct State {
    std::vector<Point> position;
    std::vector<double> pressure;
    std::vector<std::uint8_t> kind;
};

State state_of(const Simulation& simulation)
{
    const Snapshot snapshot = simulation.snapshot();
    State state;
    state.pressure = values_of<double>(column(snapshot, "pressure"));
    state.kind = values_of<std::uint8_t>(column(snapshot, "kind"));
    const auto x = values_of<double>(column(snapshot, "position"));
    for (std::size_t i = 0; i < state.kind.size(); ++i) state.position.push_back({x[3 * i], x[3 * i + 1]});
    return state;
}

// How a wall came by its pressure, and that pressure.
struct Expected {
    enum { line, mean, nothing, unclear } how = nothing;
    double pressure = 0;
};

// The density of the fluid continued from `image` to `wall`; or, of pressure cloning, its pressure at the image with
// that of fluid at rest between them. period: along x, or 0. acceleration: of the wall, m/s^2.
Expected expected_at(const Case& c, const State& state, const Point& wall, const Point& image, double period,
                     const Point& acceleration)
{
    const bool clones = c.numerics.walls == Walls::pressure_cloning;
    const Point to = {wall[0] - image[0], wall[1] - image[1]};
    double at_rest = 0;  // Pa
    for (std::size_t k = 0; k < 2 && clones; ++k) at_rest += c.fluid.density * (c.gravity[k] - acceleration[k]) * to[k];
    const double rho0 = c.fluid.density;
    const double h = smoothing_length(c);
    const double stiffness = rho0 * c.fluid.sound_speed * c.fluid.sound_speed / 7;
    const double mass = rho0 * c.resolution.spacing * c.resolution.spacing;
    Eigen::Matrix3d a = Eigen::Matrix3d::Zero();
    Eigen::Vector3d right = Eigen::Vector3d::Zero();
    bool edge = false;
    for (std::size_t i = 0; i < state.kind.size(); ++i) {
        if (state.kind[i] != 0) continue;
        double dx = state.position[i][0] - image[0];
        if (period > 0) dx -= period * std::round(dx / period);
        const double dy = state.position[i][1] - image[1];
        const double q = std::hypot(dx, dy) / h;
        edge = edge || std::abs(q - 2) < 1e-9;
        if (q >= 2) continue;
        const double rho = rho0 * std::pow(1 + state.pressure[i] / stiffness, 1.0 / 7);
        const double volume = mass / rho;
        const double alpha = 7 / (4 * std::numbers::pi * h * h);
        const double w = alpha * std::pow(1 - q / 2, 4) * (1 + 2 * q);
        const double gradient = 5 * alpha / (h * h) * std::pow(1 - q / 2, 3);  // of W by the image's place, over x
        const Eigen::Vector3d weight = volume * Eigen::Vector3d(w, gradient * dx, gradient * dy);
        a += weight * Eigen::RowVector3d(1, dx, dy);
        right += weight * rho;
    }
    const auto answer = [&](auto how, double rho) {
        return Expected{how, stiffness * (std::pow(rho / rho0, 7) - 1) + at_rest};
    };
    if (a(0, 0) == 0) return {Expected::nothing, 0};
    const double size = a.determinant();
    if (edge || std::abs(std::abs(size) - 1e-3) < 1e-6) return {Expected::unclear, 0};
    if (std::abs(size) > 1e-3) {
        const double part = clones ? 0 : 1;  // of the way
        const double rho = Eigen::RowVector3d(1, part * to[0], part * to[1]) * a.fullPivLu().solve(right).eval();
        if (std::abs(rho / rho0 - 1) <= c.numerics.density_bound) return answer(Expected::line, rho);
    }
    return answer(Expected::mean, right[0] / a(0, 0));
}

// How many walls came by their pressure in each way, at least: a way that none takes is not tested.
struct Least {
    int lines = 0, means = 0, dry = 0;
};

struct Image {
    Point place;
    Point acceleration = {0, 0};  // of the wall
};

template <class Reflect>
void expect_pressures(const Problem& problem, int steps, double period, const Least& least, Reflect reflect)
{
    Simulation simulation = simulation_of(problem);
    for (int step = 0; step < steps; ++step) simulation.step();
    const State state = state_of(simulation);
    int lines = 0, means = 0, dry = 0;
    double largest = 0;
    for (std::size_t i = 0; i < state.kind.size(); ++i) {
        if (state.kind[i] == 1) largest = std::max(largest, std::abs(state.pressure[i]));
    }
    for (std::size_t i = 0; i < state.kind.size(); ++i) {
        if (state.kind[i] == 0) continue;
        const Point wall = state.position[i];
        const auto image = reflect(wall, simulation.time());
        if (!image) continue;
        const Expected expected = expected_at(problem.source, state, wall, image->place, period, image->acceleration);
        if (expected.how == Expected::unclear) continue;
        lines += expected.how == Expected::line;
        means += expected.how == Expected::mean;
        dry += expected.how == Expected::nothing;
        // The snapshot's pressures have half an ulp of rho c0^2 / 7, which the determinant of 1e-3 and more divides;
        // constants are rounded to single precision.
        EXPECT_NEAR(state.pressure[i], expected.pressure, 2e-6 * largest) << "at " << wall[0] << ", " << wall[1];
    }
    EXPECT_GE(lines, least.lines);
    EXPECT_GE(means, least.means);
    EXPECT_GE(dry, least.dry);
}

class MirroredWalls : public testing::TestWithParam<const char*> {};

TEST_P(MirroredWalls, TakeTheirPressureFromTheFluidInATankThatRolls)
{
    const Problem problem = problem_from(
        rolling_tank,
        in_double + Overrides{std::string("numerics.walls=") + GetParam(), "fluid.artificial_viscosity=0.1"});
    const PrescribedMotion& roll = problem.motions.front();
    const Point pivot = {0.49, 0.013};
    const auto turned = [&](const Point& p, double time, double sign) {
        const Pose pose = roll.at(time);
        const double sine = pose.sine * pose.axis[2];
        const double cosine = 1 - pose.versine;
        const double x = p[0] - pivot[0];
        const double y = p[1] - pivot[1];
        return Point{pivot[0] + cosine * x - sign * sine * y, pivot[1] + sign * sine * x + cosine * y};
    };
    expect_pressures(problem, 400, 0, {.lines = 120, .means = 12, .dry = 100},
                     [&](const Point& wall, double time) -> std::optional<Image> {
                         const Point at_rest = turned(wall, time, -1);
                         const Point node = {2 * std::clamp(at_rest[0], 0.0, 1.0) - at_rest[0],
                                             2 * std::clamp(at_rest[1], 0.0, 0.6) - at_rest[1]};
                         constexpr double moment = 1e-3;  // s
                         Image image{turned(node, time, 1)};
                         for (std::size_t k = 0; k < 2; ++k) {
                             const auto place = [&](double t) { return turned(at_rest, t, 1)[k]; };
                             image.acceleration[k] =
                                 (place(time + moment) - 2 * place(time) + place(time - moment)) / (moment * moment);
                         }
                         return image;
                     });
}

TEST_P(MirroredWalls, TakeTheirPressureFromTheFluidAcrossAPeriod)
{
    Problem problem = problem_from(channel, in_double + Overrides{std::string("numerics.walls=") + GetParam()});
    stir(problem, 1, 45);
    const double period = problem.source.period[0];
    const double depth = 4 * problem.source.resolution.spacing;
    expect_pressures(problem, 100, period, {.lines = 80}, [&](const Point& wall, double) -> std::optional<Image> {
        return wall[1] < 0 && wall[1] > -depth ? std::optional<Image>({{wall[0], -wall[1]}}) : std::nullopt;
    });
}

INSTANTIATE_TEST_SUITE_P(Walls, MirroredWalls, testing::Values("modified-dynamic", "pressure-cloning"),
                         [](const auto& info) { return info.param[0] == 'm' ? "ModifiedDynamic" : "PressureCloning"; });

}  // namespace
}  // namespace halfulp::test
