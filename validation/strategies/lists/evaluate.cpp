#include <type_traits>

#include "core/operations/lanes.hpp"
#include "precision/simd.hpp"
#include "precision/sums.hpp"
#include "validation/seconds.hpp"
#include "validation/strategies/lists/lists.hpp"
#include "validation/strategies/pair_physics.hpp"

namespace halfulp::strategies {

namespace {

constexpr int lanes = 8;
using T = Simd<float, lanes>;
using Kernel = FactoredKernels::Of<CubicSpline>;

T loaded(const float (&values)[lanes])
{
    T vector(0.0F);
    for (int k = 0; k < lanes; ++k) vector.set(k, values[k]);
    return vector;
}

// Particles one to a lane: where they are, relative to a cell, and how they move.
struct Gathered {
    float place[4][lanes];
    float motion[4][lanes];
    float cell[3][lanes];

    void set(int lane, const LaidOut& at, std::uint32_t i, const Four<std::int32_t>& origin)
    {
        for (int c = 0; c < 4; ++c) place[c][lane] = at.place[i][c];
        for (int c = 0; c < 4; ++c) motion[c][lane] = at.motion[i][c];
        for (int c = 0; c < 3; ++c) cell[c][lane] = static_cast<float>(at.cell[i][c] - origin[c]);
    }
    [[nodiscard]] MomentumState<3, T> state() const
    {
        return {{{loaded(motion[0]), loaded(motion[1]), loaded(motion[2])}}, loaded(place[3]), {loaded(motion[3])}};
    }
};

template <class Sum>
void sum_of_group(const LaidOut& at, const PairPhysics<Kernel>& physics, const Parameters<3, T>& p, std::size_t first,
                  Four<float>* sums)
{
    const int count = static_cast<int>(std::min<std::size_t>(lanes, at.target.size() - first));
    const Four<std::int32_t> origin = at.cell[at.target[first]];
    Gathered targets{};
    std::uint32_t longest = 0;
    for (int k = 0; k < lanes; ++k) {
        const std::size_t t = first + static_cast<std::size_t>(std::min(k, count - 1));
        targets.set(k, at, at.target[t], origin);
        longest = std::max(longest, at.length[t]);
    }
    const MomentumState<3, T> here = targets.state();
    Sum force[3];
    Sum rate;
    for (std::uint32_t e = 0; e < longest; ++e) {
        Gathered neighbours{};
        unsigned listed = 0;
        for (int k = 0; k < lanes; ++k) {
            const std::size_t t = first + static_cast<std::size_t>(std::min(k, count - 1));
            const bool has = k < count && e < at.length[t];
            listed |= (has ? 1U : 0U) << static_cast<unsigned>(k);
            neighbours.set(k, at, has ? at.entries[at.index(t, e)] : at.target[t], origin);
        }
        Vec<3, T> r;
        for (int c = 0; c < 3; ++c)
            r[c] = position_difference(loaded(targets.place[c]), loaded(neighbours.place[c]),
                                       loaded(targets.cell[c]) - loaded(neighbours.cell[c]));
        const PairTerms<T> terms = physics.of<T, Part::both>(r, here, neighbours.state(), p);
        for (int c = 0; c < 3; ++c) force[c].add(keep_lanes(listed, terms.force[c]));
        rate.add(keep_lanes(listed, terms.rate));
    }
    for (int k = 0; k < count; ++k)
        sums[first + static_cast<std::size_t>(k)] = {force[0].value()[k], force[1].value()[k], force[2].value()[k],
                                                     rate.value()[k]};
}

}  // namespace

ListsEvaluated evaluate_on_host(const Problem& problem, const CanonicalLists& lists, const ListStrategy& strategy,
                                double seconds)
{
    const LaidOut at = lay_out(lists, strategy, lanes);
    const PairPhysics<Kernel> physics{problem.physics, problem.parameters, reach_squared(problem)};
    const Parameters<3, T> p = problem.parameters.as<3, T>();
    std::vector<Four<float>> sums(at.target.size());
    const auto sum = [&]<class Sum>() {
#pragma omp parallel for num_threads(strategy.threads) schedule(dynamic, 16)
        for (std::size_t first = 0; first < at.target.size(); first += lanes)
            sum_of_group<Sum>(at, physics, p, first, sums.data());
    };
    ListsEvaluated result;
    result.seconds = fastest_time(seconds, [&] {
        if (strategy.compensated) sum.template operator()<KbnSum<T>>();
        else sum.template operator()<PlainSum<T>>();
    });
    result.rates = rates_from(problem, sums, at.id);
    result.padding = static_cast<double>(at.entries.size()) / static_cast<double>(lists.neighbours.size());
    return result;
}

}  // namespace halfulp::strategies
