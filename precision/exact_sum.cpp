#include "precision/exact_sum.hpp"

#include <cmath>
#include <limits>

namespace halfulp {

namespace {
__extension__ typedef unsigned __int128 Wide;
}

void ExactSum::add(double term)
{
    ExactTerm split_term{};
    if (!split(term, split_term)) {
        finite_ = false;
        return;
    }
    for (int k = 0; k < 3; ++k) digits_[split_term.digit + k] += split_term.parts[k];
    if (++additions_ == 1 << 30) {
        propagate(digits_);
        additions_ = 1;
    }
}

// Brings every digit except the last into [0, 2^32); the last keeps the sign.
void ExactSum::propagate(Digits& digits)
{
    std::int64_t carry = 0;
    for (int k = 0; k + 1 < digit_count; ++k) {
        const std::int64_t total = digits[k] + carry;
        carry = total >> 32;
        digits[k] = total - carry * (std::int64_t{1} << 32);
    }
    digits[digit_count - 1] += carry;
}

void ExactSum::merge(const ExactSum& other)
{
    Digits theirs = other.digits_;
    propagate(theirs);
    propagate(digits_);
    for (int k = 0; k < digit_count; ++k) digits_[k] += theirs[k];
    additions_ = 2;
    finite_ = finite_ && other.finite_;
}

bool ExactSum::operator==(const ExactSum& other) const
{
    Digits a = digits_;
    Digits b = other.digits_;
    propagate(a);
    propagate(b);
    return a == b && finite_ == other.finite_;
}

// Replaces the canonical digits of a negative number by those of its magnitude; returns whether it was negative.
bool ExactSum::negate_if_negative(Digits& digits)
{
    if (digits[digit_count - 1] >= 0) return false;
    for (auto& digit : digits) digit = -digit;
    propagate(digits);
    return true;
}

double ExactSum::value() const
{
    if (!finite_) return std::numeric_limits<double>::quiet_NaN();
    Digits digits = digits_;
    propagate(digits);
    const bool negative = negate_if_negative(digits);
    int top = digit_count - 1;
    while (top >= 0 && digits[top] == 0) --top;
    if (top < 0) return 0.0;
    // The leading 64 bits, and whether any non-zero bit lies below them.
    const auto digit_at = [&](int k) { return k < 0 ? 0ULL : static_cast<std::uint64_t>(digits[k]); };
    Wide window = static_cast<Wide>(digit_at(top)) << 64U;
    window |= static_cast<Wide>(digit_at(top - 1)) << 32U;
    window |= digit_at(top - 2);
    bool sticky = false;
    for (int k = top - 3; k >= 0; --k) sticky = sticky || digits[k] != 0;
    // window * 2^weight is the number. Shift its leading bit to bit 127.
    int weight = 32 * (top - 2) + lowest_exponent;
    while ((window >> 127U) == 0) {
        window <<= 1U;
        --weight;
    }
    // Round 128 bits to 53, to nearest even. A subnormal sum is a multiple of 2^-1074 like its terms, so the bits that
    // ldexp then discards are zero.
    constexpr unsigned dropped_bits = 128 - 53;
    constexpr Wide half = static_cast<Wide>(1) << (dropped_bits - 1);
    auto kept = static_cast<std::uint64_t>(window >> dropped_bits);
    const Wide dropped = window & (2 * half - 1);
    if (dropped > half || (dropped == half && (sticky || (kept & 1U) != 0))) ++kept;
    const double result = std::ldexp(static_cast<double>(kept), weight + static_cast<int>(dropped_bits));
    return negative ? -result : result;
}

}  // namespace halfulp
