// Values that no case can have, and what the user reads: of reading or of set-up.
#include <gtest/gtest.h>

#include "case_text.hpp"
#include "core/setup/problem.hpp"
#include "wrong_case.hpp"

namespace halfulp {
namespace {

class WrongValues : public testing::TestWithParam<WrongCase> {};

TEST_P(WrongValues, GiveOneSentenceThatNamesPlaceKeyAndRemedy)
{
    expect_sentence(GetParam(), [](const Case& c) { prepare(c); });
}

INSTANTIATE_TEST_SUITE_P(
    NotFinite, WrongValues,
    testing::Values(
        WrongCase{"0.1", "-nan", ":3: resolution.spacing is nan, but must be a finite number."},
        WrongCase{"0.1", "+inf", ":3: resolution.spacing is inf, but must be a finite number."},
        WrongCase{"0.1", "-inf", ":3: resolution.spacing is -inf, but must be a finite number."},
        WrongCase{"end = 1\n", "end = nan\n", ":7: time.end is nan, but must be a finite number."},
        WrongCase{"end = 1\n", "end = inf\n", ":7: time.end is inf, but must be a finite number."},
        WrongCase{"20", "inf", ":5: fluid.sound_speed is inf, but must be a finite number."},
        WrongCase{"20", "20\ndensity = nan", ":6: fluid.density is nan, but must be a finite number."},
        WrongCase{"20", "20\nartificial_viscosity = inf",
                  ":6: fluid.artificial_viscosity is inf, but must be a finite number."},
        WrongCase{"interval = 0.1", "interval = nan", ":9: output.interval is nan, but must be a finite number."},
        WrongCase{"", "gravity = [nan, 0]\n", ":1: gravity.0 is nan, but must be a finite number."},
        WrongCase{"", "gravity = [0, -inf]\n", ":1: gravity.1 is -inf, but must be a finite number."},
        WrongCase{"", "period = [inf, 0]\n", ":1: period.0 is inf, but must be a finite number."},
        WrongCase{"", "numerics = { skin = nan }\n", ":1: numerics.skin is nan, but must be a finite number."},
        WrongCase{"", "numerics = { density_bound = nan }\n",
                  ":1: numerics.density_bound is nan, but must be a finite number."},
        WrongCase{"", "central_force = { rate = 1, centre = [nan, 0] }\n",
                  ":1: central_force.centre.0 is nan, but must be a finite number."},
        WrongCase{"[1, 0.5]", "[nan, 1]", ":13: shapes.water.box.to.0 is nan, but must be a finite number."},
        WrongCase{"[1, 0.5]", "[inf, 1]", ":13: shapes.water.box.to.0 is inf, but must be a finite number."},
        WrongCase{"\"fluid\"", "\"fluid\"\npressure = nan",
                  ":13: shapes.water.pressure is nan, but must be a finite number."},
        WrongCase{"\"fluid\"", "\"fluid\"\nhydrostatic = true\nsurface = -inf",
                  ":14: shapes.water.surface is -inf, but must be a finite number."},
        WrongCase{"box = { from = [0, 0], to = [1, 0.5] }\n", "circle = { centre = [0, nan], radius = 1 }\n",
                  ":13: shapes.water.circle.centre.1 is nan, but must be a finite number."},
        WrongCase{"box = { from = [0, 0], to = [1, 0.5] }\n", "circle = { centre = [0, 0], radius = inf }\n",
                  ":13: shapes.water.circle.radius is inf, but must be a finite number."},
        WrongCase{"box = { from = [0, 0], to = [1, 0.5] }\n", "polygon = [[0, 0], [1, 0], [0, nan]]\n",
                  ":13: shapes.water.polygon.2.1 is nan, but must be a finite number."}));

INSTANTIATE_TEST_SUITE_P(
    Largest, WrongValues,
    testing::Values(
        WrongCase{"0.1", "1e308", ":3: resolution.spacing is 1e+308, but must be from 1e-15 to 1e+15."},
        WrongCase{"20", "1e308", ":5: fluid.sound_speed is 1e+308, but must be from 1e-15 to 1e+15."},
        WrongCase{
            "20", "1e13\ndensity = 1e15",
            ":6: fluid.density = 1000000000000000 kg/m^3 and fluid.sound_speed = 10000000000000 m/s make pressures of 2e+41 Pa possible, but single precision, in which pressures are written, ends at 3e+38; lower one of them."},
        WrongCase{"", "front = { length = 1e-320 }\n", ":1: front.length is 1e-320, but must be from 1e-15 to 1e+15."},
        WrongCase{"", "front = { length = 1, start = 1e300 }\n",
                  ":1: front.start is 1e+300, but must be from -1e+15 to 1e+15."},
        WrongCase{"", "front = { length = 1, tolerance = 1e308 }\n",
                  ":1: front.tolerance is 1e+308, but must be greater than 0 and at most 1e+15."},
        WrongCase{
            "", "front = { length = 1, references = [{ name = \"A\", points = [[-1e308, 1], [1, 2]] }] }\n",
            ":1: front.references.A.points.0 is [-1e+308, 1], but its time must be from -1e+15 to 1e+15 and its front from 1e-15 to 1e+15, both without units; correct it or leave it out."},
        WrongCase{
            "", "front = { length = 1, references = [{ name = \"A\", points = [[1, 1], [2, 0]] }] }\n",
            ":1: front.references.A.points.1 is [2, 0], but its time must be from -1e+15 to 1e+15 and its front from 1e-15 to 1e+15, both without units; correct it or leave it out."},
        WrongCase{"20", "20\ndensity = 1e308", ":6: fluid.density is 1e+308, but must be from 1e-15 to 1e+15."},
        WrongCase{"20", "20\nartificial_viscosity = 1e308",
                  ":6: fluid.artificial_viscosity is 1e+308, but must be from 0 to 1e+15."},
        WrongCase{"20", "20\nlaminar_viscosity = \"morris\"\nkinematic_viscosity = 1e308",
                  ":7: fluid.kinematic_viscosity is 1e+308, but must be greater than 0 and at most 1e+15."},
        WrongCase{"", "gravity = [0, -1e308]\n", ":1: gravity.1 is -1e+308, but must be from -1e+15 to 1e+15."},
        WrongCase{
            "", "period = [1e308, 0]\n",
            ":1: period.0 is 1e+308 m, inf cells of 0.22 m, but at most 536870912 can be numbered; shorten it or raise resolution.spacing."},
        WrongCase{
            "", "period = [1e9, 0]\n",
            ":1: period.0 is 1000000000 m, 4.545e+09 cells of 0.22 m, but at most 536870912 can be numbered; shorten it or raise resolution.spacing."},
        WrongCase{"", "central_force = { rate = 1e308 }\n",
                  ":1: central_force.rate is 1e+308, but must be from 1e-15 to 1e+15."},
        WrongCase{
            "", "central_force = { rate = 1, centre = [1e300, 0] }\n",
            ":1: central_force.centre.0 is 1e+300 m, 4.55e+300 cells from zero, but at most 2^30 can be numbered; move the case nearer to zero."},
        WrongCase{
            "[1, 0.5]", "[1e308, 1]",
            ":10: shape \"water\" reaches to 1e+308 m, inf spacings from zero, but at most 536870912 can be numbered; raise resolution.spacing, or move it nearer and set origin.cells."},
        WrongCase{
            "0, 0], to = [1, 0.5]", "-1e308, 0], to = [1e308, 0.5]",
            ":10: shape \"water\" reaches to -1e+308 m, inf spacings from zero, but at most 536870912 can be numbered; raise resolution.spacing, or move it nearer and set origin.cells."},
        WrongCase{
            "\"fluid\"", "\"fluid\"\nvelocity = [1e300, 0]",
            ":13: shapes.water.velocity.0 is 1e+300 m/s at the position [0.050000001490116124, 0.050000001490116124] m of a particle, but must be a finite number in single precision there; change the velocity."},
        WrongCase{
            "\"fluid\"", "\"fluid\"\npressure = 1e308",
            ":13: shapes.water.pressure is 1e+308 Pa at the position [0.050000001490116124, 0.050000001490116124] m of a particle of it or of a wall beside it, which takes the density beyond numerics.density_bound = 0.3; bring the pressure closer to zero or raise fluid.sound_speed."},
        WrongCase{
            "\"fluid\"", "\"fluid\"\npressure = \"exp(1000*x)\"",
            ":13: shapes.water.pressure is 5.184713254406148e+21 Pa at the position [0.050000001490116124, 0.050000001490116124] m of a particle of it or of a wall beside it, which takes the density beyond numerics.density_bound = 0.3; bring the pressure closer to zero or raise fluid.sound_speed."},
        WrongCase{
            "\"fluid\"", "\"fluid\"\nhydrostatic = true\nsurface = 1e308",
            ":14: shapes.water.surface puts 1e+308 m of fluid above a particle of it or of a wall beside it, which takes the density beyond numerics.density_bound = 0.3; lower the surface or raise fluid.sound_speed, or give lengths in m if these are in mm."},
        WrongCase{
            "box = { from = [0, 0], to = [1, 0.5] }\n", "circle = { centre = [0, 0], radius = 1e308 }\n",
            ":10: shape \"water\" reaches to -1e+308 m, inf spacings from zero, but at most 536870912 can be numbered; raise resolution.spacing, or move it nearer and set origin.cells."},
        WrongCase{
            "0.1", "1e999",
            ":3:16: this is not valid TOML: Error while parsing floating-point: '1e999' could not be interpreted as a value."}));

INSTANTIATE_TEST_SUITE_P(
    Least, WrongValues,
    testing::Values(
        WrongCase{"0.1", "5e-324", ":3: resolution.spacing is 5e-324, but must be from 1e-15 to 1e+15."},
        WrongCase{"0.1", "1e-308", ":3: resolution.spacing is 1e-308, but must be from 1e-15 to 1e+15."},
        WrongCase{"20", "5e-324", ":5: fluid.sound_speed is 5e-324, but must be from 1e-15 to 1e+15."},
        WrongCase{"20", "20\ndensity = 1e-310", ":6: fluid.density is 1e-310, but must be from 1e-15 to 1e+15."},
        WrongCase{
            "20", "20\nartificial_viscosity = 5e-324",
            ":6: fluid.artificial_viscosity leads to the constant 4.94e-324 in the units of the run, but single precision ends at 1e-45 and 3e+38; bring it nearer to those of water."},
        WrongCase{
            "20", "20\nlaminar_viscosity = \"morris\"\nkinematic_viscosity = 1e-310",
            ":7: fluid.kinematic_viscosity leads to the constant 2.84e-311 in the units of the run, but single precision ends at 1e-45 and 3e+38; bring it nearer to those of water."},
        WrongCase{
            "end = 1\n", "end = 1\nstep = \"fixed\"\nsize = 5e-324\n",
            ":9: time.size is 5e-324, which makes inf steps until time.end = 1 s, but at most 2^53 can be counted; raise it or shorten the run."},
        WrongCase{
            "end = 1\n", "end = 1\ncfl = 5e-324\n",
            ":8: time.cfl is 5e-324, which makes inf steps until time.end = 1 s, but at most 2^53 can be counted; raise it or shorten the run."},
        WrongCase{
            "interval = 0.1", "interval = 1e-308",
            ":9: output.interval is 1e-308, which makes 1e+308 outputs until time.end = 1 s, but at most 2^53 can be counted; raise it or shorten the run."},
        WrongCase{
            "", "period = [5e-324, 0]\n",
            ":1: period.0 is 5e-324 m, 2.47e-323 cells, but must be at least 5 cells of 0.22 m; lengthen it or lower resolution.spacing."},
        WrongCase{"", "central_force = { rate = 5e-324 }\n",
                  ":1: central_force.rate is 5e-324, but must be from 1e-15 to 1e+15."},
        WrongCase{
            "[1, 0.5]", "[5e-324, 1]",
            ":10: shape \"water\" of 4.94066e-324 x 1 m holds no particle at a spacing of 0.1 m; enlarge it or lower resolution.spacing."},
        WrongCase{
            "box = { from = [0, 0], to = [1, 0.5] }\n",
            "box = { from = [0, 0], to = [1, 0.5] }\n[[probes]]\nname = \"gauge\"\nmeasures = \"level\"\nat = [0.5, 0]\ninterval = 1e-300\n",
            ":18: probes.gauge.interval is 1e-300, which makes 1e+300 samples until time.end = 1 s, but at most 2^53 can be counted; raise it or shorten the run."}));

INSTANTIATE_TEST_SUITE_P(
    Negative, WrongValues,
    testing::Values(
        WrongCase{"20", "-20", ":5: fluid.sound_speed is -20, but must be from 1e-15 to 1e+15."},
        WrongCase{"20", "20\ndensity = -1000", ":6: fluid.density is -1000, but must be from 1e-15 to 1e+15."},
        WrongCase{"interval = 0.1", "interval = -1", ":9: output.interval is -1, but must be greater than 0."},
        WrongCase{"0.1", "-0.0", ":3: resolution.spacing is -0.0, but must be from 1e-15 to 1e+15."},
        WrongCase{"", "period = [-1, 0]\n", ":1: period.0 is -1, but must be at least 0."},
        WrongCase{"", "central_force = { rate = -1 }\n",
                  ":1: central_force.rate is -1, but must be from 1e-15 to 1e+15."},
        WrongCase{"", "numerics = { skin = -0.1 }\n", ":1: numerics.skin is -0.1, but must be from 0.01 to 1."},
        WrongCase{"", "numerics = { particle_shifting = -1 }\n",
                  ":1: numerics.particle_shifting is -1, but must be from 0 to 10."},
        WrongCase{"", "dimensions = -2\n", ":1: dimensions is -2, but must be from 2 to 3."},
        WrongCase{"end = 1\n", "end = 1\ncfl = -0.2\n",
                  ":8: time.cfl is -0.2, but must be greater than 0 and at most 1."},
        WrongCase{"[1, 0.5]", "[-1, 0.5]",
                  ":13: shapes.water.box.from.0 is 0 and shapes.water.box.to.0 is -1, but from must be less than to."},
        WrongCase{"box = { from = [0, 0], to = [1, 0.5] }\n", "circle = { centre = [0, 0], radius = -1 }\n",
                  ":13: shapes.water.circle.radius is -1, but must be greater than 0."}));

INSTANTIATE_TEST_SUITE_P(
    WholeNumbers, WrongValues,
    testing::Values(
        WrongCase{"interval = 0.1", "interval = 0.1\nledger_every = 2147483648",
                  ":10: output.ledger_every is 2147483648, but must be from 1 to 2147483647."},
        WrongCase{"interval = 0.1", "interval = 0.1\nledger_every = 9223372036854775807",
                  ":10: output.ledger_every is 9223372036854775807, but must be from 1 to 2147483647."},
        WrongCase{"interval = 0.1", "interval = 0.1\nledger_every = -1",
                  ":10: output.ledger_every is -1, but must be from 1 to 2147483647."},
        WrongCase{"interval = 0.1", "interval = 0.1\nledger_every = 1.5",
                  ":10: output.ledger_every is 1.5, but must be an integer."},
        WrongCase{
            "interval = 0.1", "interval = 0.1\nledger_every = 9223372036854775808",
            ":10:35: this is not valid TOML: Error while parsing decimal integer: '9223372036854775808' is not representable in 64 bits."},
        WrongCase{"0.1", "-9223372036854775808",
                  ":3: resolution.spacing is -9223372036854775808, but must be from 1e-15 to 1e+15."},
        WrongCase{"", "dimensions = 4294967298\n", ":1: dimensions is 4294967298, but must be from 2 to 3."},
        WrongCase{"", "dimensions = true\n", ":1: dimensions is true, but must be an integer."},
        WrongCase{"", "numerics = { rebuild_every = 2147483648 }\n",
                  ":1: numerics.rebuild_every is 2147483648, but must be from 0 to 2147483647."},
        WrongCase{"", "numerics = { cells_per_support = 0 }\n",
                  ":1: numerics.cells_per_support is 0, but must be from 1 to 3."},
        WrongCase{"", "origin = { cells = [1073741825, 0] }\n",
                  ":1: origin.cells.0 is 1073741825, but must be from -1073741824 to 1073741824."},
        WrongCase{"", "origin = { cells = [0, -1073741825] }\n",
                  ":1: origin.cells.1 is -1073741825, but must be from -1073741824 to 1073741824."},
        WrongCase{"", "origin = { cells = [-2147483648, 0] }\n",
                  ":1: origin.cells.0 is -2147483648, but must be from -1073741824 to 1073741824."},
        WrongCase{"", "origin = { cells = [9223372036854775807, 0] }\n",
                  ":1: origin.cells.0 is 9223372036854775807, but must be from -1073741824 to 1073741824."},
        WrongCase{"", "origin = { cells = [1e9, 0] }\n", ":1: origin.cells.0 is 1000000000.0, but must be an integer."},
        WrongCase{"", "origin = { cells = [1] }\n",
                  ":1: origin.cells is an array of 1, but must be an array of 2 numbers."}));

INSTANTIATE_TEST_SUITE_P(
    TooMany, WrongValues,
    testing::Values(
        WrongCase{
            "0.1", "7.0711e-7",
            ":3: the shapes hold about 1e+12 particles at a spacing of 7.0711e-07 m, which take about 1.49e+04 GiB of memory to set up, but "},
        WrongCase{
            "0.1", "1e-9",
            ":10: shape \"water\" reaches to 1 m, 1e+09 spacings from zero, but at most 536870912 can be numbered; raise resolution.spacing, or move it nearer and set origin.cells."},
        WrongCase{
            "[1, 0.5]", "[1e5, 5e6]",
            ":3: the shapes hold about 5e+13 particles at a spacing of 0.1 m, which take about 7.45e+05 GiB of memory to set up, but "},
        WrongCase{
            "[1, 0.5]", "[6e7, 1]",
            ":10: shape \"water\" reaches to 60000000 m, 6e+08 spacings from zero, but at most 536870912 can be numbered; raise resolution.spacing, or move it nearer and set origin.cells."}));

INSTANTIATE_TEST_SUITE_P(
    Text, WrongValues,
    testing::Values(
        WrongCase{"title = \"Least\"", "title = \"Least\001\"",
                  ":1:15: there is the byte 0x01, which no text has; save the file as text."},
        WrongCase{"title = \"Least\"", "title = Lef\303\274",
                  ":1:12: there is a letter beyond ASCII outside of quotation marks; put the text into them."},
        WrongCase{"title = \"Least\"", "\357\273\277title = 1",
                  ":1: title is 1, but must be a text in quotation marks."},
        WrongCase{"title = \"Least\"", "\r\ntitle = 1\r", ":2: title is 1, but must be a text in quotation marks."},
        WrongCase{"[fluid]", "a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a = 1\n[fluid]",
                  ":4:40: a key has more than 20 parts, but no key of a case has; remove it."},
        WrongCase{
            "\"fluid\"", "\"fl\\nuid\"",
            ":12: shapes.water.kind is \"fl\\nuid\", but must be \"fluid\", \"wall\" or \"void\"; did you mean \"fluid\"?"},
        WrongCase{"kind", "\"ki\\u0007nd\"", ":12: unknown key \"shapes.water.ki\\x07nd\"; did you mean \"kind\"?"},
        WrongCase{
            "\"fluid\"",
            "\"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\"",
            ":12: shapes.water.kind is \"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...\", but must be \"fluid\", \"wall\" or \"void\"."},
        WrongCase{"0.1", "0.1\"x\"", ":3:14: the character \" stands right behind a word or a dot; part them."},
        WrongCase{
            "0.1", "0,1",
            ":3:12: this is not valid TOML: Error while parsing key-value pair: expected a comment or whitespace, saw ','."},
        WrongCase{
            "0.1", "\"",
            ":3:12: this is not valid TOML: Error while parsing string: unescaped control characters other than TAB (U+0009) are explicitly prohibited."},
        WrongCase{"title = \"Least\"", "MZ\220\003",
                  ":1:3: there is a letter beyond ASCII outside of quotation marks; put the text into them."}));

}  // namespace
}  // namespace halfulp
