// Why there is no CUDA device to test on; empty if there is one.
#pragma once

#include <string>

#include "core/backends/cuda/cuda_backend.hpp"
#include "tests/core/backends/same_bits_problems.hpp"

namespace halfulp::test {

inline std::string why_no_device() { return why_no_cuda(problem_of("inviscid-tank-2d", small_2d), {}); }

}  // namespace halfulp::test
