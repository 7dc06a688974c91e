#include "core/setup/lattice_laplace.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "core/setup/for_each_particle.hpp"

namespace halfulp {

namespace {

using Values = std::vector<double>;

struct Level {
    LatticeLaplace system;
    Values diagonal;
    // To the next coarser level:
    std::vector<std::int32_t> aggregate;  // index there of each site
    std::vector<std::int32_t> children;   // the sites of each index there, one after another, ascending
    std::vector<std::int32_t> first;      // of them, for each index there, and the end
    // Of a cycle: its solution, another vector, its right-hand side.
    Values x;
    Values other;
    Values right;
};

Values diagonal_of(const LatticeLaplace& system)
{
    Values diagonal(system.to_boundary.size());
#pragma omp parallel for if (diagonal.size() >= worth_threads)
    for (std::size_t i = 0; i < diagonal.size(); ++i) {
        diagonal[i] = static_cast<double>(system.to_boundary[i]);
        for (const float w : system.weights[i]) diagonal[i] += static_cast<double>(w);
    }
    return diagonal;
}

// The block of two sites per direction that a site belongs to.
Site block_of(const Site& site) { return {site[0] >> 1, site[1] >> 1, site[2] >> 1}; }  // rounds down

// All sites by block, blocks in the order of (x, y, z), sites of a block ascending. Stable sorts by counting, the last
// one by x, where blocks lie close to each other.
std::vector<std::int32_t> sites_by_block(const std::vector<Site>& sites)
{
    std::vector<std::int32_t> order(sites.size());
    std::iota(order.begin(), order.end(), 0);
    Site low = block_of(sites.front());
    Site high = low;
    for (const Site& site : sites) {
        const Site block = block_of(site);
        for (std::size_t axis = 0; axis < 3; ++axis) {
            low[axis] = std::min(low[axis], block[axis]);
            high[axis] = std::max(high[axis], block[axis]);
        }
    }
    const auto far = static_cast<std::int64_t>(sites.size() + 1024);
    if (high[0] - low[0] > far || high[1] - low[1] > far || high[2] - low[2] > far) {
        std::stable_sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
            return block_of(sites[static_cast<std::size_t>(a)]) < block_of(sites[static_cast<std::size_t>(b)]);
        });
        return order;
    }
    std::vector<std::int32_t> sorted(sites.size());
    for (std::size_t axis = 3; axis-- > 0;) {
        std::vector<std::int32_t> place(static_cast<std::size_t>(high[axis] - low[axis]) + 2, 0);
        const auto key = [&](std::size_t i) { return static_cast<std::size_t>((sites[i][axis] >> 1) - low[axis]); };
        for (std::size_t i = 0; i < sites.size(); ++i) ++place[key(i) + 1];
        std::partial_sum(place.begin(), place.end(), place.begin());
        for (const std::int32_t i : order)
            sorted[static_cast<std::size_t>(place[key(static_cast<std::size_t>(i))]++)] = i;
        order.swap(sorted);
    }
    return order;
}

// Joins blocks of two sites per direction. Their couplings are summed and halved: faces are 2^(D-1) times larger and
// distances between centres twice as long, while 2^(D-1) couplings are summed.
Level coarser(Level& fine)
{
    const LatticeLaplace& system = fine.system;
    fine.children = sites_by_block(system.sites);
    fine.aggregate.resize(fine.children.size());
    Level coarse;
    LatticeLaplace& to = coarse.system;
    for (std::size_t k = 0; k < fine.children.size(); ++k) {
        const auto i = static_cast<std::size_t>(fine.children[k]);
        const Site block = block_of(system.sites[i]);
        if (to.sites.empty() || to.sites.back() != block) {
            to.sites.push_back(block);
            fine.first.push_back(static_cast<std::int32_t>(k));
        }
        fine.aggregate[i] = static_cast<std::int32_t>(to.sites.size()) - 1;
    }
    fine.first.push_back(static_cast<std::int32_t>(fine.children.size()));
    to.neighbours.assign(to.sites.size(), {-1, -1, -1, -1, -1, -1});
    to.weights.assign(to.sites.size(), {});
    to.to_boundary.assign(to.sites.size(), 0);
#pragma omp parallel for if (to.sites.size() >= worth_threads)
    for (std::size_t a = 0; a < to.sites.size(); ++a) {
        for (std::int32_t k = fine.first[a]; k < fine.first[a + 1]; ++k) {
            const auto i = static_cast<std::size_t>(fine.children[static_cast<std::size_t>(k)]);
            to.to_boundary[a] += system.to_boundary[i] / 2;
            for (std::size_t side = 0; side < 6; ++side) {
                const std::int32_t j = system.neighbours[i][side];
                if (j < 0 || fine.aggregate[static_cast<std::size_t>(j)] == static_cast<std::int32_t>(a)) continue;
                to.neighbours[a][side] = fine.aggregate[static_cast<std::size_t>(j)];
                to.weights[a][side] += system.weights[i][side] / 2;
            }
        }
    }
    coarse.diagonal = diagonal_of(to);
    return coarse;
}

