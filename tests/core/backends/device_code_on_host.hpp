// Stand-ins for the words and functions of CUDA that the headers of stored neighbours use, for a test without a device.
#pragma once

#include <bit>
#include <cstdint>

// NOLINTBEGIN(bugprone-reserved-identifier, readability-identifier-naming): the names are CUDA's
#define __device__
#define __host__
#define __isGlobal(pointer) true
#define __builtin_assume(condition) static_cast<void>(0)

struct uint4 {
    std::uint32_t x, y, z, w;
};
template <class T>
T __ldcs(const T* from)
{
    return *from;
}
inline float __uint_as_float(std::uint32_t bits) { return std::bit_cast<float>(bits); }
inline std::uint32_t __float_as_uint(float value) { return std::bit_cast<std::uint32_t>(value); }
inline int __popc(std::uint32_t bits) { return std::popcount(bits); }
inline int __ffs(int bits) { return bits == 0 ? 0 : std::countr_zero(static_cast<std::uint32_t>(bits)) + 1; }
inline int __clz(int bits) { return std::countl_zero(static_cast<std::uint32_t>(bits)); }
// 32 bits of high and low, shifted by up to 31 places.
inline std::uint32_t __funnelshift_l(std::uint32_t low, std::uint32_t high, std::uint32_t by)
{
    return static_cast<std::uint32_t>(((std::uint64_t{high} << 32U | low) << (by & 31U)) >> 32U);
}
inline std::uint32_t __funnelshift_r(std::uint32_t low, std::uint32_t high, std::uint32_t by)
{
    return static_cast<std::uint32_t>((std::uint64_t{high} << 32U | low) >> (by & 31U));
}
// Four bytes of low and high (4 to 7), the least significant one first, chosen by the digits of the selector.
inline std::uint32_t __byte_perm(std::uint32_t low, std::uint32_t high, std::uint32_t selector)
{
    const std::uint64_t both = std::uint64_t{high} << 32U | low;
    std::uint32_t chosen = 0;
    for (unsigned k = 0; k < 4; ++k)
        chosen |= static_cast<std::uint32_t>(both >> 8U * (selector >> 4U * k & 7U) & 0xFFU) << 8U * k;
    return chosen;
}
// NOLINTEND(bugprone-reserved-identifier, readability-identifier-naming)
