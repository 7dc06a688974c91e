#include "core/setup/fitting_spacing.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "core/setup/fill.hpp"

namespace halfulp {

std::optional<double> fitting_spacing(const Case& c)
{
    std::vector<double> faces;  // distances of faces from the lattice's plane 0
    for (const Shape& s : c.shapes) {
        if (!s.is_box()) continue;
        for (std::size_t i = 0; i < static_cast<std::size_t>(c.dimensions); ++i) {
            for (const double x : {s.from[i], s.to[i]}) {
                if (x != 0) faces.push_back(std::abs(x));
            }
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
    const double rounded = std::stod(fmt::format("{:.6g}", *best));
    return fits(rounded) ? rounded : best;
}

}  // namespace halfulp
