// The sites of every form against an inside test of each site by hand, and against the volumes of the textbooks.
#include "core/setup/geometry.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <numbers>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "case_text.hpp"
#include "core/setup/fill.hpp"
#include "hand_made.hpp"
#include "stl.hpp"

namespace halfulp {
namespace {

using Point = std::array<double, 3>;
using Sites = std::set<Site>;

Sites sites_in(const Rows& rows)
{
    Sites sites;
    for (const auto& [row, runs] : rows) {
        for (const Run& run : runs) {
            for (std::int64_t x = run.first; x < run.last; ++x) EXPECT_TRUE(sites.insert({x, row[1], row[0]}).second);
        }
    }
    return sites;
}

// Every site from -n to n in each dimension whose centre is inside.
Sites by_hand(const Case& c, std::int64_t n, const std::function<bool(const Point&)>& inside)
{
    Sites sites;
    const std::int64_t deep = c.dimensions == 3 ? n : 0;
    for (std::int64_t z = -deep; z <= deep; ++z)
        for (std::int64_t y = -n; y <= n; ++y)
            for (std::int64_t x = -n; x <= n; ++x) {
                const double s = c.resolution.spacing;
                const auto centre = [&](std::int64_t i) { return (static_cast<double>(i) + 0.5) * s; };
                if (inside({centre(x), centre(y), c.dimensions == 3 ? centre(z) : 0})) sites.insert({x, y, z});
            }
    return sites;
}

double distance(const Point& a, const Point& b) { return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]); }

TEST(Geometry, CirclesAndSpheresHoldTheSitesNearerThanTheRadius)
{
    const Point centre{0.0312, -0.0177, 0};
    const Case plane = case_of(2, 0.02, {circle("drop", Kind::fluid, centre, 0.3141)});
    EXPECT_EQ(sites_in(Geometry(plane).sites_of(0)),
              by_hand(plane, 20, [&](const Point& p) { return distance(p, centre) < 0.3141; }));

    const Point middle{0.0312, -0.0177, 0.0071};
    const Case space = case_of(3, 0.04, {sphere("drop", Kind::fluid, middle, 0.3141)});
    EXPECT_EQ(sites_in(Geometry(space).sites_of(0)),
              by_hand(space, 12, [&](const Point& p) { return distance(p, middle) < 0.3141; }));
}

// The cells that the surface passes, at most sqrt(D) spacings thick, bound the error of the number of sites.
TEST(Geometry, NumbersOfSitesAreThoseOfTheVolume)
{
    constexpr double pi = std::numbers::pi;
    const double spacing = 0.01;
    const Case plane = case_of(2, spacing, {circle("drop", Kind::fluid, {0.003, 0, 0}, 0.5)});
    const double disc = static_cast<double>(sites_in(Geometry(plane).sites_of(0)).size()) * spacing * spacing;
    EXPECT_NEAR(disc, pi * 0.25, pi * std::sqrt(2) * spacing);
    EXPECT_DOUBLE_EQ(Geometry(plane).measure(0), pi * 0.25);

    const Case space = case_of(3, 0.02,
                               {sphere("ball", Kind::fluid, {0.003, 0, 0}, 0.3),
                                cylinder("rod", Kind::fluid, {1, 0.1, 0}, {1.5, -0.2, 0.3}, 0.2)});
    const Geometry geometry(space);
    const double surfaces[] = {4 * pi * 0.09, 2 * pi * 0.2 * (0.2 + std::sqrt(0.43))};
    const double volumes[] = {4 * pi / 3 * 0.027, pi * 0.04 * std::sqrt(0.43)};
    for (const int i : {0, 1}) {
        const double volume = static_cast<double>(sites_in(geometry.sites_of(i)).size()) * 0.02 * 0.02 * 0.02;
        EXPECT_NEAR(volume, volumes[i], surfaces[i] * std::sqrt(3) / 2 * 0.02);
        EXPECT_NEAR(geometry.measure(i), volumes[i], 1e-15);
    }
}

