// Where motions take a point and how fast, against quad precision and differences.
#include <boost/math/constants/constants.hpp>
#include <boost/multiprecision/cpp_bin_float.hpp>

#include "core/motion/inertial_force.hpp"
#include "core/setup/table.hpp"
#include "tests/core/backends/cases.hpp"
#include "tests/core/setup/case_text.hpp"

namespace halfulp::test {
namespace {

using Quad = boost::multiprecision::cpp_bin_float_quad;

std::string with_motion(const std::string& motion)
{
    return periodic_box(3).replace(periodic_box(3).find("period"), 18, "") + R"([[shapes]]
name = "tank"
kind = "wall"
hollow_box = { from = [0, 0, 0], to = [1, 1, 1] }
)" + motion;
}

const std::string oblique = R"([[motions]]
name = "roll"
[motions.rotation]
pivot = [0.3, -0.2, 0.55]
axis = [1, 2, -2]
sine = { amplitude = 40, period = 0.7, phase = 25, smooth_start = 0.4 }
[motions.translation]
direction = [0, 3, 4]
sine = { amplitude = 0.2, period = 1.1 }
)";

// Where Rodrigues' formula in quad precision takes a point of that body at time t, m.
std::array<Quad, 3> exactly(const std::array<double, 3>& x, double time)
{
    const Quad pi = boost::math::constants::pi<Quad>();
    const Quad t = time;
    const auto ramp = [](Quad s) { return s >= 1 ? Quad(1) : Quad(s * s * s * (10 + s * (-15 + s * 6))); };
    const Quad phase = 25 * pi / 180;
    const Quad angle = 40 * pi / 180 * ramp(t / Quad(0.4)) * sin(2 * pi * t / Quad(0.7) + phase);
    const Quad way = Quad(0.2) * sin(2 * pi * t / Quad(1.1));
    const std::array<Quad, 3> axis{Quad(1) / 3, Quad(2) / 3, Quad(-2) / 3};
    const std::array<double, 3> pivot{0.3, -0.2, 0.55};
    const std::array<Quad, 3> direction{0, Quad(3) / 5, Quad(4) / 5};
    std::array<Quad, 3> r;
    for (std::size_t i = 0; i < 3; ++i) r[i] = Quad(x[i]) - Quad(pivot[i]);
    const Quad along = axis[0] * r[0] + axis[1] * r[1] + axis[2] * r[2];
    std::array<Quad, 3> there;
    for (std::size_t i = 0; i < 3; ++i) {
        const std::size_t j = (i + 1) % 3;
        const std::size_t k = (i + 2) % 3;
        const Quad across = axis[j] * r[k] - axis[k] * r[j];
        there[i] = pivot[i] + r[i] * cos(angle) + across * sin(angle) + axis[i] * along * (1 - cos(angle)) +
                   direction[i] * way;
    }
    return there;
}

// In m and m/s, for a body's point x (m).
struct Moved {
    std::array<double, 3> x, u, a;
};
Moved moved(const Problem& problem, const std::array<double, 3>& x, double t)
{
    const Pose pose = problem.motions.front().at(t);
    const double side = problem.units.length;
    Vec<3, double> anchor;
    for (int c = 0; c < 3; ++c) anchor[c] = x[std::size_t(c)] / side - (pose.pivot_cell[c] + pose.pivot_offset[c]);
    const auto arm = turned(pose, anchor);
    Moved result{};
    for (int c = 0; c < 3; ++c) {
        const auto i = std::size_t(c);
        result.x[i] = (pose.pivot_cell[c] + (pose.pivot_offset[c] + (arm[c] + pose.moved[c]))) * side;
        result.u[i] = velocity_at(pose, arm)[c] * problem.units.velocity;
        result.a[i] = acceleration_at(pose, arm)[c] * problem.units.acceleration();
    }
    return result;
}

TEST(Motion, TurnsAndShiftsAsInQuadPrecision)
{
    const Problem problem = problem_from(with_motion(oblique));
    // The pivot is rounded to single precision within its cell (some 0.2 m): what the turn makes of that.
    for (const double t : {0.0, 0.05, 0.2, 0.39, 0.41, 3.7, 250.0}) {
        const std::array<double, 3> x{1, 0.9, -0.7};
        const auto exact = exactly(x, t);
        for (std::size_t i = 0; i < 3; ++i)
            EXPECT_NEAR(moved(problem, x, t).x[i], static_cast<double>(exact[i]), 1e-8) << t;
    }
}

