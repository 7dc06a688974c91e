// Strategies for sums over pairs against the program's own passes and against all pairs; layouts of memory against each
// other.
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "core/error.hpp"
#include "validation/device/chosen_backend.hpp"
#include "validation/experiment.hpp"
#include "validation/layouts/swarm.hpp"
#include "validation/strategies/cpu/strategies.hpp"
#include "validation/strategies/lists/lists.hpp"
#include "validation/strategies/testbed.hpp"

namespace halfulp::test {
namespace {

using namespace strategies;

// Water that has begun to collapse: particles off their lattice, walls with a density of their own.
class Strategies : public testing::Test {
protected:
    static void SetUpTestSuite()
    {
        problem = new Problem(prepare(case_with("dominguez-2013", {"resolution.spacing=0.04"})));
        Simulation simulation(*problem, make_cpu_backend(*problem, one_thread));
        for (int k = 0; k < 30; ++k) simulation.step();
        state = new State(state_of(*problem, simulation.snapshot()));
        canonical = new Rates(simulation.backend().rates());
    }
    static void TearDownTestSuite()
    {
        delete problem;
        delete state;
        delete canonical;
    }
    static void expect_canonical(const Evaluated& evaluated, const std::string& which)
    {
        for (const auto [first, last] : {std::array<std::size_t, 2>{0, 3}, std::array<std::size_t, 2>{3, 4}}) {
            double square = 0;
            double largest = 0;
            for (std::size_t i = 0; i < state->kind.size(); ++i) {
                if (first == 0 && state->kind[i] != Kind::fluid) continue;
                for (std::size_t c = first; c < last; ++c) {
                    const double there = canonical->leading[i][c];
                    square += there * there;
                    largest = std::max(largest, std::abs(evaluated.rates[i][c] - there));
                }
            }
            const double mean = std::sqrt(square / static_cast<double>(problem->fluid));
            EXPECT_LT(largest, 1e-5 * mean) << which;
            EXPECT_GT(largest, 0) << which << ": the order of additions must differ";
        }
    }

