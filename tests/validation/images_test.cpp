// Images of a problem: exact, and exactly taken back.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "core/setup/read_case.hpp"
#include "validation/study.hpp"
#include "validation/symmetry/images.hpp"

namespace halfulp::test {
namespace {

Case drops(const std::string& precision = "robust")
{
    return read_case(find_case("colliding-drops-2d"), {"numerics.precision=" + precision});
}

Problem start(std::uint64_t seed) { return image_of(drops(), {.name = "", .kind = ImageKind::scaled}, seed); }

void expect_same(const Problem& a, const Problem& b)
{
    ASSERT_EQ(a.particles.size(), b.particles.size());
    for (std::size_t i = 0; i < a.particles.size(); ++i) {
        const InitialParticle& p = a.particles[i];
        const InitialParticle& q = b.particles[i];
        EXPECT_EQ(p.cell, q.cell) << i;
        EXPECT_EQ(p.offset, q.offset) << i;
        EXPECT_EQ(p.velocity, q.velocity) << i;
        EXPECT_EQ(p.density, q.density) << i;
    }
}

double coordinate(const InitialParticle& p, std::size_t c) { return p.cell[c] + static_cast<double>(p.offset[c]); }

TEST(Images, StirredStartsAreOfTheirSeedAlone)
{
    expect_same(start(1), start(1));
    EXPECT_NE(start(1).particles[7].offset, start(2).particles[7].offset);
    const Problem still = prepare(drops());
    const Problem stirred = start(1);
    double farthest = 0;
    for (std::size_t i = 0; i < still.particles.size(); ++i)
        farthest =
            std::max(farthest, std::abs(coordinate(still.particles[i], 0) - coordinate(stirred.particles[i], 0)));
    const double tenth = 0.1 * 0.1 / still.units.length;
    EXPECT_GT(farthest, 0.9 * tenth);
    EXPECT_LT(farthest, 1.0001 * tenth);
}

TEST(Images, MirroredTwiceOrTurnedRoundAreThemselves)
{
    Problem problem = start(3);
    problem.particles.stored()[0].offset = {-0.5F, -0.5F, 0};  // whose image would lie at 1/2, outside of [-1/2, 1/2)
    for (const auto& [kind, times] :
         {std::pair{ImageKind::mirror, 2}, std::pair{ImageKind::half_turn, 2}, std::pair{ImageKind::quarter_turn, 4}}) {
        Problem image = problem;
        for (int k = 0; k < times; ++k) {
            const Problem before = image;
            image = geometric_image(image, {.name = "", .kind = kind});
            for (std::size_t i = 0; i < image.particles.size(); ++i) {
                for (std::size_t c = 0; c < 2; ++c) {
                    EXPECT_GE(image.particles[i].offset[c], -0.5F);
                    EXPECT_LT(image.particles[i].offset[c], 0.5F);
                }
                EXPECT_EQ(coordinate(image.particles[i], 0), kind == ImageKind::quarter_turn
                                                                 ? -coordinate(before.particles[i], 1)
                                                                 : -coordinate(before.particles[i], 0));
            }
        }
        expect_same(image, problem);
    }
}

TEST(Images, AreTakenBackExactly)
{
    const FluidState state{.position = {{1.25, -0.25, 0}}, .velocity = {{3, 0.125, 0}}, .pressure = {7}};
    const double t = 0.5;
    const FluidState mirrored{.position = {{-1.25, -0.25, 0}}, .velocity = {{-3, 0.125, 0}}, .pressure = {7}};
    const FluidState turned{.position = {{0.25, 1.25, 0}}, .velocity = {{-0.125, 3, 0}}, .pressure = {7}};
    const FluidState boosted{.position = {{2.25, -1.25, 0}}, .velocity = {{5, -1.875, 0}}, .pressure = {7}};
    const FluidState scaled{.position = {{2.5, -0.5, 0}}, .velocity = {{12, 0.5, 0}}, .pressure = {7}};
    const auto expect_state = [&](const FluidState& seen, const Image& image) {
        const FluidState back = taken_back(seen, image, t);
        EXPECT_EQ(back.position, state.position) << image.name;
        EXPECT_EQ(back.velocity, state.velocity) << image.name;
    };
    expect_state(mirrored, {.name = "mirror", .kind = ImageKind::mirror});
    expect_state(turned, {.name = "quarter turn", .kind = ImageKind::quarter_turn});
    expect_state(boosted, {.name = "boost", .kind = ImageKind::boost, .boost = {2, -2}});
    expect_state(scaled, {.name = "scaled", .kind = ImageKind::scaled, .length = 1, .velocity = 2});
    EXPECT_EQ(vector_taken_back({-2, 1}, {.name = "", .kind = ImageKind::quarter_turn}), (std::array<double, 2>{1, 2}));
}

// Scaled images have the same bits; plain sums in a mirror do not, and the comparison sees it.
TEST(Images, ComparisonTellsBitsApart)
{
    const Image scaled{.name = "scaled", .kind = ImageKind::scaled, .length = 2, .velocity = -1, .density = 3};
    for (const char* precision : {"robust", "naive"}) {
        const ImageComparison same = compare_with_image(drops(precision), scaled, 1, 20, 3);
        EXPECT_EQ(same.first_different_step, -1) << precision;
        EXPECT_EQ(same.same_to_the_end, 1) << precision;
        EXPECT_EQ(same.same_forces, 1) << precision;
        EXPECT_EQ(same.moments.back().rms, 0) << precision;
    }
    const ImageComparison plain = compare_with_image(drops("naive"), {.name = "", .kind = ImageKind::mirror}, 1, 20, 3);
    EXPECT_LT(plain.same_forces, 0.9);
    EXPECT_GE(plain.first_different_step, 1);
    EXPECT_GT(plain.moments.back().rms, 0);
    EXPECT_LT(plain.moments.back().rms, 1e-4);
}

TEST(Conservation, BoundsHoldAndRoundTrip)
{
    const Conservation measured = measure_conservation(drops(), 1, 50, 5);
    ASSERT_FALSE(measured.broke);
    const auto& last = measured.moments.back();
    EXPECT_EQ(last.step, 50);
    EXPECT_GT(last.momentum, 0);
    EXPECT_LT(last.momentum, last.momentum_bound);
    EXPECT_LT(last.momentum_expected, last.momentum_bound);
    const Conservation again = Result::of(measured).as<Conservation>();
    EXPECT_EQ(again.moments.back().centre, last.centre);
    EXPECT_EQ(again.moments.size(), measured.moments.size());
}

TEST(Conservation, KeptStepsBeginAndEndTheRun)
{
    EXPECT_EQ(spread_steps(1000, 4), (std::vector<int>{0, 1, 10, 100, 1000}));
    EXPECT_EQ(spread_steps(3, 10), (std::vector<int>{0, 1, 2, 3}));
}

}  // namespace
}  // namespace halfulp::test
