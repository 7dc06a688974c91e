// The member functions of a batch on a device, included where a policy is instantiated; here its start and the memory
// of its runs.
#pragma once

#include <algorithm>
#include <cstddef>

#include "core/backends/cuda/cuda_batch.cuh"
#include "core/backends/cuda/cuda_batch_neighbours_body.cuh"
#include "core/backends/cuda/cuda_batch_results_body.cuh"
#include "core/backends/cuda/cuda_batch_steps_body.cuh"
#include "core/particles/initial_buffers.hpp"

namespace halfulp::cuda {

template <class Policy, int D>
CudaBatch<Policy, D>::CudaBatch(const std::vector<const Problem*>& problems, const CudaSettings& settings)
    : settings_(settings), runs_(problems.size()), buffers_(problems.front()->physics)
{
    const Problem& first = *problems.front();
    shared_.physics = first.physics;
    shared_.kernel = first.source.numerics.kernel;
    shared_.signal_speed = first.fixed_step == 0;
    std::vector<std::uint32_t> of_block;
    std::vector<PlaceOfRun> run_places;
    std::vector<LedgerConstants<D>> ledger_constants;
    for (std::size_t k = 0; k < runs_.size(); ++k) {
        const Problem& problem = *problems[k];
        Run& run = runs_[k];
        run.place = {static_cast<std::uint32_t>(of_block.size() * run_block),
                     static_cast<std::uint32_t>(problem.particles.size())};
        of_block.resize(of_block.size() + places_for(problem.particles.size()) / run_block,
                        static_cast<std::uint32_t>(k));
        run.reach = reach_of(problem);
        run.constants = constants_of<Policy, D>(problem);
        run.pair_constants = {.parameters = problem.parameters,
                              .reach_squared = stored_reach_squared<Real>(problem.parameters, problem.search_cells),
                              .centre = problem.centre,
                              .period = problem.period,
                              .poses = nullptr};
        run_places.push_back(run.place);
        ledger_constants.emplace_back(run.constants.domain);
    }
    shared_.reach_squared = runs_.front().pair_constants.reach_squared;
    blocks_ = static_cast<unsigned>(of_block.size());
    places_ = std::size_t(blocks_) * run_block;
    send(of_block_, of_block, "starting a batch");
    send(run_places_, run_places, "starting a batch");
    send(ledger_constants_, ledger_constants, "starting a batch");
    reports_.resize(runs_.size());
    reports_here_.resize(runs_.size());
    steps_here_.resize(runs_.size());
    check(cudaMemsetAsync(reports_.data(), 0, runs_.size() * sizeof(StepReport), stream_), "starting a batch");
    steps_.resize(runs_.size());
    ledger_of_.resize(runs_.size());
    targets_.resize(runs_.size());
    list_places_.resize(places_ / warp, "the neighbour lists");
    list_lengths_.resize(places_, "the neighbour lists");
    buffers_.resize(places_);
    particles_ = view_of(buffers_);
    std::vector<StateArray> state;
    for (const AnyBuffer& buffer : buffers_.used()) {
        check(cudaMemsetAsync(buffer.data(), 0, places_ * buffer.element, stream_), "starting a batch");
        if (!is_sorted(buffer.info)) continue;
        state.push_back({reinterpret_cast<std::uint8_t*>(buffer.data()), static_cast<std::uint32_t>(buffer.element),
                         static_cast<std::uint32_t>(state_bytes_)});
        state_bytes_ += buffer.element;
    }
    send(state_, state, "starting a batch");
    const std::vector<Four<std::int32_t>> nobody(places_, no_particle);
    check(cudaMemcpyAsync(buffers_.cell.data(), nobody.data(), places_ * sizeof nobody[0], cudaMemcpyHostToDevice,
                          stream_),
          "starting a batch");
    check(cudaStreamSynchronize(stream_), "starting a batch");
    Group all;
    for (std::size_t k = 0; k < runs_.size(); ++k) {
        upload(k, initial_buffers<Policy, D>(*problems[k]));
        all.push_back(static_cast<std::uint32_t>(k));
    }
    if (!first.motions.empty()) poses_.resize(2 * first.motions.size() * runs_.size(), "the motions");
    for (Run& run : runs_) run.poses.resize(2 * first.motions.size());
    inertial_here_.resize(runs_.size());
    send(inertial_, inertial_here_, "starting a batch");
    send(words_of_, std::vector<RunWords>(runs_.size()), "starting a batch");
    upload_constants();
    rebuild(all);
}

template <class Policy, int D>
CudaBatch<Policy, D>::~CudaBatch()
{
    cudaStreamSynchronize(stream_);
    for (cudaEvent_t one : events_) cudaEventDestroy(one);
}

// The source may be gone when the call returns.
template <class Policy, int D>
template <class T>
void CudaBatch<Policy, D>::send(DeviceVector<T>& to, const std::vector<T>& from, const char* doing)
{
    if (from.size() > to.capacity()) to.resize(from.size() + from.size() / 4, "the runs of a batch");
    check(cudaMemcpyAsync(to.data(), from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice, stream_), doing);
}

template <class Policy, int D>
void CudaBatch<Policy, D>::upload_constants()
{
    std::vector<ParticleConstants<Policy, D>> constants;
    std::vector<PairConstantsOfRun<Real>> pair_constants;
    for (std::size_t k = 0; k < runs_.size(); ++k) {
        Run& run = runs_[k];
        const Pose* const poses = poses_.data() == nullptr ? nullptr : poses_.data() + k * run.poses.size();
        constants.push_back(run.constants);
        constants.back().poses = poses;
        run.pair_constants.poses = poses == nullptr ? nullptr : poses + run.constants.poses_of_forces;
        pair_constants.push_back(run.pair_constants);
    }
    send(constants_, constants, "copying the constants");
    send(pair_constants_, pair_constants, "copying the constants");
    constants_known_ = true;
}

template <class Policy, int D>
void CudaBatch<Policy, D>::upload(std::size_t k, const Buffers<Policy>& here)
{
    copy_particles(buffers_.used(), runs_[k].place.begin, here.contents(), 0, here.count(), is_any,
                   [this](void* to, const void* from, std::size_t bytes) {
                       check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, stream_),
                             "copying the particles");
                   });
    for (const Four<std::int32_t>& cell : here.cell) largest_id_ = std::max(largest_id_, cell.w);
    check(cudaStreamSynchronize(stream_), "copying the particles");
}

