// State updates x += rate * interval, repeated over thousands of steps, with or without compensated summation.
// An update type defines what is carried between steps. Compensated keeps the rounding errors (Kahan's idea across
// steps; Møller 1965), so that value + residual is the state to about twice the working precision. Plain discards them.
// Fixed-point, in fixed_point.hpp, rounds to multiples of one small number.
#pragma once

#include "precision/error_free.hpp"
#include "precision/position.hpp"

namespace halfulp {

// Common operations of most updates: setting the state, and moving a position into another cell.
struct FloatingUpdate {
    // Makes value + residual a number that the update can hold.
    template <class T>
    static HALFULP_INLINE void settle(T& /*value*/, T& /*residual*/)
    {
    }

    template <class T>
    static HALFULP_INLINE bool carry(std::int32_t& cell, T& offset, T& /*residual*/, T cell_side)
    {
        return halfulp::carry(cell, offset, cell_side);
    }

    // Adds a whole number of cells to an offset, whatever its cell; the rounding error goes into a residual.
    template <class T>
    static HALFULP_INLINE void add_cells(T& offset, T& residual, T length)
    {
        const WithError<T> sum = two_sum(offset, length);
        offset = sum.value;
        residual = residual + sum.error;
    }
};

struct PlainUpdate : FloatingUpdate {
    static constexpr bool has_residual = false;
    static constexpr const char* name = "plain";

    template <class T>
    static HALFULP_INLINE void advance(T& value, T& /*residual*/, T rate, T /*rate_residual*/, T interval)
    {
        value = fma(rate, interval, value);
    }
};

struct CompensatedUpdate : FloatingUpdate {
    static constexpr bool has_residual = true;
    static constexpr const char* name = "compensated";

    // value + residual += (rate + rate_residual) * interval; afterwards |residual| is at most half an ulp of value.
    template <class T>
    static HALFULP_INLINE void advance(T& value, T& residual, T rate, T rate_residual, T interval)
    {
        const WithError<T> change = two_prod(rate, interval);
        const T small = residual + fma(rate_residual, interval, change.error);
        const WithError<T> carried = two_sum(change.value, small);
        const WithError<T> moved = two_sum(value, carried.value);
        const WithError<T> tidy = fast_two_sum(moved.value, moved.error + carried.error);
        value = tidy.value;
        residual = tidy.error;
    }
};

}  // namespace halfulp
