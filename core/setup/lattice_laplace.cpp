#include "core/setup/lattice_laplace.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace halfulp {

namespace {

using Vector = std::vector<double>;

constexpr std::size_t worth_threads = 16384;  // elements

struct Level {
    LatticeLaplace system;
    Vector diagonal;
    std::vector<std::int32_t> aggregate;  // index of each site in the next coarser level
};

Vector diagonal_of(const LatticeLaplace& system)
{
    Vector diagonal(system.sites.size());
    for (std::size_t i = 0; i < diagonal.size(); ++i) {
        diagonal[i] = static_cast<double>(system.to_boundary[i]);
        for (const float w : system.weights[i]) diagonal[i] += static_cast<double>(w);
    }
    return diagonal;
}

// Joins blocks of two sites per direction. Their couplings are summed and halved: faces are 2^(D-1) times larger and
// distances between centres twice as long, while 2^(D-1) couplings are summed.
Level coarser(Level& fine)
{
    const LatticeLaplace& system = fine.system;
    const auto parent = [&](std::size_t i) {
        Site site = system.sites[i];
        for (auto& x : site) x >>= 1;  // rounds down
        return site;
    };
    std::vector<std::int32_t> order(system.sites.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
        const Site s = parent(static_cast<std::size_t>(a));
        const Site t = parent(static_cast<std::size_t>(b));
        return s != t ? s < t : a < b;
    });
    Level coarse;
    fine.aggregate.resize(order.size());
    for (const std::int32_t i : order) {
        const Site site = parent(static_cast<std::size_t>(i));
        if (coarse.system.sites.empty() || coarse.system.sites.back() != site) coarse.system.sites.push_back(site);
        fine.aggregate[static_cast<std::size_t>(i)] = static_cast<std::int32_t>(coarse.system.sites.size()) - 1;
    }
    LatticeLaplace& to = coarse.system;
    to.neighbours.assign(to.sites.size(), {-1, -1, -1, -1, -1, -1});
    to.weights.assign(to.sites.size(), {});
    to.to_boundary.assign(to.sites.size(), 0);
    for (std::size_t i = 0; i < system.sites.size(); ++i) {
        const auto a = static_cast<std::size_t>(fine.aggregate[i]);
        to.to_boundary[a] += system.to_boundary[i] / 2;
        for (std::size_t side = 0; side < 6; ++side) {
            const std::int32_t j = system.neighbours[i][side];
            if (j < 0 || fine.aggregate[static_cast<std::size_t>(j)] == fine.aggregate[i]) continue;
            to.neighbours[a][side] = fine.aggregate[static_cast<std::size_t>(j)];
            to.weights[a][side] += system.weights[i][side] / 2;
        }
    }
    coarse.diagonal = diagonal_of(to);
    return coarse;
}

// y = A x, with A positive definite: the outflow of each site.
void multiply(const Level& level, const Vector& x, Vector& y)
{
    const LatticeLaplace& system = level.system;
#pragma omp parallel for if (x.size() >= worth_threads)
    for (std::size_t i = 0; i < x.size(); ++i) {
        double sum = level.diagonal[i] * x[i];
        for (std::size_t side = 0; side < 6; ++side) {
            const std::int32_t j = system.neighbours[i][side];
            if (j >= 0) sum -= static_cast<double>(system.weights[i][side]) * x[static_cast<std::size_t>(j)];
        }
        y[i] = sum;
    }
}

// In blocks of fixed size, independent of the number of threads.
double dot(const Vector& a, const Vector& b)
{
    constexpr std::size_t block = 4096;
    const std::size_t blocks = (a.size() + block - 1) / block;
    Vector sums(blocks);
#pragma omp parallel for if (a.size() >= worth_threads)
    for (std::size_t k = 0; k < blocks; ++k) {
        const std::size_t last = std::min(a.size(), (k + 1) * block);
        double sum = 0;
        for (std::size_t i = k * block; i < last; ++i) sum += a[i] * b[i];
        sums[k] = sum;
    }
    double sum = 0;
    for (const double s : sums) sum += s;
    return sum;
}

// One damped Jacobi sweep.
void smooth(const Level& level, const Vector& right, Vector& x, Vector& scratch)
{
    multiply(level, x, scratch);
#pragma omp parallel for if (x.size() >= worth_threads)
    for (std::size_t i = 0; i < x.size(); ++i) {
        if (level.diagonal[i] > 0) x[i] += 0.7 * (right[i] - scratch[i]) / level.diagonal[i];
    }
}

// A V-cycle from zero: symmetric, as required by conjugate gradients.
Vector cycle(const std::vector<Level>& levels, std::size_t l, const Vector& right)
{
    const Level& level = levels[l];
    Vector x(right.size(), 0.0);
    Vector scratch(right.size());
    const bool coarsest = l + 1 == levels.size();
    const int sweeps = coarsest ? 50 : 2;
    for (int k = 0; k < sweeps; ++k) smooth(level, right, x, scratch);
    if (!coarsest) {
        multiply(level, x, scratch);
        Vector residual(levels[l + 1].diagonal.size(), 0.0);
        for (std::size_t i = 0; i < x.size(); ++i)
            residual[static_cast<std::size_t>(level.aggregate[i])] += right[i] - scratch[i];
        const Vector correction = cycle(levels, l + 1, residual);
        for (std::size_t i = 0; i < x.size(); ++i) x[i] += correction[static_cast<std::size_t>(level.aggregate[i])];
        for (int k = 0; k < sweeps; ++k) smooth(level, right, x, scratch);
    }
    return x;
}

}  // namespace

std::vector<double> solve(LatticeLaplace system, const std::vector<double>& source)
{
    std::vector<Level> levels(1);
    levels[0].diagonal = diagonal_of(system);
    levels[0].system = std::move(system);
    while (levels.back().system.sites.size() > 64) {
        Level next = coarser(levels.back());
        if (next.system.sites.size() == levels.back().system.sites.size()) break;  // none of them touch
        levels.push_back(std::move(next));
    }

    Vector x(source.size(), 0.0);
    Vector residual = source;
    const double enough = 1e-14 * dot(source, source);
    Vector z = cycle(levels, 0, residual);
    Vector direction = z;
    Vector image(source.size());
    double weight = dot(residual, z);
    for (int k = 0; k < 200 && dot(residual, residual) > enough; ++k) {
        multiply(levels[0], direction, image);
        const double step = weight / dot(direction, image);
#pragma omp parallel for if (x.size() >= worth_threads)
        for (std::size_t i = 0; i < x.size(); ++i) {
            x[i] += step * direction[i];
            residual[i] -= step * image[i];
        }
        z = cycle(levels, 0, residual);
        const double next = dot(residual, z);
        const double share = next / weight;
        weight = next;
#pragma omp parallel for if (x.size() >= worth_threads)
        for (std::size_t i = 0; i < x.size(); ++i) direction[i] = z[i] + share * direction[i];
    }
    return x;
}

}  // namespace halfulp
