// Operation counts as printed, and sums that have the same bits in every form of the search by buckets.
#include <gtest/gtest.h>

#include "kernels/differential_operators.hpp"
#include "tests/validation/differential/lattice.hpp"
#include "validation/differential/counted.hpp"
#include "validation/differential/operation_count.hpp"
#include "validation/differential/search.hpp"

namespace halfulp::differential {
namespace {

using test::same;

TEST(OperationCount, OfTableThree)
{
    const Visits visits{76'765'625, 26'382'775, 71'473'375, 226'981};
    const OperationCount count = lsmps_in_cube(visits);
    EXPECT_EQ(count.adds, 517'552'261);
    EXPECT_EQ(count.multiplies, 1'077'775'150);
    EXPECT_EQ(count.fused, 861'766'158);
    EXPECT_EQ(count.total(), 3'318'859'727);
    // Time and efficiency on a card with 1.17e12 operations a second: linked list and forward star.
    const Visits undivided{160'103'007, 26'382'775, 71'473'375, 226'981};
    const auto printed = [](double milliseconds, double percent) {
        return milliseconds * 1e-3 * percent / 100 * 1.17e12;
    };
    EXPECT_NEAR(static_cast<double>(gradient_in_sphere(undivided)) / printed(17.0, 11.5), 1, 0.02);
    EXPECT_NEAR(static_cast<double>(laplacian_in_sphere(undivided)) / printed(11.1, 13.7), 1, 0.02);
    EXPECT_NEAR(static_cast<double>(lsmps_in_sphere(undivided)) / printed(15.4, 13.7), 1, 0.02);
    EXPECT_NEAR(static_cast<double>(gradient_in_sphere(undivided)) / printed(24.6, 8.0), 1, 0.02);
}

// Sums with a float's rounding depend on the order of the candidates, and on nothing else of a form. By particle,
// whatever the order of a structure; the solver's forms among them, with lists of groups of 1 and 32.
template <class Which, class InDomain, class T>
void expect_same_in_every_form(double disorder, int divisions)
{
    const auto places = lattice(16, disorder);
    Search search(places, reach, 1.0, divisions, 0.01 + disorder);
    std::vector<Four<T>> all;
    for (const auto& x : places)
        all.push_back({static_cast<T>(x[0]), static_cast<T>(x[1]), static_cast<T>(x[2]),
                       static_cast<T>(2 * x[0] - x[1] + x[2] * x[2] / 16)});
    const auto constants = operator_constants<InDomain, T>(reach);
    const Domain domain = std::is_same_v<InDomain, CubicDomain> ? Domain::cube : Domain::sphere;
    std::vector<Four<T>> first;
    for (const int width : {1, 32}) {
        for (const Form form : all_forms) {
            search.with(form, domain, width, [&](const auto& structure, const auto& loops) {
                std::vector<Four<T>> found;
                apply_operator<Which, InDomain>(structure, loops, in_order_of(structure, all), constants, found);
                found = by_particle(structure, found);
                if (first.empty()) first = found;
                ASSERT_EQ(found.size(), first.size());
                for (std::size_t i = 0; i < first.size(); ++i) {
                    for (int c = 0; c < 4; ++c)
                        ASSERT_TRUE(same(found[i][c], first[i][c])) << search.name_of(form) << ", " << i;
                }
            });
        }
    }
    if (disorder > 0) return;
    // In the middle of an ordered lattice they are what they stand for.
    const std::size_t middle = (8 * 16 + 8) * 16 + 8;
    if (std::string(Which::name) == "Laplacian") EXPECT_NEAR(static_cast<double>(first[middle].w), 2.0 / 16, 1e-4);
    else EXPECT_NEAR(static_cast<double>(first[middle].x), 2, 1e-5);
}

TEST(Engine, EveryFormGivesTheSameBits)
{
    for (int divisions = 1; divisions <= 3; ++divisions) {
        expect_same_in_every_form<GradientByMps, SphericalDomain, float>(0, divisions);
        expect_same_in_every_form<LaplacianByMps, SphericalDomain, double>(0, divisions);
        expect_same_in_every_form<LaplacianByMps, CubicDomain, float>(0.2, divisions);
        expect_same_in_every_form<GradientByLsmps, CubicDomain, float>(0.2, divisions);
        expect_same_in_every_form<GradientByLsmps, SphericalDomain, double>(0, divisions);
    }
}

// 3 C + 43 N + 67 P is of a listing that multiplies by constants where this code divides once; the search is the same.
TEST(Counted, CountsWhatIsWritten)
{
    const Vec<3, Counted> a{{Counted(1.0), Counted(2.0), Counted(3.0)}};
    const Counts difference = counts_of([&] { a - a; });
    EXPECT_EQ(difference.adds, 3);
    EXPECT_EQ(difference.total(), 3);
    const Counts square = counts_of([&] { dot(a, a); });
    EXPECT_EQ(square.multiplies, 1);
    EXPECT_EQ(square.fused, 2);
    const Counts weight = counts_of([&] { SphericalDomain::weight(a, Counted(0.3)); });
    EXPECT_EQ(weight.roots, 1);
    EXPECT_EQ(weight.divisions, 0);
    const Counts in_cube = counts_of([&] { CubicDomain::weight(a, Counted(0.3)); });
    EXPECT_EQ(in_cube.roots, 0);
    EXPECT_EQ(in_cube.fused, 3);
    EXPECT_EQ(in_cube.multiplies, 4);
}

}  // namespace
}  // namespace halfulp::differential
