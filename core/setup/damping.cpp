#include "core/setup/damping.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "core/setup/units.hpp"
#include "kernels/smoothing.hpp"
#include "kernels/viscosity.hpp"

namespace halfulp {

namespace {

struct WaveSums : LatticeSums {
    double gradient = 0;  // V F r.k/|k| sin k.r, 1/h
};

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

// For wave vectors in quarters of the shortest wave's, one of each kind that the lattice's symmetry makes equal.
std::vector<WaveSums> sums_on_lattice(const Case& c)
{
    constexpr int parts = 4;
    const std::vector<Neighbour> neighbours = neighbours_on_lattice(c);
    const double ratio = smoothing_length(c) / c.resolution.spacing;
    std::vector<WaveSums> all;
    for (int i = 1; i <= parts; ++i) {
        for (int j = 0; j <= i; ++j) {
            for (int k = 0; k <= (c.dimensions == 3 ? j : 0); ++k) {
                const double wave = std::sqrt(i * i + j * j + k * k) * ratio;
                WaveSums sums;
                for (const Neighbour& one : neighbours) {
                    const double along = i * one.sites[0] + j * one.sites[1] + k * one.sites[2];
                    const double phase = std::numbers::pi / parts * along;
                    const double term = one.weight * (1 - std::cos(phase));
                    const double softened = term / (one.squared + softening);
                    sums.scalar += term;
                    sums.softened += softened * one.squared;
                    sums.lengthwise += softened * along * along / (wave * wave);
                    sums.gradient += one.weight * along / wave * std::sin(phase);
                }
                all.push_back(sums);
            }
        }
    }
    return all;
}

}  // namespace

DampingRates damping_rates(const Case& c)
{
    const double h = smoothing_length(c);
    const double sound = c.fluid.sound_speed / h;
    const double diffusion = c.fluid.kinematic_viscosity / (h * h);
    const bool diffuses = c.numerics.density_diffusion != DensityDiffusion::none;
    DampingRates largest;
    for (const WaveSums& sums : sums_on_lattice(c)) {
        const DampingRates of{.density = diffuses ? 2 * c.numerics.diffusion_coefficient * sound * sums.softened : 0,
                              .laminar = diffusion * laminar_damping(c.fluid.laminar_viscosity, sums, c.dimensions),
                              .artificial = 0.5 * c.fluid.artificial_viscosity * sound * sums.lengthwise};
        const double frequency = sound * sums.gradient;
        largest.density = std::max(largest.density, of.density);
        largest.laminar = std::max(largest.laminar, of.laminar);
        largest.artificial = std::max(largest.artificial, of.artificial);
        largest.euler = std::max(largest.euler, frequency * frequency / (of.density + of.laminar + of.artificial));
    }
    return largest;
}

}  // namespace halfulp
