// Neighbour list rebuilds: their criterion, and the sorting of particles before them. Included where a policy is
// instantiated.
#pragma once

#include <omp.h>
#include "core/backends/cpu/cpu_particles.hpp"

#include <utility>

#include "core/neighbours/reach.hpp"
#include "core/particles/restored_particles.hpp"

namespace halfulp {

// The lists hold every pair within support + skin at the last rebuild. Two particles that have each moved by less than
// half a skin cannot have entered each other's support unlisted. A displacement within a step is at most the larger of
// those at its ends (a straight line), so for the fluid the end of the coming drift suffices.
template <class Policy, int D>
void CpuParticles<Policy, D>::refresh_neighbours(Real interval, bool in_any_case)
{
    const std::size_t count = buffers_.count();
    const auto particles = tracking();
    double farthest2 = 0;
    double longest2 = 0;
#pragma omp parallel for schedule(static) reduction(max : farthest2, longest2)
    for (std::size_t i = 0; i < count; ++i) {
        if (!particles.moves(i) || !is_own(i)) continue;
        const auto coming = particles.coming_move(i, interval);
        farthest2 = larger(farthest2, coming.displacement2);
        longest2 = larger(longest2, coming.move2);
    }
    const double allowed2 = particles.allowed_displacement_squared();
    check(longest2 <= allowed2, Rule::short_move, interval);
    double coordinate = 0;
    if constexpr (!Policy::Position::relative_to_cell) coordinate = largest_coordinate();
    if (halo_) {
        std::array values{farthest2, coordinate};
        halo_->peers().maximum(values);
        farthest2 = values[0];
        coordinate = values[1];
    }
    bool lasts = farthest2 <= allowed2;
    if constexpr (!Policy::Position::relative_to_cell) {
        lasts =
            lasts && farthest2 <= displacement_left_by_rounding<Real>(static_cast<double>(constants_.skin), coordinate);
    }
    if (in_any_case || !lasts) rebuild();
}

template <class Policy, int D>
double CpuParticles<Policy, D>::largest_coordinate() const
{
    double largest = 0;
    const std::size_t count = buffers_.count();
#pragma omp parallel for schedule(static) reduction(max : largest)
    for (std::size_t i = 0; i < count; ++i) {
        for (int c = 0; c < D; ++c) largest = larger(largest, magnitude(static_cast<double>(buffers_.offset[i][c])));
    }
    return largest;
}

template <class Policy, int D>
void CpuParticles<Policy, D>::rebuild()
{
    sort_particles();
    engine_->rebuild(buffers_, owned());
    ++rebuilds_;
}

template <class Policy, int D>
void CpuParticles<Policy, D>::rebuild_at_reference()
{
    std::swap(buffers_.offset, buffers_.reference);
    engine_->rebuild(buffers_, owned());
    std::swap(buffers_.offset, buffers_.reference);
    particles_ = view_of(buffers_);
    mirrors_of_rebuild_ = 0;
}

// The lists refer to the particle positions at the last rebuild, in the order kept since.
template <class Policy, int D>
void CpuParticles<Policy, D>::restore(const SavedParticles& saved)
{
    omp_set_num_threads(settings_.threads);
    restore_buffers(saved, buffers_, constants_);
    rebuilds_ = saved.rebuilds;
    rebuild_at_reference();
}

template <class Policy, int D>
void CpuParticles<Policy, D>::sort_particles()
{
    const std::size_t count = buffers_.count();
    std::vector<std::uint8_t>& moved = moved_;
    moved.resize(count);
    const auto particles = tracking();
    bool in_range = true;
    bool any_moved = false;
    const bool first = rebuilds_ == 0;
#pragma omp parallel for schedule(static) reduction(&& : in_range) reduction(|| : any_moved)
    for (std::size_t i = 0; i < count; ++i) {
        bool elsewhere = false;
        in_range = particles.settle(i, elsewhere) && in_range;
        moved[i] = first || elsewhere;
        any_moved = any_moved || moved[i] != 0;
    }
    check(in_range, Rule::cell_range);
    if (halo_) any_moved = share_out(any_moved);
    if (any_moved) {
        const auto order = canonical_order(buffers_.cell, buffers_.kind, moved);
        buffers_.for_each([&](const FieldInfo& info, auto& buffer) {
            if (!is_sorted(info)) return;
            auto& sorted = std::get<std::remove_reference_t<decltype(buffer)>>(sorting_);
            sorted.resize(order.size());
#pragma omp parallel for schedule(static)
            for (std::size_t i = 0; i < order.size(); ++i) sorted[i] = buffer[order[i].index];
            buffer.swap(sorted);
        });
        particles_ = view_of(buffers_);
        if (halo_) halo_->sorted(buffers_.cell, buffers_.kind);
    }
    const std::size_t present = buffers_.count();
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < present; ++i) buffers_.reference[i] = buffers_.offset[i];
}

}  // namespace halfulp
