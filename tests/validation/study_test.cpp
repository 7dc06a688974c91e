// Studies: what the cache gives back, what it refuses to, and the order and number of the measurements.
#include <atomic>
#include <bit>
#include <cfenv>
#include <chrono>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <thread>

#include <gtest/gtest.h>

#include "core/error.hpp"
#include "core/setup/read_case.hpp"
#include "tests/core/backends/batch_check.hpp"
#include "tests/validation/scratch.hpp"
#include "validation/experiment.hpp"
#include "validation/study.hpp"

namespace halfulp::test {
namespace {

using Results = std::vector<std::vector<double>>;

std::vector<std::vector<std::uint64_t>> bits_of(const Results& rows)
{
    std::vector<std::vector<std::uint64_t>> bits;
    for (const auto& row : rows) {
        auto& own = bits.emplace_back();
        for (const double value : row) own.push_back(std::bit_cast<std::uint64_t>(value));
    }
    return bits;
}

const Results difficult{{std::numeric_limits<double>::quiet_NaN(), -std::numeric_limits<double>::infinity(),
                         std::bit_cast<double>(0xfff8000000abcdefU), -0.0, 5e-324, 0.1, 1.7976931348623157e308},
                        {},
                        {3}};

TEST(StudyCache, GivesBackEveryBit)
{
    const Scratch scratch;
    const StudyCache cache(scratch.path() / "not" / "there");
    EXPECT_FALSE(cache.find("a key").has_value());
    cache.keep("a key", Result::of(difficult));
    cache.keep("nothing", {});
    const auto found = cache.find("a key");
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(bits_of(found->as<Results>()), bits_of(difficult));
    ASSERT_TRUE(cache.find("nothing").has_value());
    EXPECT_TRUE(cache.find("nothing")->bytes().empty());
    EXPECT_FALSE(cache.find("another key").has_value());
}

TEST(StudyCache, ReadsNothingFromADamagedFile)
{
    const Scratch scratch;
    const StudyCache cache(scratch.path(), "program");
    cache.keep("key", Result::of(difficult));
    const auto file = cache.file_of("key");
    const std::string whole = text_of(file);
    for (std::size_t k = 0; k < whole.size(); ++k) {
        std::string changed = whole;
        changed[k] = static_cast<char>(changed[k] ^ 1);
        write_text(file, changed);
        EXPECT_FALSE(cache.find("key").has_value()) << "byte " << k;
        write_text(file, whole.substr(0, k));
        EXPECT_FALSE(cache.find("key").has_value()) << "cut at " << k;
    }
    write_text(file, whole + "x");
    EXPECT_FALSE(cache.find("key").has_value());
    write_text(file, whole);
    EXPECT_TRUE(cache.find("key").has_value());
}

TEST(StudyCache, DoesNotTakeAnotherKeysFile)
{
    const Scratch scratch;
    const StudyCache cache(scratch.path());
    cache.keep("one", Result::of(1));
    // As if both had the same digest.
    std::filesystem::copy_file(cache.file_of("one"), cache.file_of("two"));
    EXPECT_FALSE(cache.find("two").has_value());
}

TEST(StudyCache, DoesNotTakeAnotherProgramsResults)
{
    const Scratch scratch;
    StudyCache(scratch.path(), "this program").keep("key", Result::of(1));
    EXPECT_TRUE(StudyCache(scratch.path(), "this program").find("key").has_value());
    EXPECT_FALSE(StudyCache(scratch.path(), "that program").find("key").has_value());
}

TEST(Digest, TellsZerosFromNothing)
{
    std::vector<std::string> digests;
    for (std::size_t length = 0; length < 10; ++length) {
        const std::string digest = digest_text(std::string(length, '\0'));
        EXPECT_EQ(digest.size(), 32u);
        for (const std::string& before : digests) EXPECT_NE(digest, before) << length;
        digests.push_back(digest);
    }
}

TEST(JobKey, ChangesWithEverythingThatCounts)
{
    const auto path = find_case("inviscid-tank-2d");
    const Case c = read_case(path, {});
    const std::string key = job_key("energy", c);
    EXPECT_EQ(key, job_key("energy", read_case(path, {})));
    EXPECT_NE(key, job_key("front", c));
    EXPECT_NE(key, job_key("energy", c, {"steps=3"}));
    EXPECT_NE(key, job_key("energy", read_case(path, {"numerics.precision=double"})));
    EXPECT_NE(key, job_key("energy", read_case(path, {"time.cfl=0.0999999999999999"})));
    EXPECT_NE(key, job_key("energy", read_case(path, {"origin.cells=[1,0]"})));
}

TEST(JobKey, ChangesWithTheMesh)
{
    const Scratch scratch;
    const auto shipped = find_case("ramp-3d");
    std::filesystem::copy_file(shipped, scratch.path() / "ramp-3d.toml");
    std::filesystem::copy_file(shipped.parent_path() / "ramp.stl", scratch.path() / "ramp.stl");
    const std::string before = job_key("a", read_case(scratch.path() / "ramp-3d.toml", {}));
    EXPECT_EQ(before, job_key("a", read_case(shipped, {})));
    write_text(scratch.path() / "ramp.stl", text_of(scratch.path() / "ramp.stl") + "\n");
    EXPECT_NE(before, job_key("a", read_case(scratch.path() / "ramp-3d.toml", {})));
}

struct Part {
    std::string text;
    std::vector<float> numbers;
    static auto members(auto& self) { return std::tie(self.text, self.numbers); }
};
struct Whole {
    bool flag = false;
    StateHash hash;
    std::vector<Part> parts;
    static auto members(auto& self) { return std::tie(self.flag, self.hash, self.parts); }
};

TEST(ResultOf, AStructIsEveryMemberOfItsParts)
{
    const Whole whole{true, {{0xfedcba9876543210U, 0x0000000180000001U}}, {{"a", {1.5F, -0.0F}}, {"", {}}}};
    const Whole again = Result::of(whole).as<Whole>();
    EXPECT_TRUE(again.flag);
    EXPECT_EQ(again.hash, whole.hash);
    ASSERT_EQ(again.parts.size(), 2u);
    EXPECT_EQ(again.parts[0].text, "a");
    EXPECT_EQ(again.parts[0].numbers.size(), 2u);
    EXPECT_TRUE(std::signbit(again.parts[0].numbers[1]));
    EXPECT_TRUE(again.parts[1].text.empty());
}

TEST(ResultOf, AnotherTypeIsRefused)
{
    EXPECT_THROW((void)Result::of(1.0).as<float>(), std::logic_error);
    EXPECT_THROW((void)Result::of(1.0F).as<double>(), std::logic_error);
    EXPECT_THROW((void)Result::of(std::vector<double>{1, 2}).as<std::string>(), std::logic_error);
}

class StudyTest : public ::testing::Test {
protected:
    // Job k gives k; earlier ones take longer, so that they end in another order than they begin in.
    std::vector<Job> jobs(std::size_t count)
    {
        std::vector<Job> all;
        for (std::size_t k = 0; k < count; ++k) {
            all.push_back({parameter_key("test", {"k=" + std::to_string(k)}), [this, k, count] {
                               ++computed_;
                               std::this_thread::sleep_for(std::chrono::milliseconds(2 * (count - k)));
                               if (k == fails_) throw std::runtime_error("job " + std::to_string(k));
                               return static_cast<double>(k);
                           }});
        }
        return all;
    }
    [[nodiscard]] StudyOptions options() const { return {.folder = scratch_.path(), .threads = 3}; }

