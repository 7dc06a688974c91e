#include "core/backends/cuda/device.cuh"

#include <atomic>
#include <map>
#include <mutex>

#include "core/machine_error.hpp"

namespace halfulp::cuda {

namespace {
std::atomic<std::size_t> held{0};

// A lost device does not say any more what it was.
std::mutex naming;
std::map<int, std::string> names;

std::string chosen_device()
{
    const std::lock_guard<std::mutex> alone(naming);
    int device = 0;
    const bool known = cudaGetDevice(&device) == cudaSuccess && names.count(device) != 0;
    return known ? names[device] : "the CUDA device";
}

std::string megabytes(std::size_t bytes) { return std::to_string((bytes + 999'999) / 1'000'000) + " MB"; }
}  // namespace

void name_device(int device, const std::string& model)
{
    const std::lock_guard<std::mutex> alone(naming);
    names[device] = "CUDA device " + std::to_string(device) + " (" + model + ")";
}

void check(cudaError_t answer, const char* doing)
{
    if (answer == cudaSuccess) return;
    throw MachineError(chosen_device() + " failed while " + doing + ": " + cudaGetErrorString(answer),
                       "--backend cpu runs without it");
}

unsigned multiprocessors()
{
    int device = 0;
    int count = 0;
    check(cudaGetDevice(&device), "asking for the device in use");
    check(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device), "asking for its multiprocessors");
    return static_cast<unsigned>(count);
}

EventPool::~EventPool()
{
    for (cudaEvent_t one : all_) cudaEventDestroy(one);
}

cudaEvent_t EventPool::take()
{
    if (free_.empty()) {
        check(cudaEventCreate(&all_.emplace_back()), "making an event");
        free_.push_back(all_.back());
    }
    const cudaEvent_t one = free_.back();
    free_.pop_back();
    return one;
}

cudaEvent_t EventPool::passed_by(cudaStream_t stream)
{
    const cudaEvent_t one = take();
    check(cudaEventRecord(one, stream), "keeping time");
    return one;
}

double seconds_between(cudaEvent_t from, cudaEvent_t to)
{
    float milliseconds = 0;
    cudaError_t answer = cudaEventElapsedTime(&milliseconds, from, to);
    if (answer == cudaErrorNotReady) {  // passed, but the host has not been told
        check(cudaEventSynchronize(to), "keeping time");
        answer = cudaEventElapsedTime(&milliseconds, from, to);
    }
    check(answer, "keeping time");
    return 1e-3 * static_cast<double>(milliseconds);
}

std::size_t bytes_held() { return held; }

void* allocate(std::size_t bytes, const char* purpose)
{
    void* memory = nullptr;
    const cudaError_t answer = cudaMalloc(&memory, bytes + padding_of_allocations);
    if (answer == cudaErrorMemoryAllocation) {
        cudaGetLastError();  // so that later calls do not report it again
        std::size_t free = 0;
        std::size_t total = 0;
        cudaMemGetInfo(&free, &total);
        throw MachineError(chosen_device() + " has too little memory: " + megabytes(bytes) + " are wanted for " +
                               purpose + ", " + megabytes(free) + " of " + megabytes(total) + " are free",
                           "raise resolution.spacing, try --neighbours none, or --backend cpu");
    }
    check(answer, "taking memory");
    held += bytes;
    return memory;
}

void release(void* memory, std::size_t bytes)
{
    cudaFree(memory);
    held -= bytes;
}

}  // namespace halfulp::cuda
