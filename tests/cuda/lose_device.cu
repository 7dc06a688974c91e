#include "tests/cuda/lose_device.hpp"

#include <cuda_runtime.h>

namespace halfulp::test {

namespace {

__global__ void trap() { __trap(); }

}  // namespace

bool lose_device()
{
    trap<<<1, 1>>>();
    return cudaDeviceSynchronize() != cudaSuccess && cudaFree(nullptr) != cudaSuccess;
}

}  // namespace halfulp::test
