// The pair loops of the CPU back end, written once for every number of lanes W, policy, dimension and smoothing kernel.
//
// The lanes of a vector are W consecutive target particles; a candidate neighbour is broadcast to all of them. Each
// lane adds its neighbours in ascending index to one accumulator a component, so no bit depends on W or on the number
// of threads.
#pragma once

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "core/backends/cpu/lanes.hpp"
#include "core/backends/cpu/pair_engine.hpp"
#include "core/backends/cpu/shift_table.hpp"
#include "core/neighbours/cell_directory.hpp"
#include "core/neighbours/groups.hpp"
#include "kernels/continuity.hpp"
#include "kernels/momentum.hpp"
#include "kernels/time_step.hpp"
#include "precision/position.hpp"
#include "precision/sums.hpp"

namespace halfulp {

template <class Policy, int D, class Kernel, int W>
class LaneEngine final : public PairEngine<Policy, D> {
public:
    using Real = typename Policy::Real;
    using T = SimdOrScalar<Real, W>;
    using Sum = typename Policy::template Sum<T>;

    explicit LaneEngine(const PairSettings& settings)
        : search_cells_(settings.search_cells), viscous_(settings.viscous), signal_speed_(settings.signal_speed),
          shifts_(settings.search_cells), parameters_(settings.parameters.template as<D, T>())
    {
    }

    void rebuild(const Buffers<Policy>& buffers) override;
    Real density_rate(Buffers<Policy>& buffers) override
    {
        return signal_speed_ ? density_rate_as<true>(buffers) : density_rate_as<false>(buffers);
    }
    Real forces(Buffers<Policy>& buffers) override
    {
        return viscous_ ? forces_as<true>(buffers) : forces_as<false>(buffers);
    }
    [[nodiscard]] std::size_t bytes() const override
    {
        std::size_t total = 0;
        for (const auto& strip : strips_)
            total += strip.groups.capacity() * sizeof(Group) + strip.candidates.capacity() * sizeof(Candidate);
        return total;
    }

private:
    static constexpr int rows_around = D == 3 ? 49 : 7;  // at most three cells each way

    // The x cells of a group's lanes relative to the first.
    static T lane_cells(const Buffers<Policy>& buffers, const Group& group)
    {
        T cells;
        for (int k = 0; k < W; ++k) {
            const std::uint32_t i = group.first + static_cast<std::uint32_t>(k < group.count ? k : group.count - 1);
            set_lane(cells, k, Real(buffers.cell[i].x - buffers.cell[group.first].x));
        }
        return cells;
    }

    // r_ab for the lanes a and one candidate b: (x_a - x_b) + cell difference, in this order (precision/position.hpp).
    static HALFULP_INLINE Vec<D, T> separation(const Vec<D, T>& x_a, T lane_cells, const Four<Real>& b,
                                               const Four<Real>& shift)
    {
        Vec<D, T> r;
        r[0] = position_difference(x_a[0], T(b.x), lane_cells + T(shift.x));
        r[1] = position_difference(x_a[1], T(b.y), T(shift.y));
        if constexpr (D == 3) r[2] = position_difference(x_a[2], T(b.z), T(shift.z));
        return r;
    }

    void make_strips();
    void make_groups(const Buffers<Policy>& buffers, Strip& strip) const;
    void find_candidates(const Buffers<Policy>& buffers, Strip& strip) const;
    void add_candidates(const Buffers<Policy>& buffers, Strip& strip, const Group& group, const Vec<D, T>& x, T cells,
                        int row, IndexRange range) const;
    template <bool signal_speed>
    Real density_rate_as(Buffers<Policy>& buffers);
    template <bool viscous>
    Real forces_as(Buffers<Policy>& buffers);

