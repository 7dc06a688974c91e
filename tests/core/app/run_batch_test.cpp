// Runs of a batch have the files that they have alone, and what happens to one of them does not happen to the others:
// with back ends of the CPU that take their steps together.
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <new>

#include <unistd.h>

#include "core/app/interrupts.hpp"
#include "core/app/run_batch.hpp"
#include "core/output/compare.hpp"
#include "core/output/verify.hpp"
#include "core/setup/read_case.hpp"
#include "tests/core/app/failing_backend.hpp"
#include "tests/core/backends/batch_check.hpp"

namespace halfulp {
namespace {

class RunsOfABatch : public ::testing::Test {
protected:
    RunsOfABatch()
    {
        std::string pattern = (std::filesystem::temp_directory_path() / "halfulp-batch-XXXXXX").string();
        folder_ = mkdtemp(pattern.data());
        for (const auto& some : std::vector<test::Overrides>{
                 {"time.end=0.05"}, {"time.end=0.02", "gravity=[2,-9]"}, {"time.end=0.05", "time.cfl=0.1"}})
            problems_.push_back(problem(some));
    }
    ~RunsOfABatch() override { std::filesystem::remove_all(folder_); }

    static Problem problem(const test::Overrides& overrides)
    {
        test::Overrides all{"output.interval=0.01", "time.step=variable",
                            R"(probes=[{name="p",measures="pressure",at=[0,0.1],interval=0.003}])"};
        all.insert(all.end(), overrides.begin(), overrides.end());
        return prepare(read_case(find_case("inviscid-tank-2d"), all));
    }
    [[nodiscard]] RunOptions options(const std::string& name) const
    {
        RunOptions options;
        options.folder = folder_ / name;
        options.quiet = true;
        options.backend = {.kind = BackendKind::cpu, .cpu = {.threads = 1, .lanes = 0}, .cuda = {}};
        return options;
    }
    [[nodiscard]] std::vector<BatchedRun> batched(const std::string& name) const
    {
        std::vector<BatchedRun> runs;
        for (std::size_t k = 0; k < problems_.size(); ++k)
            runs.push_back({&problems_[k], options(name + std::to_string(k)), {}});
        return runs;
    }
    static std::vector<EndOfRun> together(std::vector<BatchedRun> runs)
    {
        return run_batch(std::move(runs), [](const auto& problems) { return test::side_by_side(problems); }, "", {});
    }
    [[nodiscard]] std::string text_of(const std::string& file) const
    {
        std::ifstream in(folder_ / file);
        return {std::istreambuf_iterator<char>(in), {}};
    }
    void expect_as_alone(std::size_t k, const std::string& name) const
    {
        const std::string alone = "alone" + std::to_string(k);
        run(problems_[k], options(alone));
        const Comparison comparison = compare_runs(folder_ / alone, folder_ / name);
        EXPECT_TRUE(comparison.equal) << name << ":\n" << comparison.report;
        for (const char* file : {"/ledger.csv", "/probes/p.csv"}) {
            EXPECT_FALSE(text_of(alone + file).empty()) << file;
            EXPECT_EQ(text_of(alone + file), text_of(name + file)) << file;
        }
    }

