// The particles of a case, computed when they are asked for: the same in any order, by any thread and once stored; and
// what they take of the memory.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <thread>
#include <tuple>

#include "core/setup/problem.hpp"
#include "core/setup/read_case.hpp"

namespace halfulp {
namespace {

auto members(const InitialParticle& p)
{
    return std::tuple(p.cell, p.offset, p.velocity, p.density, p.kind, p.motion, p.shape, p.id);
}

// Of several shapes, with relaxed fills, walls that move, initial pressures, periods and a far origin.
class InitialParticlesOf : public ::testing::TestWithParam<std::tuple<const char*, std::vector<std::string>>> {
protected:
    Problem problem_ = prepare(read_case(find_case(std::get<0>(GetParam())), std::get<1>(GetParam())));
};

INSTANTIATE_TEST_SUITE_P(
    Cases, InitialParticlesOf,
    ::testing::Values(std::tuple("dam-break-2d", std::vector<std::string>{}),
                      std::tuple("dam-break-2d", std::vector<std::string>{"numerics.walls=dynamic"}),
                      std::tuple("oscillating-drop-2d", std::vector<std::string>{}),
                      std::tuple("round-tank-2d", std::vector<std::string>{}),
                      std::tuple("couette-2d", std::vector<std::string>{"origin.cells=[1000000,-7]"}),
                      std::tuple("taylor-green-2d", std::vector<std::string>{}),
                      std::tuple("colliding-drops-2d", std::vector<std::string>{}),
                      std::tuple("ramp-3d", std::vector<std::string>{})));

TEST_P(InitialParticlesOf, AreTheSameInAnyOrderAndOnceStored)
{
    EXPECT_FALSE(problem_.particles.are_stored());
    const Problem& problem = problem_;
    std::vector<InitialParticle> in_order;
    for (const InitialParticle& particle : problem.particles) in_order.push_back(particle);
    ASSERT_EQ(in_order.size(), problem.fluid + problem.wall);
    std::vector<std::size_t> shuffled(in_order.size());
    std::iota(shuffled.begin(), shuffled.end(), std::size_t{0});
    std::ranges::shuffle(shuffled, std::mt19937(1));
    std::vector<std::size_t> differ(2);
    const auto compare = [&](std::size_t which) {
        for (const std::size_t i : shuffled)
            differ[which] += members(problem.particles[i]) != members(in_order[i]) ? 1 : 0;
    };
    std::thread other(compare, 0);
    compare(1);
    other.join();
    EXPECT_EQ(differ, (std::vector<std::size_t>{0, 0}));
    const std::vector<InitialParticle>& stored = problem_.particles.stored();
    EXPECT_TRUE(problem_.particles.are_stored());
    EXPECT_TRUE(std::ranges::equal(stored, in_order, {}, members, members));
}

TEST_P(InitialParticlesOf, StandInTheOrderOfTheShapes)
{
    std::vector<std::uint64_t> of_shape(problem_.source.shapes.size());
    std::int32_t before = 0;
    for (const InitialParticle& particle : problem_.particles) {
        EXPECT_GE(particle.shape, before);
        before = particle.shape;
        ++of_shape[static_cast<std::size_t>(particle.shape)];
    }
    EXPECT_EQ(of_shape, problem_.of_shape);
}

// A problem that has been copied is changed alone.
TEST(InitialParticles, AreStoredInOneCopyOnly)
{
    const Problem problem = prepare(read_case(find_case("dam-break-2d"), {}));
    Problem changed = problem;
    changed.particles.stored()[7].velocity[0] = 3;
    EXPECT_EQ(changed.particles[7].velocity[0], 3);
    EXPECT_EQ(problem.particles[7].velocity[0], 0);
    EXPECT_FALSE(problem.particles.are_stored());
}

// 10^9 of them.
TEST(InitialParticles, TakeMemoryByTheRow)
{
    PlacedParticles placed;
    Rows rows;
    add_box(rows, {.from = {0, 0, 0}, .to = {1'000'000, 1000, 1}}, 0);
    placed.add(rows, Kind::fluid, 0);
    EXPECT_EQ(placed.size(), 1'000'000'000U);
    EXPECT_EQ(placed.stretches().size(), 1000U);
    EXPECT_EQ(placed[987'654'321].position, (std::array<double, 3>{654'321.5, 987.5, 0.5}));
    EXPECT_EQ(placed[0].position, (std::array<double, 3>{0.5, 0.5, 0.5}));
    EXPECT_EQ(placed[999'999'999].position, (std::array<double, 3>{999'999.5, 999.5, 0.5}));
}

}  // namespace
}  // namespace halfulp
