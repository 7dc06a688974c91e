#include "core/setup/damping.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "core/setup/units.hpp"
#include "kernels/smoothing.hpp"

namespace halfulp {

namespace {

// Of sums over the neighbours b of a lattice site, r in smoothing lengths, V_b the volume of a site:
//     sum V |F| (1 - cos k.r) r^2 / (r^2 + eta^2), and along k with an additional (k.r)^2 / (k^2 r^2),
// the largest over wave vectors k of a lattice's waves, in 1/h^2.
struct LatticeSums {
    double scalar = 0;
    double softened = 0;
    double lengthwise = 0;
};

constexpr double softening = 0.01;  // eta^2, h^2

struct Neighbour {
    std::array<double, 3> sites;
    double squared;  // r^2, h^2
    double weight;   // V |F|
};

std::vector<Neighbour> neighbours_on_lattice(const Case& c)
{
    const double ratio = smoothing_length(c) / c.resolution.spacing;
    const int reach = static_cast<int>(std::ceil(support_radius(c) / c.resolution.spacing));
    const int deep = c.dimensions == 3 ? reach : 0;
    const double norm = with_kernel(c.numerics.kernel, [&](auto k) { return k.normalisation(c.dimensions); }) /
                        std::pow(ratio, c.dimensions);
    std::vector<Neighbour> all;
    for (int x = -reach; x <= reach; ++x) {
        for (int y = -reach; y <= reach; ++y) {
            for (int z = -deep; z <= deep; ++z) {
                const double squared = (x * x + y * y + z * z) / (ratio * ratio);
                const double weight = norm * -gradient_shape_of(c.numerics.kernel, std::sqrt(squared));
                if (squared > 0 && weight > 0) all.push_back({{double(x), double(y), double(z)}, squared, weight});
            }
        }
    }
    return all;
}

// Wave vectors in eighths of the shortest wave, one of each kind that the lattice's symmetry makes equal.
LatticeSums sums_on_lattice(const Case& c)
{
    constexpr int parts = 4;
    const std::vector<Neighbour> neighbours = neighbours_on_lattice(c);
    LatticeSums largest;
    for (int i = 1; i <= parts; ++i) {
        for (int j = 0; j <= i; ++j) {
            for (int k = 0; k <= (c.dimensions == 3 ? j : 0); ++k) {
                const double squared_wave = i * i + j * j + k * k;
                const double ratio = smoothing_length(c) / c.resolution.spacing;
                LatticeSums sums;
                for (const Neighbour& one : neighbours) {
                    const double along = i * one.sites[0] + j * one.sites[1] + k * one.sites[2];
                    const double term = one.weight * (1 - std::cos(std::numbers::pi / parts * along));
                    const double softened = term / (one.squared + softening);
                    sums.scalar += term;
                    sums.softened += softened * one.squared;
                    sums.lengthwise += softened * along * along / (squared_wave * ratio * ratio);
                }
                largest.scalar = std::max(largest.scalar, sums.scalar);
                largest.softened = std::max(largest.softened, sums.softened);
                largest.lengthwise = std::max(largest.lengthwise, sums.lengthwise);
            }
        }
    }
    return largest;
}

}  // namespace

DampingRates damping_rates(const Case& c)
{
    const LatticeSums sums = sums_on_lattice(c);
    const double h = smoothing_length(c);
    const double sound = c.fluid.sound_speed / h;
    DampingRates rates;
    if (c.numerics.density_diffusion != DensityDiffusion::none)
        rates.density = 2 * c.numerics.diffusion_coefficient * sound * sums.softened;
    rates.artificial = 0.5 * c.fluid.artificial_viscosity * sound * sums.lengthwise;
    const double diffusion = c.fluid.kinematic_viscosity / (h * h);
    switch (c.fluid.laminar_viscosity) {
    case LaminarViscosity::none: break;
    case LaminarViscosity::morris: rates.laminar = 2 * diffusion * sums.softened; break;
    case LaminarViscosity::brookshaw: rates.laminar = 2 * diffusion * sums.scalar; break;
    case LaminarViscosity::monaghan_gingold:
        rates.laminar = 2 * (c.dimensions + 2) * diffusion * sums.lengthwise;
        break;
    }
    return rates;
}

}  // namespace halfulp
