// A machine that fails in the middle of a run: a device that goes away, memory that runs out. The results so far are
// kept, and the run goes on from its last checkpoint to the bits that it would have had.
#include <gtest/gtest.h>

#include <filesystem>
#include <new>

#include <unistd.h>

#include "core/app/run.hpp"
#include "core/machine_error.hpp"
#include "core/output/compare.hpp"
#include "core/output/verify.hpp"
#include "core/parallel_failure.hpp"
#include "core/setup/read_case.hpp"
#include "tests/core/app/failing_backend.hpp"
#include "tests/core/backends/cases.hpp"

namespace halfulp {
namespace {

class MachineFailure : public ::testing::Test {
protected:
    MachineFailure()
    {
        std::string pattern = (std::filesystem::temp_directory_path() / "halfulp-failure-XXXXXX").string();
        folder_ = mkdtemp(pattern.data());
    }
    ~MachineFailure() override { std::filesystem::remove_all(folder_); }

    [[nodiscard]] RunOptions options(const char* name) const
    {
        RunOptions options;
        options.folder = folder_ / name;
        options.quiet = true;
        options.backend = {.kind = BackendKind::cpu, .cpu = {.threads = 1, .lanes = 0}, .cuda = {}};
        return options;
    }

    // The sentence of a run that fails after so many steps.
    [[nodiscard]] std::string fails(RunOptions options, int steps, const std::function<void()>& fail) const
    {
        options.wrap_backend = [&](std::unique_ptr<Backend> whole) {
            return std::make_unique<test::FailingBackend>(std::move(whole), test::after_steps(steps, fail));
        };
        try {
            run(problem_, options);
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ExitCode::unsupported);
            return error.what();
        }
        ADD_FAILURE() << "nothing was thrown";
        return {};
    }

    void expect_gone_on_with() const;

    std::filesystem::path folder_;
    Problem problem_ = prepare(read_case(find_case("inviscid-tank-2d"),
                                         {"time.end=0.05", "output.interval=0.01",
                                          R"(probes=[{name="p",measures="pressure",at=[0,0.1],interval=0.003}])"}));
};

void lose_device()
{
    throw MachineError("CUDA device 0 (model) failed while computing: unspecified launch failure",
                       "--backend cpu runs without it");
}

void MachineFailure::expect_gone_on_with() const
{
    const RunOutcome whole = run(problem_, options("whole"));
    RunOptions cut = options("cut");
    cut.checkpoint_every = 1e-6;
    const std::string sentence = fails(cut, 100, lose_device);
    EXPECT_EQ(sentence, "CUDA device 0 (model) failed while computing: unspecified launch failure; halfulp resume " +
                            cut.folder.string() +
                            " goes on from the last checkpoint, with --backend cpu without the device");
    std::optional<ResumePoint> from;
    RunOptions rest = options("cut");
    {
        rest.held = RunFolder::existing(cut.folder);
        const RunReader reader(cut.folder);
        EXPECT_EQ(reader.entry("end_state"),
                  "failed: CUDA device 0 (model) failed while computing: unspecified launch failure");
        EXPECT_TRUE(verify_run(cut.folder).damages.empty());
        EXPECT_GE(reader.outputs().size(), 3U);
        std::vector<std::string> warnings;
        from = read_resume_point(reader, warnings);
        EXPECT_TRUE(warnings.empty());
        EXPECT_GT(from->checkpoint.simulation.clock.steps(), 90U);
        EXPECT_LE(from->checkpoint.simulation.clock.steps(), 100U);
    }
    const RunOutcome resumed = run(problem_, rest, std::move(from));
    EXPECT_EQ(resumed.code, ExitCode::success);
    EXPECT_EQ(resumed.final_hash, whole.final_hash);
    EXPECT_EQ(resumed.last.step, whole.last.step);
    EXPECT_EQ(RunReader(cut.folder).entry("end_state"), "complete");
    const Comparison comparison = compare_runs(folder_ / "whole", folder_ / "cut");
    EXPECT_TRUE(comparison.equal) << comparison.report;
}

TEST_F(MachineFailure, DeviceThatIsLostIsGoneOnWithElsewhere) { expect_gone_on_with(); }

TEST_F(MachineFailure, WithGapsBetweenIdsToo)
{
    test::spread_ids(problem_, false);
    expect_gone_on_with();
}

TEST_F(MachineFailure, SaysWhereThereIsNoCheckpoint)
{
    RunOptions cut = options("cut");
    cut.checkpoint_every = 0;
    const std::string sentence = fails(cut, 60, lose_device);
    EXPECT_NE(sentence.find("launch failure; no checkpoint had been taken"), std::string::npos) << sentence;
    const RunReader reader(cut.folder);
    EXPECT_TRUE(verify_run(cut.folder).damages.empty());
    EXPECT_GE(reader.outputs().size(), 2U) << "what there was is readable";
}

TEST_F(MachineFailure, MemoryThatRunsOut)
{
    RunOptions cut = options("cut");
    cut.checkpoint_every = 1e-6;
    const std::string sentence = fails(cut, 50, [] { throw std::bad_alloc(); });
    EXPECT_EQ(sentence.find("there is not enough memory: "), 0U) << sentence;
    EXPECT_NE(sentence.find("particles take about"), std::string::npos) << sentence;
    EXPECT_NE(sentence.find("halfulp resume"), std::string::npos) << sentence;
    EXPECT_EQ(RunReader(cut.folder).entry("end_state").find("failed: there is not enough memory"), 0U);
}

// What belongs to the disk or the case is no failure of the machine, and keeps its code.
TEST_F(MachineFailure, OtherErrorsAreThrownOn)
{
    RunOptions cut = options("cut");
    cut.wrap_backend = [](std::unique_ptr<Backend> whole) {
        return std::make_unique<test::FailingBackend>(
            std::move(whole), test::after_steps(20, [] { throw output_error("the disk is full"); }));
    };
    try {
        run(problem_, cut);
        ADD_FAILURE() << "nothing was thrown";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ExitCode::output);
        EXPECT_STREQ(error.what(), "the disk is full");
    }
}

// An exception that left a parallel region would end the program at once.
TEST(ParallelFailure, LeavesTheRegionOnce)
{
    ParallelFailure failure;
    std::atomic<int> tried{0};
#pragma omp parallel for num_threads(4)
    for (int i = 0; i < 1000; ++i) {
        failure.guard([&] {
            ++tried;
            throw std::bad_alloc();
        });
    }
    EXPECT_GE(tried, 1);
    EXPECT_LE(tried, 4);
    EXPECT_THROW(failure.rethrow(), std::bad_alloc);
    const ParallelFailure nothing;
    EXPECT_NO_THROW(nothing.rethrow());
}

}  // namespace
}  // namespace halfulp