TEST(Geometry, CylindersPointInAnyDirection)
{
    const Point ends[][2] = {
        {{-0.31, 0.02, 0.011}, {0.29, 0.02, 0.011}},   {{0.0123, -0.31, 0.011}, {0.0123, 0.29, 0.011}},
        {{0.0123, 0.02, 0.29}, {0.0123, 0.02, -0.31}}, {{-0.2, -0.13, 0.17}, {0.17, 0.21, -0.11}},
        {{0.2, -0.13, 0.0}, {-0.17, 0.21, 0.0}},       {{0.01, 0.2, -0.21}, {0.01, -0.19, 0.2}}};
    for (const auto& [from, to] : ends) {
        const Case c = case_of(3, 0.03, {cylinder("rod", Kind::wall, from, to, 0.1321)});
        const Sites expected = by_hand(c, 20, [&from = from, &to = to](const Point& p) {
            const double length = distance(from, to);
            double along = 0;
            for (std::size_t i = 0; i < 3; ++i) along += (p[i] - from[i]) * (to[i] - from[i]) / length;
            Point foot{};
            for (std::size_t i = 0; i < 3; ++i) foot[i] = from[i] + along * (to[i] - from[i]) / length;
            return along > 0 && along < length && distance(p, foot) < 0.1321;
        });
        EXPECT_GT(expected.size(), 500U);
        EXPECT_EQ(sites_in(Geometry(c).sites_of(0)), expected);
        const Case turned = case_of(3, 0.03, {cylinder("rod", Kind::wall, to, from, 0.1321)});
        EXPECT_EQ(sites_in(Geometry(turned).sites_of(0)), expected);
    }
}

// Sites on the surface belong where the row enters, so stacked cylinders share none and leave none out.
TEST(Geometry, SitesOnASurfaceAreSharedOut)
{
    const Case c = case_of(3, 0.1,
                           {cylinder("lower", Kind::wall, {0, 0, -0.5}, {0, 0, 0.05}, 0.3),
                            cylinder("upper", Kind::wall, {0, 0, 0.5}, {0, 0, 0.05}, 0.3),
                            cylinder("both", Kind::wall, {0, 0, -0.5}, {0, 0, 0.5}, 0.3)});
    const Geometry geometry(c);
    Sites sum = sites_in(geometry.sites_of(0));
    for (const Site& site : sites_in(geometry.sites_of(1))) EXPECT_TRUE(sum.insert(site).second);
    EXPECT_EQ(sum, sites_in(geometry.sites_of(2)));
    // Radius 0.5 spacings around the plane between two sites: the left one is entered at its centre.
    const Case drop = case_of(2, 1, {circle("drop", Kind::fluid, {1, 0.5, 0}, 0.5)});
    EXPECT_EQ(sites_in(Geometry(drop).sites_of(0)), (Sites{{0, 0, 0}}));
}

TEST(Geometry, WallsAroundAFormCoverTheSupportOfEverySiteInside)
{
    const Shape egg = polygon("egg", Kind::wall, {{-0.4, -0.2}, {0.3, -0.35}, {0.41, 0.22}, {-0.1, 0.1}, {-0.2, 0.4}});
    const Shape round = circle("round", Kind::wall, {0.013, 0.02, 0}, 0.43);
    for (const Shape& form : {egg, round}) {
        const Case c = case_of(2, 0.05, {hollow(form, 3), form});
        const Geometry geometry(c);
        const Sites inside = sites_in(geometry.sites_of(1));
        EXPECT_EQ(sites_in(geometry.inside_of(0)), inside);
        const Sites wall = by_hand(c, 20, [&](const Point& p) {
            bool near = false;
            for (const Site& s : inside) {
                const Point q{(static_cast<double>(s[0]) + 0.5) * 0.05, (static_cast<double>(s[1]) + 0.5) * 0.05, 0};
                if (distance(p, q) < 1e-9) return false;
                near = near || distance(p, q) < 3.001 * 0.05;
            }
            return near;
        });
        EXPECT_EQ(sites_in(geometry.sites_of(0)), wall);
    }
    const Case space = case_of(3, 0.05, {hollow(sphere("tank", Kind::wall, {0, 0, 0}, 0.31), 2)});
    const Geometry geometry(space);
    const Sites inside = sites_in(geometry.inside_of(0));
    const Sites wall = sites_in(geometry.sites_of(0));
    for (const Site& s : inside) {
        for (const Site& v : {Site{2, 0, 0}, {0, -2, 0}, {0, 0, 2}, {1, 1, 1}, {-1, 1, -1}}) {
            const Site near{s[0] + v[0], s[1] + v[1], s[2] + v[2]};
            EXPECT_NE(inside.count(near), wall.count(near));
        }
    }
}

