// Every kind of mistake in a case file, and what the user reads.
#include <gtest/gtest.h>

#include <string>

#include "case_text.hpp"
#include "wrong_case.hpp"

namespace halfulp {
namespace {

class WrongCases : public testing::TestWithParam<WrongCase> {};

TEST_P(WrongCases, GiveOneSentenceThatNamesPlaceKeyAndRemedy)
{
    expect_sentence(GetParam(), [](const Case&) {});
}

constexpr const char* water_box = "box = { from = [0, 0], to = [1, 0.5] }\n";
constexpr const char* end_key = "end = 1\n";

// What dissipates, reads s for its own rate or has no pair loops for a fixed-point state.
TEST(ReversibleCase, RefusesWhatDoesNotRunBackwards)
{
    const std::vector<std::string> reversible = {"numerics.precision=reversible", "time.step=fixed",
                                                 "numerics.walls=dynamic", "numerics.density_diffusion=none"};
    EXPECT_NO_THROW(case_from(least_case, reversible));
    // All that a precision lacks in one sentence: who takes it learns at once what to set.
    EXPECT_NE(sentence_of([&] {
                  case_from(least_case, {reversible[0], reversible[1]});
              })
                  .find("which needs numerics.density_diffusion to be \"none\" and numerics.walls to be \"dynamic\"; "
                        "change these or the precision."),
              std::string::npos);
    for (const char* const more :
         {"fluid.artificial_viscosity=0.1", "fluid.laminar_viscosity=morris", "numerics.wall_tension=false",
          "numerics.rebuild_every=10", "numerics.density_diffusion=antuono", "numerics.velocity_smoothing=0.5",
          "numerics.particle_shifting=2", "numerics.formulation=volume-weighted", "numerics.density_filter=mls",
          "numerics.walls=extrapolated"}) {
        std::vector<std::string> overrides = reversible;
        overrides.emplace_back(more);
        if (std::string(more).find("laminar") != std::string::npos)
            overrides.emplace_back("fluid.kinematic_viscosity=0.01");
        const std::string key = std::string(more).substr(0, std::string(more).find('='));
        const std::string sentence = sentence_of([&] { case_from(least_case, overrides); });
        EXPECT_NE(sentence.find("numerics.precision is \"reversible\", which needs " + key + " to be "),
                  std::string::npos)
            << more << ": " << sentence;
    }
}

INSTANTIATE_TEST_SUITE_P(
    Syntax, WrongCases,
    testing::Values(
        WrongCase{"spacing = 0.1", "spacing = ", "case.toml:3:11: this is not valid TOML: "},
        WrongCase{"\"water\"", "water",
                  "this is not valid TOML: Error while parsing value: could not determine value "
                  "type; a text needs quotation marks, as in kind = \"fluid\"."},
        WrongCase{"\"fluid\"", "fluid", "; a text needs quotation marks, as in kind = \"fluid\"."},
        WrongCase{"[time]", "[time", "case.toml:6:6: this is not valid TOML: "},
        WrongCase{"\"water\"", "\"water", "case.toml:11:14: this is not valid TOML: "},
        WrongCase{"spacing = 0.1", "spacing = 0.1\nspacing = 0.2", "case.toml:4:11: this is not valid TOML: "},
        WrongCase{"[time]", "front = { start = 0,\nlength = 1 }\n[time]", "; a table in braces must be on one line."}));

INSTANTIATE_TEST_SUITE_P(
    UnknownKeys, WrongCases,
    testing::Values(
        WrongCase{"spacing", "spaceing", ":3: unknown key \"resolution.spaceing\"; did you mean \"spacing\"?"},
        WrongCase{"[resolution]", "[resolutoin]", ":2: unknown key \"resolutoin\"; did you mean \"resolution\"?"},
        WrongCase{end_key, "end = 1\nzzz = 2\n",
                  ":8: unknown key \"time.zzz\"; time takes end, step, cfl, step_softening and size."},
        WrongCase{"", "cfl = 0.1\n", ":1: unknown key \"cfl\"; did you mean time.cfl?"},
        WrongCase{"", "xyzzy = 1\n", ":1: unknown key \"xyzzy\"; a case takes title, dimensions, gravity, "},
        WrongCase{"kind", "knid", ":12: unknown key \"shapes.water.knid\"; did you mean \"kind\"?"},
        WrongCase{"from", "form", ":13: unknown key \"shapes.water.box.form\"; did you mean \"from\"?"},
        WrongCase{water_box, "box = { from = [0, 0], to = [1, 0.5] }\n[front]\nlenght = 1\n",
                  ":15: unknown key \"front.lenght\"; did you mean \"length\"?"}));

INSTANTIATE_TEST_SUITE_P(
    MissingKeys, WrongCases,
    testing::Values(
        WrongCase{"spacing = 0.1", "", ":2: resolution.spacing is missing; give it (distance between particles, m)."},
        WrongCase{"[resolution]\nspacing = 0.1\n", "", "case.toml: resolution.spacing is missing; give it ("},
        WrongCase{"sound_speed = 20", "", ":4: fluid.sound_speed is missing; give it ("},
        WrongCase{end_key, "", ":6: time.end is missing; give it (s)."},
        WrongCase{"interval = 0.1", "", ":8: output.interval is missing; give it ("},
        WrongCase{"[[shapes]]\nname = \"water\"\nkind = \"fluid\"\nbox = { from = [0, 0], to = [1, 0.5] }\n", "",
                  "case.toml: shapes is missing; give it (regions filled with particles)."},
        WrongCase{"name = \"water\"", "", ":10: shapes.0.name is missing; give it ("},
        WrongCase{"kind = \"fluid\"", "",
                  ":10: shapes.water.kind is missing; give it (fluid, wall or void "
                  "(only to be cut out of others))."},
        WrongCase{water_box, "box = { from = [0, 0], to = [1, 0.5] }\n[[shapes]]\nname = \"tank\"\n",
                  ":14: shapes.tank.kind is missing; give it (fluid, wall or void "
                  "(only to be cut out of others))."},
        WrongCase{"from = [0, 0],", "", ":13: shapes.water.box.from is missing; give it (lower corner, m)."},
        WrongCase{water_box, "",
                  ":10: shapes.water has no form, but must have exactly one of box, hollow_box, polygon, "
                  "circle, sphere, cylinder or mesh."},
        WrongCase{water_box, "box = { from = [0, 0], to = [1, 0.5] }\n[front]\nstart = 0\n",
                  ":14: front.length is missing; give it (L, the column's width, m)."},
        WrongCase{water_box,
                  "box = { from = [0, 0], to = [1, 0.5] }\n[front]\nlength = 1\n[[front.references]]\nname = \"a\"\n",
                  ":16: front.references.a.points is missing; give it ("}));

INSTANTIATE_TEST_SUITE_P(
    WrongTypes, WrongCases,
    testing::Values(
        WrongCase{"0.1", "\"fine\"", ":3: resolution.spacing is \"fine\", but must be a number."},
        WrongCase{"0.1", "true", ":3: resolution.spacing is true, but must be a number."},
        WrongCase{"0.1", "1979-05-27", ":3: resolution.spacing is a date or time, but must be a number."},
        WrongCase{"0.1", "[1]", ":3: resolution.spacing is an array of 1, but must be a number."},
        WrongCase{"\"Least\"", "5", ":1: title is 5, but must be a text in quotation marks."},
        WrongCase{"", "dimensions = 2.0\n", ":1: dimensions is 2.0, but must be an integer."},
        WrongCase{"", "gravity = -9.81\n", ":1: gravity is -9.81, but must be an array of 2 numbers."},
        WrongCase{"", "gravity = [0, \"down\"]\n", ":1: gravity.1 is \"down\", but must be a number."},
        WrongCase{"", "origin = { cells = [0.5, 0] }\n", ":1: origin.cells.0 is 0.5, but must be an integer."},
        WrongCase{"interval = 0.1", "interval = 0.1\nfigures = 1",
                  ":10: output.figures is 1, but must be true or false."},
        WrongCase{"[resolution]\nspacing = 0.1\n", "resolution = 0.1\n",
                  ":2: resolution is 0.1, but must be a table (particle spacing and smoothing length)."},
        WrongCase{"\"fluid\"", "1", ":12: shapes.water.kind is 1, but must be \"fluid\", \"wall\" or \"void\"."},
        WrongCase{"[[shapes]]", "[shapes]", ":10: shapes is a table, but must be tables, each headed [[shapes]] ("},
        WrongCase{water_box, "box = 1\n", ":13: shapes.water.box is 1, but must be a table ("}));

INSTANTIATE_TEST_SUITE_P(
    OutOfRange, WrongCases,
    testing::Values(
        WrongCase{"0.1", "inf", ":3: resolution.spacing is inf, but must be a finite number."},
        WrongCase{"0.1", "nan", ":3: resolution.spacing is nan, but must be a finite number."},
        WrongCase{"0.1", "0", ":3: resolution.spacing is 0, but must be from 1e-15 to 1e+15."},
        WrongCase{"0.1", "-0.02", ":3: resolution.spacing is -0.02, but must be from 1e-15 to 1e+15."},
        WrongCase{"0.1", "0.1\nsmoothing_ratio = 0.5",
                  ":4: resolution.smoothing_ratio is 0.5, but must be from 0.8 to 4."},
        WrongCase{"0.1", "0.1\nsmoothing_ratio = 5", ":4: resolution.smoothing_ratio is 5, but must be from 0.8 to 4."},
        WrongCase{"20", "20\ndensity = 0", ":6: fluid.density is 0, but must be from 1e-15 to 1e+15."},
        WrongCase{"20", "0", ":5: fluid.sound_speed is 0, but must be from 1e-15 to 1e+15."},
        WrongCase{"20", "20\nartificial_viscosity = -1",
                  ":6: fluid.artificial_viscosity is -1, but must be from 0 to 1e+15."},
        WrongCase{end_key, "end = -1\n", ":7: time.end is -1, but must be greater than 0."},
        WrongCase{end_key, "end = 1\ncfl = 0\n", ":8: time.cfl is 0, but must be greater than 0 and at most 1."},
        WrongCase{end_key, "end = 1\ncfl = 1.5\n", ":8: time.cfl is 1.5, but must be greater than 0 and at most 1."},
        WrongCase{end_key, "end = 1\nstep = \"fixed\"\nsize = 0\n", ":9: time.size is 0, but must be greater than 0."},
        WrongCase{"interval = 0.1", "interval = 0", ":9: output.interval is 0, but must be greater than 0."},
        WrongCase{"interval = 0.1", "interval = 0.1\nledger_every = 0",
                  ":10: output.ledger_every is 0, but must be from 1 to 2147483647."},
        WrongCase{"", "dimensions = 4\n", ":1: dimensions is 4, but must be from 2 to 3."},
        WrongCase{"20", "20\nlaminar_viscosity = \"morris\"\nkinematic_viscosity = 0",
                  ":7: fluid.kinematic_viscosity is 0, but must be greater than 0 and at most 1e+15."},
        WrongCase{"", "numerics = { velocity_smoothing = 1.5 }\n",
                  ":1: numerics.velocity_smoothing is 1.5, but must be from 0 to 1."},
        WrongCase{"", "numerics = { density_diffusion = \"antuono\", diffusion_coefficient = 0 }\n",
                  ":1: numerics.diffusion_coefficient is 0, but must be greater than 0 and at most 1."},
        WrongCase{"", "central_force = { rate = 0 }\n",
                  ":1: central_force.rate is 0, but must be from 1e-15 to 1e+15."},
        WrongCase{"", "numerics = { skin = 0 }\n", ":1: numerics.skin is 0, but must be from 0.01 to 1."},
        WrongCase{"", "numerics = { cells_per_support = 4 }\n",
                  ":1: numerics.cells_per_support is 4, but must be from 1 to 3."},
        WrongCase{"", "numerics = { density_bound = 1 }\n",
                  ":1: numerics.density_bound is 1, but must be greater than 0 and less than 1."},
        WrongCase{"", "origin = { cells = [0, 2147483647] }\n",
                  ":1: origin.cells.1 is 2147483647, but must be from -1073741824 to 1073741824."}));

INSTANTIATE_TEST_SUITE_P(
    Names, WrongCases,
    testing::Values(
        WrongCase{
            "", "numerics = { kernel = \"wendland\" }\n",
            ":1: numerics.kernel is \"wendland\", but must be \"wendland-c2\", \"cubic-spline\" or \"gaussian\"; did you mean \"wendland-c2\"?"},
        WrongCase{"", "numerics = { formulation = \"mass\" }\n",
                  ":1: numerics.formulation is \"mass\", but must be \"mass-weighted\" or \"volume-weighted\"."},
        WrongCase{"", "numerics = { density_diffusion = \"delta\" }\n",
                  ":1: numerics.density_diffusion is \"delta\", but must be \"none\", \"molteni-colagrossi\", "
                  "\"fourtakas\", \"antuono\" or \"balanced\"."},
        WrongCase{"20", "20\nstate_equation = \"ideal\"",
                  ":6: fluid.state_equation is \"ideal\", but must be \"tait\" or \"linear\"."},
        WrongCase{"20", "20\nlaminar_viscosity = \"newton\"",
                  ":6: fluid.laminar_viscosity is \"newton\", but must be \"none\", \"morris\", "
                  "\"monaghan-gingold\" or \"brookshaw\"."},
        WrongCase{"", "numerics = { precision = \"float\" }\n",
                  "numerics.precision is \"float\", but must be robust, reversible or double."},
        WrongCase{"", "numerics = { precision = \"naive\" }\n",
                  "numerics.precision is \"naive\", which this program does not have; it has robust, reversible and "
                  "double, and halfulp-lab has it (built in the source folder by: cmake --build --preset release "
                  "--target halfulp-lab)."},
        WrongCase{"", "numerics = { precision = \"robust/sums=plain\" }\n",
                  "numerics.precision is \"robust/sums=plain\", which this program does not have; it has robust, "
                  "reversible and double, and halfulp-lab has it"},
        WrongCase{"", "numerics = { precision = \"reversible\", walls = \"dynamic\", density_diffusion = \"none\" }\n",
                  "numerics.precision is \"reversible\", which needs time.step to be \"fixed\"; change one of them."},
        WrongCase{
            "", "numerics = { integrator = \"euler\" }\n",
            ":1: numerics.integrator is \"euler\", but must be \"kick-drift-kick\", \"verlet\", "
            "\"implicit-midpoint\", \"leap-frog\", \"predictor-corrector\", \"symplectic\" or \"discrete-gradient\"."},
        WrongCase{
            "", "numerics = { integrator = \"discrete-gradient\", walls = \"dynamic\", wall_tension = false }\n",
            ":1: numerics.integrator is \"discrete-gradient\", which needs numerics.wall_tension to be true where "
            "walls keep a density of their own; change one of them."},
        WrongCase{"", "numerics = { integrator = \"discrete-gradient\", density_filter = \"shepard\" }\n",
                  ":1: numerics.integrator is \"discrete-gradient\", which needs numerics.density_filter to be "
                  "\"none\"; change one of them."},
        WrongCase{"", "numerics = { corrector_every = 3 }\n",
                  ":1: numerics.corrector_every belongs only to the integrator \"verlet\"; remove it, or change that."},
        WrongCase{"", "numerics = { integrator = \"implicit-midpoint\", density_filter = \"mls\" }\n",
                  ":1: numerics.integrator is \"implicit-midpoint\", which needs numerics.density_filter to be "
                  "\"none\"; change one of them."},
        WrongCase{"", "numerics = { integrator = \"implicit-midpoint\", velocity_smoothing = 0.3 }\n",
                  "needs numerics.velocity_smoothing to be 0; change one of them."},
        WrongCase{"", "numerics = { integrator = \"leap-frog\", velocity_smoothing = 0.3 }\n",
                  "needs numerics.velocity_smoothing to be 0; change one of them."},
        WrongCase{"", "numerics = { integrator = \"implicit-midpoint\", particle_shifting = 2 }\n",
                  "needs numerics.particle_shifting to be 0; change one of them."},
        WrongCase{"",
                  "numerics = { integrator = \"verlet\", precision = \"reversible\", walls = \"dynamic\", "
                  "density_diffusion = \"none\" }\n",
                  "numerics.precision is \"reversible\", which needs numerics.integrator to be \"kick-drift-kick\""},
        WrongCase{end_key, "end = 1\nstep = \"adaptive\"\n",
                  ":8: time.step is \"adaptive\", but must be \"variable\" or \"fixed\"."},
        WrongCase{"\"fluid\"", "\"gas\"",
                  ":12: shapes.water.kind is \"gas\", but must be \"fluid\", \"wall\" or \"void\"."},
        WrongCase{
            "\"water\"", "\"my water\"",
            ":11: the name of shapes.0 is \"my water\", but must be letters, digits, - and _, starting with a letter."},
        WrongCase{"[[shapes]]",
                  "[[shapes]]\nname = \"water\"\nkind = \"wall\"\nbox = { from = [2, 0], to = [3, 1] }\n[[shapes]]",
                  ":15: two shapes are named \"water\"; give each its own name."}));

INSTANTIATE_TEST_SUITE_P(
    Forms, WrongCases,
    testing::Values(
        WrongCase{water_box, "circle = { centre = [0, 0], radius = 0 }\n",
                  ":13: shapes.water.circle.radius is 0, but must be greater than 0."},
        WrongCase{water_box, "circle = { radius = 1 }\n", ":13: shapes.water.circle.centre is missing; give it (m)."},
        WrongCase{water_box, "sphere = { centre = [0, 0], radius = 1 }\n",
                  ":13: shapes.water.sphere belongs only to a case with dimensions = 3; remove it, or change that."},
        WrongCase{water_box, "mesh = { file = \"part.stl\" }\n",
                  ":13: shapes.water.mesh belongs only to a case with dimensions = 3; remove it, or change that."},
        WrongCase{
            water_box, "circle = { centre = [0, 0], radius = 1 }\nhollow = true\n",
            ":14: shapes.water.hollow belongs only to a wall that is no box (a box has hollow_box); remove it, or change that."},
        WrongCase{"\"fluid\"", "\"fluid\"\nfill = \"packed\"",
                  ":13: shapes.water.fill is \"packed\", but must be \"lattice\" or \"relaxed\"."},
        WrongCase{"\"fluid\"", "\"wall\"\nfill = \"relaxed\"",
                  ":13: shapes.water.fill belongs only to a shape of kind \"fluid\"; remove it, or change that."},
        WrongCase{
            water_box, "circle = { centre = [0, 0], radius = 1 }\nlayers = 3\n",
            ":14: shapes.water.layers belongs only to a shape with hollow_box or hollow = true; remove it, or change that."}));

INSTANTIATE_TEST_SUITE_P(
    Cuts, WrongCases,
    testing::Values(
        WrongCase{"\"fluid\"", "\"fluid\"\nwithout = \"tank\"",
                  ":13: shapes.water.without is \"tank\", but must be an array of texts in quotation marks."},
        WrongCase{"\"fluid\"", "\"fluid\"\nwithout = [1]",
                  ":13: shapes.water.without.0 is 1, but must be a text in quotation marks."},
        WrongCase{"\"fluid\"", "\"fluid\"\nwithout = [\"water\"]",
                  ":13: shapes.water.without names \"water\", but must name other shapes of the case."},
        WrongCase{water_box,
                  "box = { from = [0, 0], to = [1, 0.5] }\nwithout = [\"pilar\"]\n[[shapes]]\nname = \"pillar\"\n"
                  "kind = \"wall\"\ncircle = { centre = [0, 0], radius = 1 }\n",
                  ":14: shapes.water.without names \"pilar\", but must name other shapes of the case: pillar."},
        WrongCase{water_box,
                  "box = { from = [0, 0], to = [1, 0.5] }\nwithout = [\"pillar\"]\n[[shapes]]\nname = \"pillar\"\n"
                  "kind = \"wall\"\ncircle = { centre = [0, 0], radius = 1 }\nwithout = [\"water\"]\n",
                  ":19: shapes.pillar.without names \"water\", which is itself, by way of its own `without`, cut by "
                  "\"pillar\"; remove one of the cuts."},
        WrongCase{water_box,
                  "box = { from = [0, 0], to = [1, 0.5] }\n[[shapes]]\nname = \"pillar\"\n"
                  "kind = \"void\"\ncircle = { centre = [0, 0], radius = 1 }\n",
                  ":14: shapes.pillar is void, but no shape is without it; give the shape that it is to be cut out of "
                  "without = [\"pillar\"], or remove it."}));

INSTANTIATE_TEST_SUITE_P(
    Rules, WrongCases,
    testing::Values(
        WrongCase{"20", "20\nlaminar_viscosity = \"morris\"",
                  ":4: fluid.kinematic_viscosity is missing; give it (nu, m^2/s; of the laminar viscosity)."},
        WrongCase{"20", "20\nkinematic_viscosity = 1e-6",
                  ":6: fluid.kinematic_viscosity belongs only to a fluid whose laminar_viscosity is not \"none\"; "
                  "remove it, or change that."},
        WrongCase{
            "", "numerics = { filter_every = 20 }\n",
            ":1: numerics.filter_every belongs only to a case whose density_filter is not \"none\"; remove it, or change that."},
        WrongCase{"", "numerics = { wall_slip = \"free-slip\" }\n",
                  ":1: numerics.wall_slip belongs only to a fluid with artificial_viscosity or laminar_viscosity; "
                  "remove it, or change that."},
        WrongCase{"", "numerics = { density_diffusion = \"none\", diffusion_coefficient = 0.2 }\n",
                  ":1: numerics.diffusion_coefficient belongs only to a case whose density_diffusion is not \"none\"; "
                  "remove it, or change that."},
        WrongCase{
            "", "gravity = [0, 0]\nnumerics = { density_diffusion = \"fourtakas\" }\n",
            ":2: numerics.density_diffusion is \"fourtakas\", which takes the weight of the fluid off, but gravity "
            "is zero; set gravity or choose \"balanced\"."},
        WrongCase{"", "central_force = { centre = [0, 0] }\n", ":1: central_force.rate is missing; give it (1/s)."},
        WrongCase{end_key, "end = 1\nsize = 0.001\n",
                  ":8: time.size belongs only to step = \"fixed\"; remove it, or change that."},
        WrongCase{"", "gravity = [0, 0, -9.81]\n",
                  ":1: gravity is an array of 3, but must be an array of 2 numbers (dimensions = 2)."},
        WrongCase{"", "dimensions = 3\n",
                  ":14: shapes.water.box.from is an array of 2, but must be an array of 3 numbers (dimensions = 3)."},
        WrongCase{"\"fluid\"", "\"wall\"",
                  ":10: no shape is a fluid; give at least one [[shapes]] with kind = \"fluid\"."},
        WrongCase{"[1, 0.5]", "[1, 0]",
                  ":13: shapes.water.box.from.1 is 0 and shapes.water.box.to.1 is 0, but from must be less than to."},
        WrongCase{"box =", "hollow_box =",
                  ":13: shapes.water.hollow_box belongs only to a shape of kind \"wall\"; remove it, or change that."},
        WrongCase{water_box, "box = { from = [0, 0], to = [1, 1] }\npolygon = [[0, 0], [1, 0], [0, 1]]\n",
                  ":10: shapes.water has box and polygon, but must have exactly one of box, hollow_box, polygon, "
                  "circle, sphere, cylinder or mesh."},
        WrongCase{
            water_box, "box = { from = [0, 0], to = [1, 1] }\nlayers = 2\n",
            ":14: shapes.water.layers belongs only to a shape with hollow_box or hollow = true; remove it, or change that."},
        WrongCase{water_box, "polygon = [[0, 0], [1, 0]]\n",
                  ":13: shapes.water.polygon is an array of 2, but must be an array of at least 3 pairs [x, y]."},
        WrongCase{water_box, "polygon = [[0, 0], [1, 0], [1]]\n",
                  ":13: shapes.water.polygon.2 is an array of 1, but must be an array of 2 numbers."},
        WrongCase{
            water_box, "polygon = [[0, 0], [1, 1], [1, 0], [0, 1]]\n",
            ":13: shapes.water.polygon crosses or touches itself where the edges from [0, 0] to [1, 1] and from [1, 0] "
            "to [0, 1] meet; give its corners in order around it, each once."},
        WrongCase{"\"fluid\"", "\"wall\"\nvelocity = [\"x\", 0]",
                  ":13: shapes.water.velocity.0 is the expression \"x\", but a wall moves as a whole; give a number."},
        WrongCase{
            "\"fluid\"", "\"void\"\nvelocity = [1, 0]",
            ":13: shapes.water.velocity belongs only to a shape of kind \"fluid\" or \"wall\"; remove it, or change that."},
        WrongCase{"\"fluid\"", "\"fluid\"\nvelocity = 1",
                  ":13: shapes.water.velocity is 1, but must be an array of 2 numbers or expressions."},
        WrongCase{"\"fluid\"", "\"fluid\"\nvelocity = [0, true]",
                  ":13: shapes.water.velocity.1 is true, but must be a number or an expression in quotation marks."},
        WrongCase{
            "\"fluid\"", "\"fluid\"\nvelocity = [\"0.5*z\", 1]",
            ":13: shapes.water.velocity.0 is \"0.5*z\", but at character 5 is \"z\", where a number, x, y, pi, -, "
            "( or one of the functions sin, cos, exp, sqrt, sinh, cosh, tanh and abs must stand."},
        WrongCase{"\"fluid\"", "\"fluid\"\nvelocity = [0, nan]",
                  ":13: shapes.water.velocity.1 is nan, but must be a finite number."},
        WrongCase{"\"fluid\"", "\"fluid\"\npressure = \"2*(x\"",
                  ":13: shapes.water.pressure is \"2*(x\", but it ends where an operator or ) must stand."},
        WrongCase{"\"fluid\"", "\"wall\"\npressure = 1",
                  ":13: shapes.water.pressure belongs only to a shape of kind \"fluid\" without hydrostatic = true; "
                  "remove it, or change that."},
        WrongCase{"\"fluid\"", "\"fluid\"\npressure = 1\nhydrostatic = true",
                  ":13: shapes.water.pressure belongs only to a shape of kind \"fluid\" without hydrostatic = true; "
                  "remove it, or change that."},
        WrongCase{
            "\"fluid\"", "\"wall\"\nhydrostatic = true",
            ":13: shapes.water.hydrostatic belongs only to a shape of kind \"fluid\"; remove it, or change that."},
        WrongCase{
            "\"fluid\"", "\"fluid\"\nsurface = 1.0",
            ":13: shapes.water.surface belongs only to a fluid with hydrostatic = true; remove it, or change that."},
        WrongCase{
            water_box,
            "box = { from = [0, 0], to = [1, 1] }\n[front]\nlength = 1\n[[front.references]]\nname = \"a\"\n"
            "points = [[1, 1], [0, 1]]\n",
            ":18: the times of front.references.a.points (the first number of each pair) do not ascend; sort them."}));

TEST(WrongCase, HydrostaticFluidWithoutGravityIsRefused)
{
    const std::string text = "gravity = [0, 0]\n" + with(least_case, "\"fluid\"", "\"fluid\"\nhydrostatic = true");
    const std::string sentence = sentence_of([&] { case_from(text); });
    EXPECT_NE(
        sentence.find(":14: shapes.water.hydrostatic is true, but gravity is zero; set gravity or remove hydrostatic."),
        std::string::npos)
        << sentence;
}

TEST(WrongCase, PolygonInThreeDimensionsIsRefused)
{
    const std::string text = "dimensions = 3\n" + with(least_case, water_box, "polygon = [[0, 0], [1, 0], [0, 1]]\n");
    const std::string sentence = sentence_of([&] { case_from(text); });
    EXPECT_NE(sentence.find(
                  ":14: shapes.water.polygon belongs only to a case with dimensions = 2; remove it, or change that."),
              std::string::npos)
        << sentence;
}

TEST(WrongCase, CylinderWithoutLengthIsRefused)
{
    const std::string text = "dimensions = 3\n" + with(least_case, water_box,
                                                       "cylinder = { from = [0, 0, 1], to = [0, 0, 1], radius = 1 }\n");
    const std::string sentence = sentence_of([&] { case_from(text); });
    EXPECT_NE(sentence.find(":14: shapes.water.cylinder.from and shapes.water.cylinder.to are the same point; give the "
                            "two ends of its axis."),
              std::string::npos)
        << sentence;
}

TEST(WrongCase, FilesThatCannotBeReadAreNamed)
{
    const CaseFile file(least_case);
    const std::string missing = (file.folder() / "absent.toml").string();
    EXPECT_EQ(sentence_of([&] { read_case(missing, {}); }),
              missing + ": the case file cannot be read; check that it exists and may be read.");
    EXPECT_EQ(sentence_of([&] { read_case(file.folder(), {}); }),
              file.folder().string() + ": this is a folder; give the path of the case file.");
}

// The least case with a wall and a probe behind it, from line 14 on.
std::string probed(const std::string& keys)
{
    return least_case + "[[shapes]]\nname = \"floor\"\nkind = \"wall\"\nbox = { from = [0, -0.5], to = [1, 0] }\n" +
           "[[probes]]\n" + keys;
}

TEST(WrongProbes, GiveOneSentence)
{
    const std::string level = "name = \"a\"\nmeasures = \"level\"\nat = [0.5, 0]\n";
    const std::string flow = "name = \"a\"\nmeasures = \"flow\"\nat = [0.5, 0]\n";
    const std::string force = "name = \"a\"\nmeasures = \"force\"\n";
    const std::vector<std::pair<std::string, std::string>> wrong = {
        {"measures = \"level\"\nat = [0, 0]\n", ":18: probes.0.name is missing; give it ("},
        {"name = \"a/b\"\nmeasures = \"level\"\nat = [0, 0]\n",
         ":19: the name of probes.0 is \"a/b\", but must be letters, digits, - and _, starting with a letter."},
        {"name = \"" + std::string(101, 'a') + "\"\nmeasures = \"level\"\nat = [0, 0]\n",
         ":18: the name of probes.0 has 101 letters, but its file is called after it; shorten it to 100 or fewer."},
        {level + "[[probes]]\n" + level, ":23: two probes are named \"a\"; give each its own name."},
        {"name = \"a\"\nmeasures = \"speed\"\n",
         ":20: probes.a.measures is \"speed\", but must be \"pressure\", \"velocity\", \"level\", \"force\" or \"flow\"."},
        {"name = \"a\"\nmeasures = \"pressure\"\n", ":18: probes.a.at is missing; give it ("},
        {force + "at = [0, 0]\n",
         ":21: probes.a.at belongs only to a probe that does not measure \"force\"; remove it, or change that."},
        {flow, ":18: probes.a.normal is missing; give it ("},
        {flow + "normal = [0, -0.0]\n",
         ":22: probes.a.normal is zero, but must point across the plane; give its direction."},
        {level + "bodies = []\n",
         ":22: probes.a.bodies belongs only to a probe that measures \"force\"; remove it, or change that."},
        {force + "bodies = [\"floor\", \"water\"]\n",
         ":21: probes.a.bodies names \"water\", but must name walls of the case: floor."},
        {level + "interval = 0\n", ":22: probes.a.interval is 0, but must be greater than 0."},
        {level + "filter = -1\n", ":22: probes.a.filter is -1, but must be at least 0."},
        {level + "fliter = 1\n", ":22: unknown key \"probes.a.fliter\"; did you mean \"filter\"?"},
        {level + "within = { from = [0, 0], to = [1, 0] }\n",
         ":22: probes.a.within.from.1 is 0 and probes.a.within.to.1 is 0, but from must be less than to."},
        {level + "within = { from = [0.75, 0], to = [1, 1] }\n",
         ":21: probes.a.at.0 is 0.5, outside of probes.a.within, which is from 0.75 to 1 there; move one of them."},
    };
    for (const auto& [keys, expected] : wrong) {
        const std::string sentence = sentence_of([&] { case_from(probed(keys)); });
        EXPECT_NE(sentence.find(expected), std::string::npos) << sentence << "\n" << expected;
    }
    const std::string oblique = sentence_of([&] { case_from("gravity = [1, -9]\n" + probed(level)); });
    EXPECT_NE(
        oblique.find(":19: probes.a measures \"level\", which is a depth along gravity, but gravity has 2 components, "
                     "and must act along one axis; set gravity or remove the probe."),
        std::string::npos)
        << oblique;
    const std::string airy = sentence_of([&] { case_from(least_case + "[[probes]]\n" + force); });
    EXPECT_NE(airy.find(":14: probes.a measures the force on walls, but the case has no wall; remove the probe."),
              std::string::npos)
        << airy;
}

}  // namespace
}  // namespace halfulp
