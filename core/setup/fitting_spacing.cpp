#include "core/setup/fitting_spacing.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "core/setup/fill.hpp"

namespace halfulp {

std::optional<double> fitting_spacing(const Case& c)
{
    std::vector<double> faces;  // distances of faces from the lattice's plane 0, and periods, which hold whole spacings
    const auto add = [&](double x) {
        if (std::abs(x) > on_the_lattice * c.resolution.spacing) faces.push_back(std::abs(x));
    };
    for (const double period : c.period) add(period);
    for (const Shape& s : c.shapes) {
        if (!s.is_box()) continue;
        for (std::size_t i = 0; i < static_cast<std::size_t>(c.dimensions); ++i) {
            add(s.from[i]);
            add(s.to[i]);
        }
    }
    if (faces.empty()) return std::nullopt;
    const auto divides = [](double spacing, double x) {
        return std::abs(x - std::round(x / spacing) * spacing) <= on_the_lattice * spacing;
    };
    const auto fits = [&](double spacing) {
        return std::all_of(faces.begin(), faces.end(), [&](double x) { return divides(spacing, x); });
    };
    // It divides the nearest face, so it is one of few.
    constexpr double farthest = 4;
    const double nearest_face = *std::min_element(faces.begin(), faces.end());
    const double given = c.resolution.spacing;
    const double most = std::floor(nearest_face / given * farthest);
    constexpr double too_many = 1e5;
    if (!(most <= too_many)) return std::nullopt;
    std::optional<double> best;
    const auto distance = [&](double spacing) { return std::abs(std::log(spacing / given)); };
    for (double parts = std::max(1.0, std::ceil(nearest_face / given / farthest)); parts <= most; ++parts) {
        const double spacing = nearest_face / parts;
        if (!fits(spacing) || (best && distance(spacing) > distance(*best))) continue;
        best = spacing;
    }
    if (!best) return std::nullopt;
    // As few digits as will do.
    const std::string text = fmt::format("{:.6g}", *best);
    double rounded = 0;
    std::from_chars(text.data(), text.data() + text.size(), rounded);
    return fits(rounded) ? rounded : best;
}

}  // namespace halfulp
