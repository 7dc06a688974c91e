#include "core/setup/initial_pressure.hpp"

#include <cmath>
#include <utility>

#include "core/setup/for_each_particle.hpp"
#include "core/setup/lattice_laplace.hpp"
#include "core/setup/site_runs.hpp"
#include "kernels/periodic_image.hpp"

namespace halfulp {

namespace {

// Within the period along periodic axes.
Site wrapped(Site site, const std::array<std::int64_t, 3>& period)
{
    for (std::size_t i = 0; i < 3; ++i) site[i] = halfulp::wrapped(site[i], 0, period[i]);
    return site;
}

}  // namespace

std::vector<double> excess_over_weight(const PlacedParticles& particles, const std::vector<double>& weight,
                                       const std::vector<bool>& solved, const std::array<double, 3>& up,
                                       const std::array<std::int64_t, 3>& period, int dimensions)
{
    constexpr std::int32_t none = -1;
    std::vector<std::int32_t> row_of(particles.size(), none);
    std::vector<std::int32_t> particle_of;
    for (std::size_t i = 0; i < particles.size(); ++i) {
        if (!solved[static_cast<std::size_t>(particles[i].shape)]) continue;
        row_of[i] = static_cast<std::int32_t>(particle_of.size());
        particle_of.push_back(static_cast<std::int32_t>(i));
    }
    if (particle_of.empty()) return {};

    SiteRuns index;
    for (std::size_t i = 0; i < particles.size(); ++i)
        index.add(site_at(particles[i].position), static_cast<std::int32_t>(i));
    index.sort();
    LatticeLaplace system;
    const std::size_t rows = particle_of.size();
    system.sites.resize(rows);
    system.neighbours.assign(rows, {none, none, none, none, none, none});
    system.weights.assign(rows, {});
    system.to_boundary.assign(rows, 0);
    std::vector<double> source(rows, 0.0);
    std::array<std::size_t, 6> near{};
#pragma omp parallel for firstprivate(near) if (rows >= worth_threads)
    for (std::size_t row = 0; row < rows; ++row) {
        const std::int32_t i = particle_of[row];
        const double here = weight[static_cast<std::size_t>(i)];
        system.sites[row] = site_at(particles[static_cast<std::size_t>(i)].position);
        for (int side = 0; side < 2 * dimensions; ++side) {
            const int axis = side / 2;
            const int sign = side % 2 == 0 ? -1 : 1;
            Site there = system.sites[row];
            there[axis] += sign;
            const std::int32_t j = index.at(wrapped(there, period), near[side]);
            const double lift = sign * up[axis];
            if (j == none) {  // the free surface, half a spacing away
                system.to_boundary[row] += 2;
                source[row] += lift - 2 * here;
            } else if (particles[static_cast<std::size_t>(j)].kind == Kind::fluid) {
                source[row] += lift + weight[static_cast<std::size_t>(j)] - here;
                if (row_of[static_cast<std::size_t>(j)] == none) {
                    system.to_boundary[row] += 1;  // prescribed pressure
                } else {
                    system.neighbours[row][side] = row_of[static_cast<std::size_t>(j)];
                    system.weights[row][side] = 1;
                }
            }
        }
    }
    // If the weight is in equilibrium only rounding errors remain, from heights of up to 2^31 spacings.
    const auto rounding = [&](std::size_t row) {
        return 1e-6 + 1e-13 * std::abs(weight[static_cast<std::size_t>(particle_of[row])]);
    };
    bool at_rest = true;
    for (std::size_t row = 0; row < rows; ++row) at_rest = at_rest && std::abs(source[row]) < rounding(row);
    if (at_rest) return {};

    const std::vector<double> excess = solve(std::move(system), source);
    std::vector<double> result(particles.size(), 0.0);
    for (std::size_t row = 0; row < rows; ++row) result[static_cast<std::size_t>(particle_of[row])] = excess[row];
    return result;
}

}  // namespace halfulp
