#include "validation/strategies/cpu/strategies.hpp"

#include <algorithm>
#include <numeric>

#include <omp.h>

#include "core/error.hpp"
#include "validation/seconds.hpp"
#include "validation/strategies/cpu/sweep.hpp"

namespace halfulp::strategies {

namespace {

template <class Element>
void clear(std::vector<Element>& sums, int threads)
{
#pragma omp parallel for num_threads(threads) schedule(static)
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] = Element{};
}

// The columns at which slices begin and end: as many particles in each at first, then moved by a column at a time
// towards equal times.
class Slices {
public:
    Slices(const Arrangement& at, int count) : edges_{0}
    {
        std::vector<std::size_t> in_columns(static_cast<std::size_t>(at.columns()) + 1, 0);
        for (std::int32_t cell = 0; cell < at.cells(); ++cell) {
            const Range fluid = at.fluid(cell);
            const Range walls = at.walls(cell);
            in_columns[static_cast<std::size_t>(at.column_of(cell)) + 1] +=
                (fluid.end - fluid.begin) + (walls.end - walls.begin);
        }
        std::partial_sum(in_columns.begin(), in_columns.end(), in_columns.begin());
        for (int k = 1; k < count; ++k) {
            const std::size_t wanted =
                in_columns.back() * static_cast<std::size_t>(k) / static_cast<std::size_t>(count);
            const auto found = std::ranges::lower_bound(in_columns, wanted);
            edges_.push_back(std::max(edges_.back(), static_cast<std::int32_t>(found - in_columns.begin())));
        }
        edges_.push_back(at.columns());
        times_.resize(static_cast<std::size_t>(count));
    }
    [[nodiscard]] std::int32_t low(int k) const { return edges_[static_cast<std::size_t>(k)]; }
    [[nodiscard]] std::int32_t high(int k) const { return edges_[static_cast<std::size_t>(k) + 1]; }
    void took(int k, double seconds) { times_[static_cast<std::size_t>(k)].push_back(seconds); }
    // After an evaluation: every edge whose neighbours' mean times of ten evaluations differ moves by one column.
    void balance()
    {
        if (times_.front().size() % evaluations != 0) return;
        for (std::size_t k = 1; k + 1 < edges_.size(); ++k) {
            const double left = recent(k - 1);
            const double right = recent(k);
            if (left > 1.05 * right && edges_[k] - 1 > edges_[k - 1]) --edges_[k];
            else if (right > 1.05 * left && edges_[k] + 1 < edges_[k + 1]) ++edges_[k];
        }
    }
    [[nodiscard]] double imbalance() const
    {
        double most = 0;
        double sum = 0;
        for (std::size_t k = 0; k < times_.size(); ++k) {
            most = std::max(most, recent(k));
            sum += recent(k);
        }
        return most * static_cast<double>(times_.size()) / sum;
    }

private:
    static constexpr std::size_t evaluations = 10;
    [[nodiscard]] double recent(std::size_t k) const
    {
        const std::vector<double>& all = times_[k];
        const std::size_t count = std::min(evaluations, all.size());
        return std::accumulate(all.end() - static_cast<std::ptrdiff_t>(count), all.end(), 0.0);
    }
    std::vector<std::int32_t> edges_;
    std::vector<std::vector<double>> times_;
};

// separate: a sweep for each rate.
template <class Kernel, class Add, int width, bool separate = false>
class Timed {
public:
    using Element = typename Add::Element;

    Timed(const Arrangement& at, const PairPhysics<Kernel>& physics, Add add, const Strategy& strategy)
        : at_(at), sweep_(at, physics, add), second_(at, physics, add), add_(add), strategy_(strategy),
          sums_(at.count()), slices_(at, strategy.threads)
    {
        if (with_own_sums()) own_.assign(static_cast<std::size_t>(strategy.threads), std::vector<Element>(at.count()));
    }

