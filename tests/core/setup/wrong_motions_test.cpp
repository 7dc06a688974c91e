// Motions that cannot be, and what the user reads.
#include <gtest/gtest.h>

#include <ostream>
#include <string>

#include "case_text.hpp"
#include "core/setup/problem.hpp"

namespace halfulp {
namespace {

// The least case with a tank, and motions behind it.
struct WrongMotion {
    const char* motions;
    const char* sentence;
};

void PrintTo(const WrongMotion& w, std::ostream* out) { *out << w.sentence; }

class WrongMotions : public testing::TestWithParam<WrongMotion> {};

TEST_P(WrongMotions, GiveOneSentence)
{
    const std::string tank =
        "[[shapes]]\nname = \"tank\"\nkind = \"wall\"\nhollow_box = { from = [0, 0], to = [1, 1] }\n";
    const std::string sentence = sentence_of([&] { case_from(least_case + tank + GetParam().motions); });
    EXPECT_NE(sentence.find(GetParam().sentence), std::string::npos) << sentence;
}

TEST(WrongMotions, ForcesAtTwoTimesOfAStep)
{
    const std::string tank =
        "[[shapes]]\nname = \"tank\"\nkind = \"wall\"\nhollow_box = { from = [0, 0], to = [1, 1] }\n"
        "[[motions]]\nname = \"roll\"\n[motions.rotation]\npivot = [0, 0]\nsteady = { rate = 1 }\n";
    const auto sentence_with = [&](const std::string& numerics, const std::string& motion) {
        const std::string text = least_case + "[numerics]\n" + numerics + "\n" + with(tank, "\"roll\"", motion);
        return sentence_of([&] { case_from(text); });
    };
    for (const std::string integrator : {"predictor-corrector", "symplectic"}) {
        const std::string numerics = "integrator = \"" + integrator + "\"\n";
        EXPECT_NE(sentence_with(numerics + "walls = \"dynamic\"", "\"roll\"\nframe = \"moving\"")
                      .find("which needs motions to be in the frame \"laboratory\"; change one of them."),
                  std::string::npos);
        EXPECT_NE(
            sentence_with(numerics, "\"roll\"")
                .find(
                    "which needs numerics.walls to be \"dynamic\" where motions move walls (the velocity of a shape is none); change one of them."),
            std::string::npos);
    }
}

constexpr const char* roll =
    "[[motions]]\nname = \"roll\"\n[motions.rotation]\npivot = [0, 0]\nsteady = { rate = 1 }\n";
const std::string rolled_twice = std::string(roll) + with(roll, "roll", "again");
const std::string rolled_about_a_centre =
    with(roll, "\"roll\"", "\"roll\"\nframe = \"moving\"") + "[central_force]\nrate = 1\ncentre = [0, 0]\n";
const std::string rolled_in_two_frames = with(rolled_twice, "\"again\"", "\"again\"\nframe = \"moving\"");

INSTANTIATE_TEST_SUITE_P(
    Motions, WrongMotions,
    testing::Values(
        WrongMotion{"[[motions]]\nname = \"roll\"\n",
                    ":18: motions.roll has neither a rotation nor a translation; give one of them."},
        WrongMotion{"[[motions]]\nname = \"roll\"\n[motions.rotation]\npivot = [0, 0]\n",
                    ":20: motions.roll.rotation has no form, but must have exactly one of sine, steady or table."},
        WrongMotion{
            "[[motions]]\nname = \"roll\"\nbodies = [\"tnak\"]\n[motions.rotation]\npivot = [0, 0]\nsteady = { rate = 1 }\n",
            ":20: motions.roll.bodies names \"tnak\", but must name walls of the case: tank."},
        WrongMotion{
            "[[motions]]\nname = \"roll\"\n[motions.rotation]\npivot = [0, 0]\naxis = [0, 0, 1]\nsteady = { rate = 1 }\n",
            ":22: motions.roll.rotation.axis belongs only to a case with dimensions = 3; remove it, or change that."},
        WrongMotion{
            "[[motions]]\nname = \"roll\"\n[motions.rotation]\npivot = [0, 0]\nsine = { amplitude = 1, period = 0 }\n",
            "motions.roll.rotation.sine.period is 0, but must be greater than 0."},
        WrongMotion{rolled_twice.c_str(),
                    ":23: motions.again moves the wall \"tank\", which roll moves already; leave it to one of them."},
        WrongMotion{
            rolled_about_a_centre.c_str(),
            ":20: motions.roll.frame is \"moving\", in which the centre of central_force would move, too; set it to "
            "\"laboratory\", or remove central_force."},
        WrongMotion{
            rolled_in_two_frames.c_str(),
            "motions.again.frame is \"moving\", in which all walls are at rest, but there is another motion; remove one"}));

TEST(WrongMotion, IsRefusedWhereThePiecesDoNotFit)
{
    const std::string tank =
        "[[shapes]]\nname = \"tank\"\nkind = \"wall\"\nhollow_box = { from = [0, 0], to = [1, 1] }\n";
    const auto sentence = [&](const std::string& before, const std::string& motions) {
        return sentence_of([&] { prepare(case_from(before + least_case + tank + motions)); });
    };
    EXPECT_NE(sentence("period = [1, 0]\n", roll)
                  .find("motions.roll turns about an axis that period.0 = 1 m does not lie along"),
              std::string::npos);
    const std::string nowhere =
        "[[motions]]\nname = \"shift\"\n[motions.translation]\ndirection = [0, 0]\nsteady = { rate = 1 }\n";
    EXPECT_NE(sentence("", nowhere)
                  .find("motions.shift.translation.direction is zero, but must have a length; give a direction."),
              std::string::npos);
    const std::string far =
        "[[motions]]\nname = \"spin\"\n[motions.rotation]\npivot = [0, 0]\nsteady = { rate = 0, acceleration = 1e9 }\n";
    EXPECT_NE(sentence("", far).find("motions.spin.rotation turns by "), std::string::npos);
    EXPECT_NE(sentence("", far).find("but at most 5.73e+07 can be computed; turn slower"), std::string::npos);
    const std::string fast =
        "[[motions]]\nname = \"fast\"\n[motions.rotation]\npivot = [0, 0]\nsine = { amplitude = 1, period = 1e-6 }\n";
    EXPECT_NE(
        sentence("", fast).find("motions.fast.rotation.sine.period is 1e-06 s, which makes more than 79577 periods"),
        std::string::npos)
        << sentence("", fast);
    const std::string lost =
        "[[motions]]\nname = \"lost\"\n[motions.rotation]\npivot = [0, 0]\ntable = { file = \"no.csv\", column = \"a\" }\n";
    EXPECT_NE(sentence("", lost).find("motions.lost.rotation.table.file: "), std::string::npos);
}

}  // namespace
}  // namespace halfulp
