// Presets: the keys of a published code under one name, which a case's own keys and overrides exceed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.hpp"
#include "core/setup/presets.hpp"
#include "core/setup/problem.hpp"
#include "core/setup/read_case.hpp"

namespace halfulp::test {
namespace {

using ::testing::HasSubstr;

constexpr const char* least = R"(
dimensions = 2
[resolution]
spacing = 0.1
[fluid]
sound_speed = 20
kinematic_viscosity = 0.001
[numerics]
preset = "cehinav"
[time]
end = 0.1
[output]
interval = 0.1
[[shapes]]
name = "water"
kind = "fluid"
box = { from = [0, 0], to = [1, 1] }
)";

Case with(const std::vector<std::string>& overrides) { return read_case_text(least, "least.toml", overrides); }

TEST(Presets, GiveEveryKeyThatTheCaseLacks)
{
    const Case c = with({});
    EXPECT_EQ(c.numerics.integrator, Integrator::leap_frog);
    EXPECT_EQ(c.numerics.kernel, SmoothingKernel::gaussian);
    EXPECT_EQ(c.resolution.smoothing_ratio, 1.33);
    EXPECT_EQ(c.fluid.laminar_viscosity, LaminarViscosity::monaghan_gingold);
    EXPECT_EQ(c.numerics.walls, Walls::dynamic);
    EXPECT_EQ(c.numerics.density_diffusion, DensityDiffusion::none);
    EXPECT_EQ(c.time.cfl, 0.125);
}

TEST(Presets, GiveWayToOverrides)
{
    const Case c = with({"time.cfl=0.1", "numerics.kernel=wendland-c2"});
    EXPECT_EQ(c.time.cfl, 0.1);
    EXPECT_EQ(c.numerics.kernel, SmoothingKernel::wendland_c2);
    EXPECT_EQ(c.numerics.integrator, Integrator::leap_frog);
}

TEST(Presets, AreThemselvesAnOverride)
{
    const Case c = with({"numerics.preset=\"none\"", "fluid.laminar_viscosity=morris"});
    EXPECT_EQ(c.numerics.integrator, Case().numerics.integrator);
    EXPECT_EQ(c.resolution.smoothing_ratio, Case().resolution.smoothing_ratio);
}

// Of all presets the completed case has the same numerics, and says which preset they are of.
TEST(Presets, AreWholeInTheCompletedCase)
{
    for (const char* name : {"dominguez-2013", "cehinav", "gpusph-2018", "dualsphysics-5"}) {
        ASSERT_NE(find_preset(name), nullptr) << name;
        std::vector<std::string> overrides{std::string("numerics.preset=") + name};
        if (std::string(name) != "cehinav") {
            overrides.emplace_back("fluid.laminar_viscosity=morris");
            overrides.emplace_back("fluid.artificial_viscosity=0");
        }
        const Case c = with(overrides);
        const std::string completed = case_as_toml(c);
        EXPECT_THAT(completed, HasSubstr(std::string("preset = \"") + name));
        const Case again = read_case_text(completed, "completed.toml", {});
        EXPECT_EQ(case_as_toml(again), completed) << name;
        const Problem one = prepare(c);
        const Problem other = prepare(again);
        EXPECT_EQ(one.physics, other.physics) << name;
        EXPECT_NE(one.physics, prepare(with({"numerics.preset=none", "fluid.laminar_viscosity=morris"})).physics)
            << name;
    }
}

// An inviscid fluid has no slip, and a fixed step nothing to soften.
TEST(Presets, LeaveOutWhatNoLongerApplies)
{
    const Case c = with({"numerics.preset=dualsphysics-5", "fluid.laminar_viscosity=morris", "time.step=fixed",
                         "numerics.density_diffusion=none"});
    EXPECT_EQ(c.time.step, "fixed");
    EXPECT_EQ(c.numerics.integrator, Integrator::symplectic);
}

TEST(Presets, AnErrorInOneOfTheirKeysNamesTheirPlace)
{
    try {
        with({"numerics.preset=dominguez-2013", "fluid.kinematic_viscosity=0.001"});
        FAIL() << "a viscosity that does not apply";
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), HasSubstr("kinematic_viscosity"));
    }
    try {
        with({"numerics.preset=domingues-2013", "fluid.laminar_viscosity=morris"});
        FAIL() << "no such preset";
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), HasSubstr("dominguez-2013"));
    }
}

}  // namespace
}  // namespace halfulp::test