TEST(Motion, VelocityAndAccelerationAreThoseOfThePosition)
{
    const Problem problem = problem_from(with_motion(oblique));
    const std::array<double, 3> x{1, 0.9, -0.7};
    const double h = 1e-5;
    for (double t = 0.01; t < 1.5; t += 0.0173) {
        const Moved here = moved(problem, x, t);
        const Moved before = moved(problem, x, t - h);
        const Moved after = moved(problem, x, t + h);
        for (std::size_t i = 0; i < 3; ++i) {
            // h^2/6 times third derivatives of up to 10^4 m/s^3, and rounding over h.
            EXPECT_NEAR((after.x[i] - before.x[i]) / (2 * h), here.u[i], 1e-6) << t;
            EXPECT_NEAR((after.u[i] - before.u[i]) / (2 * h), here.a[i], 1e-4) << t;
        }
    }
}

// v t + a t^2/2, which a constant acceleration turns back at -v/a: in exact arithmetic of halves and quarters.
TEST(Motion, AcceleratesEvenly)
{
    const Problem problem = problem_from(with_motion(R"([[motions]]
name = "drag"
[motions.translation]
direction = [0, 0, 2]
steady = { rate = -0.5, acceleration = 0.25 }
)"));
    for (const double t : {0.0, 0.5, 2.0, 64.0}) {
        const Moved here = moved(problem, {1, 0.9, -0.7}, t);
        EXPECT_NEAR(here.x[2], -0.7 + t * (-0.5 + 0.125 * t), 1e-14 * (1 + t * t));
        EXPECT_NEAR(here.u[2], -0.5 + 0.25 * t, 1e-14 * (1 + t));
        EXPECT_NEAR(here.a[2], 0.25, 1e-15);
        EXPECT_EQ(here.x[0], moved(problem, {1, 0.9, -0.7}, 0).x[0]);
    }
    // At the turn, after 2 s, it is farthest; at the end of 2.5 s it is back by a fifth of that.
    Signal turning;
    turning.form = Signal::Form::steady;
    turning.steady = {.rate = -0.5, .acceleration = 0.25};
    const SignalFunction signal(turning, 1, 2.5, {}, "signal");
    EXPECT_EQ(signal.farthest(), 0.5);
    EXPECT_NEAR(signal.range(2.5).lowest, -0.5, 1e-6);
    EXPECT_EQ(signal.range(2.5).most_accelerated, 0.25);
}

// The squares of long directions overflow and those of short ones vanish.
TEST(Motion, GoesAlongADirectionOfAnyLength)
{
    const auto pose_along = [](const std::string& direction, const std::string& axis) {
        const Problem problem =
            problem_from(with_motion(with(with(oblique, "[0, 3, 4]", direction), "[1, 2, -2]", axis)));
        return problem.motions.front().at(0.6);
    };
    const Pose plain = pose_along("[0, 3, 4]", "[1, 2, -2]");
    for (const char* const power : {"e300", "e-300", "e-320"}) {
        const auto scaled = [&](const std::string& a, const std::string& b, const std::string& c) {
            return '[' + a + power + ", " + b + power + ", " + c + power + ']';
        };
        const Pose pose = pose_along(scaled("0", "3", "4"), scaled("1", "2", "-2"));
        for (int i = 0; i < 3; ++i) {
            EXPECT_NEAR(pose.axis[i], plain.axis[i], 1e-3) << power;
            EXPECT_NEAR(pose.moved[i], plain.moved[i], 1e-3 * std::abs(plain.moved[i])) << power;
        }
    }
    EXPECT_EQ(plain.axis[0], 1.0 / 3);
}

// A sensor on a wall goes with it, wherever the case lies.
TEST(Motion, CarriesProbes)
{
    const std::string probes = R"([[probes]]
name = "carried"
measures = "pressure"
at = [1, 0.9, -0.7]
attached = "roll"
[[probes]]
name = "left"
measures = "pressure"
at = [1, 0.9, -0.7]
)";
    const Problem here = problem_from(with_motion(oblique) + probes);
    const Problem there = problem_from(with_motion(oblique) + probes, {"origin.cells=[-700000000,3,1000000000]"});
    ASSERT_EQ(here.probes.size(), 2U);
    EXPECT_EQ(here.probes[0].motion, 0);
    EXPECT_EQ(here.probes[1].motion, -1);
    for (const double t : {0.0, 0.3, 1.7}) {
        const CellPosition place = carried(here.motions[0].at(t), here.source.origin.cells, here.probes[0].at);
        const CellPosition far = carried(there.motions[0].at(t), there.source.origin.cells, there.probes[0].at);
        const auto exact = exactly({1, 0.9, -0.7}, t);
        for (std::size_t i = 0; i < 3; ++i) {
            const double x = (place.cell[i] + static_cast<double>(place.offset[i])) * here.units.length;
            EXPECT_NEAR(x, static_cast<double>(exact[i]), 3e-8) << t;
            EXPECT_EQ(std::int64_t(far.cell[i]) - there.source.origin.cells[i], place.cell[i]);
            EXPECT_EQ(far.offset[i], place.offset[i]);
        }
    }
}

