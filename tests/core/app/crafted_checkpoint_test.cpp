// Checkpoints with right checksums whose numbers no run wrote: each is refused with one sentence, before anything of
// the run is touched.
#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <limits>
#include <map>

#include <unistd.h>

#include "core/app/run.hpp"
#include "core/output/block_file.hpp"
#include "core/output/output_file.hpp"
#include "core/output/run_content.hpp"
#include "core/output/run_folder.hpp"
#include "core/output/sealed_file.hpp"
#include "tests/core/app/failing_backend.hpp"
#include "tests/core/backends/cases.hpp"

namespace halfulp::test {
namespace {

using Bytes = std::vector<std::byte>;

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

class CraftedCheckpoint : public ::testing::Test {
protected:
    CraftedCheckpoint()
    {
        std::string pattern = (std::filesystem::temp_directory_path() / "halfulp-crafted-XXXXXX").string();
        folder_ = mkdtemp(pattern.data());
    }
    ~CraftedCheckpoint() override { std::filesystem::remove_all(folder_); }

    [[nodiscard]] RunOptions options() const
    {
        RunOptions options;
        options.folder = folder_;
        options.quiet = true;
        options.overwrite = true;
        options.checkpoint_every = 1e-6;
        options.backend = {.kind = BackendKind::cpu, .cpu = {.threads = 1, .lanes = 0}, .cuda = {}};
        return options;
    }
    // Leaves a run that was cut off in its middle.
    void cut_off(const std::string& ledger_every, const std::string& more = "output.figures=false")
    {
        problem_ = problem_of("inviscid-tank-2d",
                              {"time.end=0.05", "output.interval=0.01", "output.ledger_every=" + ledger_every, more,
                               R"(probes=[{name="p",measures="pressure",at=[0,0.1],interval=0.003}])"});
        RunOptions failing = options();
        failing.wrap_backend = [](std::unique_ptr<Backend> whole) {
            return std::make_unique<FailingBackend>(
                std::move(whole), after_steps(60, [] { throw Error(ExitCode::unsupported, "lost"); }));
        };
        EXPECT_THROW(run(problem_, failing), Error);
        std::vector<std::string> warnings;
        newest_ = folder_ / fmt::format("checkpoint.{}", read_checkpoint(folder_, warnings)->number % 2);
        std::filesystem::remove(folder_ / (newest_.filename() == "checkpoint.0" ? "checkpoint.1" : "checkpoint.0"));
        for (const Block& block : read_blocks(newest_)) {
            const auto bytes = block.take();
            blocks_[block.name] = Bytes(bytes.begin(), bytes.end());
        }
    }
    // Resumes from a checkpoint with other bytes in a block; the sentence that refuses it, or none.
    [[nodiscard]] std::string resumed(const std::string& name, const Bytes& bytes) const
    {
        std::vector<Block> blocks;
        for (const auto& [other, whole] : blocks_) {
            const Bytes& content = other == name ? bytes : whole;
            blocks.push_back({other, content.size(), read_from(content)});
        }
        write_blocks(newest_, blocks);
        const StateHash before = checksum_of_run();
        const auto told = [](const std::string& sentence) {
            EXPECT_EQ(sentence.find("/proc/"), std::string::npos) << sentence;  // the handle, not the name of the file
            return sentence;
        };
        try {
            std::vector<std::string> warnings;
            const RunFolder held = RunFolder::existing(folder_);
            const std::optional<ResumePoint> from = read_resume_point(RunReader(held.path()), warnings);
            EXPECT_EQ(checksum_of_run(), before);
            if (!from) return told(warnings.at(0));  // the run would start again
            Simulation simulation(problem_, make_backend(problem_, options().backend).backend,
                                  from->checkpoint.simulation);
            from->check(simulation, problem_);
            return {};
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ExitCode::bad_input);
            EXPECT_EQ(checksum_of_run(), before);
            return told(error.what());
        }
    }
    template <class Number>
    [[nodiscard]] Number number_of(const std::string& name, std::size_t word) const
    {
        Number value;
        std::memcpy(&value, blocks_.at(name).data() + 8 * word, sizeof value);
        return value;
    }
    // With other words of 64 bits in a block.
    template <class Number>
    [[nodiscard]] std::string resumed_with(const std::string& name, std::size_t word, Number number) const
    {
        Bytes bytes = blocks_.at(name);
        std::memcpy(bytes.data() + 8 * word, &number, sizeof number);
        return resumed(name, bytes);
    }

