// Defaults, overrides, writing back, and finding cases by name.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "case_text.hpp"

namespace halfulp {
namespace {

TEST(ReadCase, CompletesWithDefaults)
{
    const CaseFile file(least_case);
    const Case c = read_case(file.path(), {});
    EXPECT_EQ(c.name, "case");
    EXPECT_EQ(c.path, file.path());
    EXPECT_EQ(c.text, least_case);
    EXPECT_EQ(c.title, "Least");
    EXPECT_EQ(c.dimensions, 2);
    EXPECT_EQ(c.gravity, (std::array<double, 3>{0, -9.81, 0}));
    EXPECT_EQ(c.resolution.spacing, 0.1);
    EXPECT_EQ(c.resolution.smoothing_ratio, 2);
    EXPECT_EQ(c.origin.cells, (std::array<std::int32_t, 3>{}));
    EXPECT_EQ(c.fluid.density, 1000);
    EXPECT_EQ(c.fluid.sound_speed, 20);  // an integer in the file
    EXPECT_EQ(c.numerics.precision, "robust");
    EXPECT_EQ(c.time.step, "variable");
    EXPECT_FALSE(c.time.size);
    EXPECT_EQ(c.output.ledger_every, 10);
    ASSERT_EQ(c.shapes.size(), 1U);
    EXPECT_EQ(c.shapes[0].kind, Kind::fluid);
    EXPECT_EQ(c.shapes[0].form, Shape::Form::box);
    EXPECT_EQ(c.shapes[0].to, (std::array<double, 3>{1, 0.5, 0}));
    EXPECT_FALSE(c.front);
}

TEST(ReadCase, GravityPointsDownTheLastDimension)
{
    const std::string text =
        "dimensions = 3\n" + with(with(least_case, "[0, 0]", "[0, 0, 0]"), "[1, 0.5]", "[1, 1, 0.5]");
    EXPECT_EQ(case_from(text).gravity, (std::array<double, 3>{0, 0, -9.81}));
}

TEST(ReadCase, TitleDefaultsToTheName)
{
    EXPECT_EQ(case_from(with(least_case, "title = \"Least\"\n", "")).title, "case");
}

// Everything that a case can say, none of it the default.
const std::string full_case = R"(title = "All of it: \"quoted\", back\\slash, tab\t, \u00e9"
dimensions = 2
gravity = [0.3, -1.62]
resolution = { spacing = 0.1, smoothing_ratio = 1.7320508075688772 }
origin = { cells = [1073741824, -7] }
central_force = { rate = 1.25, centre = [0.5, -0.25] }

[fluid]
density = 998.2
sound_speed = 12
artificial_viscosity = 0.02
laminar_viscosity = "monaghan-gingold"
kinematic_viscosity = 1e-6
state_equation = "linear"

[numerics]
precision = "double"
kernel = "gaussian"
formulation = "volume-weighted"
skin = 0.2
rebuild_every = 20
cells_per_support = 3
wall_tension = false
walls = "extrapolated"
density_filter = "mls"
filter_every = 17
wall_slip = "free-slip"
tensile_correction = true
density_diffusion = "antuono"
diffusion_coefficient = 0.3
particle_shifting = 1.5
velocity_smoothing = 0.4
density_bound = 0.05

[time]
end = 2e-3
step = "fixed"
cfl = 0.3
size = 1e-5

[output]
interval = 1e-3
ledger_every = 3
figures = false

[[shapes]]
name = "tank"
kind = "wall"
hollow_box = { from = [-1, 0], to = [3, 2] }
layers = 5

[[shapes]]
name = "ramp"
kind = "wall"
polygon = [[2, 0], [3, 0], [3, 0.7]]

[[shapes]]
name = "drop"
kind = "fluid"
polygon = [[0, 1], [1, 1], [0.5, 1.5]]
velocity = [-0.0, "-2.5e-1*x + sin(pi*y) * 1"]
pressure = "(x^2 - y^2)*1e3"

[[shapes]]
name = "puddle"
kind = "fluid"
box = { from = [1.2, 0], to = [1.8, 0.1] }
pressure = 50

[[shapes]]
name = "pool"
kind = "fluid"
box = { from = [-1, 0], to = [1, 0.5] }
hydrostatic = true
surface = 0.75

[[motions]]
name = "roll"
bodies = ["tank"]
[motions.rotation]
pivot = [1, -0.1]
table = { file = "roll.csv", time = "s", column = "deg", scale = -0.5 }
[motions.translation]
direction = [3, 4]
steady = { rate = 0.25 }

[[motions]]
name = "sway"
bodies = ["ramp"]
[motions.translation]
direction = [1, 0]
sine = { amplitude = 0.1, period = 1.5, phase = 90, smooth_start = 2 }

[front]
start = -1
length = 2
tolerance = 0.2
[[front.references]]
name = "First measurement"
citation = "A journal 1 (1900) 2"
points = [[0, 1], [0.5, 1.25]]

[[probes]]
name = "sensor"
measures = "pressure"
at = [0.25, -0.5]
interval = 2.5e-4
filter = 0.01

[[probes]]
name = "load"
measures = "force"
bodies = ["ramp", "tank"]
about = [3, 0.125]
attached = "sway"

[[probes]]
name = "gate"
measures = "flow"
at = [0.5, 0.5]
normal = [-1, 0.1]
within = { from = [0, 0.25], to = [1, 0.75] }
)";

void expect_equal(const Signal& a, const Signal& b)
{
    EXPECT_EQ(a.form, b.form);
    EXPECT_EQ(a.sine.amplitude, b.sine.amplitude);
    EXPECT_EQ(a.sine.period, b.sine.period);
    EXPECT_EQ(a.sine.phase, b.sine.phase);
    EXPECT_EQ(a.sine.smooth_start, b.sine.smooth_start);
    EXPECT_EQ(a.steady.rate, b.steady.rate);
    EXPECT_EQ(a.table.file, b.table.file);
    EXPECT_EQ(a.table.time, b.table.time);
    EXPECT_EQ(a.table.column, b.table.column);
    EXPECT_EQ(a.table.scale, b.table.scale);
}

void expect_equal(const Motion& a, const Motion& b)
{
    EXPECT_EQ(a.name, b.name);
    EXPECT_EQ(a.bodies, b.bodies);
    EXPECT_EQ(a.frame, b.frame);
    ASSERT_EQ(a.rotation.has_value(), b.rotation.has_value());
    if (a.rotation) {
        EXPECT_EQ(a.rotation->pivot, b.rotation->pivot);
        EXPECT_EQ(a.rotation->axis, b.rotation->axis);
        expect_equal(a.rotation->angle, b.rotation->angle);
    }
    ASSERT_EQ(a.translation.has_value(), b.translation.has_value());
    if (!a.translation) return;
    EXPECT_EQ(a.translation->direction, b.translation->direction);
    expect_equal(a.translation->distance, b.translation->distance);
}

void expect_equal(const Case& a, const Case& b)
{
    EXPECT_EQ(a.title, b.title);
    EXPECT_EQ(a.dimensions, b.dimensions);
    EXPECT_EQ(a.gravity, b.gravity);
    EXPECT_EQ(a.resolution.spacing, b.resolution.spacing);
    EXPECT_EQ(a.resolution.smoothing_ratio, b.resolution.smoothing_ratio);
    EXPECT_EQ(a.origin.cells, b.origin.cells);
    EXPECT_EQ(a.fluid.density, b.fluid.density);
    EXPECT_EQ(a.fluid.sound_speed, b.fluid.sound_speed);
    EXPECT_EQ(a.fluid.artificial_viscosity, b.fluid.artificial_viscosity);
    EXPECT_EQ(a.fluid.laminar_viscosity, b.fluid.laminar_viscosity);
    EXPECT_EQ(a.fluid.kinematic_viscosity, b.fluid.kinematic_viscosity);
    EXPECT_EQ(a.fluid.state_equation, b.fluid.state_equation);
    EXPECT_EQ(a.period, b.period);
    ASSERT_EQ(a.central_force.has_value(), b.central_force.has_value());
    if (a.central_force) {
        EXPECT_EQ(a.central_force->rate, b.central_force->rate);
        EXPECT_EQ(a.central_force->centre, b.central_force->centre);
    }
    EXPECT_EQ(a.numerics.formulation, b.numerics.formulation);
    EXPECT_EQ(a.numerics.wall_tension, b.numerics.wall_tension);
    EXPECT_EQ(a.numerics.walls, b.numerics.walls);
    EXPECT_EQ(a.numerics.density_filter, b.numerics.density_filter);
    EXPECT_EQ(a.numerics.filter_every, b.numerics.filter_every);
    EXPECT_EQ(a.numerics.rebuild_every, b.numerics.rebuild_every);
    EXPECT_EQ(a.numerics.particle_shifting, b.numerics.particle_shifting);
    EXPECT_EQ(a.numerics.wall_slip, b.numerics.wall_slip);
    EXPECT_EQ(a.numerics.tensile_correction, b.numerics.tensile_correction);
    EXPECT_EQ(a.numerics.density_diffusion, b.numerics.density_diffusion);
    EXPECT_EQ(a.numerics.diffusion_coefficient, b.numerics.diffusion_coefficient);
    EXPECT_EQ(a.numerics.velocity_smoothing, b.numerics.velocity_smoothing);
    EXPECT_EQ(a.numerics.precision, b.numerics.precision);
    EXPECT_EQ(a.numerics.kernel, b.numerics.kernel);
    EXPECT_EQ(a.numerics.integrator, b.numerics.integrator);
    EXPECT_EQ(a.numerics.skin, b.numerics.skin);
    EXPECT_EQ(a.numerics.cells_per_support, b.numerics.cells_per_support);
    EXPECT_EQ(a.numerics.density_bound, b.numerics.density_bound);
    EXPECT_EQ(a.time.end, b.time.end);
    EXPECT_EQ(a.time.step, b.time.step);
    EXPECT_EQ(a.time.cfl, b.time.cfl);
    EXPECT_EQ(a.time.size, b.time.size);
    EXPECT_EQ(a.output.interval, b.output.interval);
    EXPECT_EQ(a.output.ledger_every, b.output.ledger_every);
    EXPECT_EQ(a.output.figures, b.output.figures);
    ASSERT_EQ(a.shapes.size(), b.shapes.size());
    for (std::size_t i = 0; i < a.shapes.size(); ++i) {
        const Shape& s = a.shapes[i];
        const Shape& t = b.shapes[i];
        EXPECT_EQ(s.name, t.name);
        EXPECT_EQ(s.kind, t.kind);
        EXPECT_EQ(s.form, t.form);
        EXPECT_EQ(s.from, t.from);
        EXPECT_EQ(s.to, t.to);
        EXPECT_EQ(s.layers, t.layers);
        EXPECT_EQ(s.points, t.points);
        EXPECT_EQ(s.velocity, t.velocity);
        EXPECT_EQ(s.pressure, t.pressure);
        EXPECT_EQ(s.hydrostatic, t.hydrostatic);
        EXPECT_EQ(s.surface, t.surface);
    }
    ASSERT_EQ(a.motions.size(), b.motions.size());
    for (std::size_t i = 0; i < a.motions.size(); ++i) expect_equal(a.motions[i], b.motions[i]);
    ASSERT_EQ(a.probes.size(), b.probes.size());
    for (std::size_t i = 0; i < a.probes.size(); ++i) {
        const Probe& p = a.probes[i];
        const Probe& q = b.probes[i];
        EXPECT_EQ(p.name, q.name);
        EXPECT_EQ(p.measures, q.measures);
        EXPECT_EQ(p.at, q.at);
        EXPECT_EQ(p.normal, q.normal);
        EXPECT_EQ(p.bodies, q.bodies);
        EXPECT_EQ(p.about, q.about);
        EXPECT_EQ(p.attached, q.attached);
        EXPECT_EQ(p.interval, q.interval);
        EXPECT_EQ(p.filter, q.filter);
        ASSERT_EQ(p.within.has_value(), q.within.has_value());
        if (!p.within) continue;
        EXPECT_EQ(p.within->from, q.within->from);
        EXPECT_EQ(p.within->to, q.within->to);
    }
    ASSERT_EQ(a.front.has_value(), b.front.has_value());
    if (!a.front) return;
    EXPECT_EQ(a.front->start, b.front->start);
    EXPECT_EQ(a.front->length, b.front->length);
    EXPECT_EQ(a.front->tolerance, b.front->tolerance);
    ASSERT_EQ(a.front->references.size(), b.front->references.size());
    for (std::size_t i = 0; i < a.front->references.size(); ++i) {
        EXPECT_EQ(a.front->references[i].name, b.front->references[i].name);
        EXPECT_EQ(a.front->references[i].citation, b.front->references[i].citation);
        EXPECT_EQ(a.front->references[i].points, b.front->references[i].points);
    }
}

TEST(CaseAsToml, ReadsBackAsTheSameCase)
{
    const std::string periodic = "period = [1.3, 0.0]\n" + least_case;
    for (const std::string& text : {least_case, full_case, periodic}) {
        const Case c = case_from(text);
        const Case again = case_from(case_as_toml(c));
        expect_equal(c, again);
        EXPECT_EQ(case_as_toml(c), case_as_toml(again));
    }
}

TEST(CaseAsToml, KeepsWhatTheFullCaseSays)
{
    const Case c = case_from(full_case);
    EXPECT_EQ(c.title, "All of it: \"quoted\", back\\slash, tab\t, \u00e9");
    EXPECT_EQ(c.origin.cells, (std::array<std::int32_t, 3>{1073741824, -7, 0}));
    EXPECT_EQ(c.time.size, 1e-5);
    EXPECT_EQ(c.fluid.laminar_viscosity, LaminarViscosity::monaghan_gingold);
    EXPECT_EQ(c.fluid.kinematic_viscosity, 1e-6);
    EXPECT_EQ(c.fluid.state_equation, StateEquation::linear);
    EXPECT_EQ(c.numerics.kernel, SmoothingKernel::gaussian);
    EXPECT_EQ(c.numerics.formulation, Formulation::volume_weighted);
    EXPECT_EQ(c.numerics.density_diffusion, DensityDiffusion::antuono);
    EXPECT_EQ(c.central_force->centre[1], -0.25);
    EXPECT_EQ(c.shapes[0].layers, 5);
    EXPECT_EQ(c.shapes[1].points.size(), 3U);
    const Shape drop = case_from(case_as_toml(c)).shapes[2];
    EXPECT_TRUE(std::signbit(std::get<double>(drop.velocity[0])));
    EXPECT_EQ(std::get<Expression>(drop.velocity[1]).text(), "-2.5e-1*x + sin(pi*y) * 1");
    EXPECT_EQ(std::get<Expression>(*drop.pressure).text(), "(x^2 - y^2)*1e3");
    EXPECT_EQ(std::get<double>(*c.shapes[3].pressure), 50);
    EXPECT_FALSE(c.shapes[4].pressure);
    EXPECT_EQ(c.shapes[4].surface, 0.75);
    EXPECT_EQ(c.front->references[0].points[1][1], 1.25);
    EXPECT_EQ(c.probes[0].filter, 0.01);
    EXPECT_EQ(c.probes[1].bodies, (std::vector<std::string>{"ramp", "tank"}));
    EXPECT_EQ(c.probes[2].within->to, (std::array<double, 3>{1, 0.75, 0}));
}

TEST(CaseAsToml, KeepsEveryBitOfADouble)
{
    Case c = case_from(least_case);
    std::mt19937_64 random(1);
    std::uniform_real_distribution<double> exponent(-300, 300);
    std::uniform_real_distribution<double> mantissa(1, 10);
    for (int i = 0; i < 200; ++i) {
        c.shapes[0].to[0] = mantissa(random) * std::pow(10, exponent(random));
        c.fluid.sound_speed = mantissa(random);
        const Case again = case_from(case_as_toml(c));
        ASSERT_EQ(again.shapes[0].to[0], c.shapes[0].to[0]);
        ASSERT_EQ(again.fluid.sound_speed, c.fluid.sound_speed);
    }
}

TEST(Overrides, ReplaceAddAndReachIntoShapes)
{
    const Case c =
        case_from(least_case, {"resolution.spacing=0.03", "numerics.kernel=cubic-spline", "gravity=[0, -1.62]",
                               "shapes.0.box.to=[1, 2]", "shapes.water.velocity = [0.5, 0]", "title=Two words",
                               "gravity.0=0.25", "output.figures=false", "shapes.water.box.from.1=-1"});
    EXPECT_EQ(c.resolution.spacing, 0.03);
    EXPECT_EQ(c.numerics.kernel, SmoothingKernel::cubic_spline);
    EXPECT_EQ(c.gravity, (std::array<double, 3>{0.25, -1.62, 0}));
    EXPECT_EQ(c.shapes[0].to, (std::array<double, 3>{1, 2, 0}));
    EXPECT_EQ(c.shapes[0].from, (std::array<double, 3>{0, -1, 0}));
    EXPECT_EQ(c.shapes[0].velocity, (std::array<Field, 3>{0.5, 0.0, 0.0}));
    EXPECT_EQ(c.title, "Two words");
    EXPECT_FALSE(c.output.figures);
    EXPECT_EQ(c.overrides.size(), 9U);
    EXPECT_EQ(c.text, least_case);
}

TEST(Overrides, MayBeExpressions)
{
    const Case c = case_from(least_case, {"shapes.water.velocity=[\"-0.5*x\", 2]", "shapes.water.velocity.1=0.5*y",
                                          "shapes.water.pressure=100*(1 - y)"});
    EXPECT_EQ(std::get<Expression>(c.shapes[0].velocity[0]).text(), "-0.5*x");
    EXPECT_EQ(std::get<Expression>(c.shapes[0].velocity[1]).text(), "0.5*y");
    EXPECT_EQ(std::get<Expression>(*c.shapes[0].pressure).text(), "100*(1 - y)");
    EXPECT_EQ(case_from(least_case, {"shapes.water.pressure=7"}).shapes[0].pressure, Field(7.0));
}

TEST(Overrides, TheLastOfTwoHolds) { EXPECT_EQ(case_from(least_case, {"time.end=2", "time.end=3"}).time.end, 3); }

TEST(Overrides, ComeBeforeValidation)
{
    const std::string wrong = with(least_case, "spacing = 0.1", "spacing = -1");
    EXPECT_EQ(case_from(wrong, {"resolution.spacing=0.2"}).resolution.spacing, 0.2);
}

struct WrongOverride {
    const char* option;
    const char* sentence;
};

class WrongOverrides : public testing::TestWithParam<WrongOverride> {};

TEST_P(WrongOverrides, NameTheOption)
{
    const WrongOverride& wrong = GetParam();
    const std::string sentence = sentence_of([&] { case_from(least_case, {wrong.option}); });
    EXPECT_EQ(sentence, std::string("--set ") + wrong.option + ": " + wrong.sentence);
}

INSTANTIATE_TEST_SUITE_P(
    All, WrongOverrides,
    testing::Values(
        WrongOverride{"resolution.spacng=1", "unknown key \"resolution.spacng\"; did you mean \"spacing\"?"},
        WrongOverride{"resolutoin.spacing=1", "unknown key \"resolutoin\"; did you mean \"resolution\"?"},
        WrongOverride{"shapes.wine.box.to=[1, 1]", "shapes has no element named \"wine\"; there is water."},
        WrongOverride{"shapes.1.box.to=[1, 1]", "shapes has no element 1, as it has 1; they are counted from 0."},
        WrongOverride{"shapes.water.box.to.x=1",
                      "shapes.water.box.to has no element named \"x\"; it has 2, counted from 0."},
        WrongOverride{"resolution.spacing.fine=1", "resolution.spacing is a value and has no fine inside."},
        WrongOverride{"numerics.skin.x=1", "numerics.skin is a table, but must be a number."},
        WrongOverride{"shapes.water=1",
                      "shapes.0 is 1, but must be a table headed [[shapes]] (regions filled with particles)."},
        WrongOverride{"resolution.spacing=fine", "resolution.spacing is \"fine\", but must be a number."},
        WrongOverride{"resolution.spacing=-1", "resolution.spacing is -1, but must be from 1e-15 to 1e+15."},
        WrongOverride{"resolution.spacing=", "the value is missing; write it after the =."},
        WrongOverride{"spacing", "this is no override; write dotted.key=value, as in resolution.spacing=0.01."},
        WrongOverride{"resolution..spacing=1",
                      "this is no override; write dotted.key=value, as in resolution.spacing=0.01."},
        WrongOverride{"=1", "this is no override; write dotted.key=value, as in resolution.spacing=0.01."}));

TEST(Overrides, UnfinishedBracketsAreNoBareWord)
{
    const std::string sentence = sentence_of([] { case_from(least_case, {"gravity=[0, 1"}); });
    EXPECT_EQ(sentence.rfind("--set gravity=[0, 1: the value is not valid TOML: ", 0), 0U) << sentence;
}

// Runs in a folder of its own and comes back.
class FindCase : public testing::Test {
protected:
    FindCase() : before_(std::filesystem::current_path())
    {
        std::filesystem::create_directory(file_.folder() / "cases");
        std::filesystem::current_path(file_.folder());
    }
    ~FindCase() override { std::filesystem::current_path(before_); }