    void evaluate_once()
    {
        clear(sums_, strategy_.threads);
        carry_out(sweep_);
        if constexpr (separate) carry_out(second_);
    }

private:
    template <class OneSweep>
    void carry_out(const OneSweep& sweep_of_part)
    {
        const int threads = strategy_.threads;
        const std::int32_t blocks = (at_.cells() + strategy_.block - 1) / strategy_.block;
        const auto block = [&](std::int32_t k, auto sum) {
            sum(k * strategy_.block, std::min(at_.cells(), (k + 1) * strategy_.block));
        };
        if (strategy_.way == Way::asymmetric) {
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1)
            for (std::int32_t k = 0; k < blocks; ++k)
                block(k, [&](std::int32_t from, std::int32_t to) { sweep_of_part.asymmetric(from, to, sums_.data()); });
        } else if (strategy_.way == Way::slices) {
#pragma omp parallel num_threads(threads)
            {
                const int k = omp_get_thread_num();
                const double begun = seconds_now();
                sweep_of_part.slice(slices_.low(k), slices_.high(k), sums_.data());
                const double took = seconds_now() - begun;
#pragma omp critical
                slices_.took(k, took);
            }
            slices_.balance();
        } else if (!with_own_sums()) {
            sweep_of_part.symmetric(0, at_.cells(), sums_.data());
        } else {
#pragma omp parallel num_threads(threads)
            {
                std::vector<Element>& own = own_[static_cast<std::size_t>(omp_get_thread_num())];
                std::ranges::fill(own, Element{});
#pragma omp for schedule(dynamic, 1)
                for (std::int32_t k = 0; k < blocks; ++k)
                    block(k,
                          [&](std::int32_t from, std::int32_t to) { sweep_of_part.symmetric(from, to, own.data()); });
#pragma omp for schedule(static)
                for (std::size_t i = 0; i < sums_.size(); ++i) {
                    for (const std::vector<Element>& more : own_) {
                        sums_[i].x += more[i].x;
                        sums_[i].y += more[i].y;
                        sums_[i].z += more[i].z;
                        sums_[i].w += more[i].w;
                    }
                }
            }
        }
    }

public:
    Evaluated measure(const Problem& problem, double seconds)
    {
        const int least = strategy_.way == Way::slices && strategy_.threads > 1 ? 40 : 3;
        Evaluated result;
        result.seconds = fastest_time(
            seconds, [&] { evaluate_once(); }, least);
        if (strategy_.way == Way::slices) result.imbalance = slices_.imbalance();
        result.bytes = static_cast<double>((own_.size() + 1) * sums_.size() * sizeof(Element));
        std::vector<Sums> sums;
        for (const Element& one : sums_) sums.push_back(add_.value(one));
        result.rates = rates_from(problem, sums, at_.id);
        result.bits = bits_of(result.rates);
        return result;
    }

private:
    [[nodiscard]] bool with_own_sums() const
    {
        return strategy_.threads > 1 && (strategy_.way == Way::symmetric || strategy_.way == Way::fixed_point);
    }

    const Arrangement& at_;
    Sweep<Kernel, Add, width, separate ? Part::forces : Part::both> sweep_;
    Sweep<Kernel, Add, width, Part::density> second_;  // where they are separate
    Add add_;
    Strategy strategy_;
    std::vector<Element> sums_;
    std::vector<std::vector<Element>> own_;
    Slices slices_;
};

// 2^46 steps to terms of pressures and viscosities up to rho0 c0^2 and speeds up to c0. A term may be 32 times as
// large, 2^51, and a sum 2^63, four thousand of those.
FixedUnits units_for(const Parameters<3, float>& p)
{
    const double h = static_cast<double>(p.smoothing_length);
    const double c = static_cast<double>(p.sound_speed);
    return {.force = 0x1p46 / (4 * c * c * h), .rate = 0x1p46 / (8 * c * h)};
}

