// Defaults, overrides, and finding cases by name.
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
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
        WrongOverride{
            "probes.p.at=[1, 1]",
            "probes is not given, so that no element of it can be set alone; set all of it to tables, each headed "
            "[[probes]] (measurements during the run), as in --set 'probes=[VALUE, ...]'."},
        WrongOverride{"resolution.spacing.fine=1", "resolution.spacing is a value and has no fine inside."},
        WrongOverride{"numerics.skin.x=1", "numerics.skin is a table, but must be a number."},
        WrongOverride{"gravity.0=1",
                      "gravity is not given, so that no element of it can be set alone; set all of it to an array of 2 "
                      "numbers, as in --set 'gravity=[VALUE, ...]'."},
        WrongOverride{"probes.0.name=corner",
                      "probes is not given, so that no element of it can be set alone; set all of it to tables, each "
                      "headed [[probes]] (measurements during the run), as in --set 'probes=[VALUE, ...]'."},
        WrongOverride{"shapes={water={kind=\"fluid\"}}",
                      "shapes is a table, but must be tables, each headed [[shapes]] (regions filled with particles)."},
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
    EXPECT_NE(sentence.find(" (its character 6)."), std::string::npos) << sentence;
}

TEST(Overrides, NamesInAListNeedQuotationMarks)
{
    const std::string sentence = sentence_of([] { case_from(least_case, {"output.columns=[position, velocity]"}); });
    EXPECT_EQ(
        sentence,
        "--set output.columns=[position, velocity]: names in a list need quotation marks, and the whole single ones "
        "against the shell: --set 'output.columns=[\"NAME\", ...]'.");
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

// The names of cases are no help to who meant a file.
TEST_F(FindCase, ListsNoNamesForAFile)
{
    const std::string sentence = sentence_of([] { find_case("nofile.toml"); });
    EXPECT_EQ(sentence.find("the names there are"), std::string::npos) << sentence;
    EXPECT_NE(sentence.find("give the path of a case file."), std::string::npos) << sentence;
}

TEST_F(FindCase, SaysWhatAFolderIs)
{
    std::filesystem::create_directories("out/tank");
    EXPECT_EQ(sentence_of([] { find_case("out/tank"); }), "out/tank: this is a folder; give the path of a case file.");
    std::filesystem::create_directories("out/tank/outputs");
    EXPECT_EQ(sentence_of([] { find_case("out/tank"); }),
              "out/tank: this is a folder of a run that has lost its run.h5; give the path of a case file.");
    std::ofstream("out/tank/run.h5") << "";
    EXPECT_EQ(
        sentence_of([] { find_case("out/tank"); }),
        "out/tank: this is a run, but a case is needed; halfulp rerun out/tank repeats it, halfulp resume out/tank "
        "continues it, halfulp info out/tank describes it.");
    std::filesystem::create_symlink("loop", "loop");
    EXPECT_EQ(sentence_of([] { find_case("loop"); }), "loop: cannot be read: Too many levels of symbolic links.");
    EXPECT_EQ(sentence_of([] { find_case("out/tank/run.h5/x"); }),
              "out/tank/run.h5/x: out/tank/run.h5 is a file and no folder; give the path of a case file.");
    std::filesystem::create_symlink("nowhere", "link.toml");
    EXPECT_EQ(sentence_of([] { find_case("link.toml"); }),
              "link.toml: this is a link to nowhere, which does not exist; give the path of a case file.");
}

TEST_F(FindCase, DoesNotTakeAMissingPathForAName)
{
    const std::string sentence = sentence_of([] { find_case("elsewhere/still-water"); });
    EXPECT_NE(sentence.find("There is no case \"elsewhere/still-water\"; "), std::string::npos) << sentence;
    EXPECT_NE(sentence.find("or a name, of which `halfulp list` gives all."), std::string::npos) << sentence;
}

}  // namespace
}  // namespace halfulp
