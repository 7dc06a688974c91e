// Small arrangements against counts and positions by hand.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numbers>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "case_text.hpp"
#include "core/setup/fill.hpp"
#include "core/setup/fitting_spacing.hpp"
#include "core/setup/geometry.hpp"
#include "core/setup/mesh_scale.hpp"
#include "core/setup/polygon.hpp"
#include "hand_made.hpp"

namespace halfulp {
namespace {

TEST(Arrange, FillsABoxRowByRow)
{
    const Arrangement a = arrange(case_of(2, 0.1, {box("water", Kind::fluid, {-0.1, 0.2}, {0.2, 0.4})}));
    const std::vector<Site> expected{{-1, 2, 0}, {0, 2, 0}, {1, 2, 0}, {-1, 3, 0}, {0, 3, 0}, {1, 3, 0}};
    ASSERT_EQ(a.particles.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_EQ(a.particles[i].position, centre_of(expected[i]));
    EXPECT_EQ(a.fluid, 6U);
    EXPECT_EQ(a.wall, 0U);
    EXPECT_TRUE(a.snapped.empty());
    EXPECT_TRUE(a.interior.empty());
}

TEST(Arrange, PutsAWallOfLayersAroundABoxCornersIncluded)
{
    const Arrangement a =
        arrange(case_of(2, 0.5, {hollow_box("tank", {0, 0}, {2, 1.5}, 2), box("water", Kind::fluid, {0, 0}, {1, 1})}));
    EXPECT_EQ(a.wall, 8U * 7U - 4U * 3U);
    EXPECT_EQ(a.fluid, 4U);
    EXPECT_EQ(a.particles[0].position, centre_of(Site{-2, -2, 0}));
    EXPECT_EQ(a.particles[0].kind, Kind::wall);
    EXPECT_EQ(a.particles[a.wall - 1].position, centre_of(Site{5, 4, 0}));
    EXPECT_EQ(a.particles[a.wall].position, centre_of(Site{0, 0, 0}));
    EXPECT_EQ(a.particles[a.wall].shape, 1);
    const std::vector<Site> interior = sites_of(a.interior);
    ASSERT_EQ(interior.size(), 12U);
    EXPECT_EQ(interior.front(), (Site{0, 0, 0}));
    EXPECT_EQ(interior.back(), (Site{3, 2, 0}));
}

TEST(Arrange, WorksInThreeDimensions)
{
    const Arrangement a = arrange(
        case_of(3, 1, {hollow_box("tank", {0, 0, 0}, {4, 3, 2}, 1), box("water", Kind::fluid, {0, 0, 0}, {2, 3, 1})}));
    EXPECT_EQ(a.wall, 6U * 5U * 4U - 4U * 3U * 2U);
    EXPECT_EQ(a.fluid, 6U);
    EXPECT_EQ(sites_of(a.interior).size(), 24U);
    const auto before = [](const PlacedParticle& p, const PlacedParticle& q) {
        return std::array{static_cast<double>(p.shape), p.position[2], p.position[1], p.position[0]} <
               std::array{static_cast<double>(q.shape), q.position[2], q.position[1], q.position[0]};
    };
    EXPECT_TRUE(std::is_sorted(a.particles.begin(), a.particles.end(), before));
}

TEST(Arrange, CoversTheSupportWhereNoLayersAreGiven)
{
    for (const auto& [ratio, layers] : {std::pair(0.8, 2U), {1.0, 2U}, {1.3, 3U}, {1.732, 4U}, {2.0, 4U}, {2.1, 5U}}) {
        Case c = case_of(2, 1, {hollow_box("tank", {0, 0}, {10, 10}, 0), box("water", Kind::fluid, {0, 0}, {1, 1})});
        c.resolution.smoothing_ratio = ratio;
        EXPECT_EQ(arrange(c).wall, (10 + 2 * layers) * (10 + 2 * layers) - 100) << ratio;
    }
}

TEST(Arrange, MovesFacesToTheNearestPlaneAndSaysSo)
{
    const Arrangement a = arrange(case_of(
        2, 0.1, {box("exact", Kind::fluid, {0, 0}, {0.3, 0.7}), box("moved", Kind::fluid, {1.04, 0}, {2.06, 0.5})}));
    EXPECT_EQ(a.fluid, 21U + 11U * 5U);
    ASSERT_EQ(a.snapped.size(), 1U);
    EXPECT_EQ(a.snapped[0].shape, 1);
    EXPECT_NEAR(a.snapped[0].from_moved[0], -0.04, 1e-12);
    EXPECT_NEAR(a.snapped[0].to_moved[0], 0.04, 1e-12);
    EXPECT_NEAR(a.snapped[0].from_moved[1], 0, 1e-12);
    EXPECT_NEAR(a.snapped[0].to_moved[1], 0, 1e-12);
}

// Faces halfway between two planes go away from zero, whatever rounding has made of them.
TEST(Arrange, MovesFacesHalfwayBetweenPlanesAwayFromZero)
{
    for (const double x : {-1000.0125, -2.0125, -1.0375, 0.0, 0.0125, 0.0375, 0.1125, 1.0125, 2.0125, 1000.0125}) {
        const Arrangement a =
            arrange(case_of(2, 0.025, {box("water", Kind::fluid, {x, 0.0125}, {x + 1, 0.0125 + 0.5})}));
        EXPECT_EQ(a.fluid, 40U * 20U) << x;
    }
    const Arrangement across = arrange(case_of(2, 0.025, {box("water", Kind::fluid, {-0.0125, 0}, {0.9875, 0.5})}));
    EXPECT_EQ(across.fluid, 41U * 20U) << "both faces move outwards";
}

TEST(Arrange, UnitesWallsTheEarlierKeepingTheSite)
{
    const Arrangement a =
        arrange(case_of(2, 1,
                        {box("first", Kind::wall, {0, 0}, {4, 2}), box("second", Kind::wall, {2, 1}, {6, 3}),
                         box("water", Kind::fluid, {0, 5}, {1, 6})}));
    EXPECT_EQ(a.wall, 8U + 8U - 2U);
    EXPECT_EQ(std::count_if(a.particles.begin(), a.particles.end(), [](const auto& p) { return p.shape == 1; }), 6);
    // A wall across two others fills the gap between them only.
    const Arrangement gap =
        arrange(case_of(2, 1,
                        {box("left", Kind::wall, {0, 0}, {2, 1}), box("right", Kind::wall, {4, 0}, {6, 1}),
                         box("across", Kind::wall, {1, 0}, {7, 1}), box("water", Kind::fluid, {0, 5}, {1, 6})}));
    std::vector<std::int64_t> across;
    for (const auto& p : gap.particles) {
        if (p.shape == 2) across.push_back(static_cast<std::int64_t>(p.position[0]));
    }
    EXPECT_EQ(across, (std::vector<std::int64_t>{2, 3, 6}));
}

TEST(Arrange, RefusesFluidOverAnything)
{
    EXPECT_EQ(
        sentence_of([] {
            arrange(
                case_of(2, 0.5, {box("block", Kind::wall, {0, 0}, {2, 2}), box("water", Kind::fluid, {1, 1}, {3, 3})}));
        }),
        "hand.toml: the shapes \"block\" and \"water\" overlap at 4 lattice sites, the first at (1.25, 1.25) m; cut one "
        "out of the other (shapes.water.without = [\"block\"]), or move or shrink it, as only walls may overlap.");
    EXPECT_EQ(
        sentence_of([] {
            arrange(
                case_of(2, 1, {box("water", Kind::fluid, {0, 0}, {2, 2}), box("block", Kind::wall, {1, 1}, {3, 3})}));
        }),
        "hand.toml: the shapes \"water\" and \"block\" overlap at 1 lattice site, the first at (1.5, 1.5) m; cut one "
        "out of the other (shapes.water.without = [\"block\"]), or move or shrink it, as only walls may overlap.");
    EXPECT_NE(
        sentence_of([] {
            arrange(case_of(2, 1, {box("a", Kind::fluid, {0, 0}, {2, 2}), box("b", Kind::fluid, {0, 0}, {2, 2})}));
        }).find("\"a\" and \"b\" overlap at 4 lattice sites, the first at (0.5, 0.5) m; leave one of them out, as only"),
        std::string::npos);
    // What it is cut out of already stays.
    Shape water = box("water", Kind::fluid, {1, 1}, {3, 3});
    water.without = {"block"};
    EXPECT_NE(sentence_of([&] {
                  arrange(case_of(
                      2, 0.5,
                      {box("block", Kind::wall, {0, 0}, {2, 2}), box("other", Kind::wall, {2.5, 2.5}, {4, 4}), water}));
              }).find("(shapes.water.without = [\"block\", \"other\"])"),
              std::string::npos);
    // What lies inside of the other cannot be cut by it.
    EXPECT_NE(
        sentence_of([] {
            arrange(case_of(2, 1, {box("rock", Kind::wall, {0, 0}, {9, 9}), box("pond", Kind::fluid, {4, 4}, {5, 5})}));
        }).find("cut one out of the other (shapes.rock.without = [\"pond\"])"),
        std::string::npos);
    EXPECT_NE(sentence_of([] {
                  arrange(case_of(
                      2, 1, {box("drop", Kind::fluid, {4, 4}, {5, 5}), box("pond", Kind::fluid, {0, 0}, {9, 9})}));
              }).find("cut one out of the other (shapes.pond.without = [\"drop\"])"),
              std::string::npos);
}

TEST(Arrange, RefusesShapesWithoutParticles)
{
    EXPECT_EQ(sentence_of([] {
                  arrange(case_of(2, 1, {box("film", Kind::fluid, {0, 0}, {5, 0.4})}));
              }),
              "hand.toml: shape \"film\" of 5 x 0.4 m holds no particle at a spacing of 1 m; enlarge it or lower "
              "resolution.spacing.");
    EXPECT_EQ(sentence_of([] {
                  arrange(case_of(2, 1, {hollow_box("slit", {0, 0}, {5, 0.4}, 2)}));
              }),
              "hand.toml: shape \"slit\" of 5 x 0.4 m holds no particle at a spacing of 1 m; enlarge it or lower "
              "resolution.spacing.");
    EXPECT_EQ(sentence_of([] {
                  arrange(case_of(2, 1, {polygon("chip", Kind::fluid, {{0, 0}, {0.3, 0}, {0, 0.3}})}));
              }),
              "hand.toml: shape \"chip\" of 0.3 x 0.3 m holds no particle at a spacing of 1 m; enlarge it or lower "
              "resolution.spacing.");
    EXPECT_EQ(
        sentence_of([] {
            arrange(case_of(2, 1, {box("big", Kind::wall, {0, 0}, {4, 4}), box("small", Kind::wall, {1, 1}, {2, 2})}));
        }),
        "hand.toml: shape \"small\" lies wholly inside walls given before it and adds no particle; remove it.");
}

TEST(Arrange, RefusesWhatCannotBeNumbered)
{
    EXPECT_NE(
        sentence_of([] {
            arrange(case_of(3, 1e-3, {box("sea", Kind::fluid, {0, 0, 0}, {10, 10, 10})}));
        })
            .find("hand.toml: the shapes hold about 1e+12 particles at a spacing of 0.001 m, which take about 1.49e+04 "
                  "GiB of memory to set up, but this machine has "),
        std::string::npos);
    EXPECT_NE(
        sentence_of([] {
            arrange(case_of(2, 1, {box("far", Kind::fluid, {1e300, 0}, {2e300, 1})}));
        })
            .find(
                "hand.toml: shape \"far\" reaches to 1e+300 m, 1e+300 spacings from zero, but at most 536870912 can be "
                "numbered; raise resolution.spacing, or move it nearer and set origin.cells."),
        std::string::npos);
}

TEST(Arrange, RefusesWhatDoesNotFitIntoMemory)
{
    const Case c = case_of(2, 0.25, {});
    EXPECT_NO_THROW(refuse_too_many(c, {.particles = 6e7, .interior = 1e6}, 0x1p30));
    EXPECT_EQ(
        sentence_of([&] { refuse_too_many(c, {.particles = 1e8}, 0x1p30); }, ExitCode::unsupported),
        "hand.toml: the shapes hold about 1e+08 particles at a spacing of 0.25 m, which take about 1.49 GiB of memory to "
        "set up, but this machine has 1 GiB to spare; raise resolution.spacing.");
}

// More than 32 bits can number, also on a machine that could hold them.
TEST(Arrange, RefusesMoreThanCanBeNumbered)
{
    const Case c = case_of(2, 0.25, {});
    EXPECT_EQ(
        sentence_of([&] { refuse_too_many(c, {.particles = 3e9}, 0x1p50); }),
        "hand.toml: the shapes hold about 3e+09 particles at a spacing of 0.25 m, which take about 44.7 GiB of memory to "
        "set up, but this machine has 1.05e+06 GiB to spare, and at most 2147483647 can be numbered; raise resolution.spacing.");
}

// A film one particle thick is no reason to keep a thousand million rows.
TEST(Arrange, RefusesRowsThatDoNotFitIntoMemory)
{
    const Case c = case_of(2, 0.25, {});
    EXPECT_EQ(
        sentence_of([&] { refuse_too_many(c, {.particles = 10, .rows = 1e9}, 0x1p30); }, ExitCode::unsupported),
        "hand.toml: the shapes hold about 10 particles and span 1e+09 rows of lattice sites at a spacing of 0.25 "
        "m, which take about 373 GiB of memory to set up, but this machine has 1 GiB to spare; raise resolution.spacing.");
}

// What is cut out lies elsewhere, so that the estimate is of nothing.
TEST(Arrange, CountsBeforeParticlesAreMade)
{
    Case c = case_of(2, 1, {box("sea", Kind::fluid, {0, 0}, {4e8, 8}), box("hole", Kind::fluid, {0, 100}, {4e8, 108})});
    c.shapes[1].kind = std::nullopt;
    c.shapes[0].without = {"hole"};
    EXPECT_EQ(estimate_sites(c, Geometry(c)).particles, 0);
    EXPECT_NE(sentence_of([&] { arrange(c); }).find("hand.toml: the shapes hold about 3.2e+09 particles"),
              std::string::npos);
}

// A thin ring, not the disc that is cut out of it.
TEST(Arrange, CountsWhatIsLeftOfAShape)
{
    Case c = case_of(3, 1,
                     {box("ring", Kind::wall, {0, 0, 0}, {10, 10, 10}), box("hole", Kind::wall, {1, 1, 0}, {9, 9, 10}),
                      box("far", Kind::wall, {20, 0, 0}, {30, 10, 10})});
    c.shapes[1].kind = c.shapes[2].kind = std::nullopt;
    c.shapes[0].without = {"hole"};
    EXPECT_EQ(estimate_sites(c, Geometry(c)).particles, 360);
    // Shapes that cut nothing are taken for ones that do; what there is is counted.
    c.shapes[0].without = {"hole", "far"};
    EXPECT_EQ(estimate_sites(c, Geometry(c)).particles, 0);
    EXPECT_EQ(arrange(c).wall, 360U);
    // Of a wall around a form its own sites are cut out, not what it encloses.
    c.shapes = {box("ring", Kind::wall, {0, 0, 0}, {10, 10, 10}), hollow_box("tank", {2, 2, 2}, {8, 8, 8}, 1)};
    c.shapes[0].without = {"tank"};
    EXPECT_EQ(Geometry(c).estimate(0).particles, 1000 - (512 - 216));
}

// Lengths in mm: a tank of a kilometre.
TEST(Arrange, NamesTheExtentsOfACaseThatIsTooLarge)
{
    const Case c =
        case_of(2, 0.25, {hollow_box("tank", {0, 0}, {1000, 610}, 2), box("water", Kind::fluid, {0, 0}, {400, 300})});
    const std::string likely = case_in_other_units(c, Geometry(c));
    EXPECT_EQ(likely, "the shapes are 1000 x 610 m long; if that is meant in mm, give all lengths in m");
    EXPECT_NE(sentence_of([&] { refuse_too_many(c, {.particles = 1e8}, 0x1p30, likely); }, ExitCode::unsupported)
                  .find("to spare; " + likely + "; otherwise raise resolution.spacing."),
              std::string::npos);
    const Case usual = case_of(2, 0.25, {box("water", Kind::fluid, {0, 0}, {40, 30})});
    EXPECT_EQ(case_in_other_units(usual, Geometry(usual)), "");
}

// By hand; of 0.03 in a tank of 1 and 0.6, water of 0.4 and 0.3: 0.1 is the common divisor, a third of which is near.
TEST(FittingSpacing, DividesTheFacesOfAllBoxes)
{
    const auto of = [](double spacing, double wide, double high) {
        return case_of(2, spacing,
                       {hollow_box("tank", {0, 0}, {1, 0.6}, 2), box("water", Kind::fluid, {0, 0}, {wide, high})});
    };
    EXPECT_DOUBLE_EQ(fitting_spacing(of(0.03, 0.4, 0.3)).value_or(0), 0.1 / 3);
    EXPECT_EQ(fitting_spacing(of(0.027, 0.4, 0.3)), 0.025);
    EXPECT_EQ(fitting_spacing(of(0.025, 0.4, 0.3)), 0.025);
    EXPECT_EQ(fitting_spacing(of(0.03, 0.41, 0.3)), 0.01);
    EXPECT_EQ(fitting_spacing(of(0.03, 0.4001, 0.3)), std::nullopt) << "nothing between a quarter and four times of it";
    EXPECT_EQ(fitting_spacing(case_of(2, 0.03, {box("water", Kind::fluid, {0.1 + 0.2 - 0.3, 0}, {0.1 + 0.2, 0.3})})),
              0.03)
        << "decimal numbers are rounded";
    Case periodic = of(0.03, 0.4, 0.3);
    periodic.period[0] = 1.05;
    EXPECT_EQ(fitting_spacing(periodic), 0.025) << "0.05 / 2: a period holds whole spacings";
    EXPECT_EQ(fitting_spacing(case_of(2, 0.03, {circle("drop", Kind::fluid, {0, 0}, 0.5)})), std::nullopt);
}

TEST(Arrange, InteriorLeavesOutWallsAndIsEmptyIfFluidStartsOutside)
{
    const Shape tank = hollow_box("tank", {0, 0}, {6, 4}, 1);
    const Shape pillar = box("pillar", Kind::wall, {3, 0}, {4, 2});
    const Shape water = box("water", Kind::fluid, {0, 0}, {2, 2});
    const std::vector<Site> inside = sites_of(arrange(case_of(2, 1, {tank, pillar, water})).interior);
    EXPECT_EQ(inside.size(), 24U - 2U);
    EXPECT_EQ(std::count(inside.begin(), inside.end(), Site{3, 1, 0}), 0);
    EXPECT_EQ(std::count(inside.begin(), inside.end(), Site{3, 2, 0}), 1);
    EXPECT_EQ(std::count(inside.begin(), inside.end(), Site{0, 0, 0}), 1);
    EXPECT_TRUE(arrange(case_of(2, 1, {tank, water, box("rain", Kind::fluid, {2, 6}, {3, 7})})).interior.empty());
    EXPECT_TRUE(arrange(case_of(2, 1, {tank, water, box("leak", Kind::fluid, {8, 1}, {9, 2})})).interior.empty());
    EXPECT_TRUE(arrange(case_of(2, 1, {pillar, water})).interior.empty());
    // Two tanks, the inner counted once and its wall left out.
    const Arrangement nested =
        arrange(case_of(2, 1, {hollow_box("outer", {0, 0}, {9, 9}, 1), hollow_box("inner", {3, 3}, {6, 6}, 1), water}));
    EXPECT_EQ(sites_of(nested.interior).size(), 81U - 16U);
}

TEST(Arrange, FillsAPolygonByItsArea)
{
    // Triangles whose slope passes through ten site centres, which belong to the polygon on their right:
    // 9 + 8 + ... + 0 sites where that is the outside, 1 + 2 + ... + 10 where it is the inside.
    const Arrangement left = arrange(case_of(2, 1, {polygon("wedge", Kind::fluid, {{0, 0}, {10, 0}, {0, 10}})}));
    EXPECT_EQ(left.fluid, 45U);
    const Arrangement right = arrange(case_of(2, 1, {polygon("wedge", Kind::fluid, {{0, 0}, {10, 0}, {10, 10}})}));
    EXPECT_EQ(right.fluid, 55U);

    // A disc, clockwise, and a star with reentrant corners: their area to within the length of their outline.
    Polygon disc;
    Polygon star;
    for (int i = 0; i < 360; ++i) {
        const double angle = i * std::numbers::pi / 180;
        disc.push_back({0.3 + std::cos(angle), -0.2 - std::sin(angle)});
        const double radius = i % 60 < 30 ? 1.0 : 0.4;
        if (i % 30 == 0) star.push_back({radius * std::cos(angle), radius * std::sin(angle)});
    }
    EXPECT_LT(area(disc), 0);
    EXPECT_FALSE(crossing_edges(disc));
    EXPECT_FALSE(crossing_edges(star));
    constexpr double spacing = 0.01;
    for (const Polygon& corners : {disc, star}) {
        const Arrangement a = arrange(case_of(2, spacing, {polygon("shape", Kind::fluid, corners)}));
        EXPECT_NEAR(static_cast<double>(a.fluid) * spacing * spacing, std::abs(area(corners)), 0.003);
        EXPECT_TRUE(a.snapped.empty());
    }
}

// Buoyancy of a ball and mass of a drop are those of their sites: told from a hundredth on, whatever is cut off.
TEST(Arrange, SaysHowFarTheSitesOfARoundFormAreFromItsVolume)
{
    Shape ball;
    ball.name = "ball";
    ball.kind = Kind::wall;
    ball.form = Shape::Form::sphere;
    ball.centre = {5, 5, 5};
    ball.radius = 2;
    const auto volumes = [](Shape shape) { return arrange(case_of(3, 1, {std::move(shape)})).volumes; };
    ASSERT_EQ(volumes(ball).size(), 1U);
    EXPECT_EQ(volumes(ball)[0].particles, 32U);  // of 4 x 4 x 4 without eight corners of four
    EXPECT_DOUBLE_EQ(volumes(ball)[0].volume, 4 * std::numbers::pi / 3 * 8);
    EXPECT_FALSE(volumes(ball)[0].relaxed);
    ball.radius = 12;
    EXPECT_TRUE(volumes(ball).empty()) << "7,236 of 7,238";
    Shape more = ball;
    more.name = "more";
    more.radius = 2;
    more.centre = {17, 5, 5};
    const Arrangement beside = arrange(case_of(3, 1, {ball, more}));
    EXPECT_EQ(beside.volumes.size(), 0U) << "a part of it is in the other ball already";
    EXPECT_TRUE(volumes(box("cube", Kind::wall, {0.2, 0, 0}, {2.3, 2, 2})).empty()) << "its faces have moved";
}

TEST(Arrange, NeighbouringPolygonsNeitherOverlapNorLeaveAGap)
{
    // A square cut along a slope that passes through site centres.
    const Arrangement a = arrange(case_of(2, 0.1,
                                          {polygon("lower", Kind::fluid, {{0, 0}, {1, 0}, {1, 1}}),
                                           polygon("upper", Kind::fluid, {{0, 0}, {1, 1}, {0, 1}})}));
    EXPECT_EQ(a.fluid, 100U);
    // A level face through centres that are below it by rounding: 7.5 spacings of 0.03 m.
    const Arrangement b =
        arrange(case_of(2, 0.03,
                        {polygon("bed", Kind::wall, {{0, 0}, {0.6, 0}, {0.6, 0.225}, {0, 0.225}}),
                         polygon("water", Kind::fluid, {{0, 0.225}, {0.6, 0.225}, {0.6, 0.45}, {0, 0.45}})}));
    EXPECT_EQ(b.particles.size(), 20U * 15U);
}

TEST(Arrange, ArrangesAMillionParticlesInSeconds)
{
    const auto start = std::chrono::steady_clock::now();
    const Arrangement a = arrange(case_of(
        3, 0.01, {hollow_box("tank", {0, 0, 0}, {2, 1, 1}, 4), box("water", Kind::fluid, {0, 0, 0}, {1, 1, 1})}));
    EXPECT_EQ(a.fluid, 1000000U);
    EXPECT_EQ(a.wall, 208U * 108U * 108U - 2000000U);
    EXPECT_EQ(sites_of(a.interior).size(), 2000000U);
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
}

TEST(Polygon, FindsEdgesThatMeet)
{
    EXPECT_FALSE(crossing_edges({{0, 0}, {1, 0}, {1, 1}, {0, 1}}));
    EXPECT_FALSE(crossing_edges({{0, 0}, {1, 0}, {2, 0}, {2, 1}}));         // a straight corner
    EXPECT_TRUE(crossing_edges({{0, 0}, {1, 1}, {1, 0}, {0, 1}}));          // a bow tie
    EXPECT_TRUE(crossing_edges({{0, 0}, {1, 0}, {1, 1}, {1, 1}}));          // a corner twice
    EXPECT_TRUE(crossing_edges({{0, 0}, {1, 0}, {1, 1}, {0, 0}}));          // closed once more
    EXPECT_TRUE(crossing_edges({{0, 0}, {2, 0}, {1, 0}, {1, 1}}));          // folded back
    EXPECT_TRUE(crossing_edges({{0, 0}, {1, 0}, {2, 0}}));                  // flat
    EXPECT_TRUE(crossing_edges({{0, 0}, {4, 0}, {4, 4}, {2, 0}, {0, 4}}));  // a corner on an edge
}

TEST(Polygon, FindsACornerGivenTwiceInARow)
{
    const auto edges = crossing_edges({{0, 0}, {1, 0}, {1, 0}});
    ASSERT_TRUE(edges);
    EXPECT_EQ(*edges, (std::pair<std::size_t, std::size_t>{0, 1}));
}

TEST(Polygon, AreaIsSigned)
{
    EXPECT_DOUBLE_EQ(area({{0, 0}, {2, 0}, {2, 3}, {0, 3}}), 6);
    EXPECT_DOUBLE_EQ(area({{0, 0}, {0, 3}, {2, 3}, {2, 0}}), -6);
}

}  // namespace
}  // namespace halfulp
