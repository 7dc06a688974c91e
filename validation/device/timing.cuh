// Arrays of the host on a device and back, and times of kernels, for experiments that measure them.
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "core/backends/cuda/device.cuh"
#include "validation/arithmetic.hpp"

namespace halfulp {

template <class Element>
struct Uploaded {
    cuda::DeviceVector<Element> memory;

    explicit Uploaded(const std::vector<Element>& host) : memory(host.size())
    {
        cuda::check(cudaMemcpy(memory.data(), host.data(), host.size() * sizeof(Element), cudaMemcpyHostToDevice),
                    "copying to the device");
    }
    const Element* data() const { return memory.data(); }
};
template <class Element>
std::vector<Element> downloaded(const cuda::DeviceVector<Element>& memory)
{
    std::vector<Element> host(memory.size());
    cuda::check(cudaMemcpy(host.data(), memory.data(), host.size() * sizeof(Element), cudaMemcpyDeviceToHost),
                "copying from the device");
    return host;
}

struct Event {
    cudaEvent_t event = nullptr;

    Event() { cuda::check(cudaEventCreate(&event), "making an event"); }
    Event(const Event&) = delete;
    Event& operator=(const Event&) = delete;
    ~Event() { cudaEventDestroy(event); }
    void record() { cuda::check(cudaEventRecord(event), "timing a kernel"); }
};

// Of what is launched on the default stream.
template <class Launch>
double seconds_of(const Launch& launch)
{
    Event begin;
    Event end;
    begin.record();
    launch();
    end.record();
    cuda::check(cudaGetLastError(), "starting a kernel");
    cuda::check(cudaEventSynchronize(end.event), "running a kernel");
    float milliseconds = 0;
    cuda::check(cudaEventElapsedTime(&milliseconds, begin.event, end.event), "timing a kernel");
    return 1e-3 * static_cast<double>(milliseconds);
}

// The fastest of at least two launches and of as many as `seconds` take, after one that loads the code.
template <class Launch>
double fastest_of(double seconds, const Launch& launch)
{
    seconds_of(launch);
    double fastest = std::numeric_limits<double>::infinity();
    double spent = 0;
    for (int k = 0; k < 2 || spent < seconds; ++k) {
        const double taken = seconds_of(launch);
        fastest = std::min(fastest, taken);
        spent += taken;
    }
    return fastest;
}

// The median of so many launches.
template <class Launch>
double median_of(int rounds, const Launch& launch)
{
    seconds_of(launch);
    std::vector<double> times;
    for (int k = 0; k < rounds; ++k) times.push_back(seconds_of(launch));
    return upper_median(std::move(times));
}

inline int device_attribute(cudaDeviceAttr which)
{
    int device = 0;
    cuda::check(cudaGetDevice(&device), "asking for the device");
    int value = 0;
    cuda::check(cudaDeviceGetAttribute(&value, which, device), "asking for the device");
    return value;
}

}  // namespace halfulp
