// The halo of a rank, and the particles that change ranks. Included where a policy is instantiated.
#pragma once

#include "core/backends/cpu/cpu_particles.hpp"

#include <chrono>
#include <cstring>
#include <numeric>

#include "core/distribution/shares.hpp"

namespace halfulp {

template <class Policy, int D>
void CpuParticles<Policy, D>::prepare_halo(const Problem& problem)
{
    halo_ = std::make_unique<Halo>(*settings_.peers, reach_of_halo(problem),
                                   PeriodOfCells{problem.source.origin.cells, problem.period}, D, settings_.cuts);
    halo_->all_are_own(buffers_.count());
    exchanged_ = exchanged_parts<Policy, D>(buffers_.used(), problem.physics);
}

template <class Policy, int D>
std::size_t CpuParticles<Policy, D>::redistribute(std::vector<std::uint32_t>& kept)
{
    const auto resized = [&](std::size_t count) {
        buffers_.resize(count);
        return raw_fields_of(buffers_.used(), is_sorted);
    };
    return halo_->redistribute(buffers_.cell, raw_fields_of(buffers_.used(), is_sorted), resized, kept);
}

template <class Policy, int D>
std::uint32_t CpuParticles<Policy, D>::work_without_lists(std::size_t i) const
{
    return work_at_start(buffers_.kind[i]);
}

template <class Policy, int D>
std::vector<std::uint32_t> CpuParticles<Policy, D>::work_of_own() const
{
    std::vector<std::uint32_t> work(buffers_.count());
    const bool listed = settings_.stored && rebuilds_ > 0;
    for (std::size_t i = 0; i < work.size(); ++i) {
        if (halo_->owns(i)) work[i] = listed ? 1 : work_without_lists(i);
    }
    if (listed) engine_->add_work(work);
    return work;
}

template <class Policy, int D>
bool CpuParticles<Policy, D>::share_out(bool any_moved)
{
    bool anew = false;
    if (halo_->is_to_be_balanced()) {
        const std::vector<std::uint32_t> work = work_of_own();
        anew = halo_->is_unbalanced(std::accumulate(work.begin(), work.end(), std::uint64_t{0}));
        if (anew) halo_->decompose(buffers_.cell, work);
    }
    if (!halo_->peers().any(any_moved) && !anew) return false;
    std::vector<std::uint32_t> kept;
    const std::size_t count = redistribute(kept);
    for (std::size_t k = 0; k < kept.size(); ++k) moved_[k] = moved_[kept[k]];
    moved_.resize(kept.size());
    moved_.resize(count, 1);
    return true;
}

template <class Policy, int D>
template <class Op>
void CpuParticles<Policy, D>::exchange()
{
    if (!halo_) return;
    const auto& parts = exchanged_[static_cast<std::size_t>(kind_of<Op>)];
    if (parts.empty()) return;
    const auto started = std::chrono::steady_clock::now();
    halo_->exchange(raw_fields_of(buffers_.used(), is_any), parts);
    message_times_.under_way += std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
    message_times_.waited = message_times_.under_way;
}

template <class Policy, int D>
void CpuParticles<Policy, D>::copy_own(std::size_t field, std::size_t first, std::size_t count, std::byte* to) const
{
    const ReadBuffer from = buffers_.contents()[field];
    const std::uint32_t* const own = halo_->own_indices().data() + first;
#pragma omp parallel for schedule(static) if (count >= worth_threads)
    for (std::size_t k = 0; k < count; ++k)
        std::memcpy(to + k * from.element, from.data + own[k] * from.element, from.element);
}

}  // namespace halfulp
