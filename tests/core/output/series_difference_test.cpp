// Differences of ledgers and probes against ones worked out by hand.
#include "core/output/series_difference.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace halfulp {
namespace {

ProbeSeries series(const std::string& name, const std::vector<double>& times, const std::vector<double>& values)
{
    return {.name = name,
            .columns = {{"time", "s"}, {"pressure_fluid", "Pa"}},
            .description = {{"measures", "pressure"}, {"at", "0.3 0 m"}},
            .values = {times, values}};
}

RunContent run_with(const std::vector<ProbeSeries>& probes, double kinetic = 2)
{
    RunContent run;
    run.probes = probes;
    for (std::size_t c = 0; c < ledger_columns.size(); ++c) {
        const bool is_kinetic = ledger_columns[c].member == &LedgerRow::kinetic;
        const bool is_time = ledger_columns[c].member == &LedgerRow::time;
        run.ledger[c] = {0, is_time ? 0.5 : is_kinetic ? kinetic : 7};
    }
    return run;
}

TEST(SeriesDifference, EqualToTheBit)
{
    const RunContent run = run_with({series("wall", {0, 1}, {3, -0.0})});
    const SeriesDifference found = series_difference(run, run);
    EXPECT_FALSE(found.any);
    EXPECT_EQ(found.report,
              "  ledger: 2 rows, equal to the bit\n"
              "  probe wall: 2 samples, equal to the bit\n");
    // A zero of the other sign is another number.
    const SeriesDifference sign = series_difference(run, run_with({series("wall", {0, 1}, {3, 0.0})}));
    EXPECT_TRUE(sign.any);
    EXPECT_NE(sign.report.find("1 differ, most by 0 Pa at t = 1 s"), std::string::npos) << sign.report;
}

TEST(SeriesDifference, LargestAtTheSameTimes)
{
    const RunContent a = run_with({series("wall", {0, 1, 2, 3}, {10, -20, 5, 6})});
    const RunContent b = run_with({series("wall", {0, 1, 2}, {11, -20, 8})}, std::nextafter(2.0, 3.0));
    const SeriesDifference found = series_difference(a, b);
    EXPECT_TRUE(found.any);
    EXPECT_EQ(found.report,
              "  ledger: 2 rows, different:\n"
              "    kinetic                   1 differ, most by 4.441e-16 J/m at t = 0.5 s; A has up to 2 J/m\n"
              "  probe wall: 4 samples in A, 3 in B, different:\n"
              "    pressure_fluid            2 differ, most by 3 Pa at t = 2 s; A has up to 20 Pa\n");
}

// B is 10 t; A's sample at 4 s lies beyond it.
TEST(SeriesDifference, BetweenTheSamplesOfTheOther)
{
    const RunContent a = run_with({series("wall", {0.5, 1, 2.5, 4}, {5, 12, 24, 99})});
    const RunContent b = run_with({series("wall", {0, 2, 3}, {0, 20, 30})});
    const SeriesDifference found = series_difference(a, b);
    EXPECT_FALSE(found.any) << "no sample of one has the time of one of the other";
    // One that has: a bit of it differs.
    EXPECT_TRUE(series_difference(run_with({series("wall", {0.5, 2}, {5, 21})}), b).any);
    EXPECT_FALSE(series_difference(run_with({series("wall", {0.5, 2}, {4, 20})}), b).any);
    EXPECT_EQ(found.report,
              "  ledger: 2 rows, equal to the bit\n"
              "  probe wall: 4 samples in A, 3 in B, 3 at times of A alone, with B between its own, different:\n"
              "    pressure_fluid            2 differ, most by 2 Pa at t = 1 s; A has up to 24 Pa\n");
    EXPECT_EQ(series_difference(b, run_with({series("wall", {}, {})})).report,
              "  ledger: 2 rows, equal to the bit\n"
              "  probe wall: 3 samples in A, 0 in B, what both have is equal to the bit\n");
}

TEST(SeriesDifference, NotComparableAndNotInBoth)
{
    const double nan = std::numeric_limits<double>::quiet_NaN();
    ProbeSeries elsewhere = series("wall", {0, 1}, {1, 2});
    elsewhere.description["at"] = "0.4 0 m";
    const RunContent a = run_with({series("wall", {0, 1}, {nan, 9}), series("lid", {0}, {0})});
    elsewhere.description["within"] = "0 0 to 1 1 m";
    const SeriesDifference found = series_difference(a, run_with({elsewhere, series("floor", {0}, {0})}));
    EXPECT_FALSE(found.any) << "another place is no difference of the runs";
    EXPECT_EQ(found.report,
              "  ledger: 2 rows, equal to the bit\n"
              "  probe wall: at 0.3 0 m in A, 0.4 0 m in B; within none in A, 0 0 to 1 1 m in B\n"
              "  probe wall: 2 samples, different:\n"
              "    pressure_fluid            2 differ, most by nan Pa at t = 0 s; A has up to 9 Pa\n"
              "  probe lid: in A only\n"
              "  probe floor: in B only\n");
}

}  // namespace
}  // namespace halfulp
