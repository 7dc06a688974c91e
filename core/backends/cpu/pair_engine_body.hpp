// The pair engine's member functions, included where a policy is instantiated.
#pragma once

#include "core/backends/cpu/pair_engine.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/error.hpp"
#include "core/parallel_failure.hpp"
#include "core/particles/particle_view.hpp"
#include "kernels/periodic_image.hpp"

namespace halfulp {

namespace detail {

template <class Policy, int D>
const PairLoops<typename Policy::Pairs, D>* loops_with(int lanes)
{
    if (const auto* loops = pair_loops<typename Policy::Pairs, D>(lanes)) return loops;
    std::vector<int> allowed;
    for (const int candidate : {1, 2, 4, 8, 16}) {
        if (pair_loops<typename Policy::Pairs, D>(candidate) != nullptr) allowed.push_back(candidate);
    }
    throw input_error("--lanes {}: on this processor the precision \"{}\" runs with {} lanes", lanes, Policy::name,
                      fmt::join(allowed, ", "));
}

}  // namespace detail

template <class Policy, int D>
PairEngine<Policy, D>::PairEngine(const PairSettings& settings)
    : settings_(settings), shifts_(settings.search_cells), loops_(detail::loops_with<Policy, D>(settings.lanes))
{
}

template <class Policy, int D>
auto PairEngine<Policy, D>::data_of(Buffers<Policy>& buffers) const -> PairData<Real>
{
    PairData<Real> data;
    data.parameters = settings_.parameters;
    data.physics = settings_.physics;
    data.kernel = settings_.kernel;
    data.signal_speed = settings_.signal_speed;
    data.reach_squared = searched_reach_squared<Real>(settings_.parameters, settings_.support);
    data.centre = settings_.centre;
    data.period = settings_.period;
    data.inertial = inertial_;
    data.poses = poses_;
    set_pointers(data, view_of(buffers));
    return data;
}

template <class Policy, int D>
void PairEngine<Policy, D>::rebuild(Buffers<Policy>& buffers, const std::vector<std::uint8_t>& owned,
                                    const WantedPairs<Real>& wanted)
{
    directory_.build(buffers.cell, buffers.kind);
    make_strips(directory_, owned, strips_);
    make_lists(buffers, wanted);
}

template <class Policy, int D>
void PairEngine<Policy, D>::make_lists(Buffers<Policy>& buffers, const WantedPairs<Real>& wanted)
{
    PairData<Real> data = data_of(buffers);
    data.reach_squared = wanted.reach_squared;
    ParallelFailure no_memory;
#pragma omp parallel for schedule(dynamic, 1)
    for (std::size_t s = 0; s < strips_.size(); ++s) {
        no_memory.guard([&] {
            Strip& strip = strips_[s];
            make_groups(directory_, buffers.cell, buffers.kind, loops_->lanes, strip);
            if (!settings_.stored) return;
            find_candidates(data, wanted.moves, strip, strip.groups, strip.candidates);
            const auto dry = std::stable_partition(strip.groups.begin(), strip.groups.end(),
                                                   [](const Group& group) { return !is_dry(group); });
            strip.wet = static_cast<std::size_t>(dry - strip.groups.begin());
        });
    }
    no_memory.rethrow();
    dry_walls_.rebuilt();
}

// A cell's periodic image, if the axis is periodic.
template <class Policy, int D>
std::int64_t PairEngine<Policy, D>::wrapped(std::int64_t cell, int axis) const
{
    const auto k = static_cast<std::size_t>(axis);
    return halfulp::wrapped(cell, settings_.origin[k], settings_.period[k]);
}

template <class Policy, int D>
void PairEngine<Policy, D>::find_candidates(const PairData<Real>& data, const Four<Real>* moves, const Strip& strip,
                                            std::vector<Group>& groups, std::vector<Candidate>& candidates) const
{
    const auto& own = directory_.rows()[strip.row];
    const std::int64_t n = settings_.search_cells;
    // The occupied rows around, and in each the run of cells within reach: both ends advance with the groups. Along a
    // periodic x a row counts once for each of its images within reach; `image` is that image's offset along x.
    struct RowInReach {
        int row;
        std::int64_t image;
        const CellDirectory::Row* cells;
        std::uint32_t low;
        std::uint32_t high;
    };
    std::vector<RowInReach> around;
    const std::int64_t strip_low = directory_.x(strip.first_cell) - n;
    const std::int64_t strip_high = directory_.x(strip.last_cell - 1) + n;
    const std::int64_t period = settings_.period[0];
    const std::int64_t first_image = period > 0 ? strip_low - wrapped(strip_low, 0) : 0;
    for (int row = 0; row < shifts_.rows(); ++row) {
        const std::uint32_t found = directory_.find_row(wrapped(std::int64_t(own.z) + shifts_.dz(row), 2),
                                                        wrapped(std::int64_t(own.y) + shifts_.dy(row), 1));
        if (found == CellDirectory::no_row) continue;
        const auto& cells = directory_.rows()[found];
        std::int64_t image = first_image;
        do {
            const std::uint32_t low = directory_.lower_cell(found, strip_low - image);
            around.push_back({row, image, &cells, low, low});
            image += period;
        } while (period > 0 && settings_.origin[0] + image <= strip_high);
    }
    std::size_t used = 0;
    for (Group& group : groups) {
        // Codes are computed modulo 2^16; those of the candidates within reach are all in the table.
        const auto search = [&](const RowInReach& reach, const IndexRange& range) {
            const std::size_t room = used + (range.end - range.begin);
            if (candidates.size() < room) candidates.resize(room + room / 2);
            const auto code = static_cast<std::uint16_t>(shifts_.code(reach.row, 0) + reach.image);
            used += loops_->find_candidates(data, moves, shifts_.data(), group, range, code, candidates.data() + used);
        };
        group.begin = static_cast<std::uint32_t>(used);
        const std::int64_t first_x = data.cell[group.first].x - n;
        const std::int64_t last_x = data.cell[group.first + group.count - 1].x + n;
        for (RowInReach& reach : around) {
            const std::uint32_t end = reach.cells->last_cell;
            while (reach.low < end && directory_.x(reach.low) + reach.image < first_x) ++reach.low;
            reach.high = std::max(reach.high, reach.low);
            while (reach.high < end && directory_.x(reach.high) + reach.image <= last_x) ++reach.high;
            if (group.fluid_lanes != 0) {
                search(reach, {directory_.first_particle(reach.low), directory_.first_particle(reach.high)});
                continue;
            }
            for (std::uint32_t cell = reach.low; cell < reach.high; ++cell) {
                const IndexRange fluid = directory_.fluid(cell);
                if (fluid.begin < fluid.end) search(reach, fluid);
            }
        }
        group.end = static_cast<std::uint32_t>(used);
    }
}

// The maxima of visit(strip, groups, candidates) over all strips, in parallel; the two vectors are a thread's own.
template <class Policy, int D>
template <class Visit>
Largest<double> PairEngine<Policy, D>::over_strips(Visit visit)
{
    double first = 0;  // OpenMP reduces built-in types only
    double second = 0;
    ParallelFailure no_memory;
#pragma omp parallel reduction(max : first, second)
    {
        std::vector<Group> groups;
        std::vector<Candidate> candidates;
#pragma omp for schedule(dynamic, 1)
        for (std::size_t s = 0; s < strips_.size(); ++s) {
            no_memory.guard([&] {
                const Largest<Real> largest = visit(strips_[s], groups, candidates);
                first = larger(first, static_cast<double>(largest[0]));
                second = larger(second, static_cast<double>(largest[1]));
            });
        }
    }
    no_memory.rethrow();
    return {first, second};
}

template <class Policy, int D>
auto PairEngine<Policy, D>::pass(OperationKind kind, Buffers<Policy>& buffers) -> Largest<Real>
{
    const auto k = static_cast<std::size_t>(kind);
    const auto loop = loops_->passes[k];
    if (loop == nullptr) refuse_operation(kind, Policy::name);
    const PairData<Real> data = data_of(buffers);
    const auto in_real = [](const Largest<double>& largest) {
        return Largest<Real>(static_cast<Real>(largest[0]), static_cast<Real>(largest[1]));
    };
    if (!settings_.stored) {
        // Each thread builds the lists of one strip at a time.
        return in_real(
            over_strips([&](const Strip& strip, std::vector<Group>& groups, std::vector<Candidate>& candidates) {
                groups = strip.groups;
                find_candidates(data, nullptr, strip, groups, candidates);
                return loop(data, {groups.data(), groups.size(), candidates.data(), shifts_.data()});
            }));
    }
    const auto over_groups = [&](bool dry) {
        return over_strips([&](const Strip& strip, auto&, auto&) {
            const std::size_t first = dry ? strip.wet : 0;
            const std::size_t last = dry ? strip.groups.size() : strip.wet;
            return loop(data, {strip.groups.data() + first, last - first, strip.candidates.data(), shifts_.data()});
        });
    };
    Largest<double>& of_dry = largest_of_dry_[dry_walls_.sequence()][k];
    if (dry_walls_.join(kind, settings_.physics)) of_dry = over_groups(true);
    return in_real(larger(over_groups(false), of_dry));
}

template <class Policy, int D>
void PairEngine<Policy, D>::add_work(std::vector<std::uint32_t>& work) const
{
    if (!settings_.stored) return;
    for (const Strip& strip : strips_) {
        for (const Group& group : strip.groups) {
            const std::uint32_t share = (group.end - group.begin) / group.count;
            for (std::uint32_t i = group.first; i < group.first + group.count; ++i) work[i] += share;
        }
    }
}

template <class Policy, int D>
std::size_t PairEngine<Policy, D>::bytes() const
{
    std::size_t total = 0;
    for (const auto& strip : strips_) {
        total += strip.groups.capacity() * sizeof(Group) + strip.candidates.capacity() * sizeof(Candidate);
    }
    return total;
}

}  // namespace halfulp