TEST(Motion, BeginsWhereTheCaseFileHasTheWalls)
{
    const Problem problem = problem_from(with_motion(oblique));
    const Moved start = moved(problem, {1, 0.9, -0.7}, 0);
    EXPECT_NEAR(start.x[0], 1, 1e-15);
    EXPECT_NEAR(start.x[1], 0.9, 1e-15);
    EXPECT_NEAR(start.x[2], -0.7, 1e-15);
}

// Inertial forces against the change of velocity of a free particle, which a frame that turns and shifts sees.
TEST(Motion, InertialForcesKeepAFreeParticleOnItsLine)
{
    const Problem problem = problem_from(with_motion(oblique));
    const double side = problem.units.length;
    const Vec<3, double> no_gravity{};
    // In the laboratory the particle moves on a straight line; seen from the frame it is at R^T (x - d - pivot).
    const auto seen = [&](double t) {
        Pose pose = problem.motions.front().at(t);
        Vec<3, double> r;
        for (int c = 0; c < 3; ++c) {
            const double x = (0.4 + 0.3 * c + (1.5 - c) * t) / side;
            r[c] = x - (pose.pivot_cell[c] + pose.pivot_offset[c]) - pose.moved[c];
        }
        pose.sine = -pose.sine;
        return turned(pose, r);  // cell sides
    };
    const double unit = problem.units.time();
    const double h = 2e-5;
    for (const double t : {0.1, 0.31, 0.9}) {
        const auto before = seen(t - h);
        const auto here = seen(t);
        const auto after = seen(t + h);
        const auto force = inertial_force(problem.motions.front().at(t), {0, 0, 0}, no_gravity, 1);
        for (int i = 0; i < 3; ++i) {
            double expected = force.constant[i];
            for (int j = 0; j < 3; ++j) {
                expected += force.position[i][j] * here[j];
                expected += force.velocity[i][j] * (after[j] - before[j]) / (2 * h) * unit;
            }
            const double acceleration = (after[i] - 2 * here[i] + before[i]) / (h * h) * unit * unit;
            EXPECT_NEAR(acceleration, expected, 1e-5 * (1 + std::abs(expected))) << t;
        }
    }
}

// Gravity as the frame sees it turns; the case's own acts beside the inertial force.
TEST(Motion, InertialForcesTurnGravity)
{
    Pose pose;
    pose.axis = {0, 0, 1};
    pose.sine = 0.6;
    pose.versine = 0.2;
    const auto force = inertial_force(pose, {5, 6, 7}, {0, -10, 0}, 1);
    EXPECT_NEAR(force.constant[0], -6, 1e-15);
    EXPECT_NEAR(force.constant[1], -8 + 10, 1e-14);
    EXPECT_EQ(force.pivot_cell[1], 6);
}

TEST(Motion, ATableIsFollowedAndMustLast)
{
    const auto folder = std::filesystem::temp_directory_path() / fmt::format("halfulp-motion-{}", getpid());
    std::filesystem::create_directories(folder);
    std::ofstream rows(folder / "sway.csv");
    rows << "seconds,millimetres\n";
    for (int k = 0; k <= 150; ++k) rows << fmt::format("{},{}\n", 0.01 * k, 100 + 20 * std::sin(4 * 0.01 * k));
    rows.close();
    const std::string sway = R"([[motions]]
name = "sway"
[motions.translation]
direction = [0, 1, 0]
table = { file = "sway.csv", time = "seconds", column = "millimetres", scale = 0.001 }
)";
    std::ofstream(folder / "case.toml") << with_motion(sway);
    const Problem problem = prepare(read_case(folder / "case.toml", {"time.end=1.5"}));
    for (const double t : {0.0, 0.333, 0.8, 1.49}) {
        const Moved here = moved(problem, {1, 0.9, -0.7}, t);
        EXPECT_NEAR(here.x[1] - 0.9, 0.02 * std::sin(4 * t), 1e-7);
        EXPECT_NEAR(here.u[1], 0.08 * std::cos(4 * t), 1e-4);
    }
    try {
        prepare(read_case(folder / "case.toml", {"time.end=2"}));
        FAIL() << "nothing was thrown";
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("motions.sway.translation.table.file: "), std::string::npos);
        EXPECT_NE(
            std::string(error.what()).find("sway.csv lasts from 0 to 1.5 s, but must last from 0 to time.end = 2 s"),
            std::string::npos)
            << error.what();
    }
    std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace halfulp::test
