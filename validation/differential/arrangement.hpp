// Particles on which differential operators are compared with exact derivatives: boxes of a lattice, disordered by a
// stated amplitude, and whatever a simulation leaves; where each particle lies; fields with their derivatives; and the
// neighbours of each. Lengths are in spacings.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "validation/arithmetic.hpp"
#include "validation/differential/buckets.hpp"

namespace halfulp::differential {

enum class Place : std::uint8_t { inside, face, edge, corner, other };
inline constexpr const char* place_names[] = {"inside", "face", "edge", "corner", "other"};

template <int D>
struct Arrangement {
    std::vector<Vec<D, double>> places;
    std::vector<Place> where;
};

// edge^D particles, moved by at most `disorder` along each axis. Inside: with the whole interaction domain, whatever
// its neighbours' disorder; on a face, an edge or a corner: in the outermost layer of one, two or three axes and inside
// along the others.
template <int D>
Arrangement<D> lattice_box(int edge, double disorder, double reach, std::uint64_t seed = 25)
{
    Arrangement<D> box;
    const int rim = static_cast<int>(std::ceil(reach + 2 * disorder));
    seed <<= 32U;
    const int layers = D == 3 ? edge : 1;
    for (int z = 0; z < layers; ++z) {
        for (int y = 0; y < edge; ++y) {
            for (int x = 0; x < edge; ++x) {
                const int at[] = {x, y, z};
                Vec<D, double> place;
                int outermost = 0;
                int between = 0;
                for (int c = 0; c < D; ++c) {
                    place[c] = at[c] + disorder * drawn_either_way(seed++);
                    const int depth = at[c] < edge - 1 - at[c] ? at[c] : edge - 1 - at[c];
                    outermost += depth == 0 ? 1 : 0;
                    between += depth > 0 && depth < rim ? 1 : 0;
                }
                box.places.push_back(place);
                constexpr Place by_axes[] = {Place::inside, Place::face, Place::edge, Place::corner};
                box.where.push_back(between > 0 ? Place::other : by_axes[D == 2 && outermost == 2 ? 3 : outermost]);
            }
        }
    }
    return box;
}

// A function and its derivatives.
template <int D>
struct Field {
    std::string name;
    double (*value)(const Vec<D, double>& x, double k);
    Vec<D, double> (*gradient)(const Vec<D, double>& x, double k);
    double (*laplacian)(const Vec<D, double>& x, double k);
};

namespace detail {

// Away from the zeros of its derivatives at the box's faces.
inline double phase(int c) { return 0.3 + 0.2 * c; }

template <int D>
double linear(const Vec<D, double>& x, double /*k*/)
{
    double sum = 0;
    for (int c = 0; c < D; ++c) sum += (c + 1) * x[c];
    return sum;
}
template <int D>
Vec<D, double> linear_gradient(const Vec<D, double>& /*x*/, double /*k*/)
{
    Vec<D, double> g;
    for (int c = 0; c < D; ++c) g[c] = c + 1;
    return g;
}
template <int D>
double quadratic(const Vec<D, double>& x, double /*k*/)
{
    double sum = 0;
    for (int c = 0; c < D; ++c) sum += (c + 1) * x[c] * x[c] / 32 + x[c] * x[(c + 1) % D] / 16;
    return sum;
}
template <int D>
Vec<D, double> quadratic_gradient(const Vec<D, double>& x, double /*k*/)
{
    Vec<D, double> g;
    for (int c = 0; c < D; ++c) {
        g[c] = (c + 1) * x[c] / 16 + x[(c + 1) % D] / 16 + x[(c + D - 1) % D] / 16;
    }
    return g;
}
template <int D>
double quadratic_laplacian(const Vec<D, double>& /*x*/, double /*k*/)
{
    double sum = 0;
    for (int c = 0; c < D; ++c) sum += (c + 1) / 16.0;
    return sum;
}
template <int D>
double wave(const Vec<D, double>& x, double k)
{
    double product = 1;
    for (int c = 0; c < D; ++c) product *= std::sin(k * x[c] + phase(c));
    return product;
}
template <int D>
Vec<D, double> wave_gradient(const Vec<D, double>& x, double k)
{
    Vec<D, double> g;
    for (int c = 0; c < D; ++c) {
        g[c] = k;
        for (int other = 0; other < D; ++other) {
            const double angle = k * x[other] + phase(other);
            g[c] *= other == c ? std::cos(angle) : std::sin(angle);
        }
    }
    return g;
}
template <int D>
double wave_laplacian(const Vec<D, double>& x, double k)
{
    return -D * k * k * wave<D>(x, k);
}
template <int D>
double nothing(const Vec<D, double>& /*x*/, double /*k*/)
{
    return 0;
}

}  // namespace detail

template <int D>
Field<D> linear_field()
{
    return {"linear", detail::linear<D>, detail::linear_gradient<D>, detail::nothing<D>};
}
template <int D>
Field<D> quadratic_field()
{
    return {"quadratic", detail::quadratic<D>, detail::quadratic_gradient<D>, detail::quadratic_laplacian<D>};
}
// The product of sines of k x along each axis.
template <int D>
Field<D> wave_field()
{
    return {"wave", detail::wave<D>, detail::wave_gradient<D>, detail::wave_laplacian<D>};
}

// The numbers of each particle's neighbours within Domain, itself left out.
template <class Domain, int D>
std::vector<std::vector<std::uint32_t>> neighbours_of(const std::vector<Vec<D, double>>& places, double reach)
{
    std::vector<Vec<3, double>> in_space;
    for (const auto& place : places) in_space.push_back({{place[0], place[1], D == 3 ? place[D - 1] : 0}});
    const BucketBox box(in_space, reach, 1, 1, 0.01);
    const ForwardStar star(box, buckets_of(box, in_space));
    std::vector<std::vector<std::uint32_t>> all(places.size());
    for (std::size_t k = 0; k < places.size(); ++k) {
        const std::uint32_t i = star.order()[k];
        RowsOfBuckets(box).around(star.view(), star.keys()[k], [&](std::uint32_t place) {
            const std::uint32_t j = star.order()[place];
            if (j != i && Domain::contains(places[j] - places[i], reach)) all[i].push_back(j);
        });
    }
    return all;
}

}  // namespace halfulp::differential
