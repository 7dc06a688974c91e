// A step report in the host's memory: a kernel writes it there, and the host sees that it has come. A copy by the
// runtime, and its call that waits for the stream, leave a device without work for twice as long (docs/gpu.md).
#pragma once

#include <cstdint>

#include "core/backends/cuda/device.cuh"
#include "core/backends/cuda/step_report.cuh"

namespace halfulp::cuda {

class PostedReport {
public:
    PostedReport();
    // Reads what the kernels of this stream have gathered so far. The maxima of moves (StepReport::displacement2 to
    // deviation) begin anew, those of passes with the values in `start`. `meanwhile` is called while the device works.
    template <class Call>
    void read(StepReport* report, const StartOfMaxima& start, cudaStream_t stream, Call meanwhile)
    {
        ask(report, start, stream);
        meanwhile();
        wait(stream);
    }
    // The two halves of it; one report at a time.
    void ask(StepReport* report, const StartOfMaxima& start, cudaStream_t stream, const HoldBeyond& hold = {});
    void wait(cudaStream_t stream);
    const StepReport* operator->() const { return &there_->report; }

private:
    struct Post {
        StepReport report;
        std::uint32_t number;  // of the report, from 1
    };
    Pinned<Post> there_;
    std::uint32_t number_ = 0;
};

}  // namespace halfulp::cuda
