// Exact summation of doubles, rounded only on reading: a Kulisch accumulator in 32-bit digits.
//
// Additions are exact, so the order of the terms, the number of threads and the merging of partial sums cannot change
// the result. Sums over all particles and the clock use it.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>

#include "precision/annotation.hpp"

namespace halfulp {

// A finite double as its contributions to three digits of an exact sum, from `digit` on.
struct ExactTerm {
    int digit;
    std::int64_t parts[3];
};

class ExactSum {
public:
    // Digit k has the weight 2^(32 k - 1088): below the smallest subnormal (2^-1074) and up to 2^63 times the largest
    // double.
    static constexpr int lowest_exponent = -1088;
    static constexpr int digit_count = 69;
    using Digits = std::array<std::int64_t, digit_count>;

    ExactSum() = default;
    // From digits summed elsewhere, of fewer than 2^30 terms each; finite: whether all of them were.
    ExactSum(const Digits& digits, bool finite) : digits_(digits), finite_(finite) { propagate(digits_); }

    // False for a term that is not finite. The parts are below 2^32 in magnitude.
    static HALFULP_INLINE bool split(double term, ExactTerm& split)
    {
        std::uint64_t bits = 0;
        std::memcpy(&bits, &term, sizeof bits);
        const int biased = static_cast<int>((bits >> 52U) & 0x7ffU);
        std::uint64_t mantissa = bits & 0xfffffffffffffULL;
        if (biased == 0x7ff) return false;
        if (biased != 0) mantissa |= 1ULL << 52U;
        // term = mantissa * 2^(exponent), divided among the digits that it overlaps.
        const int exponent = (biased == 0 ? 1 : biased) - 1075;
        const int position = exponent - lowest_exponent;
        const auto shift = static_cast<unsigned>(position % 32);
        const std::uint64_t low = mantissa << shift;
        const std::uint64_t high = shift == 0 ? 0 : mantissa >> (64U - shift);
        const std::int64_t sign = (bits >> 63U) != 0 ? -1 : 1;
        split = {position / 32,
                 {sign * static_cast<std::int64_t>(low & 0xffffffffULL), sign * static_cast<std::int64_t>(low >> 32U),
                  sign * static_cast<std::int64_t>(high)}};
        return true;
    }

    // Adds a finite double exactly. A term that is not finite makes value() NaN.
    void add(double term);
    void merge(const ExactSum& other);
    // The exact sum rounded to nearest, ties to even.
    [[nodiscard]] double value() const;
    bool operator==(const ExactSum& other) const;

private:
    static void propagate(Digits& digits);
    static bool negate_if_negative(Digits& digits);

    Digits digits_{};
    int additions_ = 0;  // since the last propagation; a digit holds 2^30 additions of 32 bits without overflow
    bool finite_ = true;
};

}  // namespace halfulp
