// The least and the largest of some numbers, and of the components of some vectors.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
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
    [[nodiscard]] double middle() const { return any() ? (low + high) / 2 : 0; }
};

struct VectorExtremes {
    std::array<Extremes, 3> axes;

    void add(const std::array<double, 3>& x)
    {
        for (std::size_t i = 0; i < 3; ++i) axes[i].add(x[i]);
    }
    void add(const VectorExtremes& more)
    {
        for (std::size_t i = 0; i < 3; ++i) axes[i].add(more.axes[i]);
    }
};

}  // namespace halfulp
