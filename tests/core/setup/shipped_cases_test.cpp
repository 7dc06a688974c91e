// The cases that come with the program: each reads, round-trips and has the size it is meant to have.
#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <ostream>
#include <set>
#include <string>
#include <vector>

#include "case_text.hpp"
#include "core/setup/case_warnings.hpp"
#include "core/setup/fill.hpp"
#include "hand_made.hpp"

namespace halfulp {
namespace {

const std::filesystem::path folder = HALFULP_TEST_CASES;

// Counts by hand from the lengths over the spacing; walls are `layers` thick, corners included.
struct Shipped {
    const char* name;
    std::uint64_t fluid;
    std::uint64_t wall;
    std::uint64_t interior;
};

void PrintTo(const Shipped& s, std::ostream* out) { *out << s.name; }

const Shipped shipped[] = {
    {"cehinav-dam-break-2d", 100 * 50, 274 * 156 - 268 * 150, 268 * 150},
    {"cehinav-sloshing-2d", 300 * 31, 306 * 175 - 300 * 169, 300 * 169},
    {"collapse-column-2d", 40 * 80, 328 * 128 - 320 * 120, 320 * 120},
    {"collapse-square-column-2d", 40 * 40, 328 * 128 - 320 * 120, 320 * 120},
    {"colliding-drops-2d", 10 * 9 + 6 * 10, 0, 0},
    {"couette-2d", 16 * 40, 16 * 8, 0},
    {"dam-break-2d", 180 * 90, 489 * 276 - 483 * 270, 483 * 270},
    {"dam-break-3d", 27 * 45 * 20, 113 * 51 * 46 - 107 * 45 * 40 + 8 * 8 * 30, 107 * 45 * 40 - 8 * 8 * 30},
    // The structure is higher than the open tank.
    {"dominguez-2013", 20 * 34 * 15, 86 * 40 * 23 - 80 * 34 * 20 + 6 * 6 * 23, 80 * 34 * 20 - 6 * 6 * 20},
    // Points of the lattice nearer than 40 spacings to a corner of it.
    {"elliptical-drop-2d", 5024, 0, 0},
    // Seven pools with the opening behind, and the last; cross-walls of 6 by 18 sites, and 2248 sites that are not of
    // the 8340 in the outline but at most 4 spacings from one of these (counted by a script of its own).
    {"fish-pass-2d", 7 * (24 * 18 + 6 * 6) + 24 * 18, 2248 + 7 * 6 * 18, 8340 - 7 * 6 * 18},
    {"inviscid-tank-2d", 10 * 10, 38 * 28 - 30 * 20, 30 * 20},
    {"linear-sloshing-2d", 100 * 50, 108 * 83 - 100 * 75, 100 * 75},
    {"lobovsky-2d", 200 * 100, 545 * 408 - 537 * 400, 537 * 400},
    {"lobovsky-3d", 60 * 15 * 30, 167 * 21 * 96 - 161 * 15 * 90, 161 * 15 * 90},
    {"oscillating-drop-2d", 7860, 0, 0},
    {"poiseuille-2d", 16 * 40, 16 * 8, 0},
    // The ramp rises by 1 in 4 over 20 sites: columns of 0, 0, 1, 1, 1, 1, 2, ... 5 and 5 sites, 10 times beside each
    // other.
    {"ramp-3d", 10 * 10 * 10, 46 * 16 * 21 - 40 * 10 * 15 + 500, 40 * 10 * 15 - 500},
    {"rotating-square-2d", 50 * 50, 0, 0},
    // The nearest numbers to the area of a segment, R^2 acos(d/R) - d sqrt(R^2 - d^2) with R = 50 and d = 10 spacings,
    // and of a circle of 12; 7860 points of the lattice are nearer than 50 spacings to a corner of it, and 1220 more
    // are at most 4 from one of these (counted by a script of its own).
    {"round-tank-2d", 2934 + 452, 1220, 7860},
    // Under the tilted surface 13 or 14 sites high on the left, 10 or 11 on the right: 12 on average.
    {"sloshing-tank-2d", 480, 48 * 32 - 40 * 24, 40 * 24},
    {"rolling-tank-2d", 480, 48 * 32 - 40 * 24, 40 * 24},
    {"spheric10-2d", 300 * 31, 306 * 175 - 300 * 169, 300 * 169},
    {"spheric10-3d", 194 * 13 * 20, 200 * 19 * 115 - 194 * 13 * 109, 194 * 13 * 109},
    {"spheric2", 49 * 40 * 22, 135 * 46 * 46 - 129 * 40 * 40 + 6 * 16 * 6, 129 * 40 * 40 - 6 * 16 * 6},
    {"standing-wave-2d", 100 * 50, 100 * 4, 0},
    {"still-water", 40 * 20, 48 * 40 - 40 * 32, 40 * 32},
    {"sway-tank-2d", 50 * 25, 58 * 58 - 50 * 50, 50 * 50},
    {"taylor-green-2d", 50 * 50, 0, 0},
};

class ShippedCases : public testing::TestWithParam<Shipped> {};

TEST_P(ShippedCases, HaveTheirSize)
{
    const Arrangement a = arrange(read_case(folder / (std::string(GetParam().name) + ".toml"), {}));
    EXPECT_EQ(a.fluid, GetParam().fluid);
    EXPECT_EQ(a.wall, GetParam().wall);
    EXPECT_EQ(sites_of(a.interior).size(), GetParam().interior);
    EXPECT_EQ(a.particles.size(), a.fluid + a.wall);
}

TEST_P(ShippedCases, ReadBackAsTheyAreWritten)
{
    const Case c = read_case(folder / (std::string(GetParam().name) + ".toml"), {});
    const std::string text = case_as_toml(c);
    const Case again = case_from(text);
    EXPECT_EQ(case_as_toml(again), text);
    EXPECT_EQ(again.title, c.title);
    EXPECT_EQ(again.resolution.spacing, c.resolution.spacing);
    EXPECT_EQ(again.time.end, c.time.end);
    EXPECT_EQ(again.shapes.size(), c.shapes.size());
}

// None is refused, and what is said of one is what it is meant to be: studies of the energy have dynamic walls, and so
// have the numerics of papers, without a density diffusion.
TEST_P(ShippedCases, DepartFromWhatTheirFlowNeedsWhereTheySaySo)
{
    const std::vector<std::string> said =
        case_warnings(prepare(read_case(folder / (std::string(GetParam().name) + ".toml"), {})));
    const std::set<std::string> dry{"fish-pass-2d", "inviscid-tank-2d", "rolling-tank-2d", "sloshing-tank-2d"};
    const std::set<std::string> of_a_paper{"cehinav-dam-break-2d", "cehinav-sloshing-2d", "dominguez-2013"};
    const std::size_t undamped = of_a_paper.count(GetParam().name);
    ASSERT_EQ(said.size(), dry.count(GetParam().name) + 2 * undamped) << said.front();
    for (const std::string& sentence : said) {
        if (undamped != 0 && sentence.starts_with("numerics.density_diffusion is \"none\"")) continue;
        EXPECT_EQ(sentence.find("numerics.walls is \"dynamic\""), 0U) << sentence;
    }
}

TEST_P(ShippedCases, AreFoundByName)
{
    const std::filesystem::path found = find_case(GetParam().name);
    EXPECT_EQ(found.filename(), std::string(GetParam().name) + ".toml");
    EXPECT_TRUE(std::filesystem::exists(found));
}

INSTANTIATE_TEST_SUITE_P(All, ShippedCases, testing::ValuesIn(shipped), [](const auto& param) {
    std::string name = param.param.name;
    for (char& letter : name) letter = letter == '-' ? '_' : letter;
    return name;
});

TEST(ShippedCase, NoneIsForgottenHere)
{
    std::set<std::string> there;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (entry.path().extension() == ".toml") there.insert(entry.path().stem().string());
    }
    std::set<std::string> known;
    for (const Shipped& s : shipped) known.insert(s.name);
    EXPECT_EQ(there, known);
}

TEST(ShippedCase, TotalsAreAsAdvertised)
{
    const Arrangement plane = arrange(read_case(folder / "dam-break-2d.toml", {}));
    EXPECT_NEAR(static_cast<double>(plane.particles.size()), 20000, 1000);
    const Arrangement space = arrange(read_case(folder / "dam-break-3d.toml", {}));
    EXPECT_NEAR(static_cast<double>(space.particles.size()), 100000, 2000);
}

TEST(ShippedCase, CollapsingColumnCarriesItsReferences)
{
    const Case c = read_case(folder / "collapse-column-2d.toml", {});
    ASSERT_TRUE(c.front);
    EXPECT_EQ(c.front->length, 0.146);
    ASSERT_EQ(c.front->references.size(), 2U);
    EXPECT_EQ(c.front->references[0].points.size(), 9U);
    EXPECT_EQ(c.front->references[0].points.back()[1], 3.624);
    // Every point is reached before the tank ends.
    for (const FrontReference& r : c.front->references)
        EXPECT_LT(r.points.back()[1] * c.front->length, c.shapes[0].to[0]);
}

}  // namespace
}  // namespace halfulp
