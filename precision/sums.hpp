// Neighbour sums: one accumulator per component, terms added one after another in the canonical order.
//
// Each type has add(term), merge(other) and value(). Adding a zero of either sign changes no bit of any of them: lanes
// without the candidate as a neighbour, and candidates beyond the support, add such a zero.
#pragma once

#include "precision/error_free.hpp"
#include "precision/wider.hpp"

namespace halfulp {

template <class T>
struct PlainSum {
    static constexpr const char* name = "plain";
    T sum = T(0);

    HALFULP_INLINE void add(T term) { sum = sum + term; }
    HALFULP_INLINE void merge(const PlainSum& other) { sum = sum + other.sum; }
    HALFULP_INLINE T value() const { return sum; }
};

// Kahan 1965: the correction is subtracted from the next term. |error| <= (2u + O(n u^2)) sum|x| (Higham 2002, eq.
// 4.8): unlike KBN's, the first-order part contains sum|x|, because a term larger than the sum so far absorbs digits of
// it. Any next term, zero or not, folds the correction into the sum, so zeros are excluded by selection.
template <class T>
struct KahanSum {
    static constexpr const char* name = "kahan";
    T sum = T(0);
    T excess = T(0);  // excess of the rounded sum

    HALFULP_INLINE void add(T term)
    {
        const T corrected = term - excess;
        const T next = sum + corrected;
        const auto nothing = magnitude(term) <= T(0);
        excess = select(nothing, excess, (next - sum) - corrected);
        sum = select(nothing, sum, next);
    }
    HALFULP_INLINE void merge(const KahanSum& other)
    {
        add(other.sum);
        add(-other.excess);
    }
    HALFULP_INLINE T value() const { return sum; }
};

// Kahan, Babuška and Neumaier (Neumaier 1974; Klein 2006): the rounding errors are summed separately and added at the
// end. |error| <= u|s| + O(n^2 u^2) sum|x|, whatever the order of magnitude of the terms. Neumaier writes the error
// with a branch on the larger operand; TwoSum gives the same exact error without one.
template <class T>
struct KbnSum {
    static constexpr const char* name = "kbn";
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

// The unevaluated sum of two numbers, renormalised after every term (Dekker 1971; Hida, Li and Bailey 2001): the
// relative error is a few u^2 of the largest partial sum per term.
template <class T>
struct DoubleFloatSum {
    static constexpr const char* name = "double-float";
    T sum = T(0);
    T low = T(0);  // at most half an ulp of the sum

    HALFULP_INLINE void add(T term)
    {
        const WithError<T> next = two_sum(sum, term);
        const WithError<T> ordered = fast_two_sum(next.value, low + next.error);
        sum = ordered.value;
        low = ordered.error;
    }
    HALFULP_INLINE void merge(const DoubleFloatSum& other)
    {
        add(other.sum);
        add(other.low);
    }
    HALFULP_INLINE T value() const { return sum; }
};

// Summed in double precision, rounded once on reading.
template <class T>
struct DoubleSum {
    static constexpr const char* name = "double";
    Wider<T> sum = Wider<T>(0.0);

    HALFULP_INLINE void add(T term) { sum = sum + widened(term); }
    HALFULP_INLINE void merge(const DoubleSum& other) { sum = sum + other.sum; }
    HALFULP_INLINE T value() const { return narrowed<T>(sum); }
};

}  // namespace halfulp
