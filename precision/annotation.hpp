// Macros that mark functions as callable from the host and from a CUDA device: the whole portability layer.
#pragma once

#if defined(__CUDACC__)
#define HALFULP_HOST_DEVICE __host__ __device__
#else
#define HALFULP_HOST_DEVICE
#endif

// Pair loops are fast only if everything in them is inlined, and a header compiled for two instruction sets must not
// leave an out-of-line copy for the linker to choose.
#define HALFULP_INLINE HALFULP_HOST_DEVICE inline __attribute__((always_inline))
