// Lengths and times as the program prints them for people.
#pragma once

#include <string>

#include <fmt/format.h>

namespace halfulp {

// With four decimals where these tell apart what lies `resolution` apart; otherwise with six digits.
inline std::string fixed_or_short(double x, double resolution)
{
    return resolution >= 1e-4 ? fmt::format("{:.4f}", x) : fmt::format("{:.6g}", x);
}

}  // namespace halfulp
