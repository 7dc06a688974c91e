// Neighbour list rebuilds: their criterion, and the sorting of particles before them. Included where a policy is
// instantiated.
#pragma once

#include <omp.h>
#include "core/backends/cpu/cpu_particles.hpp"

#include <cmath>
#include <utility>

#include "core/neighbours/reach.hpp"
#include "core/particles/restored_particles.hpp"

namespace halfulp {

// The cells of the last rebuild, and lists without a course, contain every pair that was then within support + skin:
// two particles that have each moved by less than half a skin since cannot have entered each other's support unlisted.
// Lists for a course are also made anew in between, from the same cells. A displacement within a step is at most the
// larger of those at its ends (a straight line), so for the fluid it suffices to check the end of the coming drift.
template <class Policy, int D>
void CpuParticles<Policy, D>::refresh_neighbours(Real interval, bool in_any_case, Real over)
{
    const std::size_t count = buffers_.count();
    const auto particles = tracking();
    double farthest2 = 0;
    double longest2 = 0;
    double deviation = 0;
    const CourseView<Real> course = course_view(interval + over);
#pragma omp parallel for schedule(static) reduction(max : farthest2, longest2, deviation)
    for (std::size_t i = 0; i < count; ++i) {
        if (!particles.moves(i)) continue;
        if (course.place != nullptr) {
            deviation =
                larger(deviation, deviation_of<D>(course, i, buffers_.offset[i], particles.move_of_fluid(i, interval)));
        }
        if (!is_own(i)) continue;
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
    const bool outrun = in_any_case || !lasts;
    const bool possible = can_assume_course();
    const bool renew =
        over > 0
            ? course_.must_renew_after(outrun, possible, deviation, std::sqrt(farthest2), static_cast<double>(over))
            : course_.must_renew(outrun, possible, deviation, std::sqrt(longest2), static_cast<double>(interval));
    if (!renew) return;
    if (outrun) rebuild();
    else engine_->make_lists(buffers_, wanted_pairs());
}

template <class Policy, int D>
WantedPairs<typename Policy::Real> CpuParticles<Policy, D>::wanted_pairs()
{
    if (!course_.is_assumed()) return {engine_->stored_reach_squared()};
    const std::size_t count = buffers_.count();
    course_place_.resize(count);
    course_move_.resize(count);
    const auto particles = tracking();
    const auto horizon = static_cast<Real>(course_.horizon());
    const auto most_bend = static_cast<Real>(course_.most_bend());
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < count; ++i) {
        course_place_[i] = buffers_.offset[i];
        course_move_[i] = particles.course_until(i, horizon, most_bend);
    }
    const auto reach = static_cast<Real>(course_.reach());
    return {reach * reach, course_.has_moves() ? course_move_.data() : nullptr};
}

template <class Policy, int D>
CourseView<typename Policy::Real> CpuParticles<Policy, D>::course_view(Real interval) const
{
    if (!course_.is_assumed()) return {};
    return {course_place_.data(), course_move_.data(), static_cast<Real>(course_.share(static_cast<double>(interval)))};
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
    engine_->rebuild(buffers_, owned(), wanted_pairs());
    ++rebuilds_;
}

template <class Policy, int D>
void CpuParticles<Policy, D>::rebuild_at_reference()
{
    course_.forget();
    std::swap(buffers_.offset, buffers_.reference);
    engine_->rebuild(buffers_, owned(), wanted_pairs());
    std::swap(buffers_.offset, buffers_.reference);
    particles_ = view_of(buffers_);
    mirrors_of_rebuild_ = 0;
}

template <class Policy, int D>
void CpuParticles<Policy, D>::restore(const Problem& problem, const SavedParticles& saved)
{
    omp_set_num_threads(settings_.threads);
    check_saved<Policy, D>(saved, problem, constants_);
    hold(all_of(saved, buffers_.count(), buffers_.used()));
}

// The lists refer to the particle positions at the last rebuild, in the order kept since.
template <class Policy, int D>
void CpuParticles<Policy, D>::hold(const HeldState& state)
{
    buffers_.resize(state.count);
    read_state(state, buffers_.used(), is_any,
               [](std::byte* to, std::span<const std::byte> piece) { std::memcpy(to, piece.data(), piece.size()); });
    if (halo_) halo_->sorted(buffers_.cell, buffers_.kind);
    rebuilds_ = state.rebuilds;
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
