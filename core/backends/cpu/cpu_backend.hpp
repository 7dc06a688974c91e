// The CPU back end: OpenMP threads over strips and particles, SIMD lanes over target particles.
#pragma once

#include <memory>

#include "core/backends/backend.hpp"

namespace halfulp {

struct CpuOptions {
    int threads = 0;  // 0: what OMP_NUM_THREADS or the machine offers, fewer for few particles
    int lanes = 0;    // 0: the fastest
};

std::unique_ptr<Backend> make_cpu_backend(const Problem& problem, const CpuOptions& options);

}  // namespace halfulp
