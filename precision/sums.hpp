// Neighbour sums: one accumulator a component, terms added one after another in the canonical order.
//
// Each type has add(term), merge(other) and value(). A masked lane adds an exact zero: plain and KBN sums that start at
// +0 keep every bit when +0 or -0 is added to them. Kahan's recurrence does not (its correction is folded into the sum
// by the next term, zero or not), so a caller with masked lanes must select around it: neutral_to_zero says which is
// which.
#pragma once

#include "precision/error_free.hpp"

namespace halfulp {

template <class T>
struct PlainSum {
    static constexpr bool neutral_to_zero = true;
    T sum = T(0);

    HALFULP_INLINE void add(T term) { sum = sum + term; }
    HALFULP_INLINE void merge(const PlainSum& other) { sum = sum + other.sum; }
    HALFULP_INLINE T value() const { return sum; }
};

// Kahan 1965: the correction is subtracted from the next term. |error| <= (2u + O(n u^2)) sum|x| (Higham 2002,
// eq. 4.8): unlike KBN's, the first-order part has sum|x| in it, because a term larger than the sum so far swallows
// digits of it.
template <class T>
struct KahanSum {
    static constexpr bool neutral_to_zero = false;
    T sum = T(0);
    T excess = T(0);  // what the sum has too much of

    HALFULP_INLINE void add(T term)
    {
        const T corrected = term - excess;
        const T next = sum + corrected;
        excess = (next - sum) - corrected;
        sum = next;
    }
    HALFULP_INLINE void merge(const KahanSum& other)
    {
        add(other.sum);
        add(-other.excess);
    }
    HALFULP_INLINE T value() const { return sum; }
};

// Kahan, Babuška and Neumaier (Neumaier 1974; Klein 2006): the rounding errors are summed beside the sum and added at
// the end. |error| <= u|s| + O(n^2 u^2) sum|x|, whatever the order of magnitude of the terms. Neumaier writes the error
// with a branch on the larger operand; TwoSum gives the same exact error without one.
template <class T>
struct KbnSum {
    static constexpr bool neutral_to_zero = true;
    T sum = T(0);
    T correction = T(0);

    HALFULP_INLINE void add(T term)
    {
        const WithError<T> next = two_sum(sum, term);
        sum = next.value;
        correction = correction + next.error;
    }
    HALFULP_INLINE void merge(const KbnSum& other)
    {
        add(other.sum);
        correction = correction + other.correction;
    }
    HALFULP_INLINE T value() const { return sum + correction; }
};

}  // namespace halfulp
