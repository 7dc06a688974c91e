// The device's time in each stage of the steps, by events that its stream passes.
#pragma once

#include <array>
#include <cstdint>
#include <random>
#include <vector>

#include "core/backends/cuda/device.cuh"
#include "core/operations/operation.hpp"

namespace halfulp::cuda {

// Events at every change of stage leave the device idle for 4 to 6 % of a step of 240,000 particles (an H100). The
// stages are therefore timed separately in only one of seven steps, or iterations of an implicit step, chosen at random
// since a scheme may have any period; and in the first seven, since a short run may have no more. For other steps only
// the total is measured, and divided in the proportions found before. Making new neighbour lists when the old ones are
// no longer valid, which only some steps do, is timed separately in all of them.
class StageClock {
public:
    enum class TellsApart : std::uint8_t { every_step, one_of_seven };
    StageClock(const Stream& stream, TellsApart steps) : stream_(stream), steps_told_apart_(steps) {}

    // Called when the first operation of a stage has been reached in the stream.
    void begin(Stage stage);
    void begin_rebuild();
    // At the end of a step, or of a round.
    void end_step();
    // Adds the times of the step that has ended, once, when the device has passed its end; returns whether there was
    // such a step.
    bool read();

    // s; of what has been read, by stage, the last of what outputs ask for.
    [[nodiscard]] double seconds(Stage stage) const { return seconds_[static_cast<std::size_t>(stage)]; }

private:
    enum class Part : std::uint8_t { stage, rebuild, shared_out };
    struct Timed {
        Part part;
        Stage stage;
        cudaEvent_t begins;
    };
    using Seconds = std::array<double, halfulp::stages + 1>;

    void begin(Part part, Stage stage);

    const Stream& stream_;
    TellsApart steps_told_apart_;
    EventPool events_;
    std::vector<Timed> step_;  // the present one
    std::vector<Timed> over_;  // that has ended, not read yet
    cudaEvent_t end_of_over_ = nullptr;
    static constexpr std::uint64_t in_turn = 7;  // steps of which one is told apart
    std::uint64_t steps_ = 0;
    std::uint64_t told_apart_next_ = 0;
    std::minstd_rand random_;
    Seconds told_apart_{};  // the later the more
    Seconds seconds_{};
};

}  // namespace halfulp::cuda
