// Periodic directions: what they make of cells and skin, and what is refused, with a remedy that works.
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "case_text.hpp"
#include "core/setup/problem.hpp"

namespace halfulp {
namespace {

// The least case has cells of 0.22 m: a support of 4 spacings and a tenth of it as a skin, over 2.
std::string with_period(const std::string& period, const std::string& width)
{
    return "period = " + period + "\n" + with(least_case, "[1, 0.5]", "[" + width + ", 0.5]");
}

std::string refusal(const std::string& text, const std::vector<std::string>& overrides = {})
{
    const std::string sentence = sentence_of([&] { prepare(case_from(text, overrides)); });
    // Its line is that of the period or the shape: see wrong_set_up_test.cpp.
    const std::size_t file = sentence.find("case.toml:");
    const std::size_t colon = sentence.find(": ", file);
    EXPECT_NE(file, std::string::npos) << sentence;
    EXPECT_EQ(std::count(sentence.begin(), sentence.end(), '\n'), 0) << sentence;
    EXPECT_EQ(sentence.back(), '.') << sentence;
    return colon == std::string::npos ? sentence : sentence.substr(colon + 2);
}

TEST(Period, NotAWholeNumberOfCellsNamesPeriodAndSkin)
{
    EXPECT_EQ(
        refusal(with_period("[1.3, 0]", "1.3")),
        "period.0 is 1.3 m, 5.90909 cells of 0.22 m, but must be a whole number of them; the nearest that fits by "
        "a skin from 0.1 to 0.2 is 1.4 m; to keep the period set numerics.skin = 0.30000000, which makes it 5 "
        "cells (these are (support + skin) / cells_per_support wide).");
    // The other direction is named by its own number.
    EXPECT_EQ(refusal(with_period("[0, 1.3]", "1.3")).substr(0, 19), "period.1 is 1.3 m, ");
}

TEST(Period, TheNamedPeriodWorks)
{
    for (const double period : {1.7, 1.9, 2.3, 2.9, 3.7}) {
        for (const int n : {1, 2, 3}) {
            const std::vector<std::string> cells{"numerics.cells_per_support=" + std::to_string(n)};
            const std::string text = with_period("[" + std::to_string(period) + ", 0]", std::to_string(period));
            std::string sentence;
            try {
                prepare(case_from(text, cells));
                continue;
            } catch (const Error& error) {
                sentence = error.what();
            }
            const std::string before = "by a skin from 0.1 to 0.2 is ";
            const std::size_t at = sentence.find(before);
            ASSERT_NE(at, std::string::npos) << sentence;
            const std::string named =
                sentence.substr(at + before.size(), sentence.find(" m;", at) - at - before.size());
            EXPECT_NO_THROW(prepare(case_from(with_period("[" + named + ", 0]", named), cells))) << sentence;
        }
    }
}

// Without a skin of its own a case gets one that fits, up to twice the usual: 1.2 m are 5 cells of 0.24 m.
TEST(Period, FitsTheSkinUnlessItIsGiven)
{
    const Problem problem = prepare(case_from(with_period("[1.2, 0]", "1.2")));
    EXPECT_EQ(problem.period[0], 5);
    EXPECT_NEAR(problem.source.numerics.skin, 0.2, 1e-12);
    EXPECT_NEAR(problem.units.length, 0.24, 1e-15);
    EXPECT_EQ(refusal(with_period("[1.2, 0]", "1.2"), {"numerics.skin=0.1"}).substr(0, 36),
              "period.0 is 1.2 m, 5.45455 cells of ");
}

// Whatever the period, the skin that the sentence names is taken, and the cells fit exactly.
TEST(Period, TheNamedSkinWorks)
{
    for (const double period : {1.2, 1.3, 1.4, 1.7, 1.9, 2.1, 2.5, 3.1, 4.7, 10.1}) {
        for (const int n : {1, 2, 3}) {
            const std::string text = with_period("[" + std::to_string(period) + ", 0]", std::to_string(period));
            const std::string cells = "numerics.cells_per_support=" + std::to_string(n);
            std::string skin = "numerics.skin=0.1";
            try {
                prepare(case_from(text, {cells, skin}));
                continue;  // fits as it is
            } catch (const Error& error) {
                const std::string sentence = error.what();
                if (sentence.find("must be at least") != std::string::npos) continue;
                const std::size_t at = sentence.find("numerics.skin = ");
                ASSERT_NE(at, std::string::npos) << sentence;
                skin = "numerics.skin=" + sentence.substr(at + 16, 10);
            }
            const Problem problem = prepare(case_from(text, {cells, skin}));
            EXPECT_GE(problem.period[0], 2 * n + 1);
            // One rounding of the quotient: within an ulp of the period.
            EXPECT_NEAR(problem.period[0] * problem.units.length, period, 4e-16 * period);
            // support + skin is search_cells cells, in single precision and with the eighth digit that the file gives.
            EXPECT_NEAR(problem.support + problem.skin, n, 1e-6 * n);
            EXPECT_GT(problem.skin, 0.0099 * problem.support);
        }
    }
}

TEST(Period, TooShort)
{
    EXPECT_EQ(refusal(with_period("[1, 0]", "1")),
              "period.0 is 1 m, 4.545 cells, but must be at least 5 cells of 0.22 m; lengthen it or lower "
              "resolution.spacing.");
    // With one cell a support three are enough, but they are twice as wide.
    EXPECT_EQ(refusal(with_period("[1.3, 0]", "1.3"), {"numerics.cells_per_support=1"}).substr(0, 66),
              "period.0 is 1.3 m, 2.955 cells, but must be at least 3 cells of 0.");
}

// 7 cells, but 15.4 spacings: particles would not meet their images at the right distance.
TEST(Period, NotAWholeNumberOfSpacings)
{
    EXPECT_EQ(
        refusal(with_period("[1.54, 0]", "1.5")),
        "period.0 is 1.54 m, 15.4 spacings, but must be a whole number of them; the nearest resolution.spacing is "
        "0.10266666666666667 m.");
}

TEST(Period, ParticlesBeyondIt)
{
    const std::vector<std::string> skin = {"numerics.skin=0.3"};
    EXPECT_EQ(refusal(with_period("[1.3, 0]", "1.4"), skin),
              "shape \"water\" has a particle at 1.35 m along x, outside of the period from 0 to 1.3 m; cut the shape "
              "off there (its `without` may name a void shape beyond that), and add what was cut off, moved by a "
              "period, as a shape of its own: images continue what is within the period.");
    EXPECT_EQ(refusal(with(with_period("[1.3, 0]", "1.3"), "from = [0, 0]", "from = [-0.1, 0]"), skin),
              "shape \"water\" has a particle at -0.05 m along x, outside of the period from 0 to 1.3 m; cut the shape "
              "off there (its `without` may name a void shape beyond that), and add what was cut off, moved by a "
              "period, as a shape of its own: images continue what is within the period.");
}

TEST(Period, NegativeIsRefused)
{
    const std::string sentence = sentence_of([] { case_from("period = [-1, 0]\n" + least_case); });
    EXPECT_NE(sentence.find(":1: period.0 is -1, but must be at least 0."), std::string::npos) << sentence;
}

// A box full of fluid: all cells are within the period from the case's origin on, and no two particles are images of
// each other, though the last ones lie in the cell that is also the first.
TEST(Period, ParticlesLieWithinItOnce)
{
    for (const std::string origin : {"[0, 0]", "[1000, -77]"}) {
        const Problem problem = prepare(case_from("period = [1.3, 1.3]\n" + with(least_case, "[1, 0.5]", "[1.3, 1.3]"),
                                                  {"numerics.skin=0.3", "origin.cells=" + origin}));
        ASSERT_EQ(problem.particles.size(), 169U);
        EXPECT_EQ(problem.period, (std::array<std::int32_t, 3>{5, 5, 0}));
        std::set<std::array<long, 2>> sites;
        bool wrapped = false;
        for (const InitialParticle& particle : problem.particles) {
            std::array<long, 2> site{};
            for (std::size_t c = 0; c < 2; ++c) {
                const std::int32_t cell = particle.cell[c] - problem.source.origin.cells[c];
                EXPECT_GE(cell, 0);
                EXPECT_LT(cell, 5);
                double x = (cell + double(particle.offset[c])) * problem.units.length;
                wrapped = wrapped || x < 0;
                if (x < 0) x += 1.3;
                site[c] = std::lround(x / 0.1 - 0.5);
                EXPECT_NEAR(x, (double(site[c]) + 0.5) * 0.1, 1e-6);
                EXPECT_TRUE(site[c] >= 0 && site[c] < 13) << site[c];
            }
            EXPECT_TRUE(sites.insert(site).second) << "two particles in one place";
        }
        EXPECT_TRUE(wrapped);
    }
}

TEST(Period, NoCentralForceBeside)
{
    const std::string sentence = sentence_of(
        [] { case_from("period = [1.3, 0]\ncentral_force = { rate = 1, centre = [0, 0] }\n" + least_case); });
    EXPECT_NE(sentence.find(":1: period.0 is 1.3 m and central_force is given, but an attraction to one point does not "
                            "repeat itself; remove one of them."),
              std::string::npos)
        << sentence;
}

// Along a period gravity drives; it presses on nothing.
TEST(Period, NoHydrostaticPressureAlongIt)
{
    const std::string text =
        "period = [1.3, 0]\ngravity = [1, 0]\n" + with(least_case, "\"fluid\"", "\"fluid\"\nhydrostatic = true");
    const std::string sentence = sentence_of([&] { case_from(text); });
    EXPECT_NE(sentence.find(":15: shapes.water.hydrostatic is true, but gravity acts along periodic directions only; "
                            "remove hydrostatic."),
              std::string::npos)
        << sentence;
}

}  // namespace
}  // namespace halfulp
