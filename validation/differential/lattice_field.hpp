// Particles on a lattice, and a field on them whose derivatives are known: what `halfulp bench differential` evaluates.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "validation/arithmetic.hpp"
#include "validation/block.hpp"
#include "validation/differential/machines.hpp"

namespace halfulp::differential {

constexpr double reach = 3.1;            // spacings
constexpr double wave_number = 0.2;      // of the field, times the spacing
constexpr double above_the_face = 0.01;  // of the first particle in its bucket: the paper's integers allow 0 to 0.02

inline std::vector<Vec<3, double>> places_of(int edge, double disorder = 0)
{
    std::vector<Vec<3, double>> places;
    std::uint64_t seed = 53;
    const auto moved = [&](int at) { return at + disorder * drawn_either_way(seed++); };
    for (int z = 0; z < edge; ++z)
        for (int y = 0; y < edge; ++y)
            for (int x = 0; x < edge; ++x) places.push_back({{moved(x), moved(y), moved(z)}});
    return places;
}

inline double field_at(const Vec<3, double>& x)
{
    return std::sin(wave_number * x[0]) * std::sin(wave_number * x[1]) * std::sin(wave_number * x[2]);
}
inline Four<double> derivatives_at(const Vec<3, double>& x)
{
    const double s[3] = {std::sin(wave_number * x[0]), std::sin(wave_number * x[1]), std::sin(wave_number * x[2])};
    const double c[3] = {std::cos(wave_number * x[0]), std::cos(wave_number * x[1]), std::cos(wave_number * x[2])};
    return {wave_number * c[0] * s[1] * s[2], wave_number * s[0] * c[1] * s[2], wave_number * s[0] * s[1] * c[2],
            -3 * wave_number * wave_number * s[0] * s[1] * s[2]};
}

template <class T>
std::vector<Four<T>> particles_of(const std::vector<Vec<3, double>>& places)
{
    std::vector<Four<T>> particles;
    particles.reserve(places.size());
    for (const auto& x : places)
        particles.push_back(
            {static_cast<T>(x[0]), static_cast<T>(x[1]), static_cast<T>(x[2]), static_cast<T>(field_at(x))});
    return particles;
}

// Rms over rms, of particles whose neighbours are all there.
inline double error_inside(const std::vector<Vec<3, double>>& places, const std::vector<Four<double>>& results,
                           Operator which)
{
    double most = 0;
    for (const auto& x : places) most = std::fmax(most, x[0]);
    double square = 0;
    double scale = 0;
    for (std::size_t i = 0; i < places.size(); ++i) {
        bool inside = true;
        for (int c = 0; c < 3; ++c) inside = inside && places[i][c] > reach + 1 && places[i][c] < most - reach - 1;
        if (!inside) continue;
        const Four<double> exact = derivatives_at(places[i]);
        for (int c = which == Operator::laplacian ? 3 : 0; c < (which == Operator::laplacian ? 4 : 3); ++c) {
            square += (results[i][c] - exact[c]) * (results[i][c] - exact[c]);
            scale += exact[c] * exact[c];
        }
    }
    return std::sqrt(square / scale);
}

}  // namespace halfulp::differential