    static Problem* problem;
    static State* state;
    static Rates* canonical;
};
Problem* Strategies::problem = nullptr;
State* Strategies::state = nullptr;
Rates* Strategies::canonical = nullptr;

TEST_F(Strategies, HaveTheRatesOfThePasses)
{
    for (const int divisions : {1, 2, 3}) {
        for (const int width : {1, 4, 8}) {
            for (const Way way : {Way::asymmetric, Way::symmetric, Way::slices, Way::fixed_point}) {
                for (const int threads : {1, 3}) {
                    const Strategy strategy{.way = way,
                                            .divisions = divisions,
                                            .width = width,
                                            .threads = threads,
                                            .along_y = way == Way::slices && divisions == 2};
                    expect_canonical(evaluate(*problem, *state, strategy, 0),
                                     fmt::format("way {}, r/{}, {} pairs at a time, {} threads", static_cast<int>(way),
                                                 divisions, width, threads));
                }
            }
        }
    }
}

TEST_F(Strategies, ASweepForEachRateHasTheSameRates)
{
    Strategy strategy{.way = Way::symmetric, .divisions = 2, .width = 8};
    const std::uint64_t together = evaluate(*problem, *state, strategy, 0).bits;
    strategy.separate = true;
    EXPECT_EQ(evaluate(*problem, *state, strategy, 0).bits, together);
}

// In any order, on any threads, by any cells.
TEST_F(Strategies, WholeNumbersHaveTheSameBitsInAnyOrder)
{
    std::set<std::uint64_t> bits;
    std::set<std::uint64_t> plain;
    for (const int divisions : {1, 2, 3}) {
        for (const int threads : {1, 2, 5}) {
            const Strategy strategy{.way = Way::fixed_point, .divisions = divisions, .width = 8, .threads = threads};
            bits.insert(evaluate(*problem, *state, strategy, 0).bits);
            Strategy other = strategy;
            other.way = Way::symmetric;
            plain.insert(evaluate(*problem, *state, other, 0).bits);
        }
    }
    EXPECT_EQ(bits.size(), 1U);
    EXPECT_GT(plain.size(), 1U) << "plain sums must not";
}

TEST_F(Strategies, PairsAreThoseWithinTheSupport)
{
    const auto coordinate = [&](std::size_t i, int c) {
        return state->cell[i][c] + static_cast<double>(state->place[i][c]);
    };
    const double reach = static_cast<double>(problem->support);
    double expected = 0;
    for (std::size_t a = 0; a < state->kind.size(); ++a) {
        for (std::size_t b = 0; b < a; ++b) {
            if (state->kind[a] == Kind::wall && state->kind[b] == Kind::wall) continue;
            double square = 0;
            for (int c = 0; c < 3; ++c) square += std::pow(coordinate(a, c) - coordinate(b, c), 2);
            expected += square < reach * reach ? 2 : 0;
        }
    }
    double candidates = HUGE_VAL;
    for (const int divisions : {1, 2, 3}) {
        const PairNumbers pairs = count_pairs(*problem, *state, divisions);
        EXPECT_NEAR(pairs.inside, expected, 1e-4 * expected);  // pairs at the rim, by rounding
        EXPECT_LT(pairs.candidates, candidates);
        candidates = pairs.candidates;
    }
}

// Wherever particles lie in memory, sums over lists in canonical order have the bits of the program's passes.
TEST(Lists, HaveTheBitsOfThePassesInEveryOrder)
{
    const Testbed bed = testbed(6e3, 0.05, ChosenMachine{}.options(1));
    const CanonicalLists lists = canonical_lists(bed.problem, bed.state);
    std::set<std::vector<std::uint32_t>> arrangements;
    for (const NamedOrder& one : orders) {
        arrangements.insert(memory_order(lists, one.order));
        for (const bool by_kind : {true, false}) {
            for (const int chunk : {0, 1, 4}) {
                const ListsEvaluated evaluated =
                    evaluate_on_host(bed.problem, lists, {.order = one.order, .by_kind = by_kind, .chunk = chunk}, 0);
                const Differences d = differences(evaluated.rates, bed.canonical, bed.state.kind);
                EXPECT_EQ(d.force, 0) << one.name << ", " << by_kind << ", " << chunk;
                EXPECT_EQ(d.rate, 0) << one.name << ", " << by_kind << ", " << chunk;
            }
        }
    }
    EXPECT_EQ(arrangements.size(), orders.size());
    // The fluid first is another order of sums.
    const ListsEvaluated split = evaluate_on_host(bed.problem, lists, {.split = true, .compensated = false}, 0);
    const Differences d = differences(split.rates, bed.canonical, bed.state.kind);
    EXPECT_GT(d.force, 0);
    EXPECT_LT(d.force, 1000);
}

TEST(Curves, VisitEveryCellOnce)
{
    constexpr int bits = 3;
    constexpr std::uint32_t side = 1U << bits;
    std::vector<std::array<std::uint32_t, 3>> along(side * side * side);
    std::set<std::uint64_t> morton;
    std::set<std::uint64_t> hilbert;
    for (std::uint32_t z = 0; z < side; ++z) {
        for (std::uint32_t y = 0; y < side; ++y) {
            for (std::uint32_t x = 0; x < side; ++x) {
                morton.insert(morton_key({x, y, z}, bits));
                const std::uint64_t key = hilbert_key({x, y, z}, bits);
                ASSERT_LT(key, along.size());
                hilbert.insert(key);
                along[key] = {x, y, z};
            }
        }
    }
    EXPECT_EQ(morton.size(), along.size());
    EXPECT_EQ(hilbert.size(), along.size());
    EXPECT_EQ(morton_key({1, 0, 0}, 1), 4U);
    // Hilbert's goes from each cell to one that shares a face.
    for (std::size_t k = 1; k < along.size(); ++k) {
        int apart = 0;
        for (std::size_t c = 0; c < 3; ++c)
            apart += std::abs(static_cast<int>(along[k][c]) - static_cast<int>(along[k - 1][c]));
        EXPECT_EQ(apart, 1) << k;
    }
}

TEST(StrategiesOf, OtherPhysicsAreRefused)
{
    EXPECT_THROW(require_covered(prepare(case_with("dam-break-3d", {"resolution.spacing=0.05"}))), Error);
    EXPECT_THROW(require_covered(prepare(case_with("inviscid-tank-2d"))), Error);
    require_covered(prepare(case_with("dominguez-2013", {"resolution.spacing=0.04"})));
}

TEST(Layouts, HaveTheSameBits)
{
    using namespace layouts;
    std::set<std::uint64_t> bits;
    for (const Structure structure :
         {Structure::structures, Structure::selective_structures, Structure::arrays, Structure::padded_arrays})
        for (const int threads : {1, 3}) bits.insert(time_swarm(structure, 1000, threads, 5).bits);
    EXPECT_EQ(bits.size(), 1U);
    EXPECT_FALSE(bits.contains(time_swarm(Structure::arrays, 1000, 1, 6).bits)) << "an update must change them";
    std::set<std::uint64_t> wide;
    for (const int chunk : {0, 1, 2, 4, 8, 16})
        for (const int together : {1, 16}) wide.insert(time_wide_update(chunk, together, 64, 32, 2, 3).bits);
    EXPECT_EQ(wide.size(), 1U);
}

}  // namespace
}  // namespace halfulp::test
