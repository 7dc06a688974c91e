// Copies of a case far apart: where they are put, and that a difference of a single bit is found.
#include <gtest/gtest.h>

#include <cstddef>

#include "core/backends/cpu/cpu_backend.hpp"
#include "core/error.hpp"
#include "core/setup/read_case.hpp"
#include "validation/pools/record.hpp"
#include "validation/study.hpp"

namespace halfulp {
namespace {

Case tank(const std::string& precision, const std::string& origin = "[0,0]")
{
    return read_case(std::filesystem::path(HALFULP_TEST_CASES) / "inviscid-tank-2d.toml",
                     {"resolution.spacing=0.1", "time.end=0.1", "output.interval=0.02",
                      "numerics.precision=" + precision, "origin.cells=" + origin});
}

constexpr std::int32_t far = 1'000'000'000;

struct Pair {
    Problem one;
    Snapshot snapshot;  // of two copies, the second far away
    std::size_t count;
};

Pair pair_of(const std::string& precision)
{
    const Problem one = prepare(tank(precision));
    const Problem two = with_copies(one, {{}, {far, -far, 0}});
    return {one, make_cpu_backend(two, one_thread)->snapshot(), one.particles.size()};
}

TEST(Copies, AreWholeCellsApart)
{
    const Problem one = prepare(tank("robust"));
    const Problem three = with_copies(one, {{}, {5, -7, 0}, {far, 0, 0}});
    const std::size_t count = one.particles.size();
    ASSERT_EQ(three.particles.size(), 3 * count);
    EXPECT_EQ(three.fluid, 3 * one.fluid);
    EXPECT_EQ(three.wall, 3 * one.wall);
    EXPECT_DOUBLE_EQ(three.available_energy, 3 * one.available_energy);
    for (std::size_t i = 0; i < count; ++i) {
        EXPECT_EQ(three.particles[i].cell, one.particles[i].cell);
        EXPECT_EQ(three.particles[count + i].cell[0], one.particles[i].cell[0] + 5);
        EXPECT_EQ(three.particles[count + i].cell[1], one.particles[i].cell[1] - 7);
        EXPECT_EQ(three.particles[2 * count + i].cell[0], one.particles[i].cell[0] + far);
        EXPECT_EQ(three.particles[2 * count + i].offset, one.particles[i].offset);
    }
    // The tank reaches to cells of both signs, so one of them does not fit.
    EXPECT_THROW((void)with_copies(one, {{2'147'483'647, 0, 0}}), Error);
    EXPECT_THROW((void)with_copies(one, {{0, -2'147'483'647 - 1, 0}}), Error);
}

TEST(Copies, LookTheSameFromTheirPlacesWherePositionsAreRelative)
{
    for (const char* precision : {"robust", "gpusph", "double"}) {
        const auto [one, snapshot, count] = pair_of(precision);
        const CopyState here = state_of_copy(one, snapshot, 0, count, {});
        const CopyState there = state_of_copy(one, snapshot, count, count, {far, -far, 0});
        EXPECT_EQ(differing_particles(here, there), 0U) << precision;
        EXPECT_EQ(hash_of_copy(here), hash_of_copy(there)) << precision;
        for (std::size_t i = 0; i < count; ++i) {
            EXPECT_EQ(here[i].position, there[i].position) << precision;
            EXPECT_EQ(here[i].cell, there[i].cell) << precision;
        }
        EXPECT_EQ(differing_particles(here, state_of_copy(one, snapshot, count, count, {far - 1, -far, 0})), count);
    }
}

TEST(Copies, OfCoordinatesAreWhereTheirRoundingPutsThem)
{
    // 2e8 m away the numbers of float are 16 m apart, those of double 3e-8 m; a coordinate is off by half of that.
    for (const auto& [precision, smallest, largest] :
         {std::tuple{"naive", 0.1, 8.1}, std::tuple{"dualsphysics", 1e-10, 1.5e-8}}) {
        const auto [one, snapshot, count] = pair_of(precision);
        const CopyState here = state_of_copy(one, snapshot, 0, count, {});
        const CopyState there = state_of_copy(one, snapshot, count, count, {far, -far, 0});
        EXPECT_GT(differing_particles(here, there), count / 2) << precision;
        double farthest = 0;
        for (std::size_t i = 0; i < count; ++i)
            for (std::size_t k = 0; k < 2; ++k)
                farthest = std::max(farthest, std::abs(here[i].position[k] - there[i].position[k]));
        EXPECT_GT(farthest, smallest) << precision;
        EXPECT_LT(farthest, largest) << precision;
    }
}

TEST(Copies, ASingleBitIsFound)
{
    auto [one, snapshot, count] = pair_of("robust");
    const CopyState before = state_of_copy(one, snapshot, 0, count, {});
    for (const char* name : {"offset", "velocity", "density_deviation", "offset_residual", "velocity_residual",
                             "density_residual", "cell"}) {
        Snapshot changed = snapshot;
        for (Column& column : changed.columns) {
            if (column.name != name) continue;
            // The lowest bit of the first component of the particle 17.
            column.data[17 * static_cast<std::size_t>(column.components) * size_of(column.type)] ^= std::byte{1};
        }
        const CopyState after = state_of_copy(one, changed, 0, count, {});
        EXPECT_EQ(differing_particles(before, after), 1U) << name;
        EXPECT_NE(hash_of_copy(before), hash_of_copy(after)) << name;
    }
}

TEST(Record, OfCopiesHasTheBitsOfOneAlone)
{
    const Record together = follow(tank("robust"), {{}, {far, 0, 0}, {1000, 0, 0}});
    const Record alone = follow(tank("robust", "[1000,-77]"), {{}});
    EXPECT_EQ(together.ending, Record::Ending::completed);
    ASSERT_EQ(together.outputs.size(), 6U);
    ASSERT_EQ(alone.outputs.size(), 6U);
    for (std::size_t k = 0; k < 6; ++k) {
        for (const CopyRecord& copy : together.outputs[k].copies) {
            EXPECT_EQ(copy.differing, 0U);
            EXPECT_EQ(copy.hash, alone.outputs[k].copies[0].hash);
            EXPECT_EQ(copy.fluid, alone.outputs[k].copies[0].fluid);
        }
        // Outputs are a whole number of steps of 0.00064 s apart: off by half a step each.
        EXPECT_NEAR(together.outputs[k].time, 0.02 * static_cast<double>(k), 0.00032 * static_cast<double>(k) + 1e-5);
    }
    EXPECT_GT(together.outputs[5].copies[0].moved[0], 0U);
    EXPECT_EQ(together.outputs[0].copies[0].moved[0], 0U);
}

TEST(Record, SaysThatNothingCanMove)
{
    // Two hundred thousand kilometres along both axes: a step is some 0.0001 m, half an ulp 8 m.
    const Record frozen = follow(tank("naive", "[1000000000,-1000000000]"), {{}});
    EXPECT_EQ(frozen.ending, Record::Ending::frozen);
    EXPECT_EQ(frozen.half_ulp, 8);
    EXPECT_EQ(frozen.outputs.size(), 2U);
    EXPECT_EQ(frozen.regular(), 1U);
    EXPECT_EQ(frozen.outputs.back().copies[0].moved[0], 0U);
    EXPECT_EQ(follow(tank("naive"), {{}}).ending, Record::Ending::completed);
}

TEST(Record, SurvivesTheCache)
{
    Record record = follow(tank("naive"), {{}, {1000, 0, 0}});
    record.ending = Record::Ending::broke;
    record.broken_copy = 1;
    record.reason = "its density deviates";
    const Record again = Result::of(record).as<Record>();
    EXPECT_EQ(again.ending, record.ending);
    EXPECT_EQ(again.time, record.time);
    EXPECT_EQ(again.half_ulp, record.half_ulp);
    EXPECT_EQ(again.broken_copy, 1U);
    EXPECT_EQ(again.reason, record.reason);
    ASSERT_EQ(again.outputs.size(), record.outputs.size());
    for (std::size_t k = 0; k < record.outputs.size(); ++k) {
        const RecordedOutput& a = record.outputs[k];
        const RecordedOutput& b = again.outputs[k];
        EXPECT_EQ(a.time, b.time);
        EXPECT_EQ(a.hash, b.hash);
        EXPECT_EQ(a.energy_error, b.energy_error);
        EXPECT_EQ(a.max_speed, b.max_speed);
        ASSERT_EQ(a.copies.size(), b.copies.size());
        for (std::size_t copy = 0; copy < a.copies.size(); ++copy) {
            EXPECT_EQ(a.copies[copy].differing, b.copies[copy].differing);
            EXPECT_EQ(a.copies[copy].hash, b.copies[copy].hash);
            EXPECT_EQ(a.copies[copy].moved, b.copies[copy].moved);
            EXPECT_EQ(a.copies[copy].crossed, b.copies[copy].crossed);
            EXPECT_EQ(a.copies[copy].fluid, b.copies[copy].fluid);
        }
    }
}

}  // namespace
}  // namespace halfulp