    int search_cells_;
    bool viscous_;
    bool signal_speed_;
    ShiftTable<Real, D> shifts_;
    Parameters<D, T> parameters_;
    CellDirectory directory_;
    std::vector<Strip> strips_;
};

template <class Policy, int D, class Kernel, int W>
void LaneEngine<Policy, D, Kernel, W>::rebuild(const Buffers<Policy>& buffers)
{
    directory_.build(buffers.cell);
    make_strips();
#pragma omp parallel for schedule(dynamic, 1)
    for (std::size_t s = 0; s < strips_.size(); ++s) {
        make_groups(buffers, strips_[s]);
        find_candidates(buffers, strips_[s]);
    }
}

template <class Policy, int D, class Kernel, int W>
void LaneEngine<Policy, D, Kernel, W>::make_strips()
{
    std::size_t used = 0;
    const auto& rows = directory_.rows();
    for (std::uint32_t row = 0; row < rows.size(); ++row) {
        for (std::uint32_t c = rows[row].first_cell; c < rows[row].last_cell; c += cells_per_strip) {
            if (used == strips_.size()) strips_.emplace_back();
            Strip& strip = strips_[used++];  // an old strip's memory is used again
            strip.row = row;
            strip.first_cell = c;
            strip.last_cell = std::min(c + cells_per_strip, rows[row].last_cell);
        }
    }
    strips_.resize(used);
}

template <class Policy, int D, class Kernel, int W>
void LaneEngine<Policy, D, Kernel, W>::make_groups(const Buffers<Policy>& buffers, Strip& strip) const
{
    strip.groups.clear();
    strip.candidates.clear();
    const std::uint32_t begin = directory_.first_particle(strip.first_cell);
    const std::uint32_t end = directory_.first_particle(strip.last_cell);
    for (std::uint32_t i = begin; i < end;) {
        Group group{i, 0, 0, 0, 0};
        while (i < end && group.count < W &&
               std::int64_t(buffers.cell[i].x) - buffers.cell[group.first].x <= largest_group_span) {
            if (buffers.kind[i] == Kind::fluid)
                group.fluid_lanes = static_cast<std::uint16_t>(group.fluid_lanes | 1U << group.count);
            ++group.count;
            ++i;
        }
        strip.groups.push_back(group);
    }
}

template <class Policy, int D, class Kernel, int W>
void LaneEngine<Policy, D, Kernel, W>::find_candidates(const Buffers<Policy>& buffers, Strip& strip) const
{
    const auto& own = directory_.rows()[strip.row];
    const std::int64_t n = search_cells_;
    // The rows around, and in each the run of cells in reach: both ends move forward as the groups do.
    std::array<const CellDirectory::Row*, rows_around> around{};
    std::array<std::uint32_t, rows_around> low{};
    std::array<std::uint32_t, rows_around> high{};
    for (int row = 0; row < shifts_.rows(); ++row) {
        const std::uint32_t found =
            directory_.find_row(std::int64_t(own.z) + shifts_.dz(row), std::int64_t(own.y) + shifts_.dy(row));
        if (found == CellDirectory::no_row) continue;
        around[row] = &directory_.rows()[found];
        low[row] = high[row] = directory_.lower_cell(*around[row], directory_.x(strip.first_cell) - n);
    }
    for (Group& group : strip.groups) {
        group.begin = static_cast<std::uint32_t>(strip.candidates.size());
        const Vec<D, T> x = components<D>(load_lanes<T>(buffers.offset.data(), group.first, group.count));
        const T cells = lane_cells(buffers, group);
        const std::int64_t first_x = buffers.cell[group.first].x - n;
        const std::int64_t last_x = buffers.cell[group.first + group.count - 1].x + n;
        for (int row = 0; row < shifts_.rows(); ++row) {
            if (around[row] == nullptr) continue;
            const std::uint32_t end = around[row]->last_cell;
            while (low[row] < end && directory_.x(low[row]) < first_x) ++low[row];
            high[row] = std::max(high[row], low[row]);
            while (high[row] < end && directory_.x(high[row]) <= last_x) ++high[row];
            add_candidates(buffers, strip, group, x, cells, row,
                           {directory_.first_particle(low[row]), directory_.first_particle(high[row])});
        }
        group.end = static_cast<std::uint32_t>(strip.candidates.size());
    }
}

template <class Policy, int D, class Kernel, int W>
void LaneEngine<Policy, D, Kernel, W>::add_candidates(const Buffers<Policy>& buffers, Strip& strip, const Group& group,
                                                      const Vec<D, T>& x, T cells, int row, IndexRange range) const
{
    const T reach2(Real(search_cells_ * search_cells_));
    const unsigned used = (1U << group.count) - 1;
    const std::int32_t reference = buffers.cell[group.first].x;
    for (std::uint32_t b = range.begin; b < range.end; ++b) {
        const std::uint16_t code = shifts_.code(row, buffers.cell[b].x - reference);
        const Vec<D, T> r = separation(x, cells, buffers.offset[b], shifts_.data()[code]);
        unsigned lanes = used;
        if (buffers.kind[b] == Kind::wall) lanes &= group.fluid_lanes;
        if (b - group.first < group.count) lanes &= ~(1U << (b - group.first));
        if constexpr (W == 1) lanes = dot(r, r) < reach2 ? lanes : 0;
        else lanes &= bits_from_mask(dot(r, r) < reach2);
        if (lanes != 0) strip.candidates.push_back({b, static_cast<std::uint16_t>(lanes), code});
    }
}

template <class Policy, int D, class Kernel, int W>
template <bool signal_speed>
auto LaneEngine<Policy, D, Kernel, W>::density_rate_as(Buffers<Policy>& buffers) -> Real
{
    Real fastest = 0;
    const Real c0 = get_lane(parameters_.sound_speed, 0);
#pragma omp parallel for schedule(dynamic, 1) reduction(max : fastest)
    for (std::size_t s = 0; s < strips_.size(); ++s) {
        const Strip& strip = strips_[s];
        for (const Group& group : strip.groups) {
            const Vec<D, T> x = components<D>(load_lanes<T>(buffers.offset.data(), group.first, group.count));
            const FourLanes<T> own = load_lanes<T>(buffers.velocity.data(), group.first, group.count);
            const Vec<D, T> u = components<D>(own);
            const T cells = lane_cells(buffers, group);
            Sum rate;
            T closing(Real(0));
            for (std::uint32_t e = group.begin; e < group.end; ++e) {
                const Candidate& candidate = strip.candidates[e];
                const Vec<D, T> r =
                    separation(x, cells, buffers.offset[candidate.index], shifts_.data()[candidate.shift]);
                const auto pair = continuity_pair<Kernel>(r, u - broadcast<D, T>(buffers.velocity[candidate.index]),
                                                          parameters_.inverse_smoothing_length);
                rate.add(masked(candidate.lanes, pair.rate));
                if constexpr (signal_speed) {
                    // Only pairs inside the support count: those have a gradient.
                    const T speed = closing_speed(pair.approach, pair.distance_squared, parameters_.smoothing_length,
                                                  parameters_.viscous_softening);
                    closing = larger(
                        closing, masked(candidate.lanes, select(pair.gradient_shape < T(Real(0)), speed, T(Real(0)))));
                }
            }
            const T total = parameters_.pair_scale * rate.value();
            const T signal = sound_speed(CentredDensity<T>{own.w}, T(c0)) + closing;
            for (int k = 0; k < group.count; ++k) {
                buffers.rate[group.first + static_cast<std::uint32_t>(k)].w = get_lane(total, k);
                if constexpr (signal_speed) fastest = larger(fastest, get_lane(signal, k));
            }
        }
    }
    return fastest;
}

template <class Policy, int D, class Kernel, int W>
template <bool viscous>
auto LaneEngine<Policy, D, Kernel, W>::forces_as(Buffers<Policy>& buffers) -> Real
{
    Real largest2 = 0;
#pragma omp parallel for schedule(dynamic, 1) reduction(max : largest2)
    for (std::size_t s = 0; s < strips_.size(); ++s) {
        const Strip& strip = strips_[s];
        for (const Group& group : strip.groups) {
            if (group.fluid_lanes == 0) continue;
            const FourLanes<T> place = load_lanes<T>(buffers.offset.data(), group.first, group.count);
            const FourLanes<T> motion = load_lanes<T>(buffers.velocity.data(), group.first, group.count);
            const Vec<D, T> x = components<D>(place);
            const MomentumState<D, T> a{components<D>(motion), place.w, {motion.w}};
            const T cells = lane_cells(buffers, group);
            std::array<Sum, D> sums{};
            // The viscous share serves the energy ledger only; plain sums suffice for it.
            std::array<PlainSum<T>, D> viscous_sums{};
            for (std::uint32_t e = group.begin; e < group.end; ++e) {
                const Candidate& candidate = strip.candidates[e];
                const Four<Real>& there = buffers.offset[candidate.index];
                const Four<Real>& moving = buffers.velocity[candidate.index];
                const Vec<D, T> r = separation(x, cells, there, shifts_.data()[candidate.shift]);
                const MomentumState<D, T> b{broadcast<D, T>(moving), T(there.w), {T(moving.w)}};
                const auto pair = momentum_pair<Kernel, viscous>(r, a, b, parameters_);
                const T total = masked(candidate.lanes, pair.total);
                for (int i = 0; i < D; ++i) sums[i].add(total * r[i]);
                if constexpr (viscous) {
                    const T share = masked(candidate.lanes, pair.viscous);
                    for (int i = 0; i < D; ++i) viscous_sums[i].add(share * r[i]);
                }
            }
            Vec<D, T> acceleration;
            Vec<D, T> viscous_acceleration;
            for (int i = 0; i < D; ++i) {
                acceleration[i] = fma(-parameters_.pair_scale, sums[i].value(), parameters_.gravity[i]);
                viscous_acceleration[i] = -parameters_.pair_scale * viscous_sums[i].value();
            }
            const T size2 = dot(acceleration, acceleration);
            for (int k = 0; k < group.count; ++k) {
                if ((group.fluid_lanes >> k & 1U) == 0) continue;
                const std::uint32_t i = group.first + static_cast<std::uint32_t>(k);
                Four<Real>& rate = buffers.rate[i];
                for (int c = 0; c < D; ++c) rate[c] = get_lane(acceleration[c], k);
                if constexpr (viscous) {
                    for (int c = 0; c < D; ++c) buffers.viscous_rate[i][c] = get_lane(viscous_acceleration[c], k);
                }
                largest2 = larger(largest2, get_lane(size2, k));
            }
        }
    }
    return square_root(largest2);
}

}  // namespace halfulp
