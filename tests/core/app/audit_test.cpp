// A run whose audit finds a fault: it ends with a sentence and a code of its own, its folder holds nothing that came
// after the last state that was found equal, and it goes on from there to the files of a run without a fault.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>

#include <unistd.h>

#include "core/app/resume_point.hpp"
#include "core/app/run.hpp"
#include "core/output/compare.hpp"
#include "core/output/verify.hpp"
#include "core/setup/read_case.hpp"
#include "tests/core/backends/cases.hpp"
#include "tests/core/evolution/faulty_backend.hpp"

namespace halfulp::test {
namespace {

std::string content_of(const std::filesystem::path& path)
{
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

// Changes a bit of the velocity of a particle of the fluid.
void damage(const SavedParticles& particles, unsigned bit)
{
    const auto at = [&](const char* name) {
        return std::ranges::find(particles.buffers, std::string(name), &SavedBuffer::name)->take();
    };
    const auto kinds = at("kind");
    std::size_t place = kinds.size() / 2;
    while (static_cast<Kind>(kinds[place]) != Kind::fluid) ++place;
    auto* const velocity = const_cast<std::byte*>(at("velocity").data()) + place * sizeof(Four<float>);
    std::uint32_t bits = 0;
    std::memcpy(&bits, velocity, sizeof bits);
    bits ^= 1U << bit;
    std::memcpy(velocity, &bits, sizeof bits);
}

// A back end whose state is right, and what is made of it for the run's files is not: once, in a request of this
// number.
class FaultyRecords final : public FailingBackend {
public:
    FaultyRecords(std::unique_ptr<Backend> whole, Request kind, int number)
        : FailingBackend(std::move(whole), [](Request) {}), kind_(kind), number_(number)
    {
    }
    [[nodiscard]] LedgerTotals ledger_totals() const override
    {
        LedgerTotals totals = FailingBackend::ledger_totals();
        if (is_due(Request::ledger_totals)) totals.add(0, 1e-9);
        return totals;
    }
    [[nodiscard]] std::vector<ProbeTotals> sample(const std::vector<ProbePlace>& places) const override
    {
        std::vector<ProbeTotals> totals = FailingBackend::sample(places);
        if (is_due(Request::sample)) {
            for (int sum = 0; sum < static_cast<int>(ProbeSum::count); ++sum) totals.front().add(sum, 1e-9);
        }
        return totals;
    }
    // The last bit of a row of each column.
    [[nodiscard]] std::function<SnapshotSource()> begin_snapshot() override
    {
        return [take = FailingBackend::begin_snapshot(), faulty = is_due(Request::begin_snapshot)] {
            SnapshotSource source = take();
            if (!faulty) return source;
            for (ColumnSource& one : source.columns) {
                one.read = [read = one.read, width = bytes_a_particle(one.column)](std::uint64_t first,
                                                                                   std::uint64_t count, std::byte* to) {
                    read(first, count, to);
                    if (first == 0) to[17 * width] ^= std::byte{1};
                };
            }
            return source;
        };
    }

private:
    bool is_due(Request kind) const { return kind == kind_ && asked_++ == number_; }

    Request kind_;
    int number_;
    mutable int asked_ = 0;
};

class AuditOfARun : public ::testing::Test {
protected:
    AuditOfARun()
    {
        std::string pattern = (std::filesystem::temp_directory_path() / "halfulp-audit-XXXXXX").string();
        folder_ = mkdtemp(pattern.data());
        whole_ = run(problem_, options("whole"));
    }
    ~AuditOfARun() override { std::filesystem::remove_all(folder_); }

    [[nodiscard]] RunOptions options(const char* name, std::uint64_t every = 0) const
    {
        RunOptions options;
        options.folder = folder_ / name;
        options.quiet = true;
        options.backend = {.kind = BackendKind::cpu, .cpu = {.threads = 1, .lanes = 0}, .cuda = {}};
        options.audit.every = every;
        options.checkpoint_every = 0;
        return options;
    }

    // The sentence of a run that ends by its audit.
    [[nodiscard]] std::string ends(RunOptions options, TimeOfDamage when, unsigned bit,
                                   std::optional<ResumePoint> from = {}) const
    {
        options.wrap_backend = [&](std::unique_ptr<Backend> whole) {
            return std::make_unique<FaultyBackend>(std::move(whole), when,
                                                   [=](const SavedParticles& all) { damage(all, bit); });
        };
        return ends(options, std::move(from));
    }
    [[nodiscard]] std::string ends(const RunOptions& options, std::optional<ResumePoint> from = {}) const
    {
        try {
            run(problem_, options, std::move(from));
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ExitCode::audit) << error.what();
            return error.what();
        }
        ADD_FAILURE() << "nothing was found";
        return {};
    }
    // The point to go on from, in a folder that is held.
    [[nodiscard]] std::optional<ResumePoint> point_of(RunOptions& rest) const
    {
        rest.held = RunFolder::existing(rest.folder);
        const RunReader reader(rest.folder);
        EXPECT_EQ(reader.entry("end_state").find("failed: the audit"), 0U) << reader.entry("end_state");
        EXPECT_TRUE(verify_run(rest.folder).damages.empty());
        std::vector<std::string> warnings;
        return read_resume_point(reader, warnings);
    }
    void expect_same_files(const std::filesystem::path& folder) const
    {
        const Comparison comparison = compare_runs(folder_ / "whole", folder);
        EXPECT_TRUE(comparison.equal) << comparison.report;
        for (const char* name : {"ledger.csv", "probes/p.csv", "run.xdmf"})
            EXPECT_EQ(content_of(folder_ / "whole" / name), content_of(folder / name)) << name;
    }

    std::filesystem::path folder_;
    RunOutcome whole_;
    Problem problem_ = prepare(read_case(find_case("inviscid-tank-2d"),
                                         {"time.end=0.05", "output.interval=0.01", "output.ledger_every=7",
                                          R"(probes=[{name="p",measures="pressure",at=[0,0.1],interval=0.003}])"}));
};

TEST_F(AuditOfARun, WithoutAFaultHasTheSameFiles)
{
    for (const std::uint64_t every : {1, 7, 100000}) {
        RunOptions audited = options("audited", every);
        audited.overwrite = true;
        const RunOutcome outcome = run(problem_, audited);
        EXPECT_EQ(outcome.code, ExitCode::success);
        const auto steps = static_cast<std::uint64_t>(outcome.last.step);
        EXPECT_EQ(outcome.audited.states, 1 + (steps + every - 1) / every) << "the start, and the end";
        EXPECT_NE(outcome.audited.on.find("no stored neighbours"), std::string::npos);
        EXPECT_EQ(RunReader(audited.folder).entry("audit"),
                  fmt::format("every {} on {}: {} states equal", every == 1 ? "step" : fmt::format("{} steps", every),
                              outcome.audited.on, outcome.audited.states));
        expect_same_files(audited.folder);
    }
}

TEST_F(AuditOfARun, EndsAtTheLastStateThatWasEqual)
{
    const auto steps = static_cast<std::uint64_t>(whole_.last.step);
    constexpr std::uint64_t every = 50;
    Random random(11);
    int taken_out = 0;
    for (int k = 0; k < 20; ++k) {
        const TimeOfDamage when{.step = 1 + random.bits() % steps};
        // The last audit is that of the end.
        const std::uint64_t last = std::min((when.step + every - 1) / every * every, steps);
        const std::uint64_t equal = (last - 1) / every * every;
        RunOptions cut = options("cut", every);
        cut.overwrite = true;
        const std::string sentence = ends(cut, when, static_cast<unsigned>(random.integer(0, 22)));
        EXPECT_NE(sentence.find(fmt::format("the audit of steps {} to {} on cpu, 1 thread", equal + 1, last)),
                  std::string::npos)
            << sentence;
        EXPECT_NE(sentence.find(fmt::format("halfulp resume {} --audit 50 goes on from step {}, the last",
                                            cut.folder.string(), equal)),
                  std::string::npos)
            << sentence;
        taken_out += sentence.find("taken out") != std::string::npos;
        RunOptions rest = options("cut", every);
        std::optional<ResumePoint> from = point_of(rest);
        ASSERT_TRUE(from);
        EXPECT_EQ(from->checkpoint.simulation.clock.steps(), equal);
        EXPECT_EQ(from->found.outputs.size(), from->kept.outputs.size());
        EXPECT_LE(from->found.outputs.back().step, equal);
        const RunOutcome resumed = run(problem_, rest, std::move(from));
        EXPECT_EQ(resumed.code, ExitCode::success);
        EXPECT_EQ(resumed.final_hash, whole_.final_hash);
        expect_same_files(cut.folder);
    }
    EXPECT_GT(taken_out, 0);
}

// A fault in a part that was resumed after a fault.
TEST_F(AuditOfARun, FindsFaultsOfResumedRuns)
{
    const RunOptions cut = options("cut", 40);
    static_cast<void>(ends(cut, {.step = 100}, 20));
    RunOptions rest = options("cut", 30);
    std::optional<ResumePoint> from = point_of(rest);
    EXPECT_EQ(from->checkpoint.simulation.clock.steps(), 80U);
    // The first step after a restored state is completed first.
    const std::string sentence = ends(rest, {.step = 20}, 20, std::move(from));
    EXPECT_NE(sentence.find("of steps 91 to 120 on"), std::string::npos) << sentence;
    rest.held = {};
    from = point_of(rest);
    EXPECT_EQ(from->checkpoint.simulation.clock.steps(), 90U);
    rest.audit.every = 0;
    EXPECT_EQ(run(problem_, rest, std::move(from)).final_hash, whole_.final_hash);
    expect_same_files(cut.folder);
}

// Rows, samples and outputs that are not those of the state, and a file that was changed after it was written.
TEST_F(AuditOfARun, FindsWrongRecordsOfARightState)
{
    const auto steps = static_cast<std::uint64_t>(whole_.last.step);
    const RunReader whole(folder_ / "whole");
    const std::vector<OutputInfo>& outputs = whole.outputs();
    ASSERT_EQ(outputs.size(), 6U);
    const auto expect = [&](const std::function<std::unique_ptr<Backend>(std::unique_ptr<Backend>)>& wrap,
                            const std::string& what) {
        constexpr std::uint64_t every = 40;
        RunOptions cut = options("cut", every);
        std::filesystem::remove_all(cut.folder);
        cut.wrap_backend = wrap;
        const std::string sentence = ends(cut);
        const std::size_t place = sentence.find(what);
        ASSERT_NE(place, std::string::npos) << sentence << " instead of " << what;
        const std::string after = "of step ";
        const std::uint64_t step = std::stoul(sentence.substr(sentence.find(after, place) + after.size()));
        RunOptions rest = options("cut", every);
        std::optional<ResumePoint> from = point_of(rest);
        ASSERT_TRUE(from);
        const std::uint64_t last = std::min((step + every - 1) / every * every, steps);
        EXPECT_EQ(from->checkpoint.simulation.clock.steps(), (last - 1) / every * every) << what;
        const RunOutcome resumed = run(problem_, rest, std::move(from));
        EXPECT_EQ(resumed.final_hash, whole_.final_hash) << what;
        expect_same_files(cut.folder);
    };
    const auto faulty = [](Request kind, int number) {
        return [=](std::unique_ptr<Backend> backend) -> std::unique_ptr<Backend> {
            return std::make_unique<FaultyRecords>(std::move(backend), kind, number);
        };
    };
    for (const int number : {4, 10, 15})
        expect(faulty(Request::ledger_totals, number), "the row of the ledger of step ");
    for (const int number : {2, 5, 16}) expect(faulty(Request::sample, number), "the sample of the probe p of step ");
    for (const std::size_t k : {1U, 3U, 5U}) {
        expect(faulty(Request::begin_snapshot, static_cast<int>(k)),
               fmt::format("the output {} of step {} has another column ", k, outputs[k].step));
    }
    // Between two audits, once it is written, which another thread does.
    const auto changes_the_file = [&](std::unique_ptr<Backend> backend) -> std::unique_ptr<Backend> {
        return std::make_unique<FailingBackend>(
            std::move(backend), [left = outputs[2].step + 3, folder = folder_ / "cut"](Request request) mutable {
                if (request != Request::complete || --left != 0) return;
                for (int k = 0; k < 10'000 && RunReader(folder, Tables::left).outputs().size() < 3; ++k)
                    std::this_thread::sleep_for(std::chrono::milliseconds(1));
                std::fstream bytes(folder / "outputs/000002.h5", std::ios::in | std::ios::out | std::ios::binary);
                bytes.seekp(5000);
                bytes.put('x');
            });
    };
    expect(changes_the_file, fmt::format("the output 2 of step {}: ", outputs[2].step));
}

// An exponent's bit: the run breaks down, which its repetition does not.
TEST_F(AuditOfARun, DoesNotTakeAFaultForABreakdown)
{
    const RunOptions cut = options("cut", 1000);
    const std::string sentence = ends(cut, {.step = 33, .after = kind_of<FindDensityRate>}, 30);
    EXPECT_NE(sentence.find("the run broke down in step 34, and its repetition did not: particle "), std::string::npos)
        << sentence;
    RunOptions rest = options("cut");
    std::optional<ResumePoint> from = point_of(rest);
    EXPECT_EQ(from->checkpoint.simulation.clock.steps(), 0U);
    EXPECT_EQ(run(problem_, rest, std::move(from)).final_hash, whole_.final_hash);
    expect_same_files(cut.folder);
}

// What both do is none.
TEST_F(AuditOfARun, LetsARunBreakDown)
{
    const Problem fast = prepare(read_case(find_case("inviscid-tank-2d"),
                                           {"fluid.sound_speed=3", "numerics.density_bound=0.02", "time.end=0.5"}));
    RunOptions plain = options("plain");
    RunOptions audited = options("audited", 10);
    const RunOutcome a = run(fast, plain);
    const RunOutcome b = run(fast, audited);
    ASSERT_TRUE(a.breakdown);
    ASSERT_TRUE(b.breakdown);
    EXPECT_EQ(a.code, ExitCode::stopped);
    EXPECT_EQ(b.code, ExitCode::stopped);
    EXPECT_EQ(a.breakdown->what, b.breakdown->what);
    EXPECT_EQ(a.last.step, b.last.step);
}

// Of a state that was not compared there is none, whenever they are taken.
TEST_F(AuditOfARun, TakesCheckpointsOfEqualStates)
{
    RunOptions cut = options("cut", 1000);
    cut.checkpoint_every = 1e-6;
    const std::string sentence = ends(cut, {.step = 60}, 3);
    EXPECT_NE(sentence.find("the audit of step 60 on"), std::string::npos) << sentence;
    RunOptions rest = options("cut");
    EXPECT_EQ(point_of(rest)->checkpoint.simulation.clock.steps(), 59U);
}

}  // namespace
}  // namespace halfulp::test
