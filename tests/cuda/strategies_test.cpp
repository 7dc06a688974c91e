// Strategies for a device have the rates of the program's passes there, those over lists in canonical order their bits;
// layouts of memory the bits of the host.
#include <gtest/gtest.h>

#include <set>

#include "validation/device/chosen_backend.hpp"
#include "validation/device/device.hpp"
#include "validation/layouts/swarm.hpp"
#include "validation/strategies/cuda/ladder.hpp"
#include "validation/strategies/lists/lists.hpp"
#include "validation/strategies/testbed.hpp"

namespace halfulp::strategies {
namespace {

TEST(StrategiesOnDevice, HaveTheRatesOfThePasses)
{
    if (const std::string why = use_device(0); !why.empty()) GTEST_SKIP() << why;
    const Testbed bed = testbed(3e4, 0.05, ChosenMachine{.backend = "cuda"}.options(0));
    const auto expect_close = [&](const DeviceStrategy& strategy, double allowed) {
        const DeviceEvaluated evaluated = evaluate_on_device(bed.problem, bed.state, strategy, 0);
        const Differences d = differences(evaluated.rates, bed.canonical, bed.state.kind);
        EXPECT_LT(d.force, allowed);
        EXPECT_LT(d.rate, allowed);
        return bits_of(evaluated.rates);
    };
    // Global coordinates have lost digits.
    const std::uint64_t stored = expect_close({}, 20000);
    EXPECT_EQ(expect_close({.storage = Storage::two_arrays}, 20000), stored) << "computed instead of stored terms";
    EXPECT_EQ(expect_close({.storage = Storage::two_arrays, .occupancy = true}, 20000), stored) << "other blocks";
    for (const int divisions : {1, 2, 3})
        expect_close(
            {.storage = Storage::with_cells, .search = Search::ranges, .divisions = divisions, .by_kind = true}, 2000);
    expect_close({.storage = Storage::with_cells,
                  .search = Search::ranges,
                  .divisions = 2,
                  .by_kind = true,
                  .compensated = true},
                 2);
    expect_close({.storage = Storage::two_arrays, .search = Search::staged, .by_kind = true}, 20000);
    const PartialSteps steps = steps_partly_on_device(bed.problem, bed.state, 2);
    EXPECT_GT(steps.transfers, 0);
    const Differences partly = differences(steps.rates, bed.canonical, bed.state.kind);
    EXPECT_LT(partly.force, 20000);
    EXPECT_LT(partly.rate, 20000);
}

TEST(ListsOnDevice, HaveTheBitsOfThePasses)
{
    if (const std::string why = use_device(0); !why.empty()) GTEST_SKIP() << why;
    const Testbed bed = testbed(3e4, 0.05, ChosenMachine{.backend = "cuda"}.options(0));
    const CanonicalLists lists = canonical_lists(bed.problem, bed.state);
    for (const NamedOrder& one : orders) {
        for (const int chunk : {0, 1, 2, 4}) {
            for (const bool bounded : {true, false}) {
                const ListsEvaluated evaluated =
                    evaluate_on_device(bed.problem, lists, {.order = one.order, .chunk = chunk, .bounded = bounded}, 0);
                const Differences d = differences(evaluated.rates, bed.canonical, bed.state.kind);
                EXPECT_EQ(d.force, 0) << one.name << ", chunk " << chunk;
                EXPECT_EQ(d.rate, 0) << one.name << ", chunk " << chunk;
            }
        }
    }
}

TEST(LayoutsOnDevice, HaveTheSameBits)
{
    if (const std::string why = use_device(0); !why.empty()) GTEST_SKIP() << why;
    using namespace layouts;
    std::set<std::uint64_t> bits;
    for (const Structure structure :
         {Structure::structures, Structure::selective_structures, Structure::arrays, Structure::padded_arrays})
        bits.insert(time_swarm_on_device(structure, 1000, 5).bits);
    EXPECT_EQ(bits.size(), 1U);
    std::set<std::uint64_t> wide;
    for (const int chunk : {0, 1, 2, 4, 8, 16}) wide.insert(time_wide_update_on_device(chunk, 64, 32, 3).bits);
    EXPECT_EQ(wide.size(), 1U);
    // One more update loads the code.
    EXPECT_TRUE(wide.contains(time_wide_update(0, 1, 64, 32, 1, 4).bits)) << "those of the host";
}

}  // namespace
}  // namespace halfulp::strategies
