// The halo of a rank with a device, and the particles that change ranks. Included where a policy is instantiated.
#pragma once

#include <string_view>

#include "core/backends/cuda/cuda_particles.cuh"
#include "core/backends/cuda/particle_kernels.cuh"
#include "core/distribution/shares.hpp"

namespace halfulp::cuda {

template <class Policy, int D>
void CudaParticles<Policy, D>::prepare_halo(const Problem& problem)
{
    halo_ = std::make_unique<Halo>(*settings_.peers, reach_of_halo(problem),
                                   PeriodOfCells{problem.source.origin.cells, problem.period}, D, settings_.cuts);
    device_halo_ = std::make_unique<DeviceHalo>(*halo_, stream_);
    exchanged_ = exchanged_parts<Policy, D>(buffers_.used(), problem.physics);
}

// The work of each own particle, by the length of its list; 0 for other particles.
template <class Policy, int D>
std::vector<std::uint32_t> CudaParticles<Policy, D>::work_of_own() const
{
    const auto read = [this](auto& to, const auto* from, std::size_t count) {
        to.resize(count);
        check(cudaMemcpyAsync(to.data(), from, count * sizeof to[0], cudaMemcpyDeviceToHost, stream_),
              "reading the work");
    };
    std::vector<Kind> kinds;
    std::vector<std::uint8_t> own;
    read(kinds, buffers_.kind.data(), count_);
    read(own, device_halo_->owned(), count_);
    const TargetsView& targets = ranges_.targets();
    const bool listed = stores_neighbours() && rebuilds_ > 0;
    std::vector<std::uint32_t> lengths;
    std::vector<std::uint32_t> particles;
    if (listed) {
        read(lengths, list_lengths_.data(), targets.walls_end);
        read(particles, targets.particle, targets.walls_end);
    }
    check(cudaStreamSynchronize(stream_), "reading the work");
    std::vector<std::uint32_t> work(count_);
    for (std::size_t i = 0; i < count_; ++i) {
        if (own[i] != 0) work[i] = listed ? 1 : work_at_start(kinds[i]);
    }
    for (std::size_t t = 0; t < lengths.size(); ++t) {
        if (t < targets.fluid_end || t >= targets.walls_begin) work[particles[t]] += lengths[t];
    }
    return work;
}

template <class Policy, int D>
std::uint64_t CudaParticles<Policy, D>::work_in_all()
{
    const TargetsView& targets = ranges_.targets();
    if (!stores_neighbours() || rebuilds_ == 0) {
        const std::uint64_t walls = targets.walls_end - targets.walls_begin + (targets.dry_end - targets.walls_end);
        return targets.fluid_end * std::uint64_t{work_at_start(Kind::fluid)} + walls * work_at_start(Kind::wall);
    }
    unsigned long long* const sum = &device_report_.data()->work;
    check(cudaMemsetAsync(sum, 0, sizeof *sum, stream_), "reading the work");
    device_halo_->sum_lengths(list_lengths_.data(), targets.fluid_end, targets.walls_begin, targets.walls_end, sum);
    read_report();
    return device_halo_->own() + report_->work;
}

// The time of the passes in completed steps since the last check; 0 at the first one, since devices load their kernels
// before it.
template <class Policy, int D>
double CudaParticles<Policy, D>::seconds_since_last_look()
{
    const double before = seconds_at_last_look_;
    seconds_at_last_look_ = pass_seconds();
    return before > 0 ? seconds_at_last_look_ - before : 0;
}

template <class Policy, int D>
bool CudaParticles<Policy, D>::share_out(bool any_moved, PresentParticles& present)
{
    bool anew = false;
    if (halo_->is_to_be_balanced()) {
        anew = halo_->is_unbalanced(work_in_all(), seconds_since_last_look());
        const auto is_cell = [](const FieldInfo& info) { return std::string_view(info.name) == "cell"; };
        if (anew) halo_->decompose(download(is_cell).cell, work_of_own());
    }
    if (!any_moved && !anew) return false;

    // Arriving particles are placed behind those already here; the sort leaves out the particles that do not stay.
    const std::size_t arriving =
        device_halo_->send(buffers_.cell.data(), count_, raw_fields_of(buffers_.used(), is_sorted), anew);
    // The lists are made anew in any case, so their memory is released for the fields.
    if (count_ + arriving > buffers_.cell.capacity()) list_words_.clear();
    buffers_.for_each([&](const FieldInfo& info, auto& buffer) {
        if (is_sorted(info)) sorting_.make_room(buffer, count_, count_ + arriving, stream_);
    });
    device_halo_->receive(raw_fields_of(buffers_.used(), is_sorted), count_);
    present = {device_halo_->kept_indices(), static_cast<std::uint32_t>(device_halo_->kept()),
               static_cast<std::uint32_t>(count_)};
    count_ = device_halo_->kept() + arriving;
    return true;
}

template <class Policy, int D>
template <class Op>
void CudaParticles<Policy, D>::exchange()
{
    const std::vector<RawField> fields = raw_fields_of(buffers_.used(), is_any);
    device_halo_->enter();
    device_halo_->send_parts(fields, parts_of<Op>());
    device_halo_->place_parts(fields, parts_of<Op>());
}

// A pass reads nothing of a neighbour that it writes, so copies may change meanwhile.
template <class Policy, int D>
template <class Op>
void CudaParticles<Policy, D>::pass_beside_exchange(typename PairKernels<typename Policy::Pairs, D>::Pass launch,
                                                    const LargestOf& largest)
{
    const std::vector<RawField> fields = raw_fields_of(buffers_.used(), is_any);
    const TargetsView& targets = ranges_.targets();
    const auto visit = [&](const TargetSpan& span, cudaStream_t stream) {
        NeighboursView neighbours = neighbours_view();
        neighbours.within = span;
        launch(data(), neighbours, false, largest, stream);
    };
    const cudaStream_t urgent = device_halo_->enter();
    visit({0, targets.fluid_edge_end}, urgent);
    visit({targets.walls_begin, targets.walls_edge_end}, urgent);
    device_halo_->send_parts(fields, parts_of<Op>());
    visit({targets.fluid_edge_end, targets.fluid_end}, stream_);
    visit({targets.walls_edge_end, targets.walls_end}, stream_);
    device_halo_->place_parts(fields, parts_of<Op>());
}

// In pieces, so that the device needs little room for them.
template <class Policy, int D>
void CudaParticles<Policy, D>::copy_own(std::size_t field, std::size_t first, std::size_t count, std::byte* to) const
{
    constexpr std::size_t piece = std::size_t{1} << 22U;
    const ReadBuffer from = buffers_.contents()[field];
    gathering_.grow(std::min(count, piece) * from.element, "an output");
    for (std::size_t done = 0; done < count; done += piece) {
        const std::size_t some = std::min(piece, count - done);
        device_halo_->gather_own(from, first + done, some, gathering_.data());
        check(cudaMemcpyAsync(to + done * from.element, gathering_.data(), some * from.element, cudaMemcpyDeviceToHost,
                              stream_),
              "copying the particles");
    }
    check(cudaStreamSynchronize(stream_), "copying the particles");
}

template <class Policy, int D>
Buffers<Policy> CudaParticles<Policy, D>::own_particles(const FieldChoice& wanted) const
{
    const std::size_t own = device_halo_->own();
    Buffers<Policy> here(buffers_.physics);
    const AnyBuffers fields = here.used();
    for (std::size_t k = 0; k < fields.size(); ++k) {
        if (!wanted(fields[k].info)) continue;
        fields[k].resize(own);
        copy_own(k, 0, own, fields[k].data());
    }
    return here;
}

}  // namespace halfulp::cuda
