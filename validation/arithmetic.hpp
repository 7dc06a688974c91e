// Small arithmetic that several experiments need.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace halfulp {

// A number in [0, 1) for each seed (SplitMix64; Steele, Lea and Flood 2014).
constexpr double drawn(std::uint64_t seed)
{
    std::uint64_t z = seed * 0x9e3779b97f4a7c15ULL;
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebULL;
    return static_cast<double>((z ^ (z >> 31U)) >> 11U) * 0x1p-53;
}
// In [-1, 1).
constexpr double drawn_either_way(std::uint64_t seed) { return 2 * drawn(seed) - 1; }

// The middle value; of an even number the upper one of the two in the middle.
inline double upper_median(std::vector<double> values)
{
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

// The distance from |value| to the next larger number of its type.
template <class T>
double ulp_of(T value)
{
    value = std::abs(value);
    return static_cast<double>(std::nextafter(value, std::numeric_limits<T>::infinity())) - static_cast<double>(value);
}

}  // namespace halfulp
