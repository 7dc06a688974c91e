// The time that a device takes for each stage is shared out as it was in the steps in which stages were told apart.
#include <gtest/gtest.h>

#include <array>
#include <numeric>
#include <vector>

#include "core/backends/cuda/stage_clock.cuh"

namespace halfulp::cuda {
namespace {

__global__ void wait(long long nanoseconds)
{
    long long begun = 0;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begun));
    for (long long now = begun; now - begun < nanoseconds;) asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
}

void work(cudaStream_t stream, double milliseconds)
{
    wait<<<1, 1, 0, stream>>>(static_cast<long long>(1e6 * milliseconds));
}

class StageClockTest : public testing::Test {
protected:
    void SetUp() override
    {
        int devices = 0;
        if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) GTEST_SKIP() << "there is no CUDA device";
    }
};

struct Work {
    Stage stage;
    double milliseconds;
    bool rebuild = false;
};
using WorkOfStep = std::vector<Work> (*)(int step);

// Lists are made anew in every fifth.
std::vector<Work> alike(int step)
{
    std::vector<Work> all{{Stage::update, 0.05}};
    if (step % 5 == 0) all.push_back({Stage::neighbours, 0.4, true});
    all.push_back({Stage::forces, 0.2});
    all.push_back({Stage::update, 0.05});
    return all;
}
// A filter in every seventh.
std::vector<Work> with_a_filter(int step)
{
    std::vector<Work> all{{Stage::update, 0.05}, {Stage::forces, 0.1}};
    if (step % 7 == 0) all.push_back({Stage::density, 0.3});
    return all;
}
// Rounds of an implicit scheme, and the end of its step; seven together.
std::vector<Work> in_rounds(int step)
{
    if (step % 7 == 6) return {{Stage::update, 0.2}};
    return {{Stage::density, 0.05}, {Stage::update, 0.02}, {Stage::forces, 0.1}};
}

// Seconds by stage.
std::array<double, halfulp::stages> seconds_of(StageClock::TellsApart apart, WorkOfStep work_of)
{
    constexpr int steps = 1500;
    const Stream stream;
    StageClock clock(stream, apart);
    for (int step = 0; step < steps; ++step) {
        for (const Work& one : work_of(step)) {
            if (one.rebuild) clock.begin_rebuild();
            else clock.begin(one.stage);
            work(stream, one.milliseconds);
        }
        clock.end_step();
        if (step % 50 == 0) {  // between two steps
            clock.begin(Stage::output);
            work(stream, 0.1);
        }
        check(cudaStreamSynchronize(stream), "waiting");
        EXPECT_TRUE(clock.read());
        EXPECT_FALSE(clock.read());
    }
    std::array<double, halfulp::stages> seconds{};
    for (std::size_t k = 0; k < seconds.size(); ++k) seconds[k] = clock.seconds(Stage(k));
    return seconds;
}

TEST_F(StageClockTest, SharesOutWhatItDoesNotTellApart)
{
    for (const WorkOfStep work_of : {alike, with_a_filter, in_rounds}) {
        const auto told = seconds_of(StageClock::TellsApart::every_step, work_of);
        const auto shared = seconds_of(StageClock::TellsApart::one_of_seven, work_of);
        const double in_all = std::accumulate(told.begin(), told.end(), 0.0);
        for (std::size_t k = 0; k < told.size(); ++k)
            EXPECT_NEAR(shared[k] / in_all, told[k] / in_all, 0.02) << stage_names[k];
    }
}

}  // namespace
}  // namespace halfulp::cuda
