#include "validation/device/device.hpp"

#include "core/backends/cuda/device.cuh"

namespace halfulp {

std::string use_device(int device)
{
    int count = 0;
    if (cudaGetDeviceCount(&count) != cudaSuccess || count == 0) return "this machine has no CUDA device";
    if (device >= count) return "there is no device of that number";
    cuda::check(cudaSetDevice(device), "choosing the device");
    cudaDeviceProp properties{};
    cuda::check(cudaGetDeviceProperties(&properties, device), "asking for the device");
    cuda::name_device(device, properties.name);
    return {};
}

OccupiedDevice::OccupiedDevice(double left_free)
{
    std::size_t free = 0;
    std::size_t total = 0;
    cuda::check(cudaMemGetInfo(&free, &total), "asking for free memory");
    if (static_cast<double>(free) <= left_free) return;
    cuda::check(cudaMalloc(&taken_, free - static_cast<std::size_t>(left_free)), "taking its memory");
}
OccupiedDevice::~OccupiedDevice() { cudaFree(taken_); }

}  // namespace halfulp