TEST(Geometry, ARoundTankHasAnInteriorAndHoldsItsFluid)
{
    const Shape tank = hollow(circle("tank", Kind::wall, {0, 0, 0}, 0.5), 0);
    const Arrangement a = arrange(case_of(2, 0.05, {tank, circle("water", Kind::fluid, {0, 0, 0}, 0.5)}));
    EXPECT_EQ(sites_of(a.interior).size(), a.fluid);
    // Steiner: an annulus of four spacings, to the cells that its two outlines pass.
    EXPECT_NEAR(static_cast<double>(a.wall), std::numbers::pi * (13.5 * 13.5 - 100), 2 * std::numbers::pi * 23.5);
}

TEST(Geometry, CutsOutWhatAShapeIsWithout)
{
    Shape gate = box("gate", Kind::wall, {-0.5, -0.1}, {0.5, 0.1});
    gate.kind.reset();
    const Case c = case_of(2, 0.02,
                           {without(circle("ring", Kind::wall, {0, 0, 0}, 0.4), {"core", "gate"}),
                            without(circle("core", Kind::fluid, {0, 0, 0}, 0.2), {"gate"}), gate});
    const auto in_core = [](const Point& p) { return distance(p, {}) < 0.2 && std::abs(p[1]) > 0.1; };
    const Geometry geometry(c);
    EXPECT_EQ(sites_in(geometry.sites_of(1)), by_hand(c, 25, in_core));
    EXPECT_EQ(sites_in(geometry.sites_of(0)), by_hand(c, 25, [&](const Point& p) {
                  return distance(p, {}) < 0.4 && std::abs(p[1]) > 0.1 && !in_core(p);
              }));
    const Arrangement a = arrange(c);
    EXPECT_EQ(a.particles.size(), sites_in(geometry.sites_of(0)).size() + sites_in(geometry.sites_of(1)).size());
    EXPECT_EQ(std::count_if(a.particles.begin(), a.particles.end(), [](const auto& p) { return p.shape == 2; }), 0);
}

TEST(Geometry, RefusesAShapeOfWhichNothingIsLeft)
{
    EXPECT_EQ(
        sentence_of([] {
            arrange(case_of(2, 0.1,
                            {without(circle("drop", Kind::fluid, {0, 0, 0}, 0.3), {"block"}),
                             box("block", Kind::wall, {-1, -1}, {1, 1})}));
        }),
        "hand.toml: nothing is left of shape \"drop\" after the shapes that it is without are cut out; remove it or "
        "enlarge it.");
    EXPECT_EQ(sentence_of([] {
                  arrange(case_of(2, 1, {hollow(circle("cup", Kind::wall, {0, 0, 0}, 0.3), 2)}));
              }),
              "hand.toml: shape \"cup\" of 0.6 x 0.6 m holds no particle at a spacing of 1 m; enlarge it or lower "
              "resolution.spacing.");
}

TEST(Geometry, AMeshOfABoxHoldsTheSitesOfTheBox)
{
    for (const bool ascii : {false, true}) {
        // Faces on lattice planes, and edges and diagonals through many centres of rows.
        const StlBody body = stl_box({-0.5, -0.25, 0}, {0.75, 0.5, 1});
        const StlFile file(ascii ? ascii_stl(body) : binary_stl(body));
        const Case c =
            case_of(3, 0.0625,
                    {mesh("part", Kind::wall, file.path()), box("same", Kind::wall, {-0.5, -0.25, 0}, {0.75, 0.5, 1})});
        const Geometry geometry(c);
        EXPECT_EQ(sites_in(geometry.sites_of(0)), sites_in(geometry.sites_of(1)));
        EXPECT_DOUBLE_EQ(geometry.measure(0), 1.25 * 0.75);
    }
}

