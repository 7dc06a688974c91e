// A number beside a measured one, and files of measurements that are there or not.
#include <gtest/gtest.h>

#include "core/error.hpp"
#include "scratch.hpp"
#include "validation/measurements/measurements.hpp"

namespace halfulp::test {
namespace {

TEST(Compared, SaysByHowMuchANumberIsOff)
{
    const Score within = compared("time", 1.02, 1, "s", 0.03);
    EXPECT_EQ(within.measured, "1 s");
    EXPECT_EQ(within.asked, "within 3 %");
    EXPECT_EQ(within.computed, "1.02 s (+2.00 %)");
    EXPECT_TRUE(within.met);
    EXPECT_EQ(within.unit, "s");
    EXPECT_EQ(within.measured_number, 1);
    EXPECT_EQ(within.computed_number, 1.02);
    EXPECT_FALSE(compared("time", 0.96, 1, "s", 0.03).met);
    const Score absolute = compared("time", 2.5, 2.375, "s", 0.02, Deviation::absolute);
    EXPECT_EQ(absolute.asked, "within 0.02 s");
    EXPECT_EQ(absolute.computed, "2.5 s (+0.125)");
    EXPECT_FALSE(absolute.met);
    EXPECT_TRUE(compared("time", 2.36, 2.375, "s", 0.02, Deviation::absolute).met);
}

TEST(Compared, WithoutALimitIsShownAndNotJudged)
{
    const Score shown = compared("peak", 5, 1, "Pa", 0);
    EXPECT_EQ(shown.asked, "");
    EXPECT_TRUE(shown.met);
    EXPECT_TRUE(compared("peak", {}, 1, "Pa", 0).met);
    EXPECT_EQ(compared("peak", {}, 1, "Pa", 0).computed, "none");
    EXPECT_FALSE(compared("peak", {}, 1, "Pa", 0.1).met) << "what never came is not within a tenth";
}

TEST(MeasuredData, SaysOnceWhatIsMissing)
{
    const Scratch folder;
    write_text(folder.path() / "there.csv", "t_s,p_pa\n0,1\n");
    MeasuredData data(folder.path());
    EXPECT_EQ(data.table("there.csv", "nothing is left out")->rows(), 1U);
    EXPECT_TRUE(data.missing().empty());
    EXPECT_FALSE(data.table("levels.csv", "levels are left out"));
    EXPECT_FALSE(data.table("levels.csv", "levels are left out"));
    EXPECT_EQ(data.missing(),
              std::vector<std::string>{"levels.csv is not in " + folder.path().string() + ": levels are left out."});
    MeasuredData none({});
    EXPECT_FALSE(none.table("there.csv", "levels are left out"));
    EXPECT_EQ(none.missing(),
              std::vector<std::string>{"No --data folder with there.csv was given: levels are left out."});
    EXPECT_THROW(MeasuredData(folder.path() / "nowhere"), Error);
}

}  // namespace
}  // namespace halfulp::test
