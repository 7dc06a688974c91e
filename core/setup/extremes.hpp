// The least and the largest of some numbers.
#pragma once

#include <algorithm>
#include <limits>

namespace halfulp {

struct Extremes {
    double low = std::numeric_limits<double>::infinity();
    double high = -std::numeric_limits<double>::infinity();

    void add(double x)
    {
        low = std::min(low, x);
        high = std::max(high, x);
    }
    void add(const Extremes& more)
    {
        low = std::min(low, more.low);
        high = std::max(high, more.high);
    }
    [[nodiscard]] bool any() const { return high >= low; }
    // 0 without any number.
    [[nodiscard]] double width() const { return any() ? high - low : 0; }
};

}  // namespace halfulp
