// References for the tests of this folder and of tests/kernels: multiprecision numbers, bit patterns, hostile values
// and reproducible random numbers (the engine is the same everywhere; the library's distributions are not, so none is
// used).
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <type_traits>
#include <vector>

#include <boost/multiprecision/cpp_bin_float.hpp>

#include "precision/real.hpp"

namespace halfulp::test {

// 334 bits: sums of two numbers less than about 2^220 apart, and all products, are exact.
using Wide = boost::multiprecision::cpp_bin_float_100;

// The unit roundoff: half the distance from 1 to the next number.
template <class T>
inline constexpr double unit_roundoff = std::numeric_limits<T>::epsilon() / 2.0;

template <class T>
auto bits_of(T value)
{
    return std::bit_cast<std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>(value);
}

// Equal bits; any NaN equals any NaN, since IEEE 754 leaves the payload and sign of a NaN open.
template <class T>
bool same(T a, T b)
{
    return bits_of(a) == bits_of(b) || (std::isnan(a) && std::isnan(b));
}

class Random {
public:
    explicit Random(std::uint64_t seed) : engine_(seed) {}

    std::uint64_t bits() { return engine_(); }

    // A whole number in [low, high].
    int integer(int low, int high)
    {
        const std::int64_t count = std::int64_t{high} - low + 1;
        return static_cast<int>(low + static_cast<std::int64_t>(engine_() % static_cast<std::uint64_t>(count)));
    }

    // Uniform in [low, high), in steps of 2^-53 of the interval.
    double uniform(double low, double high)
    {
        return low + (high - low) * std::ldexp(static_cast<double>(engine_() >> 11U), -53);
    }

    // Either sign, a full random mantissa, an exponent drawn evenly from [low, high].
    template <class T>
    T number(int low, int high)
    {
        const double mantissa = uniform(1, 2);
        const double sign = (engine_() & 1U) != 0 ? -1 : 1;
        return static_cast<T>(std::ldexp(sign * mantissa, integer(low, high)));
    }

private:
    std::mt19937_64 engine_;
};

// Zeros, subnormals, the ends of the range, infinities, NaN and numbers around 1.
template <class T>
std::vector<T> hostile_values()
{
    using L = std::numeric_limits<T>;
    std::vector<T> values = {T(0),
                             L::denorm_min(),
                             3 * L::denorm_min(),
                             L::min() - L::denorm_min(),
                             L::min(),
                             T(1) - L::epsilon() / 2,
                             T(1),
                             T(1) + L::epsilon(),
                             T(1) / T(3),
                             T(7),
                             L::max() / 2,
                             L::max(),
                             L::infinity(),
                             L::quiet_NaN()};
    const std::size_t count = values.size();
    for (std::size_t k = 0; k < count; ++k) values.push_back(-values[k]);
    return values;
}

}  // namespace halfulp::test
