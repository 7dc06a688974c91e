// Neighbour list rebuilds on the device: their criterion, and the sorting of particles before them. Included where a
// policy is instantiated.
#pragma once

#include <cmath>
#include <cstring>
#include <span>
#include <string>

#include "core/backends/cuda/cuda_particles.cuh"
#include "core/backends/cuda/particle_kernels.cuh"
#include "core/backends/cuda/scratch.cuh"
#include "core/neighbours/reach.hpp"
#include "core/particles/restored_particles.hpp"

namespace halfulp::cuda {

// As on the host (core/backends/cpu/cpu_neighbours_body.hpp).
template <class Policy, int D>
void CudaParticles<Policy, D>::refresh_neighbours(Real interval, bool in_any_case, Real over)
{
    constexpr bool global = !Policy::Position::relative_to_cell;
    StepReport* const report = device_report_.data();
    detail::measure_moves<false><<<blocks(), settings_.block, 0, stream_>>>(
        particles_, constants_, interval, global, course_view(interval + over), owned(), report);
    if (constants_.domain.physics.moving_walls)
        detail::measure_moves<true><<<blocks(), settings_.block, 0, stream_>>>(particles_, constants_, interval, false,
                                                                               CourseView<Real>{}, owned(), report);
    if (!halo_ && !global && !in_any_case) {
        const std::optional<double> deviation =
            course_.most_deviation(can_assume_course(), static_cast<double>(interval + over));
        if (deviation) {
            const double displacement2 =
                ParticleTracking<Policy, D>(particles_, constants_).allowed_displacement_squared();
            report_.ask(report, {}, stream_, {.asked = true, .displacement2 = displacement2, .deviation = *deviation});
            refresh_ = Refresh{interval, over, dry_walls_, {}};
            return;
        }
    }
    read_report();
    renew_lists(interval, in_any_case, over);
}

template <class Policy, int D>
void CudaParticles<Policy, D>::answer_refresh()
{
    if (!refresh_) return;
    const Refresh asked = std::move(*refresh_);
    refresh_.reset();
    report_.wait(stream_);
    const DryWalls now = std::exchange(dry_walls_, asked.dry_walls);
    if (renew_lists(asked.interval, false, asked.over)) {
        for (const Executed& one : asked.since) execute(one.operation, one.step);
    } else {
        dry_walls_ = now;
    }
}

template <class Policy, int D>
bool CudaParticles<Policy, D>::renew_lists(Real interval, bool in_any_case, Real over)
{
    constexpr bool global = !Policy::Position::relative_to_cell;
    std::array largest{detail::number_of(report_->displacement2), detail::number_of(report_->coordinate)};
    check_rules(interval, largest);
    const auto [displacement2, coordinate] = largest;
    double allowed2 = ParticleTracking<Policy, D>(particles_, constants_).allowed_displacement_squared();
    if (global) {
        allowed2 =
            smaller(allowed2, displacement_left_by_rounding<Real>(static_cast<double>(constants_.skin), coordinate));
    }
    const bool outrun = in_any_case || displacement2 > allowed2;
    const bool possible = can_assume_course();
    const double deviation = detail::number_of(report_->deviation);
    const double longest = std::sqrt(detail::number_of(report_->move2));
    const bool renew =
        over > 0
            ? course_.must_renew_after(outrun, possible, deviation, std::sqrt(displacement2), static_cast<double>(over))
            : course_.must_renew(outrun, possible, deviation, longest, static_cast<double>(interval));
    if (!renew) return false;
    check(cudaMemsetAsync(&device_report_.data()->broken_in, 0, sizeof(unsigned long long), stream_), "making lists");
    clock_.begin_rebuild();
    if (outrun) {
        rebuild();
    } else {
        make_lists();
        dry_walls_.rebuilt();  // their rates are overwritten
    }
    return true;
}

template <class Policy, int D>
void CudaParticles<Policy, D>::rebuild()
{
    const bool sorted = sort_particles();
    find_neighbours();
    if (halo_ && sorted) device_halo_->finish_choice();
    ++rebuilds_;
}

template <class Policy, int D>
void CudaParticles<Policy, D>::restore(const Problem& problem, const SavedParticles& saved)
{
    const OnDevice chosen(settings_.device);
    check_saved<Policy, D>(saved, problem, constants_);
    hold(all_of(saved, buffers_.count(), buffers_.used()));
}

// As on the host.
template <class Policy, int D>
void CudaParticles<Policy, D>::hold(const HeldState& state)
{
    buffers_.resize(state.count);
    count_ = state.count;
    bounds_ = nowhere;
    // Finding neighbours overwrites what a step leaves to the next.
    const auto is_left = [](const FieldInfo& info) { return info.role == Role::carried || info.role == Role::derived; };
    upload(state, [&](const FieldInfo& info) { return !is_left(info); });
    if (halo_) device_halo_->sorted(buffers_.cell.data(), buffers_.kind.data(), count_);
    buffers_.offset.swap(buffers_.reference);
    particles_ = view_of(buffers_);
    with_lent_memory([&] {
        if (count_ > 0) directory_.build(buffers_.cell.data(), count_, sorting_.indices(count_), stream_);
    });
    course_.forget();
    find_neighbours();
    if (halo_) device_halo_->finish_choice();
    buffers_.offset.swap(buffers_.reference);
    particles_ = view_of(buffers_);
    mirrors_of_rebuild_ = 0;
    upload(state, is_left);
    rebuilds_ = state.rebuilds;
}

template <class Policy, int D>
void CudaParticles<Policy, D>::upload(const HeldState& state, const FieldChoice& wanted)
{
    const auto* const cells = reinterpret_cast<const std::byte*>(buffers_.cell.data());
    const auto* const end_of_cells = cells + count_ * sizeof(Four<std::int32_t>);
    read_state(state, buffers_.used(), wanted, [&](std::byte* to, std::span<const std::byte> piece) {
        check(cudaMemcpyAsync(to, piece.data(), piece.size(), cudaMemcpyHostToDevice, stream_),
              "copying the particles");
        for (std::size_t at = 0; at < piece.size() && to >= cells && to < end_of_cells;
             at += sizeof(Four<std::int32_t>)) {
            Four<std::int32_t> cell;
            std::memcpy(&cell, piece.data() + at, sizeof cell);
            bounds_.include(cell);
        }
        check(cudaStreamSynchronize(stream_), "copying the particles");
    });
}

template <class Policy, int D>
void CudaParticles<Policy, D>::find_neighbours()
{
    with_lent_memory([&] {
        const std::size_t wanted = count_ > 0 ? Ranges::bytes_to_order(directory_.view().cells) : 0;
        ranges_.build(directory_.view(), reach_, buffers_.kind.data(), owned(), count_, bounds_, sorting_.bytes(wanted),
                      stream_);
    });
    if (!has_lists()) tag_particles();
    if (stores_neighbours()) make_lists();
    dry_walls_.rebuilt();
}

template <class Policy, int D>
bool CudaParticles<Policy, D>::sort_particles()
{
    StepReport* const report = device_report_.data();
    check(cudaMemsetAsync(&report->moved, 0, sizeof report->moved, stream_), "sorting");
    check(cudaMemcpyAsync(&report->bounds, &nowhere, sizeof nowhere, cudaMemcpyHostToDevice, stream_), "sorting");
    detail::settle<<<blocks(), settings_.block, 0, stream_>>>(particles_, constants_, report);
    if (halo_) device_halo_->choose_movers(buffers_.cell.data(), count_);
    read_report();
    // Of this rank; check_rules makes them those of all.
    std::array<double, 7> moved_and_ends{report_->moved != 0 || rebuilds_ == 0 ? 1.0 : 0.0};
    for (std::size_t c = 0; c < 3; ++c) {
        moved_and_ends[1 + 2 * c] = -static_cast<double>(report_->bounds.low[c]);
        moved_and_ends[2 + 2 * c] = static_cast<double>(report_->bounds.high[c]);
    }
    check_rules(Real(0), moved_and_ends);
    for (std::size_t c = 0; c < 3; ++c) {
        bounds_.low[c] = static_cast<std::int32_t>(-moved_and_ends[1 + 2 * c]);
        bounds_.high[c] = static_cast<std::int32_t>(moved_and_ends[2 + 2 * c]);
    }
    bool any_moved = moved_and_ends[0] > 0;
    with_lent_memory([&] {
        PresentParticles present;
        if (halo_) any_moved = share_out(any_moved, present);
        if (!any_moved) return;
        const std::size_t room = buffers_.count();
        if (count_ > 0) {
            // Keys lie where fields are sorted afterwards, which would need other memory for more.
            order_.sort(buffers_.cell.data(), buffers_.kind.data(), present, count_, bounds_, largest_id_,
                        sorting_.keys(room), sorting_.indices(room), stream_);
        }
        buffers_.for_each([&](const FieldInfo& info, auto& buffer) {
            if (is_sorted(info)) sorting_.sort(buffer, order_.order(), count_, room, stream_);
        });
        if (count_ > 0) directory_.build(buffers_.cell.data(), count_, sorting_.indices(room), stream_);
    });
    if (halo_ && any_moved) device_halo_->sorted(buffers_.cell.data(), buffers_.kind.data(), count_);
    check(cudaMemcpyAsync(buffers_.reference.data(), buffers_.offset.data(), count_ * sizeof(Four<Real>),
                          cudaMemcpyDeviceToDevice, stream_),
          "sorting");
    return any_moved;
}

template <class Policy, int D>
std::string CudaParticles<Policy, D>::description() const
{
    std::string text = settings_.description;
    if (settings_.neighbours == NeighbourStorage::compact) text += ", compact neighbour lists";
    if (settings_.neighbours == NeighbourStorage::masks) text += ", neighbours as bits";
    if (settings_.neighbours == NeighbourStorage::none) text += ", no stored neighbours";
    return why_no_lists_.empty() ? text : text + ": " + why_no_lists_;
}

template <class Policy, int D>
KeptNeighbours CudaParticles<Policy, D>::kept_neighbours() const
{
    switch (settings_.neighbours) {
    case NeighbourStorage::automatic:  // decided before
    case NeighbourStorage::stored: return KeptNeighbours::lists;
    case NeighbourStorage::compact: return KeptNeighbours::compact;
    case NeighbourStorage::masks: return KeptNeighbours::masks;
    case NeighbourStorage::none: break;
    }
    return KeptNeighbours::none;
}

template <class Policy, int D>
void CudaParticles<Policy, D>::keep_instead(NeighbourStorage instead, const char* why)
{
    settings_.neighbours = instead;
    why_no_lists_ = why;
    list_words_.clear();
    if (!has_lists()) tag_particles();
}

// Lists hold every pair within support + skin, or those that a course brings together. They grow as needed; if memory
// is insufficient, compact ones do so, then masks and then, from now on, the passes search for neighbours.
template <class Policy, int D>
void CudaParticles<Policy, D>::make_lists()
{
    StepReport* const report = device_report_.data();
    const std::size_t targets = ranges_.targets().walls_end;
    list_lengths_.grow(targets, "the neighbour lists");
    list_places_.grow((targets + warp - 1) / warp, "the neighbour lists");
    const auto& kernels = pair_kernels<typename Policy::Pairs, D>();
    follows_courses_ = kernels.follows_courses(bounds_);
    if (!follows_courses_) course_.forget();
    PairData<Real> particles = data();
    if (course_.is_assumed()) {
        fit(course_place_, count_, "the neighbour lists");
        fit(course_move_, count_, "the neighbour lists");
        detail::begin_course<<<blocks(), settings_.block, 0, stream_>>>(
            particles_, constants_, static_cast<Real>(course_.horizon()), static_cast<Real>(course_.most_bend()),
            course_place_.data(), course_move_.data());
        particles.reach_squared = static_cast<Real>(course_.reach() * course_.reach());
    }
    const Four<Real>* const moves = course_.has_moves() ? course_move_.data() : nullptr;
    while (true) {
        check(cudaMemsetAsync(&report->list_words, 0, sizeof report->list_words, stream_), "making lists");
        const ListTarget target{.kept = kept_neighbours(),
                                .words = list_words_.data(),
                                .capacity = list_words_.size(),
                                .place = list_places_.data(),
                                .lengths = list_lengths_.data(),
                                .used = &report->list_words,
                                .too_far = &report->too_far,
                                .format = format_};
        kernels.make_lists(particles, neighbours_view(), target, moves, stream_);
        read_report();
        const std::size_t wanted = report_->list_words;
        if (wanted <= list_words_.size() && report_->too_far == 0) return;
        if (report_->too_far != 0) {
            // Half of the largest index step between layers, in units that the format can divide by.
            const auto layer = static_cast<std::int32_t>(report_->too_far / 2 & ~(EntryFormat::layer_unit - 1));
            if (layer > format_.layer) format_.layer = layer;
            else keep_instead(NeighbourStorage::masks, "over four million particles in a layer of cells along z");
            check(cudaMemsetAsync(&report->too_far, 0, sizeof report->too_far, stream_), "making lists");
            continue;
        }
        list_words_.clear();
        const std::size_t with_room = wanted + wanted / 16;
        if (!has_room(with_room * sizeof(WarpWords))) {  // that is worth more than the lists of mirror nodes
            mirrors_.clear();
            mirrors_of_rebuild_ = 0;
        }
        if (has_room(with_room * sizeof(WarpWords))) list_words_.resize(with_room, "the neighbour lists");
        else if (has_room(wanted * sizeof(WarpWords))) list_words_.resize(wanted, "the neighbour lists");
        else if (settings_.neighbours == NeighbourStorage::stored)
            keep_instead(NeighbourStorage::compact, "no room for other lists");
        else if (settings_.neighbours == NeighbourStorage::compact)
            keep_instead(NeighbourStorage::masks, "no room for lists");
        else if (settings_.insist) list_words_.resize(wanted, "the neighbours");
        else break;
    }
    course_.forget();
    keep_instead(NeighbourStorage::none, "no room for them");
}

template <class Policy, int D>
CourseView<typename Policy::Real> CudaParticles<Policy, D>::course_view(Real interval) const
{
    if (!course_.is_assumed()) return {};
    return {course_place_.data(), course_.has_moves() ? course_move_.data() : nullptr,
            static_cast<Real>(course_.share(static_cast<double>(interval)))};
}

template <class Policy, int D>
bool CudaParticles<Policy, D>::has_room(std::size_t bytes)
{
    std::size_t free = 0;
    std::size_t total = 0;
    check(cudaMemGetInfo(&free, &total), "asking for free memory");
    constexpr std::size_t left_for_others = 256U << 20U;
    return bytes + left_for_others < free;
}

}  // namespace halfulp::cuda
