// A fixed-point state, stored like the compensated one: value + residual is always an integer multiple of 2^-46, and an
// update adds an integer multiple. Additions can be undone exactly, so that a reversed time-symmetric integrator
// returns to the exact bits of its start (Levesque and Verlet 1993, J. Stat. Phys. 72, 519, did so with integer
// positions).
//
// Two floats represent every multiple of 2^-46 below 8 uniquely: the value is the number rounded to nearest, the
// residual the rest, at most 24 bits. The sum of both is exact in double.
#pragma once

#include <cstdint>
#include <limits>

#include "precision/real.hpp"

namespace halfulp {

struct FixedPointUpdate {
    static constexpr bool has_residual = true;
    static constexpr const char* name = "fixed-point";
    static constexpr double quantum = 0x1p-46;

    static HALFULP_INLINE void settle(float& value, float& residual)
    {
        hold(nearest((static_cast<double>(value) + static_cast<double>(residual)) / quantum), value, residual);
    }

    // value + residual += (rate + rate_residual) * interval, rounded to a multiple of the quantum. Changing the sign of
    // the interval changes that of the increment and no other bit. Numbers beyond 8, which no meaningful state has,
    // lose their last bits.
    static HALFULP_INLINE void advance(float& value, float& residual, float rate, float rate_residual, float interval)
    {
        const double change =
            (static_cast<double>(rate) + static_cast<double>(rate_residual)) * static_cast<double>(interval);
        const double now = (static_cast<double>(value) + static_cast<double>(residual)) / quantum;
        hold(now + nearest(change / quantum), value, residual);
    }

    // The cell nearest to the position: a function of the position only, not of the previous cell. carry in
    // position.hpp, which uses the rounded offset, keeps a position just outside of its cell by half an ulp. The cell
    // side is 1: only then is it an integer multiple of the quantum.
    static HALFULP_INLINE bool carry(std::int32_t& cell, float& offset, float& residual, float /*cell_side*/)
    {
        const double now = static_cast<double>(offset) + static_cast<double>(residual);
        if (!(magnitude(now) < 8)) return false;
        int k = 0;
        while (now - k >= 0.5) ++k;
        while (now - k < -0.5) --k;
        const std::int64_t target = std::int64_t(cell) + k;
        if (target > std::numeric_limits<std::int32_t>::max() || target < std::numeric_limits<std::int32_t>::min())
            return false;
        cell = static_cast<std::int32_t>(target);
        hold((now - k) / quantum, offset, residual);
        return true;
    }

    static HALFULP_INLINE void add_cells(float& offset, float& residual, float length)
    {
        const double now = static_cast<double>(offset) + static_cast<double>(residual);
        hold((now + static_cast<double>(length)) / quantum, offset, residual);
    }

private:
    // Whole numbers below 2^51 in size, ties to even; divisions and products by the quantum are exact.
    static HALFULP_INLINE double nearest(double x) { return nearest_whole_product(x, 1.0); }

    static HALFULP_INLINE void hold(double whole, float& value, float& residual)
    {
        const double number = whole * quantum;
        value = static_cast<float>(number);
        residual = static_cast<float>(number - static_cast<double>(value));
    }
};

}  // namespace halfulp
