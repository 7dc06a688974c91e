// The model of what ranks hold and send, against ranks.
#include <gtest/gtest.h>

#include <numeric>

#include "core/distribution/shares.hpp"
#include "tests/core/backends/cases.hpp"
#include "tests/core/distribution/bytes_sent.hpp"

namespace halfulp::test {
namespace {

void expect_as_counted(const Problem& problem)
{
    for (const int ranks : {1, 2, 3, 8}) {
        const std::vector<RankShare> shares = shares_at_start(problem, static_cast<std::size_t>(ranks));
        ASSERT_EQ(shares.size(), static_cast<std::size_t>(ranks));
        std::uint64_t own = 0;
        for (const RankShare& share : shares) own += share.own;
        EXPECT_EQ(own, problem.particles.size());
        expect_bytes_of_model(problem, shares.size(),
                              make_cpu_backend(problem, {.threads = 1, .lanes = 0, .ranks = ranks}));
    }
}

TEST(Shares, AreWhatRanksSend)
{
    expect_as_counted(problem_of("inviscid-tank-2d", small_2d));
    expect_as_counted(problem_of("dam-break-3d", small_3d));
    expect_as_counted(problem_of("inviscid-tank-2d", small_2d + Overrides{"numerics.walls=modified-dynamic"}));
    expect_as_counted(problem_from(channel, {"numerics.density_diffusion=antuono"}));
}

// 4 bytes a particle of the halo after the density rate, 12 more of the fluid after the forces.
TEST(Shares, OfThePlainScheme)
{
    const Problem problem = problem_of("dam-break-3d", small_3d + balance_laws_alone);
    const BytesOfStep bytes = bytes_sent_in_step(problem, operations_of(scheme_of(problem).step));
    EXPECT_EQ(bytes.of_all, 4U);
    EXPECT_EQ(bytes.of_fluid_alone, 12U);
}

// Twice as many ranks have more copies, each fewer particles.
TEST(Shares, OfManyRanks)
{
    const Problem problem = problem_of("dam-break-2d", {"resolution.spacing=0.02"});
    std::uint64_t copies = 0;
    for (const std::size_t ranks : {2U, 16U, 128U, 1024U}) {
        const std::vector<RankShare> shares = shares_at_start(problem, ranks);
        std::uint64_t more = 0;
        for (const RankShare& share : shares) more += share.halo;
        EXPECT_GT(more, copies) << ranks;
        copies = more;
    }
}

}  // namespace
}  // namespace halfulp::test
