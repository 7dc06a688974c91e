// Operation counts as printed, and sums that have the same bits in every form of the search by buckets.
#include <gtest/gtest.h>

#include "kernels/differential_operators.hpp"
#include "tests/validation/differential/lattice.hpp"
#include "validation/differential/engine.hpp"
#include "validation/differential/operation_count.hpp"

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

// Sums with a float's rounding depend on the order of the candidates, and on nothing else of a form.
TEST(Buckets, EveryFormGivesTheSameBits)
{
    const auto places = lattice(16, 0.2);
    Random random(59);
    std::vector<float> values;
    for (std::size_t i = 0; i < places.size(); ++i) values.push_back(static_cast<float>(random.uniform(-1, 1)));
    for (int divisions = 1; divisions <= 3; ++divisions) {
        const BucketBox box(places, reach, 1.0, divisions, 0.01);
        const auto bucket_of = buckets_of(box, places);
        std::vector<std::vector<Vec<3, float>>> gradients;
        for_each_form(box, bucket_of, [&](const auto& structure, const auto& loops) {
            auto& of_form = gradients.emplace_back();
            const auto view = structure.view();
            const std::vector<std::uint32_t>& order = structure.order();
            for (std::size_t i = 0; i < places.size(); ++i) {
                LinearFit<3, float, PlainSum<float>> fit{};
                loops.around(view, bucket_of[i], [&](std::uint32_t place) {
                    const std::size_t j = order[place];
                    if (j == i) return;
                    Vec<3, float> r;
                    for (int c = 0; c < 3; ++c) r[c] = static_cast<float>(places[j][c] - places[i][c]);
                    fit.add(SphericalDomain::weight(r, static_cast<float>(1 / reach)), r, values[j] - values[i],
                            1 / 1.5F);
                });
                of_form.push_back(fit.value<FusedProducts>(1 / 1.5F).x);
            }
        });
        ASSERT_EQ(gradients.size(), 5U);
        for (std::size_t form = 1; form < gradients.size(); ++form) {
            for (std::size_t i = 0; i < places.size(); ++i) {
                for (int c = 0; c < 3; ++c) ASSERT_TRUE(same(gradients[form][i][c], gradients[0][i][c])) << form;
            }
        }
    }
}

// By particle, whatever the order of a structure.
template <class Operator, class Domain, class T>
void expect_same_in_every_form(const std::vector<Vec<3, double>>& places, int divisions)
{
    const BucketBox box(places, reach, 1.0, divisions, 0.01);
    const auto bucket_of = buckets_of(box, places);
    std::vector<Four<T>> all;
    for (const auto& x : places)
        all.push_back({static_cast<T>(x[0]), static_cast<T>(x[1]), static_cast<T>(x[2]),
                       static_cast<T>(2 * x[0] - x[1] + x[2] * x[2] / 16)});
    const auto constants = operator_constants<Domain, T>(reach);
    std::vector<Four<T>> first;
    int forms = 0;
    for_each_form(box, bucket_of, [&](const auto& structure, const auto& loops) {
        std::vector<Four<T>> found;
        apply_operator<Operator, Domain>(structure.view(), loops, InOrder<T>(structure, all, bucket_of), constants,
                                         found);
        std::vector<Four<T>> by_particle(found.size());
        for (std::size_t k = 0; k < found.size(); ++k) by_particle[structure.order()[k]] = found[k];
        if (forms++ == 0) first = by_particle;
        for (std::size_t i = 0; i < first.size(); ++i) {
            for (int c = 0; c < 4; ++c)
                ASSERT_TRUE(same(by_particle[i][c], first[i][c])) << structure.name << ", " << loops.name << ", " << i;
        }
    });
    ASSERT_EQ(forms, 5);
    // In the middle of an ordered lattice they are what they stand for.
    const std::size_t middle = (8 * 16 + 8) * 16 + 8;
    if (std::string(Operator::name) == "Laplacian") EXPECT_NEAR(static_cast<double>(first[middle].w), 2.0 / 16, 1e-4);
    else EXPECT_NEAR(static_cast<double>(first[middle].x), 2, 1e-5);
}

TEST(Engine, EveryFormGivesTheSameBits)
{
    const auto places = lattice(16);
    for (int divisions = 1; divisions <= 3; ++divisions) {
        expect_same_in_every_form<GradientByMps, SphericalDomain, float>(places, divisions);
        expect_same_in_every_form<LaplacianByMps, SphericalDomain, double>(places, divisions);
        expect_same_in_every_form<LaplacianByMps, CubicDomain, float>(places, divisions);
        expect_same_in_every_form<GradientByLsmps, CubicDomain, float>(places, divisions);
        expect_same_in_every_form<GradientByLsmps, SphericalDomain, double>(places, divisions);
    }
}

}  // namespace
}  // namespace halfulp::differential
