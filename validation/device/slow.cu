// A library that CUDA loads into a program (CUDA_INJECTION64_PATH) and that keeps the device HALFULP_SLOWED busy beside
// the program's own kernels, in the same process: they share its multiprocessors, not slices of its time.
// scripts/scaling compiles and uses it.
#include <atomic>
#include <cstdlib>
#include <thread>

namespace {

// Less than a millisecond, so that what waits for the whole device is not held up for longer.
__global__ void keep_busy(int rounds, float* never)
{
    float x = static_cast<float>(threadIdx.x);
    for (int k = 0; k < rounds; ++k) x = fmaf(x, 0.999F, 1.0F);
    if (x < 0) *never = x;
}

std::thread worker;
std::atomic<bool> ended = false;

void slow(int device)
{
    int processors = 0;
    cudaStream_t stream = nullptr;
    int least = 0;
    int most = 0;
    bool goes_on = cudaSetDevice(device) == cudaSuccess &&
                   cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device) == cudaSuccess &&
                   cudaDeviceGetStreamPriorityRange(&least, &most) == cudaSuccess &&
                   cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, least) == cudaSuccess;
    while (goes_on && !ended) {
        keep_busy<<<processors, 256, 0, stream>>>(1 << 18, nullptr);
        goes_on = cudaGetLastError() == cudaSuccess && cudaStreamSynchronize(stream) == cudaSuccess;
    }
}

// Before CUDA is gone.
void end()
{
    ended = true;
    worker.join();
}

}  // namespace

extern "C" int InitializeInjection()
{
    const char* const device = std::getenv("HALFULP_SLOWED");
    if (device == nullptr) return 0;
    worker = std::thread(slow, std::atoi(device));
    std::atexit(end);
    return 1;
}