// Shifted by half a spacing every face, edge and corner lies on centres: lower faces belong to the body, upper ones
// not.
TEST(Geometry, AMeshWithItsFacesOnCentresIsNeitherMissedNorCountedTwice)
{
    const StlFile file(binary_stl(stl_box({-4, -2, 0}, {6, 4, 8})));
    Shape part = mesh("part", Kind::wall, file.path());
    part.mesh.scale = 0.125;
    part.mesh.move = {0.0625, 0.0625, 0.0625};
    const Case c = case_of(3, 0.125, {part, box("same", Kind::wall, {-0.5, -0.25, 0}, {0.75, 0.5, 1})});
    const Geometry geometry(c);
    EXPECT_EQ(sites_in(geometry.sites_of(0)), sites_in(geometry.sites_of(1)));
}

TEST(Geometry, AMeshOfASphereHoldsTheSitesOfTheSphere)
{
    const Point centre{0.01, -0.02, 0.03};
    const double radius = 0.3;
    const StlBody body = stl_sphere(centre, radius, 5);
    const StlFile file(binary_stl(body));
    StlBody inwards = body;
    for (StlTriangle& t : inwards) std::swap(t[0], t[1]);
    const StlFile turned(binary_stl(inwards));
    const Case c = case_of(3, 0.02, {mesh("part", Kind::wall, file.path()), mesh("turned", Kind::wall, turned.path())});
    const Geometry geometry(c);
    const Sites sites = sites_in(geometry.sites_of(0));
    EXPECT_EQ(sites, sites_in(geometry.sites_of(1)));
    // The triangles stand back from the sphere by at most a^2/8 r, a being their longest edge of pi/2 / 32.
    const double depth = radius * std::pow(std::numbers::pi / 64, 2) / 8 * 2;
    const Sites outer = by_hand(c, 20, [&](const Point& p) { return distance(p, centre) < radius + 1e-6; });
    const Sites inner = by_hand(c, 20, [&](const Point& p) { return distance(p, centre) < radius - depth; });
    for (const Site& site : sites) EXPECT_TRUE(outer.contains(site));
    for (const Site& site : inner) EXPECT_TRUE(sites.contains(site));
    EXPECT_LT(outer.size() - inner.size(), outer.size() / 50);
    const double volume = 4 * std::numbers::pi / 3 * radius * radius * radius;
    EXPECT_LT(geometry.measure(0), volume);
    EXPECT_NEAR(geometry.measure(0), volume, 4 * std::numbers::pi * radius * radius * depth);
}

TEST(Geometry, CavitiesStayEmptyAndBodiesThatOverlapAreOne)
{
    StlBody shell = stl_box({0, 0, 0}, {8, 8, 8});
    for (StlTriangle t : stl_box({2, 2, 2}, {6, 6, 6})) {
        std::swap(t[0], t[1]);
        shell.push_back(t);
    }
    const StlFile hollowed(binary_stl(shell));
    StlBody crossed = stl_box({0, 0, 0}, {8, 8, 8});
    for (const StlTriangle& t : stl_box({4, 2, 2}, {12, 6, 6})) crossed.push_back(t);
    const StlFile united(binary_stl(crossed));
    const Case c =
        case_of(3, 1, {mesh("shell", Kind::wall, hollowed.path()), mesh("cross", Kind::wall, united.path())});
    const Geometry geometry(c);
    EXPECT_EQ(sites_in(geometry.sites_of(0)).size(), 512U - 64U);
    EXPECT_EQ(sites_in(geometry.sites_of(1)).size(), 512U + 4U * 4U * 4U);
}

// Six times the volume of a tetrahedron in the numbers of sites: exact.
std::int64_t orientation(const Site& a, const Site& b, const Site& c, const Site& d)
{
    const auto edge = [&](const Site& p, std::size_t k) { return p[k] - a[k]; };
    return edge(b, 0) * (edge(c, 1) * edge(d, 2) - edge(c, 2) * edge(d, 1)) -
           edge(b, 1) * (edge(c, 0) * edge(d, 2) - edge(c, 2) * edge(d, 0)) +
           edge(b, 2) * (edge(c, 0) * edge(d, 1) - edge(c, 1) * edge(d, 0));
}

// The four triangles of a tetrahedron whose corners are centres of sites, outwards.
StlBody tetrahedron(std::array<Site, 4> corners)
{
    if (orientation(corners[0], corners[1], corners[2], corners[3]) < 0) std::swap(corners[2], corners[3]);
    StlBody body;
    for (const auto& face : {std::array{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}}) {
        StlTriangle t;
        for (std::size_t i = 0; i < 3; ++i) t[i] = centre_of(corners[static_cast<std::size_t>(face[i])]);
        body.push_back(t);
    }
    return body;
}