template <class Policy, int D>
Buffers<Policy> CudaBatch<Policy, D>::download(std::size_t k)
{
    Buffers<Policy> here(buffers_.physics);
    here.resize(runs_[k].place.count);
    copy_particles(here.used(), 0, buffers_.contents(), runs_[k].place.begin, here.count(), is_any,
                   [this](void* to, const void* from, std::size_t bytes) {
                       check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, stream_),
                             "copying the particles");
                   });
    check(cudaStreamSynchronize(stream_), "copying the particles");
    return here;
}

template <class Policy, int D>
ParticleRuns<Policy, D> CudaBatch<Policy, D>::particle_runs() const
{
    // Operations write through what a view points to; the reports are the device's.
    return {.blocks = blocks_,
            .of_block = of_block_.data(),
            .places = run_places_.data(),
            .steps = steps_.data(),
            .constants = constants_.data(),
            .reports = const_cast<StepReport*>(reports_.data())};
}

template <class Policy, int D>
auto CudaBatch<Policy, D>::pair_runs() -> PairRuns<Real>
{
    return {.blocks = blocks_,
            .of_block = of_block_.data(),
            .places = run_places_.data(),
            .steps = steps_.data(),
            .constants = pair_constants_.data(),
            .inertial = inertial_.data(),
            .reports = reports_.data(),
            .targets = targets_.data(),
            .target = ranges_.target_particles(),
            .list_places = list_places_.data(),
            .list_lengths = list_lengths_.data(),
            .words = list_words_.data(),
            .words_of = words_of_.data()};
}

template <class Policy, int D>
PairData<typename Policy::Real> CudaBatch<Policy, D>::common() const
{
    PairData<Real> data;
    static_cast<PairConstants<Real>&>(data) = shared_;
    set_pointers(data, particles_);
    return data;
}

}  // namespace halfulp::cuda
