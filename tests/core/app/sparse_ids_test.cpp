// Whole runs with gaps between ids: their files against those of the same run without.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include <unistd.h>

#include "core/app/run.hpp"
#include "core/output/verify.hpp"
#include "core/results/column_number.hpp"
#include "tests/core/backends/cases.hpp"

namespace halfulp::test {
namespace {

class RunWithSparseIds : public ::testing::Test {
protected:
    RunWithSparseIds()
    {
        std::string pattern = (std::filesystem::temp_directory_path() / "halfulp-ids-XXXXXX").string();
        folder_ = mkdtemp(pattern.data());
    }
    ~RunWithSparseIds() override { std::filesystem::remove_all(folder_); }

    [[nodiscard]] RunOutcome carry_out(const Problem& problem, const char* name) const
    {
        RunOptions options;
        options.folder = folder_ / name;
        options.quiet = true;
        options.backend = {.kind = BackendKind::cpu, .cpu = {.threads = 1, .lanes = 0}, .cuda = {}};
        return run(problem, options);
    }
    [[nodiscard]] std::string text_of(const std::string& file) const
    {
        std::stringstream text;
        text << std::ifstream(folder_ / file).rdbuf();
        return text.str();
    }

    std::filesystem::path folder_;
};

TEST_F(RunWithSparseIds, Files)
{
    for (const char* chosen : {"output.particles=all", "output.particles=fluid"}) {
        Problem problem = problem_of("inviscid-tank-2d", {"time.end=0.05", "output.interval=0.01", chosen,
                                                          R"(probes=[{name="f",measures="force",interval=0.003}])"});
        spread_ids(problem, false);
        const Problem dense = numbered_without_gaps(problem);
        const std::vector<std::size_t> order = by_id(problem);
        ASSERT_EQ(carry_out(problem, "a").code, ExitCode::success);
        ASSERT_EQ(carry_out(dense, "b").code, ExitCode::success);
        EXPECT_EQ(text_of("a/ledger.csv"), text_of("b/ledger.csv"));
        EXPECT_FALSE(text_of("a/probes/f.csv").empty());
        EXPECT_EQ(text_of("a/probes/f.csv"), text_of("b/probes/f.csv"));
        EXPECT_TRUE(text_of("a/run.xdmf").find(":/id<") != std::string::npos);
        EXPECT_TRUE(verify_run(folder_ / "a").damages.empty());
        const RunReader a(folder_ / "a");
        const RunReader b(folder_ / "b");
        ASSERT_EQ(a.outputs().size(), 6U);
        ASSERT_EQ(b.outputs().size(), 6U);
        for (std::size_t k = 0; k < 6; ++k) {
            const Snapshot here = a.output(a.outputs()[k]);
            const Snapshot there = b.output(b.outputs()[k]);
            ASSERT_EQ(here.count, there.count);
            for (const Column& column : there.columns) {
                if (column.name == id_column) continue;
                EXPECT_EQ(find_column(here, column.name)->data, column.data) << column.name;
            }
            for (std::size_t row = 0; row < here.count; ++row)
                ASSERT_EQ(id_of(here, row), static_cast<std::uint32_t>(problem.particles[order[id_of(there, row)]].id));
        }
        std::filesystem::remove_all(folder_ / "a");
        std::filesystem::remove_all(folder_ / "b");
    }
}

// The sentence and the file around the particle name it by its id.
TEST_F(RunWithSparseIds, Breakdown)
{
    Problem problem = problem_of("inviscid-tank-2d", {"numerics.density_bound=0.004", "time.cfl=0.2"});
    spread_ids(problem, false);
    const Problem dense = numbered_without_gaps(problem);
    const RunOutcome here = carry_out(problem, "a");
    const RunOutcome there = carry_out(dense, "b");
    ASSERT_TRUE(here.breakdown);
    ASSERT_TRUE(there.breakdown);
    EXPECT_EQ(here.breakdown->id,
              static_cast<std::uint32_t>(problem.particles[by_id(problem)[there.breakdown->id]].id));
    // Both files, but for the ids.
    std::istringstream mine(text_of("a/breakdown.vtk"));
    std::istringstream other(text_of("b/breakdown.vtk"));
    std::string x;
    std::string y;
    const auto next = [&] { return std::getline(mine, x) && std::getline(other, y); };
    int points = 0;
    while (next()) {
        if (x == y) continue;
        if (x.starts_with("halfulp: around")) {
            EXPECT_TRUE(x.starts_with(fmt::format("halfulp: around particle {},", here.breakdown->id))) << x;
        } else {
            EXPECT_EQ(std::stoi(x), problem.particles[by_id(problem)[std::stoul(y)]].id);
            ++points;
        }
    }
    EXPECT_GT(points, 20);
}

}  // namespace
}  // namespace halfulp::test