// A row of A x, with A positive definite: the outflow of a site.
double outflow(const Level& level, const Values& x, std::size_t i)
{
    const LatticeLaplace& system = level.system;
    double sum = level.diagonal[i] * x[i];
    for (std::size_t side = 0; side < 6; ++side) {
        const std::int32_t j = system.neighbours[i][side];
        if (j >= 0) sum -= static_cast<double>(system.weights[i][side]) * x[static_cast<std::size_t>(j)];
    }
    return sum;
}

// y = A x.
void multiply(const Level& level, const Values& x, Values& y)
{
#pragma omp parallel for if (x.size() >= worth_threads)
    for (std::size_t i = 0; i < x.size(); ++i) y[i] = outflow(level, x, i);
}

// In blocks of fixed size, independent of the number of threads.
double inner_product_of(const Values& a, const Values& b)
{
    constexpr std::size_t block = 4096;
    const std::size_t blocks = (a.size() + block - 1) / block;
    Values sums(blocks);
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

// One damped Jacobi sweep, from zero where `first`.
void smooth(Level& level, const Values& right, bool first)
{
    Values& x = level.x;
    Values& to = level.other;
#pragma omp parallel for if (x.size() >= worth_threads)
    for (std::size_t i = 0; i < x.size(); ++i) {
        const double before = first ? 0.0 : x[i];
        const double outwards = first ? 0.0 : outflow(level, x, i);
        to[i] = level.diagonal[i] > 0 ? before + 0.7 * (right[i] - outwards) / level.diagonal[i] : before;
    }
    x.swap(to);
}

// A V-cycle from zero: symmetric, as required by conjugate gradients. The result is the level's x.
void cycle(std::vector<Level>& levels, std::size_t l, const Values& right)
{
    Level& level = levels[l];
    const bool coarsest = l + 1 == levels.size();
    const int sweeps = coarsest ? 50 : 2;
    for (int k = 0; k < sweeps; ++k) smooth(level, right, k == 0);
    if (coarsest) return;
    Level& coarse = levels[l + 1];
    const Values& x = level.x;
    Values& residual = level.other;
#pragma omp parallel for if (x.size() >= worth_threads)
    for (std::size_t i = 0; i < x.size(); ++i) residual[i] = right[i] - outflow(level, x, i);
#pragma omp parallel for if (x.size() >= worth_threads)
    for (std::size_t a = 0; a < coarse.right.size(); ++a) {
        double sum = 0;
        for (std::int32_t k = level.first[a]; k < level.first[a + 1]; ++k)
            sum += residual[static_cast<std::size_t>(level.children[static_cast<std::size_t>(k)])];
        coarse.right[a] = sum;
    }
    cycle(levels, l + 1, coarse.right);
#pragma omp parallel for if (x.size() >= worth_threads)
    for (std::size_t i = 0; i < x.size(); ++i) level.x[i] += coarse.x[static_cast<std::size_t>(level.aggregate[i])];
    for (int k = 0; k < sweeps; ++k) smooth(level, right, false);
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
    for (Level& level : levels) {
        std::vector<Site>().swap(level.system.sites);
        for (Values* const one : {&level.x, &level.other}) one->resize(level.diagonal.size());
        if (&level != &levels.front()) level.right.resize(level.diagonal.size());
    }

    Values x(source.size(), 0.0);
    Values residual = source;
    const double enough = 1e-14 * inner_product_of(source, source);
    cycle(levels, 0, residual);
    const Values& z = levels[0].x;
    Values direction = z;
    Values image(source.size());
    double weight = inner_product_of(residual, z);
    for (int k = 0; k < 200 && inner_product_of(residual, residual) > enough; ++k) {
        multiply(levels[0], direction, image);
        const double step = weight / inner_product_of(direction, image);
#pragma omp parallel for if (x.size() >= worth_threads)
        for (std::size_t i = 0; i < x.size(); ++i) {
            x[i] += step * direction[i];
            residual[i] -= step * image[i];
        }
        cycle(levels, 0, residual);
        const double next = inner_product_of(residual, z);
        const double share = next / weight;
        weight = next;
#pragma omp parallel for if (x.size() >= worth_threads)
        for (std::size_t i = 0; i < x.size(); ++i) direction[i] = z[i] + share * direction[i];
    }
    return x;
}

}  // namespace halfulp
