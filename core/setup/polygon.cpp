#include "core/setup/polygon.hpp"

#include <algorithm>
#include <numeric>

namespace halfulp {

namespace {

using Corner = std::array<double, 2>;

// Twice the signed area of a triangle: its sign is the side of the line from a to b on which c lies.
double side(const Corner& a, const Corner& b, const Corner& c)
{
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

// For c on the line through a and b.
bool between(const Corner& a, const Corner& b, const Corner& c)
{
    return std::min(a[0], b[0]) <= c[0] && c[0] <= std::max(a[0], b[0]) && std::min(a[1], b[1]) <= c[1] &&
           c[1] <= std::max(a[1], b[1]);
}

bool segments_meet(const Corner& a, const Corner& b, const Corner& c, const Corner& d)
{
    const double c_side = side(a, b, c);
    const double d_side = side(a, b, d);
    const double a_side = side(c, d, a);
    const double b_side = side(c, d, b);
    if (((c_side > 0 && d_side < 0) || (c_side < 0 && d_side > 0)) &&
        ((a_side > 0 && b_side < 0) || (a_side < 0 && b_side > 0))) {
        return true;
    }
    return (c_side == 0 && between(a, b, c)) || (d_side == 0 && between(a, b, d)) ||
           (a_side == 0 && between(c, d, a)) || (b_side == 0 && between(c, d, b));
}

}  // namespace

double area(const Polygon& corners)
{
    double twice = 0;
    for (std::size_t i = 0; i < corners.size(); ++i) {
        const Corner& a = corners[i];
        const Corner& b = corners[(i + 1) % corners.size()];
        twice += a[0] * b[1] - a[1] * b[0];
    }
    return twice / 2;
}

std::optional<std::pair<std::size_t, std::size_t>> crossing_edges(const Polygon& corners)
{
    const std::size_t n = corners.size();
    const auto corner = [&](std::size_t i) -> const Corner& { return corners[i % n]; };
    const auto left = [&](std::size_t i) { return std::min(corner(i)[0], corner(i + 1)[0]); };
    const auto right = [&](std::size_t i) { return std::max(corner(i)[0], corner(i + 1)[0]); };
    // Whether two edges, i < j, meet improperly.
    const auto meet = [&](std::size_t i, std::size_t j) {
        const bool follows = j == i + 1;
        const bool precedes = (j + 1) % n == i;
        if (!follows && !precedes) return segments_meet(corner(i), corner(i + 1), corner(j), corner(j + 1));
        // Adjacent edges share a corner; they meet elsewhere only if one folds back onto the other.
        const std::size_t shared = follows ? j : i;
        const Corner& before = corner(shared + n - 1);
        const Corner& at = corner(shared);
        const Corner& after = corner(shared + 1);
        const double forward = (at[0] - before[0]) * (after[0] - at[0]) + (at[1] - before[1]) * (after[1] - at[1]);
        return side(before, at, after) == 0 && forward <= 0;
    };
    // Only edges over the same x can meet: few per edge, even for a coastline of a hundred thousand corners.
    std::vector<std::size_t> order(n);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) { return left(i) < left(j); });
    std::optional<std::pair<std::size_t, std::size_t>> first;
    for (std::size_t k = 0; k < n; ++k) {
        for (std::size_t m = k + 1; m < n && left(order[m]) <= right(order[k]); ++m) {
            const std::pair<std::size_t, std::size_t> edges = std::minmax(order[k], order[m]);
            if ((!first || edges < *first) && meet(edges.first, edges.second)) first = edges;
        }
    }
    return first;
}

std::vector<double> crossings_at(const Polygon& corners, double height)
{
    std::vector<double> x;
    for (std::size_t i = 0; i < corners.size(); ++i) {
        const Corner& a = corners[i];
        const Corner& b = corners[(i + 1) % corners.size()];
        // Half-open in y: a corner on the line counts once if the boundary crosses it, twice or never at a peak.
        if ((a[1] <= height) == (b[1] <= height)) continue;
        x.push_back(a[0] + (height - a[1]) / (b[1] - a[1]) * (b[0] - a[0]));
    }
    std::sort(x.begin(), x.end());
    return x;
}

}  // namespace halfulp
