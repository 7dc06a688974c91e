// A sweep in batches, which back ends of the CPU carry out here: what it leaves of each run is what the run leaves
// alone.
#include <gtest/gtest.h>

#include <atomic>
#include <csignal>
#include <filesystem>
#include <fstream>

#include <unistd.h>

#include <fmt/format.h>

#include "core/app/interrupts.hpp"
#include "core/app/side_by_side.hpp"
#include "core/app/sweep_batches.hpp"
#include "core/output/compare.hpp"
#include "core/setup/read_case.hpp"
#include "tests/core/backends/batch_check.hpp"

namespace halfulp {
namespace {

class SweepInBatches : public ::testing::Test {
protected:
    SweepInBatches()
    {
        std::string pattern = (std::filesystem::temp_directory_path() / "halfulp-sweep-XXXXXX").string();
        folder_ = mkdtemp(pattern.data());
    }
    ~SweepInBatches() override { std::filesystem::remove_all(folder_); }

    [[nodiscard]] SweepArguments arguments(const std::vector<std::string>& varied) const
    {
        SweepArguments some;
        some.source = {.name_or_path = "inviscid-tank-2d", .overrides = {"time.end=0.02", "output.interval=0.01"}};
        some.varied = varied;
        some.folder = (folder_ / "s").string();
        return some;
    }
    // A sweep that has its folder, as the program's have when they begin.
    [[nodiscard]] Sweep begun(const std::vector<std::string>& varied) const
    {
        Sweep sweep(arguments(varied));
        sweep.hold_if_there();
        sweep.look_at_members();
        sweep.hold();
        return sweep;
    }
    // In one batch.
    static BatchMachine machine()
    {
        return {.why_not = [](const Problem& /*problem*/) { return std::string(); },
                .batches =
                    [](const std::vector<const Problem*>& problems, std::size_t /*most*/) {
                        std::vector<std::vector<std::size_t>> batches;
                        if (problems.empty()) return batches;
                        batches.emplace_back();
                        for (std::size_t k = 0; k < problems.size(); ++k) batches.back().push_back(k);
                        return batches;
                    },
                .make = [](const std::vector<const Problem*>& problems) { return test::side_by_side(problems); },
                .description = ""};
    }
    [[nodiscard]] std::string text_of(const std::filesystem::path& file) const
    {
        std::ifstream in(folder_ / file);
        return {std::istreambuf_iterator<char>(in), {}};
    }
    // Every file of a run but run.h5, which says how long it took.
    void expect_as_alone(const Sweep& sweep, const SweepMember& member) const
    {
        RunOptions options;
        options.folder = folder_ / ("alone-" + member.name);
        options.quiet = true;
        options.backend = {.kind = BackendKind::cpu, .cpu = {.threads = 1, .lanes = 0}, .cuda = {}};
        run(prepare(sweep.case_of(member)), options);
        const Comparison comparison = compare_runs(options.folder, sweep.folder_of(member));
        EXPECT_TRUE(comparison.equal) << member.name << ":\n" << comparison.report;
        std::vector<std::string> files;
        for (const auto& entry : std::filesystem::recursive_directory_iterator(options.folder)) {
            const std::string name = entry.path().lexically_relative(options.folder).string();
            if (!entry.is_regular_file() || name == "run.h5") continue;
            files.push_back(name);
            EXPECT_EQ(text_of(options.folder / name), text_of(sweep.folder_of(member) / name)) << name;
        }
        EXPECT_GE(files.size(), 6U);  // three outputs, their vertices, the ledger, XDMF
        // What the sweep knows of it is what its files say.
        const StateOfMember read = state_of(RunReader(sweep.folder_of(member)));
        EXPECT_EQ(member.state.text, read.text);
        EXPECT_EQ(member.state.hash, read.hash);
        EXPECT_EQ(member.state.wall_seconds, read.wall_seconds);
        ASSERT_TRUE(member.state.last && read.last);
        for (const LedgerColumn& column : ledger_columns)
            EXPECT_EQ((*member.state.last).*column.member, (*read.last).*column.member) << column.name;
    }