    std::filesystem::path folder_;
    std::vector<Problem> problems_;
};

TEST_F(RunsOfABatch, HaveTheirFilesOfAlone)
{
    const std::vector<EndOfRun> ends = together(batched("b"));
    for (std::size_t k = 0; k < problems_.size(); ++k) {
        ASSERT_TRUE(ends[k].outcome) << ends[k].failure;
        EXPECT_EQ(ends[k].outcome->code, ExitCode::success);
        expect_as_alone(k, "b" + std::to_string(k));
    }
}

TEST_F(RunsOfABatch, BreakDownApart)
{
    problems_[1] = problem({"time.end=0.05", "numerics.density_bound=0.004"});
    problems_.push_back(problem({"time.end=0.05", "shapes.water.velocity=[300,0]"}));
    const std::vector<EndOfRun> ends = together(batched("b"));
    int broken = 0;
    for (std::size_t k = 0; k < problems_.size(); ++k) {
        ASSERT_TRUE(ends[k].outcome) << ends[k].failure;
        expect_as_alone(k, "b" + std::to_string(k));
        if (!ends[k].outcome->breakdown) continue;
        ++broken;
        EXPECT_FALSE(text_of("b" + std::to_string(k) + "/breakdown.vtk").empty());
        EXPECT_EQ(text_of("b" + std::to_string(k) + "/breakdown.vtk"),
                  text_of("alone" + std::to_string(k) + "/breakdown.vtk"));
    }
    EXPECT_EQ(broken, 2);
}

// One has no room for its files.
TEST_F(RunsOfABatch, FailApart)
{
    std::ofstream(folder_ / "b1") << "a file";
    const std::vector<EndOfRun> ends = together(batched("b"));
    EXPECT_FALSE(ends[1].outcome);
    EXPECT_NE(ends[1].failure.find("b1"), std::string::npos) << ends[1].failure;
    for (const std::size_t k : {0U, 2U}) {
        ASSERT_TRUE(ends[k].outcome) << ends[k].failure;
        expect_as_alone(k, "b" + std::to_string(k));
    }
}

// A device fails in the middle: all runs keep what there was, and go on from the start.
TEST_F(RunsOfABatch, FailWithTheirDevice)
{
    const auto lose_device = [] { throw Error(ExitCode::unsupported, "the CUDA device failed while computing"); };
    const auto make = [&](const std::vector<const Problem*>& problems) {
        return test::side_by_side(problems, [&](std::unique_ptr<Backend> whole, std::size_t) {
            return std::make_unique<test::FailingBackend>(std::move(whole), test::after_steps(20, lose_device));
        });
    };
    const std::vector<EndOfRun> ends = run_batch(batched("b"), make, "", {});
    for (std::size_t k = 0; k < problems_.size(); ++k) {
        EXPECT_FALSE(ends[k].outcome);
        EXPECT_NE(ends[k].failure.find("the CUDA device failed"), std::string::npos) << ends[k].failure;
        EXPECT_TRUE(std::filesystem::exists(folder_ / ("b" + std::to_string(k)) / "run.h5"));
    }
}

// A device without room for them, or that fails before the first step: the sweep goes on to its table.
TEST_F(RunsOfABatch, FailTogetherAtTheirStart)
{
    const auto without_room = [](const std::vector<const Problem*>&) -> BatchOfRuns { throw std::bad_alloc(); };
    for (const EndOfRun& end : run_batch(batched("b"), without_room, "", {})) {
        EXPECT_FALSE(end.outcome);
        EXPECT_NE(end.failure.find("there is not enough memory"), std::string::npos) << end.failure;
    }
    const auto lose_device = [] { throw Error(ExitCode::unsupported, "the CUDA device failed while computing"); };
    const auto make = [&](const std::vector<const Problem*>& problems) {
        return test::side_by_side(problems, [&](std::unique_ptr<Backend> whole, std::size_t) {
            return std::make_unique<test::FailingBackend>(std::move(whole), test::after_steps(0, lose_device));
        });
    };
    for (const EndOfRun& end : run_batch(batched("c"), make, "", {})) {
        EXPECT_FALSE(end.outcome);
        EXPECT_NE(end.failure.find("the CUDA device failed"), std::string::npos) << end.failure;
    }
}

// Interrupted, in a process of its own, and gone on with in another batch; one has come to its end before.
TEST_F(RunsOfABatch, AreResumed)
{
    const auto interrupt = [&] {
        catch_interrupts();
        const std::vector<EndOfRun> ends = run_batch(
            batched("b"), [](const auto& problems) { return test::side_by_side(problems); }, "",
            [](std::size_t ended, double) {
                if (ended == 1) std::raise(SIGINT);
            });
        for (std::size_t k = 0; k < ends.size(); ++k) {
            const bool was_at_work = k != 1;
            if (!ends[k].outcome || ends[k].outcome->interrupted != was_at_work ||
                ends[k].outcome->resumable != was_at_work)
                _exit(1);
        }
        _exit(0);
    };
    EXPECT_EXIT(interrupt(), ::testing::ExitedWithCode(0), "");
    std::vector<BatchedRun> runs = batched("b");
    runs.erase(runs.begin() + 1);
    for (BatchedRun& run : runs) {
        run.options.held = RunFolder::existing(run.options.folder);
        std::vector<std::string> warnings;
        run.from = read_resume_point(RunReader(run.options.held.path()), warnings);
        ASSERT_TRUE(run.from) << run.options.folder;
    }
    const std::vector<EndOfRun> ends = together(std::move(runs));
    for (const EndOfRun& end : ends) {
        ASSERT_TRUE(end.outcome) << end.failure;
        EXPECT_EQ(end.outcome->code, ExitCode::success);
    }
    for (const std::size_t k : {0U, 1U, 2U}) expect_as_alone(k, "b" + std::to_string(k));
}

}  // namespace
}  // namespace halfulp
