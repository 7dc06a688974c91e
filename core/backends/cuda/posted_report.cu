#include "core/backends/cuda/posted_report.cuh"

#include <atomic>
#include <thread>

namespace halfulp::cuda {

namespace {

// By one warp.
__global__ void post(StepReport* report, StepReport* there, std::uint32_t* number_there, std::uint32_t number,
                     StartOfMaxima start, HoldBeyond hold)
{
    constexpr int words = sizeof(StepReport) / sizeof(std::uint32_t);
    const auto* const from = reinterpret_cast<const std::uint32_t*>(report);
    auto* const to = reinterpret_cast<std::uint32_t*>(there);
    for (int k = static_cast<int>(threadIdx.x); k < words; k += warp) to[k] = from[k];
    __threadfence_system();
    __syncwarp();
    if (threadIdx.x != 0) return;
    *static_cast<volatile std::uint32_t*>(number_there) = number;
    if (hold.asked) {
        const double displacement2 = __longlong_as_double(static_cast<long long>(report->displacement2));
        const double deviation = __longlong_as_double(static_cast<long long>(report->deviation));
        if (displacement2 > hold.displacement2 || !(deviation <= hold.deviation)) report->broken_in = holding;
    }
    report->displacement2 = report->move2 = report->coordinate = report->deviation = 0;
    for (int k = 1; k < kinds_of_maxima; ++k) {
        if (start.value[k] != nullptr) *maximum_of(static_cast<Maximum>(k), report) = *start.value[k];
    }
}

}  // namespace

PostedReport::PostedReport() { there_->number = 0; }

void PostedReport::ask(StepReport* report, const StartOfMaxima& start, cudaStream_t stream, const HoldBeyond& hold)
{
    ++number_;
    post<<<1, warp, 0, stream>>>(report, &there_->report, &there_->number, number_, start, hold);
    check(cudaGetLastError(), "reading the step's report");
}

void PostedReport::wait(cudaStream_t stream)
{
    const std::atomic_ref<std::uint32_t> there(there_->number);
    constexpr int looks_without_question = 20'000;  // some 20 us
    for (int looks = 1; there.load(std::memory_order_acquire) != number_; ++looks) {
        if (looks % looks_without_question != 0) continue;
        // A device that fails does not post. Where runs outnumber processors, others are let work.
        const cudaError_t answer = cudaStreamQuery(stream);
        if (answer != cudaErrorNotReady) check(answer, "computing");
        std::this_thread::yield();
    }
}

}  // namespace halfulp::cuda