    std::filesystem::path folder_;
    std::filesystem::path newest_;
    std::map<std::string, Bytes> blocks_;
    Problem problem_;

private:
    [[nodiscard]] StateHash checksum_of_run() const { return checksum_of_file(folder_ / "run.h5"); }
};

// The words of the block "numbers", in order.
enum Word { number, problem, outputs = 3, ledger_rows, wall_seconds, next_step, last_step, initial_energy, rebuilds };

TEST_F(CraftedCheckpoint, OfNumbersThatNoRunHas)
{
    cut_off("1000");
    EXPECT_EQ(resumed("none", {}), "");
    constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
    constexpr double infinity = std::numeric_limits<double>::infinity();
    for (const std::uint64_t wrong : {std::uint64_t{0}, most}) {
        EXPECT_NE(resumed_with("numbers", number, wrong), "");
        EXPECT_NE(resumed_with("numbers", outputs, wrong), "");
        EXPECT_NE(resumed_with("numbers", ledger_rows, wrong), "");
        EXPECT_NE(resumed_with("numbers", rebuilds, wrong), "");
    }
    for (const double wrong : {-1.0, infinity, std::numeric_limits<double>::quiet_NaN()}) {
        for (const Word word : {wall_seconds, next_step, last_step, initial_energy})
            EXPECT_NE(resumed_with("numbers", word, wrong), "") << word << " " << wrong;
    }
    EXPECT_NE(resumed_with("numbers", initial_energy, 1.0), "");
    EXPECT_NE(resumed_with("numbers", outputs, std::uint64_t{1}), "");
    EXPECT_NE(resumed_with("numbers", ledger_rows, std::uint64_t{1}), "");
    for (const std::uint64_t wrong : {std::uint64_t{0}, std::uint64_t{3}, most})
        EXPECT_NE(resumed_with("samples", 0, wrong), "");
    EXPECT_NE(resumed("samples", {}), "");
    EXPECT_NE(resumed("samples", Bytes(16)), "");
    EXPECT_NE(resumed("clock", Bytes(blocks_.at("clock").size())), "");
    Clock beyond_the_end;
    for (int step = 0; step < 10000; ++step) beyond_the_end.advance(number_of<double>("numbers", last_step));
    Bytes clock(sizeof beyond_the_end);
    std::memcpy(clock.data(), &beyond_the_end, sizeof beyond_the_end);
    EXPECT_NE(resumed("clock", clock), "");
    for (const char* name : {"numbers", "clock"}) {
        EXPECT_NE(resumed(name, {}), "");
        EXPECT_NE(resumed(name, Bytes(blocks_.at(name).size() + 8)), "");
    }
    // Every word of the clock: its digits, of which the lowest are below rounding, whether it is finite, the steps.
    for (std::size_t word = 0; word < blocks_.at("clock").size() / 8; ++word) {
        for (const std::uint64_t wrong : {most, most / 2, std::uint64_t{1} << 63U, std::uint64_t{12345} << 32U})
            EXPECT_TRUE(resumed_with("clock", word, wrong) != "" || word < 34) << word;
    }
}

TEST_F(CraftedCheckpoint, OfAStateThatIsNotThatOfItsLedgerAndOutput)
{
    cut_off("1");
    EXPECT_EQ(resumed("none", {}), "");
    for (const char* name : {"particles/velocity", "particles/offset_residual", "particles/velocity_residual"}) {
        Bytes bytes = blocks_.at(name);
        for (std::size_t k = 0; k < bytes.size(); k += 16) bytes[k] ^= std::byte{1};
        EXPECT_NE(resumed(name, bytes), "") << name;
    }
}

// The hash of an output does not cover works.
TEST_F(CraftedCheckpoint, OfWorksThatAreNotThoseOfItsLedger)
{
    cut_off("1", "fluid.artificial_viscosity=0.05");
    EXPECT_EQ(resumed("none", {}), "");
    Bytes bytes = blocks_.at("particles/viscous_work");
    for (std::size_t k = 0; k < bytes.size(); k += sizeof(float)) bytes[k + 2] ^= std::byte{1};
    EXPECT_TRUE(contains(resumed("particles/viscous_work", bytes), "does not agree with the run's ledger"));
}

TEST_F(CraftedCheckpoint, OfAnOutputOfAnotherState)
{
    cut_off("1000", "output.interval=1e-9");  // an output of every step, that of the checkpoint too
    EXPECT_EQ(resumed("none", {}), "");
    RunContent content = read_run_content(folder_ / "run.h5");
    for (OutputInfo& output : content.outputs) output.hash.front() = output.hash.front() == '0' ? '1' : '0';
    write_run_content(folder_ / "run.h5", content);
    EXPECT_TRUE(contains(resumed("none", {}), "does not agree with the run's outputs"));
}

// Of which a list as long as that would be written.
TEST_F(CraftedCheckpoint, OfAnOutputOfMoreParticles)
{
    cut_off("1000");
    RunContent content = read_run_content(folder_ / "run.h5");
    content.outputs.front().count = most_particles;
    write_run_content(folder_ / "run.h5", content);
    EXPECT_TRUE(contains(resumed("none", {}), "does not agree with the run's outputs"));
    EXPECT_FALSE(std::filesystem::exists(vertices_of(folder_, most_particles)));
}

// A run whose tables are not those of its case.
TEST_F(CraftedCheckpoint, OfTablesOfAnotherCase)
{
    cut_off("1000");
    const RunContent whole = read_run_content(folder_ / "run.h5");
    using Change = std::function<void(RunContent&)>;
    for (const Change& change : {Change([](RunContent& content) { content.probes[0].name = "q"; }),
                                 Change([](RunContent& content) { content.probes[0].filter = 0.1; }),
                                 Change([](RunContent& content) { content.probes[0].columns[1].unit = "m"; }),
                                 Change([](RunContent& content) { content.probes[0].columns[1].name = "level"; }),
                                 Change([](RunContent& content) { content.dimensions = 3; })}) {
        RunContent content = whole;
        change(content);
        write_run_content(folder_ / "run.h5", content);
        EXPECT_TRUE(contains(resumed("none", {}), "does not agree with the run's case"));
    }
}

}  // namespace
}  // namespace halfulp::test
