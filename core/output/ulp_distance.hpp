// The distance of two floating-point numbers in units in the last place: the number of steps between representable
// numbers from one to the other, also across zero. Both zeros are one place; infinity is one step beyond the largest
// number.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace halfulp {

// The distance from or to a NaN, unless both are NaN with the same bits.
inline constexpr std::uint64_t no_distance = std::numeric_limits<std::uint64_t>::max();

template <class T>
std::uint64_t ulp_distance(T a, T b)
{
    static_assert(std::is_same_v<T, float> || std::is_same_v<T, double>);
    using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
    constexpr Bits sign = Bits{1} << (8 * sizeof(T) - 1);
    const Bits x = std::bit_cast<Bits>(a);
    const Bits y = std::bit_cast<Bits>(b);
    if (std::isnan(a) || std::isnan(b)) return x == y ? 0 : no_distance;
    // Steps from zero: the bits without the sign. On one side of zero they are subtracted, across it added.
    const std::uint64_t from_zero_x = x & ~sign;
    const std::uint64_t from_zero_y = y & ~sign;
    if ((x & sign) != (y & sign)) return from_zero_x + from_zero_y;
    return from_zero_x > from_zero_y ? from_zero_x - from_zero_y : from_zero_y - from_zero_x;
}

}  // namespace halfulp
