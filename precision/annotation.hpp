// The whole portability layer: what marks a function as callable from the host and from a CUDA device.
#pragma once

#if defined(__CUDACC__)
#define HALFULP_HOST_DEVICE __host__ __device__
#else
#define HALFULP_HOST_DEVICE
#endif

// Pair loops are fast only when everything in them is inlined, and a header compiled for two instruction sets must not
// leave an out-of-line copy behind for the linker to pick.
#define HALFULP_INLINE HALFULP_HOST_DEVICE inline __attribute__((always_inline))