    Scratch scratch_;
    std::atomic<int> computed_ = 0;
    std::size_t fails_ = 1000;
};

TEST_F(StudyTest, GivesResultsInTheOrderOfTheJobs)
{
    std::vector<std::size_t> seen;
    const auto results = Study("test", options()).run(jobs(10), [&](std::size_t k, const Result& result) {
        EXPECT_EQ(result.as<double>(), static_cast<double>(k));
        seen.push_back(k);
    });
    ASSERT_EQ(results.size(), 10u);
    for (std::size_t k = 0; k < 10; ++k) EXPECT_EQ(results[k].as<double>(), static_cast<double>(k));
    EXPECT_EQ(seen, (std::vector<std::size_t>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
    EXPECT_EQ(computed_, 10);
    EXPECT_TRUE(Study("test", options()).run({}).empty());
}

TEST_F(StudyTest, BeginsWithTheDearest)
{
    std::vector<double> begun;
    std::vector<Job> all;
    for (const double cost : {1.0, 3.0, 2.0, 3.0}) {
        const auto k = static_cast<double>(all.size());
        all.push_back({parameter_key("cost", {"k=" + std::to_string(k)}),
                       [&begun, k] {
                           begun.push_back(k);
                           return k;
                       },
                       cost});
    }
    const auto results = Study("test", {.folder = scratch_.path(), .threads = 1}).run(all);
    EXPECT_EQ(begun, (std::vector<double>{1, 3, 2, 0}));
    for (std::size_t k = 0; k < 4; ++k) EXPECT_EQ(results[k].as<double>(), static_cast<double>(k));
}

TEST_F(StudyTest, ComputesOnlyWhatItDoesNotHave)
{
    Study("test", options()).run(jobs(4));
    EXPECT_EQ(computed_, 4);
    const auto results = Study("test", options()).run(jobs(6));
    EXPECT_EQ(computed_, 6);
    EXPECT_EQ(results[5].as<double>(), 5);
    StudyOptions fresh = options();
    fresh.fresh = true;
    Study("test", fresh).run(jobs(6));
    EXPECT_EQ(computed_, 12);
}

TEST_F(StudyTest, ThrowsWhatAJobThrowsAndKeepsTheOthers)
{
    fails_ = 2;
    try {
        Study("test", options()).run(jobs(20));
        FAIL() << "nothing was thrown";
    } catch (const std::runtime_error& error) {
        EXPECT_STREQ(error.what(), "job 2");
    }
    const int before = computed_;
    EXPECT_LT(before, 20) << "no job is begun after one has failed";
    fails_ = 1000;
    Study("test", options()).run(jobs(20));
    EXPECT_EQ(computed_, 20 + 1) << "all but the one that failed were kept";
}

TEST_F(StudyTest, KeepsNothingOfAThreadThatRoundsOtherwise)
{
    auto all = jobs(3);
    all[1].compute = [] {
        std::fesetround(FE_UPWARD);
        return Result::of(1);
    };
    StudyOptions alone = options();
    alone.threads = 1;
    try {
        Study("test", alone).run(all);
        FAIL() << "nothing was thrown";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ExitCode::unsupported);
        EXPECT_EQ(std::string(error.what()).find("the processor does not round to nearest in a thread that measures; "),
                  0u);
    }
    EXPECT_EQ(computed_, 1) << "no job is begun after it";
    Study("test", alone).run(jobs(3));
    EXPECT_EQ(computed_, 3) << "only the first was kept";
}

TEST_F(StudyTest, RefusesTwoJobsWithOneKey)
{
    auto twice = jobs(3);
    twice[2].key = twice[0].key;
    EXPECT_THROW(Study("test", options()).run(twice), Error);
    EXPECT_EQ(computed_, 0);
}

// Two of three go together, of which one is kept from before: it is not asked for again, and neither by run().
TEST_F(StudyTest, TakesWhatIsNotKeptTogether)
{
    const auto all = jobs(4);
    Study("test", options()).run({all[1]});
    EXPECT_EQ(computed_, 1);
    Study study("test", options());
    const auto compute = [&](const std::vector<std::size_t>& places) {
        EXPECT_EQ(places, (std::vector<std::size_t>{1}));
        return std::vector{all[2].compute().as<double>()};
    };
    study.take_together(all, 1, 2, compute);
    EXPECT_EQ(computed_, 2);
    const auto results = study.run(all);
    EXPECT_EQ(computed_, 4) << "the other two";
    for (std::size_t k = 0; k < all.size(); ++k) EXPECT_EQ(results[k].bytes(), all[k].compute().bytes());
    computed_ = 0;
    StudyOptions fresh = options();
    fresh.fresh = true;
    Study anew("test", fresh);
    anew.take_together(all, 0, 4, [&](const std::vector<std::size_t>& places) {
        std::vector<double> values;
        for (const std::size_t k : places) values.push_back(all[k].compute().as<double>());
        return values;
    });
    EXPECT_EQ(computed_, 4) << "with --fresh all of them";
    anew.run(all);
    EXPECT_EQ(computed_, 4) << "which are not taken twice";
}

TEST(Simulations, TogetherHaveTheBitsThatTheyHaveAlone)
{
    std::vector<Problem> problems;
    for (const std::string more : {"time.end=0.02", "time.end=0.03", "numerics.density_bound=0.002"})
        problems.push_back(prepare(case_with("inviscid-tank-2d", {"time.cfl=0.1", more})));
    std::vector<const Problem*> all;
    for (Problem& problem : problems) {
        problem.source.time.end = std::min(problem.source.time.end, 0.1);
        all.push_back(&problem);
    }
    std::vector<std::vector<StateHash>> together(problems.size());
    const std::vector<bool> broke =
        simulate_together(all, side_by_side(all), 20, "test",
                          [&](std::size_t k, const Simulation& now) { together[k].push_back(now.snapshot().hash); });
    EXPECT_EQ(broke, (std::vector<bool>{false, false, true}));
    for (std::size_t k = 0; k < problems.size(); ++k) {
        std::vector<StateHash> alone;
        const Simulated run = simulate(problems[k], 20, [&](const Problem& /*problem*/, const Simulation& now) {
            alone.push_back(now.snapshot().hash);
        });
        EXPECT_EQ(run.broke, broke[k]) << k;
        EXPECT_EQ(alone, together[k]) << k;
        EXPECT_GT(alone.size(), 1U) << k;
    }
}

TEST(Simulations, SideBySideHaveTheirOwnBits)
{
    const auto hash_at = [](double cfl, const CpuOptions& cpu) {
        const Case c = case_with("inviscid-tank-2d", {"time.end=0.02", "time.cfl=" + std::to_string(cfl)});
        return simulate(
                   prepare(c), 1000, [](const Problem&, const Simulation&) {}, cpu)
            .hash;
    };
    const std::vector<double> cfls{0.1, 0.09, 0.08, 0.07};
    std::vector<Job> jobs;
    for (const double cfl : cfls) {
        jobs.push_back({parameter_key("bits", {"cfl=" + std::to_string(cfl)}),
                        [&hash_at, cfl] { return hash_at(cfl, one_thread); }});
    }
    const Scratch scratch;
    const auto results = Study("bits", {.folder = scratch.path(), .threads = 4}).run(jobs);
    for (std::size_t k = 0; k < cfls.size(); ++k)
        EXPECT_EQ(results[k].as<StateHash>(), hash_at(cfls[k], {})) << cfls[k];
}

}  // namespace
}  // namespace halfulp::test
