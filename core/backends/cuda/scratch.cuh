// Scratch memory of CUB's algorithms, which are asked first how much they need.
#pragma once

#include "core/backends/cuda/device.cuh"

namespace halfulp::cuda {

// For a number of particles, which changes only where several ranks share them: exact at first, with room for growth
// once it has changed, since an allocation waits for the device.
template <class T>
void fit(DeviceVector<T>& vector, std::size_t size, const char* purpose)
{
    if (vector.capacity() == 0) vector.resize(size, purpose);
    else vector.grow(size, purpose);
}

// call: takes a pointer and a number of bytes; with a null pointer it only sets that number.
template <class Call>
void with_scratch(DeviceVector<std::uint8_t>& scratch, Call call)
{
    std::size_t bytes = 0;
    check(call(nullptr, bytes), "sorting");
    if (bytes > scratch.size()) fit(scratch, bytes, "sorting");
    bytes = scratch.size();
    check(call(scratch.data(), bytes), "sorting");
}

}  // namespace halfulp::cuda
