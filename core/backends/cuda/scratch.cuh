// Scratch memory of CUB's algorithms, which are asked first how much they need.
#pragma once

#include "core/backends/cuda/device.cuh"

namespace halfulp::cuda {

// call: takes a pointer and a number of bytes; with a null pointer it only sets that number.
template <class Call>
void with_scratch(DeviceVector<std::uint8_t>& scratch, Call call)
{
    std::size_t bytes = 0;
    check(call(nullptr, bytes), "sorting");
    if (bytes > scratch.size()) scratch.resize(bytes, "sorting");
    bytes = scratch.size();
    check(call(scratch.data(), bytes), "sorting");
}

}  // namespace halfulp::cuda