template <class Kernel>
Evaluated evaluate_with(const Problem& problem, const Arrangement& at, const Strategy& strategy, double seconds)
{
    const PairPhysics<Kernel> physics{problem.physics, problem.parameters, reach_squared(problem)};
    if (strategy.separate) {
        if (strategy.way != Way::symmetric || strategy.width != 8)
            throw input_error("separate sweeps are compiled with symmetry and 8 pairs at a time.");
        return Timed<Kernel, PlainAdd, 8, true>(at, physics, {}, strategy).measure(problem, seconds);
    }
    const auto with = [&](auto add) {
        using Add = decltype(add);
        switch (strategy.width) {
        case 1: return Timed<Kernel, Add, 1>(at, physics, add, strategy).measure(problem, seconds);
        case 4: return Timed<Kernel, Add, 4>(at, physics, add, strategy).measure(problem, seconds);
        case 8: return Timed<Kernel, Add, 8>(at, physics, add, strategy).measure(problem, seconds);
        default: throw input_error("strategies are compiled for 1, 4 and 8 pairs at a time.");
        }
    };
    if (strategy.way == Way::fixed_point) return with(FixedAdd{units_for(problem.parameters)});
    return with(PlainAdd{});
}

}  // namespace

void require_covered(const Problem& problem)
{
    const Physics& p = problem.physics;
    const bool covered = problem.source.dimensions == 3 && p.artificial_viscosity && p.tensile_correction &&
                         by_mass(p.formulation) && p.state_equation == StateEquation::tait &&
                         p.density_diffusion == DensityDiffusion::none && !p.xsph && !p.moving_frame &&
                         !p.central_force && p.laminar_viscosity == LaminarViscosity::none &&
                         !follow_the_fluid(problem.source.numerics.walls) &&
                         problem.source.numerics.kernel == SmoothingKernel::cubic_spline &&
                         problem.period == std::array<std::int32_t, 3>{};
    if (!covered)
        throw input_error(
            "bench strategies computes the physics of the preset \"dominguez-2013\" alone; leave its keys "
            "as they are.");
}

Evaluated evaluate(const Problem& problem, const State& state, const Strategy& strategy, double seconds)
{
    const double begun = seconds_now();
    const std::array<int, 3> axes = strategy.along_y ? std::array{1, 0, 2} : std::array{0, 1, 2};
    const Arrangement at(state, static_cast<double>(problem.support), strategy.divisions, axes);
    const double arranging = seconds_now() - begun;
    Evaluated result = evaluate_with<FactoredKernels::Of<CubicSpline>>(problem, at, strategy, seconds);
    result.arranging = arranging;
    return result;
}

PairNumbers count_pairs(const Problem& problem, const State& state, int divisions)
{
    const Arrangement at(state, static_cast<double>(problem.support), divisions);
    const float reach = reach_squared(problem);
    double inside = 0;
    double candidates = 0;
#pragma omp parallel for schedule(dynamic, 10) reduction(+ : inside, candidates)
    for (std::int32_t cell = 0; cell < at.cells(); ++cell) {
        for (const std::int32_t row : at.offsets) {
            const auto count = [&](Range targets, Range others) {
                for (std::uint32_t a = targets.begin; a < targets.end; ++a) {
                    candidates += others.end - others.begin;
                    for (std::uint32_t b = others.begin; b < others.end; ++b) {
                        const Vec<3, float> r = separation_of(at.place[a], at.place[b], at.cell[a], at.cell[b]);
                        inside += dot(r, r) < reach && a != b ? 1 : 0;
                    }
                }
            };
            if (at.fluid(cell).begin == at.fluid(cell).end && at.walls(cell).begin == at.walls(cell).end) continue;
            const std::int32_t begin = cell + row - divisions;
            count(at.fluid(cell), at.fluid(begin, 2 * divisions + 1));
            count(at.fluid(cell), at.walls(begin, 2 * divisions + 1));
            count(at.walls(cell), at.fluid(begin, 2 * divisions + 1));
        }
    }
    return {inside, candidates};
}

}  // namespace halfulp::strategies
