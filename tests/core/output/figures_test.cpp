// figures.py draws what it is given: in 2D and 3D, with and without published fronts, also from the barest run.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include "tests/core/output/sample_run.hpp"

namespace halfulp::test {
namespace {

const std::string plain_case = "title = \"A test\"\ngravity = [0.0, -9.81]\n[resolution]\nspacing = 0.1\n";
const std::string case_with_front = plain_case + R"(
[front]
start = 0.0
length = 1.0
[[front.references]]
name = "Somebody 1950"
points = [[0.0, 1.0], [1.0, 1.5], [1e9, 2.0]]
)";

Snapshot drawable(std::uint64_t output)
{
    Snapshot snapshot = make_snapshot(200, output);
    snapshot.columns.push_back(
        make_column("pressure", "Pa", ColumnType::float32, 1, false, std::vector<float>(200, 5.0f)));
    return snapshot;
}

// The exit status of figures.py, its words thrown away.
int draw(const std::string& python, const fs::path& folder)
{
    const std::string command = python + " " + HALFULP_FIGURES + " " + folder.string() + " > /dev/null 2>&1";
    return WEXITSTATUS(std::system(command.c_str()));
}

bool is_picture(const fs::path& path) { return text_of(path).starts_with("\x89PNG"); }

// A force without and a pressure with a filter.
std::vector<ProbeSeries> probes()
{
    Case c;
    Probe force;
    force.name = "force";
    force.measures = Probe::Measure::force;
    Probe pressure;
    pressure.name = "pressure";
    pressure.filter = 2;
    std::vector<ProbeSeries> all = {empty_series(force, c), empty_series(pressure, c)};
    for (ProbeSeries& series : all) {
        for (std::size_t k = 0; k < series.values.size(); ++k) {
            for (int i = 0; i < 10; ++i) series.values[k].push_back(i + static_cast<double>(k));
        }
    }
    return all;
}

TEST(Figures, AreDrawn)
{
    const std::string python = python_with("h5py, matplotlib, tomllib");
    if (python.empty()) GTEST_SKIP() << "no python3 with h5py and matplotlib";
    // How far the foremost particle has gone on at the end, in spacings: with the table of the case in 2D, it is drawn
    // whether it moves or not.
    for (const auto& [dimensions, advance] : {std::pair{2, 0}, {3, 9}, {3, 11}}) {
        const Folder folder;
        {
            RunWriter writer(folder / "run", false, dimensions, "", dimensions == 2 ? case_with_front : plain_case,
                             {{"available_energy", dimensions == 2 ? "3.5" : "0"}}, probes());
            writer.write_probes(probes());
            writer.write_filtered_probes();
            for (int i = 0; i < 20; ++i) {
                LedgerRow row = make_row(i);
                row.front = 0.1 * advance * i / 19;
                writer.write_ledger({row});
            }
            for (std::uint64_t output = 0; output < 7; ++output) write(writer, drawable(output));
        }
        EXPECT_EQ(draw(python, folder / "run"), 0);
        for (const char* name : {"particles.png", "ledger.png", "probe-force.png", "probe-pressure.png"})
            EXPECT_TRUE(is_picture(folder / "run" / "figures" / name)) << name << ", " << dimensions << "D";
        EXPECT_EQ(is_picture(folder / "run" / "figures" / "front.png"), dimensions == 2 || advance > 10);
        // Pictures of a run that is replaced would be taken for the new one's.
        const RunWriter replacing(folder / "run", true, 2, "", plain_case, {});
        EXPECT_FALSE(fs::exists(folder / "run" / "figures" / "particles.png"));
        EXPECT_FALSE(fs::exists(folder / "run" / "figures" / "probe-force.png"));
    }
}

TEST(Figures, BareRunsAndMistakes)
{
    const std::string python = python_with("h5py, matplotlib, tomllib");
    if (python.empty()) GTEST_SKIP() << "no python3 with h5py and matplotlib";
    const Folder folder;
    {
        RunWriter writer(folder / "bare", false, 2, "", plain_case, {});
        EXPECT_EQ(draw(python, folder / "bare"), 0);
        write(writer, drawable(0));
        EXPECT_EQ(draw(python, folder / "bare"), 0);
        EXPECT_TRUE(is_picture(folder / "bare" / "figures" / "particles.png"));
    }
    EXPECT_EQ(draw(python, folder / "nowhere"), 1);
    std::ofstream(folder / "bare" / "run.h5") << "no HDF5";
    EXPECT_EQ(draw(python, folder / "bare"), 1);
}

}  // namespace
}  // namespace halfulp::test