Sites sites_of_mesh(const StlBody& body)
{
    const StlFile file(binary_stl(body));
    const Case c = case_of(3, 1, {mesh("part", Kind::wall, file.path())});
    return sites_in(Geometry(c).sites_of(0));
}

// Corners on centres of sites, so that rows pass through corners and along edges and faces all the time.
TEST(Geometry, TetrahedraWithCornersOnCentresHoldWhatIntegersSay)
{
    std::mt19937 random(7);
    for (int i = 0; i < 200; ++i) {
        std::array<Site, 4> t;
        for (Site& corner : t)
            for (std::int64_t& x : corner) x = static_cast<std::int64_t>(random() % 9) - 4;
        const std::int64_t whole = orientation(t[0], t[1], t[2], t[3]);
        if (whole == 0) continue;
        const Sites sites = sites_of_mesh(tetrahedron(t));
        for (std::int64_t z = -5; z <= 5; ++z)
            for (std::int64_t y = -5; y <= 5; ++y)
                for (std::int64_t x = -5; x <= 5; ++x) {
                    const Site p{x, y, z};
                    const std::int64_t sign = whole > 0 ? 1 : -1;
                    const std::array parts{
                        sign * orientation(p, t[1], t[2], t[3]), sign * orientation(t[0], p, t[2], t[3]),
                        sign * orientation(t[0], t[1], p, t[3]), sign * orientation(t[0], t[1], t[2], p)};
                    const std::int64_t least = *std::min_element(parts.begin(), parts.end());
                    if (least == 0) continue;  // on the surface
                    EXPECT_EQ(sites.contains(p), least > 0);
                }
    }
}

// Six tetrahedra around a diagonal make a cube: each site of it belongs to one of them, on whatever face it lies.
TEST(Geometry, TetrahedraThatMakeACubeShareOutItsSites)
{
    Sites sum;
    std::array<std::size_t, 3> order{0, 1, 2};
    do {
        std::array<Site, 4> t{};
        for (std::size_t i = 1; i < 4; ++i) {
            t[i] = t[i - 1];
            t[i][order[i - 1]] = 12;
        }
        for (const Site& site : sites_of_mesh(tetrahedron(t))) EXPECT_TRUE(sum.insert(site).second);
    } while (std::next_permutation(order.begin(), order.end()));
    // Lower faces belong to the cube, upper ones not.
    EXPECT_EQ(sum.size(), 12U * 12U * 12U);
    EXPECT_EQ(*sum.begin(), (Site{0, 0, 0}));
    EXPECT_EQ(*sum.rbegin(), (Site{11, 11, 11}));
}

std::string refusal_of_stl(const std::string& content)
{
    const StlFile file(content);
    const std::string sentence =
        sentence_of([&] { arrange(case_of(3, 0.1, {mesh("part", Kind::fluid, file.path())})); });
    const std::string start = "hand.toml: shapes.part.mesh.file: " + file.path().string();
    EXPECT_EQ(sentence.rfind(start, 0), 0U) << sentence;
    EXPECT_EQ(sentence.back(), '.');
    return sentence.substr(std::min(start.size(), sentence.size()));
}

