// Mistakes in a case with a precision that only the laboratory has, and what the user of halfulp-lab reads.
#include <gtest/gtest.h>

#include "case_text.hpp"
#include "wrong_case.hpp"

namespace halfulp {
namespace {

class WrongPrecisions : public testing::TestWithParam<WrongCase> {};

TEST_P(WrongPrecisions, GiveOneSentenceThatNamesPlaceKeyAndRemedy)
{
    expect_sentence(GetParam(), [](const Case&) {});
}

INSTANTIATE_TEST_SUITE_P(
    Laboratory, WrongPrecisions,
    testing::Values(
        WrongCase{
            "", "numerics = { precision = \"float\" }\n",
            "numerics.precision is \"float\", but must be robust, reversible, double, naive, dualsphysics, gpusph or "
            "quad, or one of "},
        WrongCase{
            "",
            "numerics = { walls = \"extrapolated\", density_diffusion = \"none\", precision = "
            "\"robust/sums=plain\" }\n",
            ":1: numerics.precision is \"robust/sums=plain\", which needs numerics.walls to be \"dynamic\"; change one of "
            "them."},
        WrongCase{
            "sound_speed = 20\n",
            "sound_speed = 20\nartificial_viscosity = 0.1\nstate_equation = \"linear\"\n[numerics]\nwalls = "
            "\"dynamic\"\ndensity_diffusion = \"none\"\nprecision = \"robust/kernels=powers\"\n",
            ":7: numerics.precision is \"robust/kernels=powers\", which needs fluid.state_equation to be \"tait\" where there "
            "is artificial viscosity; change one of them."}));

}  // namespace
}  // namespace halfulp
