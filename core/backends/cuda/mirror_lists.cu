#include "core/backends/cuda/mirror_lists.cuh"

#include <cub/device/device_scan.cuh>

namespace halfulp::cuda {

void sum_before(std::size_t* numbers, std::size_t count, DeviceVector<std::uint8_t>& scratch, cudaStream_t stream)
{
    with_scratch(scratch, [&](void* memory, std::size_t& bytes) {
        return cub::DeviceScan::ExclusiveSum(memory, bytes, numbers, numbers, static_cast<std::int64_t>(count), stream);
    });
}

}  // namespace halfulp::cuda