TEST(Mesh, RefusesWhatIsNoClosedSurface)
{
    const StlBody whole = stl_box({0, 0, 0}, {1, 1, 1});
    StlBody open = whole;
    open.erase(open.begin());
    EXPECT_EQ(
        refusal_of_stl(binary_stl(open)),
        " has a hole: 3 of its 18 edges have no partner on the other side, the first from (0, 0, 0) to (1, 1, 0) m; "
        "close the surface and export it again.");
    StlBody doubled = whole;
    doubled.push_back(doubled.front());
    EXPECT_NE(refusal_of_stl(binary_stl(doubled))
                  .find(" is no closed surface: an odd number of triangles, three or more, meets at 3 of its 18 edges"),
              std::string::npos);
    StlBody turned = whole;
    std::swap(turned[3][0], turned[3][1]);
    EXPECT_NE(refusal_of_stl(ascii_stl(turned))
                  .find(" has triangles that face opposite ways: they meet at 3 of its 18 edges, the first from ("),
              std::string::npos);
    StlBody torn = whole;
    torn[0][0][2] += 1e-3;
    EXPECT_NE(refusal_of_stl(binary_stl(torn)).find(" has a hole: "), std::string::npos);
    // A fin on one of its edges.
    StlBody fin = whole;
    fin.push_back({whole[0][0], whole[0][1], {2, 2, 2}});
    const std::string both = refusal_of_stl(binary_stl(fin));
    EXPECT_NE(both.find(" has a hole: 2 of its 20 edges have no partner on the other side, the first from "), both.npos)
        << both;
    EXPECT_NE(both.find("; besides, an odd number of triangles, three or more, meets at 1 of them, the first from "),
              both.npos)
        << both;
    EXPECT_EQ(refusal_of_stl(
                  binary_stl({{StlPoint{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {StlPoint{0, 0, 0}, {0, 1, 0}, {1, 0, 0}}})),
              " encloses no volume; give the surface of a body.");
    // Two bodies of which one is turned inwards have none together, but each has one.
    StlBody two = whole;
    for (const StlTriangle& t : stl_box({3, 0, 0}, {4, 1, 1})) two.push_back({t[0], t[2], t[1]});
    const StlFile both_ways(binary_stl(two));
    EXPECT_EQ(arrange(case_of(3, 0.1, {mesh("part", Kind::fluid, both_ways.path())})).fluid, 2000U);
    // Some write in capitals, and a body's name may be any.
    std::string shouted = ascii_stl(whole);
    for (char& letter : shouted)
        if (letter >= 'a' && letter <= 'z' && letter != 'e') letter = static_cast<char>(letter - 'a' + 'A');
    shouted = "solid vertex groups\n" + shouted.substr(shouted.find('\n') + 1);
    const StlFile capitals(shouted);
    EXPECT_EQ(arrange(case_of(3, 0.1, {mesh("part", Kind::fluid, capitals.path())})).fluid, 1000U)
        << shouted.substr(0, 200);
    // A triangle with two equal corners does no harm.
    StlBody extra = whole;
    extra.push_back({whole[0][0], whole[0][0], whole[0][1]});
    const StlFile file(binary_stl(extra));
    EXPECT_EQ(arrange(case_of(3, 0.1, {mesh("part", Kind::fluid, file.path())})).fluid, 1000U);
}

TEST(Mesh, RefusesFilesThatAreNoStl)
{
    const StlBody whole = stl_box({0, 0, 0}, {1, 1, 1});
    const std::string text = ascii_stl(whole);
    EXPECT_EQ(refusal_of_stl(with(text, "vertex 0.000000000e+00", "vertex zero")),
              ":4 has \"zero\" where a coordinate must stand; export it again as binary STL.");
    const std::string binary = binary_stl(whole);
    for (const auto& [bytes, size] : {std::pair{binary.substr(0, 400), "400"}, {binary + "appended", "692"}}) {
        EXPECT_EQ(
            refusal_of_stl(bytes),
            std::string(" is no STL file of triangles: an ASCII STL has three lines \"vertex x y z\" for each, it "
                        "has none, and a binary STL of the 12 triangles that its header announces would have 684 "
                        "bytes, it has ") +
                size + "; export it again.");
    }
    const std::string none = "solid " + std::string(90, 'x') + "\nendsolid\n";
    EXPECT_NE(refusal_of_stl(none).find(" is no STL file of triangles: it has 0 corners, but "), std::string::npos);
    EXPECT_EQ(refusal_of_stl(""), ": the STL file is empty; export it again.");
    StlBody infinite = whole;
    infinite[4][1][0] = std::numeric_limits<double>::infinity();
    EXPECT_EQ(refusal_of_stl(binary_stl(infinite)),
              " has a corner that is not a finite number, in triangle 5 of 12; export it again.");
    EXPECT_EQ(
        sentence_of([] { arrange(case_of(3, 0.1, {mesh("part", Kind::fluid, "absent.stl")})); }),
        "hand.toml: shapes.part.mesh.file: absent.stl: the STL file cannot be read; check that it exists and may be "
        "read.");
}

}  // namespace
}  // namespace halfulp
