// Initial velocities and densities from numbers and expressions: against the same formulas worked in the test at the
// particles' own positions.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "case_text.hpp"
#include "core/setup/lattice.hpp"
#include "core/setup/problem.hpp"

namespace halfulp {
namespace {

using Overrides = std::vector<std::string>;

Problem problem_from(const Overrides& overrides, const std::string& text = least_case)
{
    return prepare(case_from(text, overrides));
}

// Relative to the case's origin, m.
std::array<double, 2> position(const Problem& p, const InitialParticle& particle)
{
    std::array<double, 2> x{};
    for (std::size_t k = 0; k < 2; ++k) {
        const int cell = particle.cell[k] - p.source.origin.cells[k];
        x[k] = (cell + static_cast<double>(particle.offset[k])) * p.units.length;
    }
    return x;
}

// Tait's pressure as it is usually written; in double it loses nothing that single precision shows.
double tait(const Case& c, double s)
{
    return c.fluid.density * c.fluid.sound_speed * c.fluid.sound_speed / 7 * (std::pow(1 + s, 7) - 1);
}

const std::string in_a_tank = least_case + R"([[shapes]]
name = "tank"
kind = "wall"
hollow_box = { from = [0, 0], to = [1, 0.5] }
)";
// Walls that have a state to start from.
const std::string dynamic = "numerics.walls=dynamic";

TEST(InitialVelocity, IsTheExpressionAtTheParticle)
{
    const Problem p = problem_from({"shapes.water.velocity=[\"-2*x + y\", \"sin(pi*x)*y\"]"});
    ASSERT_EQ(p.particles.size(), 50U);
    for (const InitialParticle& particle : p.particles) {
        const auto [x, y] = position(p, particle);
        // The first is rounded in double and then once to single precision, as here.
        EXPECT_EQ(particle.velocity[0], static_cast<float>((-2 * x + y) / p.units.velocity));
        const double second = std::sin(3.14159265358979323846 * x) * y / p.units.velocity;
        EXPECT_NEAR(particle.velocity[1], second, 1e-7 * std::abs(second));
        EXPECT_EQ(particle.velocity[2], 0);
    }
}

TEST(InitialVelocity, OfANumberIsThatOfTheExpression)
{
    const Problem numbers = problem_from({"shapes.water.velocity=[0.3, -1.7]"});
    const Problem texts = problem_from({"shapes.water.velocity=[\"0.3\", \"-1.7\"]"});
    for (std::size_t i = 0; i < numbers.particles.size(); ++i) {
        EXPECT_EQ(numbers.particles[i].velocity, texts.particles[i].velocity);
        EXPECT_EQ(numbers.particles[i].velocity[0], static_cast<float>(0.3 / 16)) << "the unit is 16 m/s";
    }
}

// The fields move with the case.
TEST(InitialState, DoesNotDependOnTheOrigin)
{
    const Overrides fields{"shapes.water.velocity=[\"exp(-x)\", \"x*y\"]", "shapes.water.pressure=1e3*cos(x)"};
    Overrides moved = fields;
    moved.emplace_back("origin.cells=[1000000000, -1000000000]");
    const Problem here = problem_from(fields, in_a_tank);
    const Problem there = problem_from(moved, in_a_tank);
    ASSERT_EQ(here.particles.size(), there.particles.size());
    for (std::size_t i = 0; i < here.particles.size(); ++i) {
        EXPECT_EQ(here.particles[i].velocity, there.particles[i].velocity);
        EXPECT_EQ(here.particles[i].density, there.particles[i].density);
    }
}

TEST(InitialPressure, IsThatOfTheEquationOfState)
{
    const Problem p = problem_from({"shapes.water.pressure=2e3*(x - 2*y)"});
    for (const InitialParticle& particle : p.particles) {
        const auto [x, y] = position(p, particle);
        // s is rounded once: its relative error of 2^-24 becomes that of P, magnified a little by the curvature.
        EXPECT_NEAR(tait(p.source, particle.density), 2e3 * (x - 2 * y), 1e-7 * 2e3 * std::abs(x - 2 * y) + 1e-9);
    }
}

// The weight of the fluid above, written out: the same as hydrostatic = true but for roundings.
TEST(InitialPressure, OfTheWeightIsHydrostatic)
{
    const Problem given = problem_from({"shapes.water.pressure=1000*9.81*(0.5 - y)", dynamic}, in_a_tank);
    const Problem hydrostatic = problem_from({"shapes.water.hydrostatic=true", dynamic}, in_a_tank);
    int walls = 0;
    for (std::size_t i = 0; i < given.particles.size(); ++i) {
        const double expected = hydrostatic.particles[i].density;
        const double y = position(given, given.particles[i])[1];
        if (y > 0.5) continue;  // in the walls above the surface the expression goes on and turns negative
        walls += given.particles[i].kind == Kind::wall && expected > 0 ? 1 : 0;
        // The positions differ by the rounding of the offset, 2^-25 of a cell side, in a depth of at least 0.05 m.
        EXPECT_NEAR(given.particles[i].density, expected, 1e-6 * expected) << y;
    }
    EXPECT_GT(walls, 50);
}

// Water under a lid, beside a column from which it is pressed; and the floor on the other side of a period.
TEST(InitialPressure, OfWallsAboveAndAcrossAPeriod)
{
    const auto pressure_at = [](const Problem& p, Kind kind, double x, double y) {
        for (const InitialParticle& particle : p.particles) {
            const auto [px, py] = position(p, particle);
            const double apart = std::remainder(px - x, p.source.period[0] > 0 ? p.source.period[0] : 100);
            if (particle.kind == kind && std::hypot(apart, py - y) < 1e-6)
                return tait(p.source, static_cast<double>(particle.density));
        }
        ADD_FAILURE() << "nothing at " << x << ", " << y;
        return 0.0;
    };
    const std::string start =
        "dimensions = 2\n[resolution]\nspacing = 0.05\n[fluid]\nsound_speed = 50\n[time]\nend = 1\n"
        "[output]\ninterval = 1\n[numerics]\nwalls = \"dynamic\"\n";
    const auto shape = [](const std::string& name, const std::string& kind, const std::string& rest) {
        return "[[shapes]]\nname = \"" + name + "\"\nkind = \"" + kind + "\"\n" + rest + "\n";
    };
    const Problem lid =
        prepare(case_from(start + shape("tank", "wall", "hollow_box = { from = [0, 0], to = [1, 1.5] }") +
                          shape("lid", "wall", "box = { from = [0.5, 0.5], to = [1, 1.2] }") +
                          shape("tall", "fluid", "box = { from = [0, 0], to = [0.5, 1] }\nhydrostatic = true") +
                          shape("low", "fluid", "box = { from = [0.5, 0], to = [1, 0.5] }\nhydrostatic = true")));
    const double below = pressure_at(lid, Kind::fluid, 0.775, 0.475);
    EXPECT_NEAR(below, 1000 * 9.81 * 0.525, 0.01 * 1000 * 9.81);
    EXPECT_NEAR(pressure_at(lid, Kind::wall, 0.775, 0.525), below - 1000 * 9.81 * 0.05, 30);
    EXPECT_EQ(pressure_at(lid, Kind::wall, 0.225, 1.525), 0) << "above a free surface";
    const Problem floor = prepare(
        case_from("period = [2, 0]\n" + start + shape("floor", "wall", "box = { from = [0, -0.3], to = [2, 0] }") +
                  shape("water", "fluid", "box = { from = [0, 0], to = [0.5, 0.5] }\nhydrostatic = true")));
    for (const double beyond : {0.025, 0.075}) {
        const double right = pressure_at(floor, Kind::wall, 0.5 + beyond, -0.025);
        EXPECT_GT(right, 500);
        EXPECT_EQ(pressure_at(floor, Kind::wall, 2 - beyond, -0.025), right);
    }
}

TEST(InitialPressure, DoesNotPullThroughWallsThatMayNot)
{
    const Overrides pull{"shapes.water.pressure=-500", dynamic};
    const auto lowest = [](const Problem& p, Kind kind) {
        float s = 1;
        for (const InitialParticle& particle : p.particles)
            if (particle.kind == kind) s = std::min(s, particle.density);
        return s;
    };
    EXPECT_LT(lowest(problem_from(pull, in_a_tank), Kind::wall), 0);
    const Problem without = problem_from({pull[0], dynamic, "numerics.wall_tension=false"}, in_a_tank);
    EXPECT_EQ(lowest(without, Kind::wall), 0);
    EXPECT_LT(lowest(without, Kind::fluid), 0);
}

void expect_refused(const std::string& override_text, const std::string& sentence)
{
    const std::string found = sentence_of([&] { problem_from({override_text}); });
    EXPECT_EQ(found.rfind("--set " + override_text + ": " + sentence, 0), 0U) << found;
}

// The first particle lies at x = y = 0.05 but for the rounding of its offset.
TEST(InitialState, RefusesFieldsWithoutAFiniteValue)
{
    expect_refused("shapes.water.velocity=[0, \"sqrt(y - 0.1)\"]",
                   "shapes.water.velocity.1 is nan m/s at the position [0.0");
    expect_refused("shapes.water.velocity=[\"exp(800*y)*1e300\", 0]",
                   "shapes.water.velocity.0 is inf m/s at the position ");
    expect_refused("shapes.water.velocity=[1e300, 0]", "shapes.water.velocity.0 is 1e+300 m/s at the position ");
    expect_refused("shapes.water.pressure=1/(x - x)", "shapes.water.pressure is inf Pa at the position [0.0");
}

// B = 1000 20^2 / 7 Pa = 57143 Pa: 1.3^7 - 1 = 5.27 of it is the bound, and below -B there is no density at all.
TEST(InitialState, RefusesPressuresBeyondTheDensityBound)
{
    for (const char* const pressure : {"302000", "-60000", "1e300"}) {
        expect_refused(std::string("shapes.water.pressure=") + pressure, "shapes.water.pressure is ");
    }
    const std::string sentence = sentence_of([] { problem_from({"shapes.water.pressure=302000"}); });
    EXPECT_NE(sentence.find("which takes the density beyond numerics.density_bound = 0.3; bring the pressure closer to "
                            "zero or raise fluid.sound_speed."),
              std::string::npos)
        << sentence;
    const Problem p = problem_from({"shapes.water.pressure=301000"});
    EXPECT_NEAR(p.particles[0].density, 0.3, 1e-3);
}

// By hand: 50 particles of 10 kg/m, which lie in rows 0.1 m high.
TEST(AvailableEnergy, IsThatOfTheFluidInItsOwnChamber)
{
    const auto energy_behind = [](const std::string& divider_to) {
        const std::string text =
            least_case +
            "[[shapes]]\nname = \"tank\"\nkind = \"wall\"\nhollow_box = { from = [0, 0], to = [3.7, 1] }\n" +
            (divider_to.empty()
                 ? ""
                 : "[[shapes]]\nname = \"divider\"\nkind = \"wall\"\nbox = { from = [1, 0], to = [1.7, " + divider_to +
                       "] }\n");
        return problem_from({}, text).available_energy;
    };
    const double of_a_metre = 10 * 9.81;  // N/m
    const double start = 10 * (0.05 + 0.15 + 0.25 + 0.35 + 0.45);
    EXPECT_NEAR(energy_behind(""), of_a_metre * (start - 37 * 0.05 - 13 * 0.15), 1e-3);
    EXPECT_NEAR(energy_behind("0.5"), of_a_metre * (start - 30 * 0.05 - 20 * 0.15), 1e-3) << "water goes over it";
    EXPECT_NEAR(energy_behind("1"), 0, 1e-9) << "none goes through it";
}

TEST(NumberParts, AreThoseOfNeighbouringSites)
{
    // Two columns that a third row joins, one that touches them at a corner only, and one in another layer above that.
    Rows rows{{{0, 0}, {{0, 1, 7}, {2, 3, 7}}},
              {{0, 1}, {{0, 1, 7}, {2, 3, 7}}},
              {{0, 2}, {{0, 3, 7}, {4, 5, 7}}},
              {{0, 3}, {{3, 4, 7}}},
              {{1, 3}, {{3, 5, 7}}}};
    EXPECT_EQ(number_parts(rows), 3);
    EXPECT_EQ(shape_at(rows, {0, 0, 0}), shape_at(rows, {2, 1, 0}));
    EXPECT_NE(shape_at(rows, {0, 0, 0}), shape_at(rows, {4, 2, 0}));
    EXPECT_NE(shape_at(rows, {0, 0, 0}), shape_at(rows, {3, 3, 0}));
    EXPECT_NE(shape_at(rows, {4, 2, 0}), shape_at(rows, {3, 3, 0}));
    EXPECT_EQ(shape_at(rows, {3, 3, 0}), shape_at(rows, {4, 3, 1}));
    Rows touching{{{0, 0}, {{0, 2, 1}, {2, 3, 2}}}};
    EXPECT_EQ(number_parts(touching), 1);
    Rows none;
    EXPECT_EQ(number_parts(none), 0);
}

}  // namespace
}  // namespace halfulp
