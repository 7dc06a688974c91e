// A sum of doubles without any rounding until it is read: a Kulisch accumulator in 32-bit digits.
//
// Because every addition is exact, the order of the terms, the number of threads and the way partial sums are merged
// cannot change the result. Sums over all particles and the clock use it.
#pragma once

#include <array>
#include <cstdint>

namespace halfulp {

class ExactSum {
public:
    // Adds a finite double exactly. A term that is not finite makes value() NaN.
    void add(double term);
    void merge(const ExactSum& other);
    // The exact sum rounded to nearest, ties to even.
    [[nodiscard]] double value() const;
    bool operator==(const ExactSum& other) const;

private:
    // Digit k has the weight 2^(32 k - 1088): below the smallest subnormal (2^-1074) and up to 2^63 times the largest
    // double.
    static constexpr int lowest_exponent = -1088;
    static constexpr int digit_count = 69;
    using Digits = std::array<std::int64_t, digit_count>;

    static void propagate(Digits& digits);
    static bool negate_if_negative(Digits& digits);

    Digits digits_{};
    int additions_ = 0;  // since the last propagation; a digit holds 2^30 additions of 32 bits without overflow
    bool finite_ = true;
};

}  // namespace halfulp
