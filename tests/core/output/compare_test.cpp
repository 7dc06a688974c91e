#include "core/output/compare.hpp"
#include "core/output/case_difference.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <functional>
#include <span>
#include <tuple>

#include <fmt/format.h>

#include "core/output/column_difference.hpp"
#include "core/output/ulp_distance.hpp"
#include "tests/core/output/sample_run.hpp"

namespace halfulp::test {
namespace {

std::vector<Snapshot> snapshots(const std::array<std::int32_t, 3>& origin = {})
{
    std::vector<Snapshot> all;
    for (std::uint64_t output = 0; output < 5; ++output) all.push_back(make_snapshot(50, output, origin));
    return all;
}

// Moves a float of a column by steps in its bits.
void nudge(Snapshot& snapshot, const std::string& name, std::size_t index, std::uint32_t steps)
{
    for (Column& column : snapshot.columns) {
        if (column.name != name) continue;
        std::uint32_t bits = 0;
        std::memcpy(&bits, column.data.data() + 4 * index, 4);
        bits += steps;
        std::memcpy(column.data.data() + 4 * index, &bits, 4);
    }
}

std::string first_line(const Comparison& comparison)
{
    return comparison.report.substr(0, comparison.report.find('\n'));
}

Comparison compare_with(const std::function<void(std::vector<Snapshot>&)>& change)
{
    const Folder folder;
    write_run(folder / "a", snapshots());
    std::vector<Snapshot> changed = snapshots();
    change(changed);
    write_run(folder / "b", changed);
    return compare_runs(folder / "a", folder / "b" / "run.h5");
}

TEST(UlpDistance, CountsSteps)
{
    constexpr float inf = std::numeric_limits<float>::infinity();
    constexpr float nan = std::numeric_limits<float>::quiet_NaN();
    EXPECT_EQ(ulp_distance(1.0f, 1.0f), 0u);
    EXPECT_EQ(ulp_distance(1.0f, std::nextafter(1.0f, 2.0f)), 1u);
    EXPECT_EQ(ulp_distance(std::nextafter(1.0f, 0.0f), std::nextafter(1.0f, 2.0f)), 2u);
    EXPECT_EQ(ulp_distance(0.0f, -0.0f), 0u);
    EXPECT_EQ(ulp_distance(std::numeric_limits<float>::denorm_min(), -std::numeric_limits<float>::denorm_min()), 2u);
    EXPECT_EQ(ulp_distance(std::numeric_limits<float>::max(), inf), 1u);
    EXPECT_EQ(ulp_distance(-inf, inf), 2u * 0x7f800000u);
    EXPECT_EQ(ulp_distance(nan, nan), 0u);
    EXPECT_EQ(ulp_distance(nan, -nan), no_distance);
    EXPECT_EQ(ulp_distance(nan, 1.0f), no_distance);
    EXPECT_EQ(ulp_distance(-1.0, 1.0), 2 * std::bit_cast<std::uint64_t>(1.0));
    EXPECT_EQ(ulp_distance(1.0, 1.0 + 0x1p-52), 1u);
    EXPECT_EQ(ulp_distance(-std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()),
              2 * 0x7ff0000000000000u);
}

TEST(Compare, EqualRuns)
{
    const Comparison comparison = compare_with([](auto&) {});
    EXPECT_TRUE(comparison.equal);
    EXPECT_EQ(first_line(comparison), "equal to the bit: 5 outputs, 50 particles, t = 0 to 0.4 s");
}

// Outputs alone would be equal.
TEST(Compare, FindsALedgerThatDiffers)
{
    const Folder folder;
    for (const auto& [name, total] : {std::pair{"a", 1.0}, {"same", 1.0}, {"other", 2.0}}) {
        RunWriter writer(folder / name, false, 2, "", "", {{"origin.cells", "0 0 0"}});
        LedgerRow row = make_row(1);
        row.total = total;
        writer.write_ledger({row});
        write(writer, make_snapshot(50, 0));
    }
    const Comparison same = compare_runs(folder / "a", folder / "same");
    EXPECT_TRUE(same.equal);
    EXPECT_TRUE(contains(same.report, "\nledger and probes\n  ledger: 1 rows, equal to the bit\n")) << same.report;
    const Comparison other = compare_runs(folder / "a", folder / "other");
    EXPECT_FALSE(other.equal);
    EXPECT_EQ(first_line(other),
              "different: ledger or probes; the outputs are equal to the bit: 1 output, 50 particles, t = 0 to 0 s");
    EXPECT_TRUE(contains(
        other.report, "    total                     1 differ, most by 1 J/m at t = 0.333333 s; A has up to 1 J/m\n"))
        << other.report;
}

TEST(Compare, FindsTheFirstUlp)
{
    const Comparison comparison = compare_with([](std::vector<Snapshot>& all) {
        nudge(all[2], "density_deviation", 7, 1);
        nudge(all[2], "velocity", 3 * 7 + 1, 17);
        nudge(all[2], "density_deviation", 8, 40);
        nudge(all[4], "velocity", 0, 3);
    });
    EXPECT_FALSE(comparison.equal);
    const std::string line = first_line(comparison);
    EXPECT_TRUE(contains(line, "different: first at output 2 (t = 0.2 s, step 200): velocity[1] of particle 7, A = "))
        << line;
    EXPECT_TRUE(contains(line, ", 17 ulps apart")) << line;
    const std::string& report = comparison.report;
    EXPECT_TRUE(contains(report, "\noutput 2 (t = 0.2 s, step 200), 50 particles\n")) << report;
    EXPECT_TRUE(contains(report, "\noutput 4 (t = 0.4 s, step 400), 50 particles\n")) << report;
    EXPECT_TRUE(contains(report, "density_deviation                      2                    40")) << report;
}

TEST(Compare, SaysWhereCasesDiffer)
{
    const std::string a =
        "title = \"A  # B\"           # one line\n\n[resolution]  # particles\nspacing = 0.02   # m\nsmoothing_ratio = 2.0\n\n"
        "[[shapes]]\nname = \"tank\"\nlayers = 0\n\n[[shapes]]\nname = \"water\"\nbox = { from = [0.0], to = [1.0] }  # m\n";
    const auto with = [&](const std::string& old, const std::string& other) {
        std::string b = a;
        b.replace(b.find(old), old.size(), other);
        return case_difference(a, b);
    };
    EXPECT_EQ(case_difference(a, a), "");
    EXPECT_EQ(with("# one line", "# another comment"), "");
    EXPECT_EQ(with("ratio = 2.0", "ratio = 3.0"),
              "the cases differ: resolution.smoothing_ratio = 2.0 in A, 3.0 in B\n");
    EXPECT_EQ(with("to = [1.0]", "to = [2.0]"),
              "the cases differ: shapes.water.box = { from = [0.0], to = [1.0] } in A, { "
              "from = [0.0], to = [2.0] } in B\n");
    EXPECT_EQ(with("layers = 0\n", ""), "the cases differ: shapes.tank.layers = 0 in A, none in B\n");
    EXPECT_EQ(with("layers = 0", "layers = 0\nkind = \"wall\""),
              "the cases differ: shapes.tank.kind = none in A, \"wall\" in B\n");
    EXPECT_NE(case_difference(a, "").find("; and 2 more\n"), std::string::npos) << case_difference(a, "");
}

TEST(Compare, OneUlpAtTheEnd)
{
    const Comparison comparison =
        compare_with([](std::vector<Snapshot>& all) { nudge(all[4], "density_deviation", 49, 1); });
    EXPECT_FALSE(comparison.equal);
    EXPECT_TRUE(contains(first_line(comparison), "density_deviation of particle 49, ")) << comparison.report;
    EXPECT_TRUE(contains(first_line(comparison), ", 1 ulp apart")) << comparison.report;
}

TEST(Compare, SignOfZeroAndNaN)
{
    const Comparison zero = compare_with([](std::vector<Snapshot>& all) { nudge(all[0], "velocity", 0, 0x80000000u); });
    EXPECT_TRUE(contains(first_line(zero), "A = -0, B = 0, zeros of opposite sign")) << zero.report;
    const Comparison nan = compare_with([](std::vector<Snapshot>& all) { nudge(all[0], "velocity", 2, 1); });
    EXPECT_TRUE(contains(first_line(nan), "velocity[2] of particle 0, A = nan, B = nan, not comparable")) << nan.report;
}

TEST(Compare, DerivedColumnsDoNotCount)
{
    const Comparison comparison = compare_with([](std::vector<Snapshot>& all) { nudge(all[1], "position", 3, 1); });
    EXPECT_TRUE(comparison.equal) << comparison.report;
}

TEST(Compare, MovedOriginIsEqual)
{
    const Folder folder;
    write_run(folder / "a", snapshots());
    write_run(folder / "b", snapshots({2147483647, -1000000, 3}), "2147483647 -1000000 3");
    EXPECT_TRUE(compare_runs(folder / "a", folder / "b").equal);
    write_run(folder / "c", snapshots({1, 0, 0}), "2 0 0");
    const Comparison comparison = compare_runs(folder / "a", folder / "c");
    EXPECT_TRUE(
        contains(first_line(comparison), "first at output 0 (t = 0 s, step 0): cell[0] of particle 0, A = -5, B = -6"))
        << comparison.report;
}

template <class T>
Column column_of(const char* name, const char* unit, ColumnType type, int components, const std::vector<T>& values)
{
    const auto bytes = std::as_bytes(std::span(values));
    return {name, unit, "", type, components, true, {bytes.begin(), bytes.end()}};
}

// 0.03 sides of 0.5 m apart along y, in cells next to each other, of runs whose origins are 7 cells apart; and nothing.
TEST(Compare, PositionsAcrossTheSideOfACell)
{
    const Column cell_a = column_of<std::int32_t>("cell", "1", ColumnType::int32, 3, {2, 4, 0, 1, 1, 0});
    const Column cell_b = column_of<std::int32_t>("cell", "1", ColumnType::int32, 3, {9, 5, 0, 8, 1, 0});
    const std::vector<float> a{0.25F, 0.48F, 0, 0, 0, 0};
    const std::vector<float> b{0.25F, -0.49F, 0, 0, 0, 0};
    const Column offset_a = column_of("offset", "cell side", ColumnType::float32, 3, a);
    const Column offset_b = column_of("offset", "cell side", ColumnType::float32, 3, b);
    const ColumnDifference apart = position_difference({cell_a, offset_a, {}}, {cell_b, offset_b, {7, 0, 0}}, 2, 0.5);
    EXPECT_EQ(apart.particles, 1u);
    EXPECT_NEAR(apart.largest, 0.015, 1e-7);
    const Column metres_a = column_of("offset", "m", ColumnType::float64, 3, std::vector<double>(6, 0.1));
    const Column metres_b = column_of("offset", "m", ColumnType::float64, 3, std::vector<double>(6, 0.2));
    EXPECT_NEAR(position_difference({cell_a, metres_a, {}}, {cell_b, metres_b, {7, 0, 0}}, 2, 0.5).largest, 0.6, 1e-15);
}

TEST(Compare, NumbersOfOutputsParticlesAndTimes)
{
    const Comparison shorter = compare_with([](std::vector<Snapshot>& all) { all.pop_back(); });
    EXPECT_FALSE(shorter.equal);
    EXPECT_EQ(first_line(shorter),
              "different: A has 5 outputs, B has 4; what both have is equal to the bit: 4 outputs, "
              "50 particles, t = 0 to 0.3 s");
    const Comparison fewer = compare_with([](std::vector<Snapshot>& all) { all[3] = make_snapshot(49, 3); });
    EXPECT_EQ(first_line(fewer), "different: first at output 3 (t = 0.3 s, step 300): A has 50 particles, B has 49");
    const Comparison later =
        compare_with([](std::vector<Snapshot>& all) { all[1].time = std::nextafter(all[1].time, 1); });
    EXPECT_EQ(first_line(later),
              "different: first at output 1: A is at t = 0.1 s (step 100), B at t = 0.10000000000000002 s (step 100)");
}

// An interrupted run has an output where it was cut, which the other has not.
TEST(Compare, OutputsOfTheSameSteps)
{
    const auto take_out = [](std::vector<Snapshot>& all) { all.erase(all.begin() + 2); };
    const Comparison cut = compare_with(take_out);
    EXPECT_FALSE(cut.equal);
    EXPECT_EQ(
        first_line(cut),
        "different: A has 5 outputs, B has 4; what both have is equal to the bit: 4 outputs, 50 particles, t = 0 to 0.4 s");
    const Comparison later = compare_with([&](std::vector<Snapshot>& all) {
        take_out(all);
        nudge(all[3], "velocity", 4, 1);
    });
    EXPECT_TRUE(
        contains(first_line(later), "different: first at output 4 of A, 3 of B (t = 0.4 s, step 400): velocity["))
        << first_line(later);
    const Comparison both = compare_with([&](std::vector<Snapshot>& all) {
        take_out(all);
        all.push_back(make_snapshot(50, 7));
    });
    EXPECT_EQ(first_line(both),
              "different: A has 5 outputs, B has 5, 4 of the same steps; what both have is equal to the bit: 4 "
              "outputs, 50 particles, t = 0 to 0.4 s");
    // One that begins at a checkpoint has that moment where the other has the start.
    const Comparison begun_later = compare_with([](std::vector<Snapshot>& all) {
        all[0].step = 30;
        all[0].time = 0.03;
    });
    EXPECT_EQ(first_line(begun_later),
              "different: A has 5 outputs, B has 5, 4 of the same steps; what both have is equal to the bit: 4 "
              "outputs, 50 particles, t = 0.1 to 0.4 s");
}

// Runs of which one takes other steps: what is of the same moments. A tenth of an interval before one was another cut.
TEST(Compare, OutputsOfOtherSteps)
{
    const Comparison cut = compare_with([](std::vector<Snapshot>& all) {
        all.resize(4);
        all[3].step = 291;
        all[3].time = 0.291;
    });
    EXPECT_EQ(
        first_line(cut),
        "different: A has 5 outputs, B has 4, 3 of the same steps; what both have is equal to the bit: 3 outputs, 50 "
        "particles, t = 0 to 0.2 s");
    const Comparison finer = compare_with([](std::vector<Snapshot>& all) {
        all.erase(all.begin() + 1);
        for (std::size_t k = 1; k < all.size(); ++k) {
            all[k].step *= 2;
            all[k].time += 0.001;
        }
    });
    EXPECT_TRUE(contains(first_line(finer),
                         "different: first at output 2 of A, 1 of B: A is at t = 0.2 s (step 200), B at "
                         "t = 0.201 s (step 400)"))
        << first_line(finer);
}

TEST(Compare, PoliciesDiffer)
{
    const Comparison comparison = compare_with([](std::vector<Snapshot>& all) {
        for (Snapshot& snapshot : all) {
            Column& density = snapshot.columns[2];
            std::vector<double> wide(snapshot.count);
            for (std::size_t i = 0; i < wide.size(); ++i) {
                float value = 0;
                std::memcpy(&value, density.data.data() + 4 * i, 4);
                wide[i] = static_cast<double>(value) + (i == 9 ? 0.25 : 0.0);
            }
            density = make_column("density_deviation", "1", ColumnType::float64, 1, true, wide);
        }
    });
    EXPECT_FALSE(comparison.equal);
    EXPECT_TRUE(
        contains(first_line(comparison),
                 "different: the precision policies differ (density_deviation is float32 in A and float64 in B)"))
        << comparison.report;
    EXPECT_TRUE(contains(comparison.report, "density_deviation                      1                     -"))
        << comparison.report;
    EXPECT_TRUE(contains(comparison.report, "0.25\n")) << comparison.report;
    EXPECT_TRUE(contains(comparison.report, "position")) << comparison.report;
}

// Rows are told by their ids; where ids have no column they are the numbers of the rows.
TEST(Compare, IdsWithGaps)
{
    const Folder folder;
    std::vector<Snapshot> sparse;
    for (const Snapshot& one : snapshots()) sparse.push_back(with_ids(one));
    write_run(folder / "a", sparse);
    write_run(folder / "same", sparse);
    EXPECT_TRUE(compare_runs(folder / "a", folder / "same").equal);
    write_run(folder / "dense", snapshots());
    for (const auto& [other, a, b] : {std::tuple{"dense", 3, 0}, {"a", 0, 3}}) {
        const Comparison comparison = compare_runs(folder / (a == 3 ? "a" : "dense"), folder / other);
        EXPECT_FALSE(comparison.equal);
        EXPECT_EQ(
            first_line(comparison),
            fmt::format("different: first at output 0 (t = 0 s, step 0): id of particle {}, A = {}, B = {}", a, a, b));
    }
    nudge(sparse[2], "density_deviation", 17, 1);
    write_run(folder / "nudged", sparse);
    EXPECT_TRUE(contains(first_line(compare_runs(folder / "a", folder / "nudged")),
                         "output 2 (t = 0.2 s, step 200): density_deviation of particle 88, "));
    // Of the fluid alone, every other particle.
    Case::Output fluid;
    fluid.particles = Case::Output::Particles::fluid;
    RunWriter(folder / "fluid", false, 2, "", "", {{"origin.cells", "0 0 0"}}, {}, fluid)
        .write_output(source_of(sparse[0]));
    sparse.resize(1);
    write_run(folder / "first", sparse);
    const Comparison part = compare_runs(folder / "first", folder / "fluid");
    EXPECT_TRUE(part.equal) << part.report;
    EXPECT_TRUE(contains(part.report, "of 25 particles. The hashes")) << part.report;
}

TEST(Compare, NothingToCompare)
{
    const Folder folder;
    write_run(folder / "a", {});
    const std::string sentence = sentence_of(ExitCode::bad_input, [&] { compare_runs(folder / "a", folder / "a"); });
    EXPECT_TRUE(contains(sentence, "no complete output")) << sentence;
}

}  // namespace
}  // namespace halfulp::test
