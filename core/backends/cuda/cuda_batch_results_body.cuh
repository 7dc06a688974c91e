// Results of a run in a batch on a device: ledgers, probes, rates, outputs and checkpoints, and its restoration from
// one of these.
#pragma once

#include <algorithm>
#include <cstddef>

#include "core/backends/cuda/cuda_batch.cuh"
#include "core/particles/restored_particles.hpp"

namespace halfulp::cuda {

// Blocks of a sum over the particles of a run.
inline unsigned sum_blocks_for(std::size_t particles)
{
    return static_cast<unsigned>(std::clamp<std::size_t>(particles / 1024, 1, 64));
}

template <class Policy, int D>
void CudaBatch<Policy, D>::sum_ledgers(const std::vector<std::size_t>& runs)
{
    if (runs.empty()) return;
    const std::lock_guard reading(reading_);
    check(cudaSetDevice(settings_.device), "choosing it");
    const char* const doing = "summing the ledger";
    std::vector<std::uint32_t> wanted(runs.begin(), runs.end());
    std::size_t most = 0;
    for (const std::size_t k : runs) most = std::max<std::size_t>(most, runs_[k].place.count);
    send(ledgers_wanted_, wanted, doing);
    ledgers_.resize(runs.size(), "the ledgers");
    check(cudaMemsetAsync(ledgers_.data(), 0, runs.size() * sizeof(LedgerBuffer), stream_), doing);
    detail::sum_ledgers<Policy, D><<<dim3(sum_blocks_for(most), static_cast<unsigned>(runs.size())), 256, 0, stream_>>>(
        particles_, particle_runs(), ledger_constants_.data(), ledgers_wanted_.data(), ledgers_.data());
    check(cudaGetLastError(), doing);
    ledgers_here_.resize(runs.size());
    check(cudaMemcpyAsync(ledgers_here_.data(), ledgers_.data(), runs.size() * sizeof(LedgerBuffer),
                          cudaMemcpyDeviceToHost, stream_),
          doing);
    check(cudaStreamSynchronize(stream_), doing);
    std::fill(ledger_of_.begin(), ledger_of_.end(), std::nullopt);
    for (std::size_t row = 0; row < runs.size(); ++row) ledger_of_[runs[row]] = row;
}

template <class Policy, int D>
LedgerTotals CudaBatch<Policy, D>::ledger_totals(std::size_t k)
{
    const std::lock_guard reading(reading_);
    if (!ledger_of_[k]) sum_ledgers({k});
    return totals_of(ledgers_here_[*ledger_of_[k]]);
}

// The particles of one run alone.
template <class Policy, int D>
ParticleView<Policy> CudaBatch<Policy, D>::view_of_run(std::size_t k) const
{
    ParticleView<Policy> view = particles_;
    view.count = runs_[k].place.count;
    const auto move = [begin = runs_[k].place.begin](auto*& field) {
        if (field != nullptr) field += begin;
    };
    for_each_field(AllFields{}, [&]<class F>() {
        if constexpr (std::is_same_v<F, field::Works>) {
            for (double*& work : view.work) move(work);
            for (double*& work : view.previous_work) move(work);
        } else {
            move(F::of(view));
        }
    });
    return view;
}

template <class Policy, int D>
std::vector<ProbeTotals> CudaBatch<Policy, D>::sample(std::size_t k, const std::vector<ProbePlace>& places)
{
    if (places.empty()) return {};
    const std::lock_guard reading(reading_);
    check(cudaSetDevice(settings_.device), "choosing it");
    return probes_.template sample<Policy, D>(view_of_run(k), {}, runs_[k].constants.domain, places,
                                              sum_blocks_for(runs_[k].place.count), stream_);
}

template <class Policy, int D>
Rates CudaBatch<Policy, D>::rates(std::size_t k)
{
    const std::lock_guard reading(reading_);
    Buffers<Policy> here = download(k);
    return rates_of<Policy, D>(view_of(here), runs_[k].constants.domain);
}

template <class Policy, int D>
SnapshotSource CudaBatch<Policy, D>::snapshot_source(std::size_t k)
{
    const auto here = std::make_shared<Buffers<Policy>>();
    const std::size_t count = runs_[k].place.count;
    here->physics = buffers_.physics;
    const AnyBuffers fields = here->used();
    for (const AnyBuffer& buffer : fields) {
        if (is_shown(buffer.info)) buffer.resize(count);
    }
    {
        const std::lock_guard reading(reading_);
        check(cudaSetDevice(settings_.device), "copying an output");
        copy_particles(fields, 0, buffers_.contents(), runs_[k].place.begin, count, is_shown,
                       [this](void* to, const void* from, std::size_t bytes) {
                           check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, stream_),
                                 "copying an output");
                       });
        check(cudaStreamSynchronize(stream_), "copying an output");
    }
    return halfulp::snapshot_source<Policy, D>(view_of(*here), runs_[k].constants.domain, here);
}

template <class Policy, int D>
SavedParticles CudaBatch<Policy, D>::save(std::size_t k)
{
    const std::lock_guard reading(reading_);
    check(cudaSetDevice(settings_.device), "copying the particles");
    const auto here = std::make_shared<const Buffers<Policy>>(download(k));
    return {runs_[k].rebuilds,
            saved_buffers<Policy>(here->contents(),
                                  [here](const std::byte* from, std::size_t bytes) { return std::span(from, bytes); })};
}

// The lists are those of the positions at the last rebuild. Building them overwrites the rates.
template <class Policy, int D>
void CudaBatch<Policy, D>::restore(std::size_t k, const Problem& problem, const SavedParticles& saved)
{
    const std::lock_guard reading(reading_);
    check(cudaSetDevice(settings_.device), "copying the particles");
    Run& run = runs_[k];
    check_saved<Policy, D>(saved, problem, run.constants);
    Buffers<Policy> here(problem.physics);
    here.resize(problem.particles.size());
    read_state(all_of(saved, here.count(), here.used()), here.used(), is_any,
               [](std::byte* to, std::span<const std::byte> piece) { std::memcpy(to, piece.data(), piece.size()); });
    run.bounds = nowhere;
    for (const Four<std::int32_t>& cell : here.cell) run.bounds.include(cell);
    here.offset.swap(here.reference);
    upload(k, here);
    const Group alone{static_cast<std::uint32_t>(k)};
    find_neighbours(alone, blocks_of(alone));
    here.offset.swap(here.reference);
    upload(k, here);
    run.rebuilds = saved.rebuilds;
    run.noted.clear();
    ledger_of_[k].reset();
}

template <class Policy, int D>
std::vector<StageTime> CudaBatch<Policy, D>::stage_times() const
{
    std::vector<StageTime> times;
    for (std::size_t k = 0; k < seconds_.size(); ++k)
        times.push_back({stage_names[k], seconds_[k] / static_cast<double>(runs_.size())});
    return times;
}

}  // namespace halfulp::cuda
