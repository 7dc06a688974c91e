// The time that a device takes for each stage is shared out as it was in the steps in which stages were told apart.
#include <gtest/gtest.h>

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

// Steps of 1 ms of forces and 0.5 of updates; lists are rebuilt in every fifth, in 2 ms. Milliseconds in all.
double carry_out(int steps, const Stream& stream, StageClock& clock)
{
    double total = 0;
    for (int step = 0; step < steps; ++step) {
        clock.begin(Stage::update);
        work(stream, 0.25);
        if (step % 5 == 0) {
            clock.begin_rebuild();
            work(stream, 2);
            total += 2;
        }
        clock.begin(Stage::forces);
        work(stream, 1);
        clock.begin(Stage::update);
        work(stream, 0.25);
        clock.end_step();
        check(cudaStreamSynchronize(stream), "waiting");
        total += 1.5;
    }
    EXPECT_TRUE(clock.read());
    EXPECT_FALSE(clock.read());
    return total;
}

TEST_F(StageClockTest, SharesOutWhatItDoesNotTellApart)
{
    constexpr int steps = 70;
    for (const auto apart : {StageClock::TellsApart::every_step, StageClock::TellsApart::every_seventh}) {
        const Stream stream;
        StageClock clock(stream, apart);
        const double total = carry_out(steps, stream, clock);
        const double measured =
            clock.seconds(Stage::update) + clock.seconds(Stage::forces) + clock.seconds(Stage::neighbours);
        EXPECT_NEAR(clock.seconds(Stage::forces) / clock.seconds(Stage::update), 2, 0.2);
        EXPECT_NEAR(clock.seconds(Stage::neighbours) / measured, 2 * steps / 5 / total, 0.03);
        EXPECT_EQ(clock.seconds(Stage::density), 0);
    }
}

}  // namespace
}  // namespace halfulp::cuda