    CaseFile file_{least_case};
    std::filesystem::path before_;
};

TEST_F(FindCase, TakesAPathThatExists)
{
    EXPECT_EQ(find_case("case.toml"), "case.toml");
    EXPECT_EQ(find_case(file_.path().string()), file_.path());
}

TEST_F(FindCase, LooksInTheFolderOfCasesBeforeThoseShipped)
{
    EXPECT_NE(find_case("still-water"), std::filesystem::path("cases/still-water.toml"));
    std::ofstream("cases/still-water.toml") << least_case;
    EXPECT_EQ(find_case("still-water"), "cases/still-water.toml");
    EXPECT_EQ(find_case("still-water.toml"), "cases/still-water.toml");
}

TEST_F(FindCase, ListsTheNamesAndWhereItLooked)
{
    std::ofstream("cases/my-own.toml") << least_case;
    const std::string sentence = sentence_of([] { find_case("dam-brake-2d"); });
    EXPECT_NE(sentence.find("There is no case \"dam-brake-2d\" here or in "), std::string::npos) << sentence;
    EXPECT_NE(sentence.find((file_.folder() / "cases").string()), std::string::npos) << sentence;
    EXPECT_NE(sentence.find("; the nearest name is \"dam-break-2d\"; the names there are: "), std::string::npos)
        << sentence;
    EXPECT_NE(sentence.find("my-own"), std::string::npos) << sentence;
    EXPECT_NE(sentence.find("still-water"), std::string::npos) << sentence;
}

TEST_F(FindCase, DoesNotTakeAMissingPathForAName)
{
    const std::string sentence = sentence_of([] { find_case("elsewhere/still-water"); });
    EXPECT_NE(sentence.find("There is no case \"elsewhere/still-water\"; "), std::string::npos) << sentence;
}

}  // namespace
}  // namespace halfulp