    std::filesystem::path folder_;
};

TEST_F(SweepInBatches, EveryRunHasItsFilesOfAlone)
{
    const std::vector<std::string> varied{"time.cfl=0.1,0.2", "gravity=[0,-9.81],[1,-5]"};
    std::string table;
    {
        Sweep sweep = begun(varied);
        carry_out_batches(sweep, machine());
        ASSERT_EQ(sweep.count_done(), 4U);
        for (const SweepMember& member : sweep.members) {
            EXPECT_FALSE(member.alone);
            EXPECT_EQ(member.state.text, "complete");
            expect_as_alone(sweep, member);
            EXPECT_NE(text_of(sweep.log_of(member)).find("residual"), std::string::npos);
        }
        write_table(sweep);
        table = text_of("s/sweep.csv");
    }
    // Begun again, they are kept.
    const Sweep again = begun(varied);
    EXPECT_EQ(again.count_done(), 4U);
    write_table(again);
    EXPECT_EQ(table, text_of("s/sweep.csv"));
}

// No particle fits into the tank of some; the others do not hear of it, and each that fails is told by its name.
TEST_F(SweepInBatches, RunsThatCannotBePreparedFailAlone)
{
    Sweep sweep =
        begun({"shapes.water.box={from=[0,0],to=[0.5,0.25]},{from=[0,0],to=[1e-9,0.25]}", "time.cfl=0.1,0.2"});
    carry_out_batches(sweep, machine());
    ASSERT_EQ(sweep.count_done(), 2U);
    for (const std::size_t k : {0U, 1U}) expect_as_alone(sweep, sweep.members[k]);
    for (const std::size_t k : {2U, 3U}) {
        EXPECT_EQ(sweep.members[k].state.text, "failed: " + (sweep.folder / fmt::format("000{}.log", k)).string());
        EXPECT_NE(text_of(sweep.log_of(sweep.members[k])).find("water"), std::string::npos);
        EXPECT_FALSE(sweep.members[k].alone);
        EXPECT_FALSE(std::filesystem::exists(sweep.folder_of(sweep.members[k])));
    }
}

TEST_F(SweepInBatches, WhatTheMachineCannotHaveIsLeftForProcesses)
{
    Sweep sweep = begun({"time.cfl=0.1,0.2"});
    BatchMachine choosy = machine();
    choosy.why_not = [](const Problem& problem) {
        return std::string(problem.source.time.cfl == 0.1 ? "it is too slow" : "");
    };
    carry_out_batches(sweep, choosy);
    EXPECT_TRUE(sweep.members[0].alone);
    EXPECT_FALSE(sweep.members[0].done);
    EXPECT_TRUE(sweep.members[1].done);
}

// Interrupted while problems are prepared or runs computed, in a process of its own; then the same sweep again.
TEST_F(SweepInBatches, AreInterruptedAndGoneOnWith)
{
    const std::vector<std::string> varied{"time.cfl=0.1,0.2,0.15"};
    const auto interrupt_as_prepared = [&] {
        catch_interrupts();
        Sweep sweep = begun(varied);
        std::raise(SIGINT);
        carry_out_batches(sweep, machine());
        _exit(sweep.count_done() == 0 && sweep.members[0].state.text.empty() ? 0 : 1);
    };
    EXPECT_EXIT(interrupt_as_prepared(), ::testing::ExitedWithCode(0), "");
    EXPECT_FALSE(std::filesystem::exists(folder_ / "s" / "0000"));
    const auto interrupt_at_work = [&] {
        catch_interrupts();
        Sweep sweep = begun(varied);
        BatchMachine stopping = machine();
        stopping.make = [](const std::vector<const Problem*>& problems) {
            std::raise(SIGINT);
            return test::side_by_side(problems);
        };
        carry_out_batches(sweep, stopping);
        bool all = true;
        for (const SweepMember& member : sweep.members) all = all && member.state.text == "interrupted" && !member.done;
        _exit(all ? 0 : 1);
    };
    EXPECT_EXIT(interrupt_at_work(), ::testing::ExitedWithCode(0), "");
    Sweep sweep = begun(varied);
    EXPECT_TRUE(sweep.members[0].resumed);
    carry_out_batches(sweep, machine());
    for (const SweepMember& member : sweep.members) expect_as_alone(sweep, member);
}

TEST_F(SweepInBatches, TheFirstCaseThatIsWrongIsTheOneThatIsNamed)
{
    const SweepArguments wrong = arguments({"time.cfl=0.1,0.2,0.15,7,0.12,8,9"});
    for (int k = 0; k < 20; ++k) {
        try {
            Sweep sweep(wrong);
            sweep.look_at_members();
            FAIL() << "no error";
        } catch (const Error& error) {
            EXPECT_NE(std::string(error.what()).find("time.cfl is 7"), std::string::npos) << error.what();
        }
    }
}

TEST(SideBySide, ThrowsWhatTheFirstThrowsAndDoesAllBeforeIt)
{
    constexpr std::size_t count = 1000;
    std::vector<int> done(count, 0);
    std::atomic<bool> other_threw = false;
    try {
        side_by_side(count, [&](std::size_t k) {
            // The first one throws after another one, if there is another thread to do that.
            for (int patience = 0; k == 73 && !other_threw && patience < 200; ++patience) usleep(1000);
            if (k % 100 == 73) {
                other_threw = true;
                throw std::runtime_error(std::to_string(k));
            }
            done[k] = 1;
        });
        FAIL() << "no error";
    } catch (const std::runtime_error& error) {
        EXPECT_STREQ(error.what(), "73");
    }
    for (std::size_t k = 0; k < 73; ++k) EXPECT_EQ(done[k], 1) << k;
}

}  // namespace
}  // namespace halfulp
