// Promise: a device that is lost in the middle of a run, whatever it was asked for at that moment, ends the run with
// one sentence and the exit code of a machine's failure; what was written is whole, and is resumed on the CPU to the
// bits of an uninterrupted run. Each run is a process of its own, which loses its device for good.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <ostream>
#include <string>

#include <unistd.h>

#include <fmt/format.h>

#include "core/app/run.hpp"
#include "core/backends/cuda/cuda_backend.hpp"
#include "core/output/compare.hpp"
#include "core/output/verify.hpp"
#include "tests/core/app/failing_backend.hpp"
#include "tests/core/backends/cases.hpp"
#include "tests/cuda/lose_device.hpp"

namespace halfulp::test {
namespace {

struct Loss {
    const char* name;
    Request request;
    int before;               // how many such requests are fulfilled
    bool checkpoints = true;  // after every step
};

void PrintTo(const Loss& loss, std::ostream* out) { *out << loss.name; }

// Before one request the device is lost; nothing is thrown, as a device gives no notice.
FailingBackend::Before losing(const Loss& loss)
{
    return [loss, left = loss.before](Request request) mutable {
        if (request != loss.request || left-- != 0) return;
        if (lose_device()) return;
        fmt::print(stderr, "the device is still there\n");
        std::_Exit(1);
    };
}

class LostDevice : public ::testing::TestWithParam<Loss> {
protected:
    LostDevice()
    {
        GTEST_FLAG_SET(death_test_style, "threadsafe");  // this program anew, up to what ends
        // The same for both.
        const char* const given = std::getenv(of_both);
        std::string pattern = (std::filesystem::temp_directory_path() / "halfulp-lost-XXXXXX").string();
        folder_ = given != nullptr ? given : mkdtemp(pattern.data());
        if (given == nullptr) setenv(of_both, folder_.c_str(), 1);
    }
    ~LostDevice() override
    {
        unsetenv(of_both);
        std::filesystem::remove_all(folder_);
    }
    void SetUp() override
    {
        const std::string obstacle = why_no_cuda(problem_, {});
        if (!obstacle.empty()) GTEST_SKIP() << "no CUDA device to test on: " << obstacle;
    }

    [[nodiscard]] RunOptions options(const char* name, BackendKind kind) const
    {
        RunOptions options;
        options.folder = folder_ / name;
        options.quiet = true;
        options.backend = {.kind = kind, .cpu = {.threads = kind == BackendKind::cpu ? 1 : 0, .lanes = 0}, .cuda = {}};
        return options;
    }
    // As the program does it.
    [[noreturn]] void run_and_lose() const
    {
        RunOptions cut = options("cut", BackendKind::cuda);
        cut.checkpoint_every = GetParam().checkpoints ? 1e-6 : 0;
        cut.wrap_backend = [](std::unique_ptr<Backend> whole) {
            return std::make_unique<FailingBackend>(std::move(whole), losing(GetParam()));
        };
        try {
            run(problem_, cut);
        } catch (const Error& error) {
            fmt::print(stderr, "halfulp: {}\n", error.what());
            std::exit(static_cast<int>(error.code()));
        }
        std::exit(0);
    }
    // What it says, and nothing else.
    [[nodiscard]] std::string sentence() const
    {
        const std::string cut = "[^ \n]*cut";  // from the present folder, if it is in that
        const std::string unsaved =
            GetParam().request == Request::save ? "halfulp: no checkpoint could be taken: [^\n]*\n" : "";
        return "^" + unsaved + "halfulp: CUDA device 0 \\([^)]+\\) failed while [a-z' ]+: [^;\n]+; " +
               (GetParam().checkpoints ? "halfulp resume " + cut + " goes on from the last checkpoint"
                                       : "no checkpoint had been taken \\(--checkpoint-every\\): halfulp resume " +
                                             cut + " starts the run again from its case") +
               ", with --backend cpu without the device\n$";
    }

    static constexpr const char* of_both = "HALFULP_FOLDER_OF_LOST_DEVICE";
    std::filesystem::path folder_;
    Problem problem_ =
        problem_of("inviscid-tank-2d", {"time.end=0.05", "output.interval=0.01", "output.ledger_every=5",
                                        R"(probes=[{name="p",measures="pressure",at=[0,0.1],interval=0.003}])"});
};

TEST_P(LostDevice, IsSaidAndGoneOnWithout)
{
    EXPECT_EXIT(run_and_lose(), ::testing::ExitedWithCode(static_cast<int>(ExitCode::unsupported)), sentence());
    const RunOptions rest = options("cut", BackendKind::cpu);
    std::optional<ResumePoint> from;
    {
        const RunReader reader(rest.folder);
        EXPECT_TRUE(reader.entry("end_state").starts_with("failed: CUDA device 0 (")) << reader.entry("end_state");
        EXPECT_TRUE(verify_run(rest.folder).damages.empty());
        EXPECT_FALSE(reader.outputs().empty());
        std::vector<std::string> warnings;
        from = read_resume_point(reader, warnings);
        EXPECT_TRUE(warnings.empty());
    }
    ASSERT_EQ(from.has_value(), GetParam().checkpoints);
    if (!from) return;
    EXPECT_GT(from->checkpoint.simulation.clock.steps(), 20U);
    const RunOutcome whole = run(problem_, options("whole", BackendKind::cpu));
    const RunOutcome resumed = run(problem_, rest, std::move(from));
    EXPECT_EQ(resumed.code, ExitCode::success);
    EXPECT_EQ(resumed.final_hash, whole.final_hash);
    const Comparison comparison = compare_runs(folder_ / "whole", folder_ / "cut");
    EXPECT_TRUE(comparison.equal) << comparison.report;
}

INSTANTIATE_TEST_SUITE_P(
    InMidRun, LostDevice,
    ::testing::Values(Loss{"Step", Request::complete, 60}, Loss{"Ledger", Request::ledger_totals, 12},
                      Loss{"Probe", Request::sample, 6}, Loss{"Output", Request::begin_snapshot, 3},
                      Loss{"WhileAnOutputIsWritten", Request::take_snapshot, 3}, Loss{"Checkpoint", Request::save, 50},
                      Loss{"StepWithoutACheckpoint", Request::complete, 60, false}),
    [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace halfulp::test
