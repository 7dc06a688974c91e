// Outputs of chosen columns, particles, precision and compression, against the whole of them.
#include <gtest/gtest.h>
#include <hdf5.h>

#include <cstring>

#include "core/output/run_file.hpp"
#include "core/results/column_number.hpp"
#include "tests/core/output/sample_run.hpp"

namespace halfulp::test {
namespace {

class Chosen : public testing::Test {
protected:
    Snapshot written(const Case::Output& chosen, const Snapshot& all = make_snapshot(1000, 3))
    {
        SnapshotSource source = source_of(all);
        source.place = [](std::uint64_t first, std::uint64_t count, double* to) {
            for (std::uint64_t k = 0; k < count; ++k) {
                to[3 * k] = static_cast<double>(first + k);
                to[3 * k + 1] = to[3 * k + 2] = 0;
            }
        };
        RunWriter(folder / "run", true, 2, "", "", {}, {}, chosen).write_output(source);
        const RunReader reader(folder / "run");
        const Snapshot read = reader.output(reader.outputs()[0]);
        EXPECT_EQ(read.hash, all.hash);
        EXPECT_TRUE(python_agrees(folder / "run" / "run.h5", "[g[c][()] for g in f['outputs'].values() for c in g]"));
        return read;
    }
    Folder folder;
};

TEST_F(Chosen, Columns)
{
    const Snapshot read = written({.columns = {"kind", "velocity"}});
    ASSERT_EQ(read.columns.size(), 2U);
    EXPECT_EQ(read.columns[0].data, make_snapshot(1000, 3).columns[1].data) << "in the order that they always have";
    EXPECT_EQ(read.columns[1].name, "kind");
    EXPECT_FALSE(read.whole_state);
    EXPECT_TRUE(written({.columns = {"velocity", "density_deviation", "cell"}}).whole_state) << "all of the state";
}

TEST_F(Chosen, Particles)
{
    const Snapshot all = make_snapshot(1000, 3);
    const Snapshot read =
        written({.particles = Case::Output::Particles::fluid, .within = Box{{100, -1, -1}, {300, 1, 1}}});
    EXPECT_EQ(read.count, 101U) << "the even ones from 100 to 300";
    EXPECT_FALSE(read.whole_state);
    ASSERT_EQ(read.columns.front().name, "id");
    for (std::size_t row = 0; row < read.count; ++row) {
        std::uint32_t id = 0;
        std::memcpy(&id, read.columns[0].data.data() + row * sizeof id, sizeof id);
        ASSERT_EQ(id, 100 + 2 * row);
        for (std::size_t c = 0; c < all.columns.size(); ++c) {
            const std::size_t stride = bytes_a_particle(all.columns[c]);
            ASSERT_EQ(std::memcmp(read.columns[c + 1].data.data() + row * stride,
                                  all.columns[c].data.data() + id * stride, stride),
                      0);
        }
    }
    EXPECT_EQ(written({.within = Box{{5000, -1, -1}, {6000, 1, 1}}}).count, 0U);
}

// Ids with gaps are in every output, and those of the particles that are chosen.
TEST_F(Chosen, OfIdsWithGaps)
{
    const Snapshot all = with_ids(make_snapshot(1000, 3));
    EXPECT_TRUE(written({}, all).whole_state);
    const Snapshot narrow = written({.columns = {"velocity"}}, all);
    ASSERT_EQ(narrow.columns.size(), 2U);
    EXPECT_EQ(narrow.columns[0].data, all.columns[0].data);
    EXPECT_EQ(narrow.columns[1].data, all.columns[2].data);
    const Snapshot some =
        written({.particles = Case::Output::Particles::fluid, .within = Box{{100, -1, -1}, {300, 1, 1}}}, all);
    ASSERT_EQ(some.columns.size(), all.columns.size());
    ASSERT_EQ(some.count, 101U);
    for (std::size_t row = 0; row < some.count; ++row) {
        ASSERT_EQ(id_of(some, row), 5 * (100 + 2 * row) + 3);
        ASSERT_EQ(number_at<double>(some.columns[1], 3 * row), number_at<double>(all.columns[1], 3 * (100 + 2 * row)));
    }
}

// Gaps may come later: what XDMF lists is in every output.
TEST(RunFile, IdsThatCome)
{
    const Folder folder;
    write_run(folder / "run", {make_snapshot(10, 0), with_ids(make_snapshot(9, 1))});
    const RunReader reader(folder / "run");
    expect_equal(reader.output(reader.outputs()[1]), with_ids(make_snapshot(9, 1)));
    EXPECT_FALSE(contains(text_of(folder / "run" / "run.xdmf"), ":/id"));
    write_run(folder / "all", {with_ids(make_snapshot(10, 0)), with_ids(make_snapshot(9, 1))});
    EXPECT_TRUE(contains(text_of(folder / "all" / "run.xdmf"), "000001.h5:/id"));
    write_run(folder / "gone", {with_ids(make_snapshot(10, 0)), make_snapshot(9, 1)});
    EXPECT_FALSE(contains(text_of(folder / "gone" / "run.xdmf"), ":/id"));
}

TEST_F(Chosen, Precision)
{
    const Snapshot all = make_snapshot(1000, 3);
    const Snapshot read = written({.precision = Case::Output::Precision::single});
    ASSERT_EQ(read.columns[0].type, ColumnType::float32);
    for (std::size_t k = 0; k < 3000; ++k) {
        double wide = 0;
        float narrow = 0;
        std::memcpy(&wide, all.columns[0].data.data() + k * sizeof wide, sizeof wide);
        std::memcpy(&narrow, read.columns[0].data.data() + k * sizeof narrow, sizeof narrow);
        ASSERT_EQ(narrow, static_cast<float>(wide));
    }
    EXPECT_EQ(read.columns[1].data, all.columns[1].data);
    EXPECT_TRUE(read.whole_state) << "positions in double are no state";
}

TEST_F(Chosen, RegionUpToItsEdges)
{
    EXPECT_EQ(written({.within = Box{{100, 0, 0}, {300, 0, 0}}}).count, 201U);
    EXPECT_EQ(written({.within = Box{{100, 1, -1}, {300, 2, 1}}}).count, 0U);
    EXPECT_EQ(written({.within = Box{{100, -1, -2}, {300, 1, -1}}}).count, 0U);
}

TEST_F(Chosen, StateThatIsRoundedIsNone)
{
    Snapshot all = make_snapshot(1000, 3);
    all.columns[0].state = true;  // positions in double, as a policy may have them
    EXPECT_TRUE(written({}, all).whole_state);
    const Snapshot read = written({.precision = Case::Output::Precision::single}, all);
    EXPECT_FALSE(read.whole_state);
    EXPECT_FALSE(read.columns[0].state);
    EXPECT_TRUE(read.columns[1].state);
}

TEST_F(Chosen, Compression)
{
    expect_equal(written({}), make_snapshot(1000, 3));
    const auto plain = fs::file_size(folder / "run" / "outputs" / "000000.h5");
    expect_equal(written({.compression = Case::Output::Compression::deflate}), make_snapshot(1000, 3));
    EXPECT_LT(fs::file_size(folder / "run" / "outputs" / "000000.h5"), plain);
}

// More than a piece of 524,288 rows, whose chosen ones do not fill whole chunks.
TEST_F(Chosen, CompressionInPieces)
{
    const Snapshot all = make_snapshot(600'000, 3);
    expect_equal(written({.compression = Case::Output::Compression::deflate}, all), all);
    const Snapshot read = written({.within = Box{{400'001, -1, -1}, {600'000, 1, 1}},
                                   .columns = {"cell"},
                                   .compression = Case::Output::Compression::deflate},
                                  all);
    ASSERT_EQ(read.count, 199'999U);
    EXPECT_EQ(std::memcmp(read.columns[1].data.data(), all.columns[4].data.data() + 400'001U * 12,
                          read.columns[1].data.size()),
              0);
}

}  // namespace
}  // namespace halfulp::test
