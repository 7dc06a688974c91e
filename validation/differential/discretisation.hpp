// Errors of differential operators in double against exact derivatives, by the place of a particle.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

#include "kernels/differential_operators.hpp"
#include "validation/differential/arrangement.hpp"
#include "validation/differential/parts.hpp"

namespace halfulp::differential {

inline constexpr std::size_t place_count = std::size(place_names);

// Over the root mean square of the exact derivative at the same particles.
struct PlaceErrors {
    std::array<std::array<double, quantity_count>, place_count> rms{};
    std::array<std::array<double, quantity_count>, place_count> largest{};
    std::array<int, place_count> particles{};
    int undetermined = 0;  // particles at which a fit has no solution: not among those above
};

// What a field is at the particles, and its derivatives.
template <int D>
struct Sampled {
    std::vector<double> value;
    std::vector<Vec<D, double>> gradient;
    std::vector<double> laplacian;
};
template <int D>
Sampled<D> sampled(const Field<D>& field, const std::vector<Vec<D, double>>& places, double k)
{
    Sampled<D> samples;
    for (const auto& x : places) {
        samples.value.push_back(field.value(x, k));
        samples.gradient.push_back(field.gradient(x, k));
        samples.laplacian.push_back(field.laplacian(x, k));
    }
    return samples;
}
// A pressure that grows downwards along the last axis, each value off by at most `noise` of itself.
template <int D>
Sampled<D> hydrostatic(const std::vector<Vec<D, double>>& places, double noise)
{
    double top = places.front()[D - 1];
    for (const auto& x : places) top = std::fmax(top, x[D - 1]);
    Sampled<D> samples;
    std::uint64_t seed = std::uint64_t{7} << 40U;
    for (const auto& x : places) {
        samples.value.push_back((top - x[D - 1]) * (1 + noise * drawn_either_way(seed++)));
        Vec<D, double> down{};
        down[D - 1] = -1;
        samples.gradient.push_back(down);
        samples.laplacian.push_back(0);
    }
    return samples;
}

template <class Domain, int D>
PlaceErrors errors_of(const Arrangement<D>& arrangement, const std::vector<std::vector<std::uint32_t>>& neighbours,
                      const Sampled<D>& field, double reach)
{
    constexpr double inverse_scale = 1 / 1.5;
    const auto lattice = lattice_constants<D, Domain>(reach);
    using Sum = PlainSum<double>;
    using Second = QuadraticFit<D, double, Sum>;
    PlaceErrors errors;
    std::array<std::array<double, quantity_count>, place_count> scale{};
    for (std::size_t i = 0; i < arrangement.places.size(); ++i) {
        const auto place = static_cast<std::size_t>(arrangement.where[i]);
        if (arrangement.where[i] == Place::other) continue;
        MpsGradient<D, double, Sum> gradient{};
        MpsLaplacian<double, Sum> laplacian{};
        LinearFit<D, double, Sum> first{};
        Second second{};
        for (const std::uint32_t j : neighbours[i]) {
            const auto r = arrangement.places[j] - arrangement.places[i];
            const double f = field.value[j] - field.value[i];
            const double weight = Domain::weight(r, 1 / reach);
            gradient.add(weight, r, f);
            laplacian.template add<D>(weight, r, f);
            first.add(weight, r, f, inverse_scale);
            second.add(weight, r, f, inverse_scale);
        }
        const auto fitted = first.template value<ExactProducts>(inverse_scale);
        double derivatives[Second::terms];
        if (!fitted.regular || !second.value(inverse_scale, derivatives)) {
            ++errors.undetermined;
            continue;
        }
        ++errors.particles[place];
        const auto book = [&](Quantity which, double found, double exact) {
            const auto q = static_cast<std::size_t>(which);
            const double error = std::abs(found - exact);
            errors.rms[place][q] += error * error;
            errors.largest[place][q] = std::fmax(errors.largest[place][q], error);
            scale[place][q] += exact * exact;
        };
        const Vec<D, double> by_mps = gradient.value(D / lattice.number_density);
        double second_laplacian = 0;
        for (int c = 0; c < D; ++c) {
            book(Quantity::mps_gradient, by_mps[c], field.gradient[i][c]);
            book(Quantity::lsmps_gradient, fitted.x[c], field.gradient[i][c]);
            book(Quantity::second_gradient, derivatives[c], field.gradient[i][c]);
            second_laplacian += derivatives[D + c];
        }
        book(Quantity::mps_laplacian, laplacian.value(2 * D / (lattice.spread * lattice.number_density)),
             field.laplacian[i]);
        book(Quantity::second_laplacian, second_laplacian, field.laplacian[i]);
    }
    for (std::size_t place = 0; place < place_count; ++place) {
        for (std::size_t q = 0; q < quantity_count; ++q) {
            // Of a field without that derivative, the error itself.
            const double count = errors.particles[place];
            const double unit = scale[place][q] > 0 ? std::sqrt(scale[place][q]) : std::sqrt(count);
            if (count == 0) continue;
            errors.rms[place][q] = std::sqrt(errors.rms[place][q]) / unit;
            errors.largest[place][q] /= unit / std::sqrt(count);
        }
    }
    return errors;
}

}  // namespace halfulp::differential
