// Neighbour lists of the runs of a batch on a device: when each is rebuilt, the order of its particles, and the memory
// of the lists.
#pragma once

#include <algorithm>
#include <cstddef>

#include "core/backends/cuda/cuda_batch.cuh"
#include "core/operations/operations.hpp"

namespace halfulp::cuda {

template <class Policy, int D>
void CudaBatch<Policy, D>::serve(std::type_identity<RefreshNeighbours>, const Group& group, double fraction)
{
    rebuild(measure(group, fraction));
}

template <class Policy, int D>
void CudaBatch<Policy, D>::serve(std::type_identity<RenewNeighbours>, const Group& group, double fraction)
{
    static_cast<void>(measure(group, fraction));
    Group going_on = group;
    std::erase_if(going_on, [this](std::uint32_t k) { return runs_[k].broken.has_value(); });
    rebuild(std::move(going_on));
}

template <class Policy, int D>
void CudaBatch<Policy, D>::serve(std::type_identity<RebuildNeighbours>, const Group& group, double /*fraction*/)
{
    Group going_on = group;
    std::erase_if(going_on, [this](std::uint32_t k) { return runs_[k].broken.has_value(); });
    rebuild(std::move(going_on));
}

// As for a run alone (CudaParticles::refresh_neighbours).
template <class Policy, int D>
auto CudaBatch<Policy, D>::measure(const Group& group, double fraction) -> Group
{
    constexpr bool global = !Policy::Position::relative_to_cell;
    clear_reports(offsetof(StepReport, displacement2), 3 * sizeof(StepReport::displacement2));
    detail::measure_moves_of_runs<false>
        <<<blocks_, run_block, 0, stream_>>>(particles_, particle_runs(), fraction, global);
    if (shared_.physics.moving_walls)
        detail::measure_moves_of_runs<true>
            <<<blocks_, run_block, 0, stream_>>>(particles_, particle_runs(), fraction, false);
    read_reports();
    Group wanted;
    for (const std::uint32_t k : keep_rules(group, false)) {
        const ParticleConstants<Policy, D>& constants = runs_[k].constants;
        const double displacement2 = detail::number_of(reports_here_[k].displacement2);
        double allowed2 = ParticleTracking<Policy, D>(particles_, constants).allowed_displacement_squared();
        if (global) {
            allowed2 =
                smaller(allowed2, displacement_left_by_rounding<Real>(static_cast<double>(constants.skin),
                                                                      detail::number_of(reports_here_[k].coordinate)));
        }
        if (displacement2 > allowed2) wanted.push_back(k);
    }
    return wanted;
}

template <class Policy, int D>
void CudaBatch<Policy, D>::rebuild(Group group)
{
    if (group.empty()) return;
    const RebuiltBlocks settled = blocks_of(group);
    detail::begin_rebuild<<<blocks_for(group.size(), 256), 256, 0, stream_>>>(reports_.data(), settled, true);
    detail::settle_runs<<<settled.count, run_block, 0, stream_>>>(particles_, particle_runs(), settled);
    read_reports();
    group = keep_rules(group, true);
    if (group.empty()) return;
    for (const std::uint32_t k : group) runs_[k].bounds = reports_here_[k].bounds;
    const RebuiltBlocks blocks = blocks_of(group);
    sort(group, blocks);
    find_neighbours(group, blocks);
    for (const std::uint32_t k : group) ++runs_[k].rebuilds;
}

// A run whose particles are all in the same cells as before stays as it is.
template <class Policy, int D>
void CudaBatch<Policy, D>::sort(const Group& group, const RebuiltBlocks& blocks)
{
    const CellBounds most = widest(group);
    const int bits[3] = {most.bits(0), most.bits(1), most.bits(2)};
    const std::size_t wanted = std::size_t(blocks.count) * run_block * state_bytes_;
    if (wanted > sorted_.capacity()) sorted_.resize(wanted + wanted / 4, "sorting");
    auto* const keys = reinterpret_cast<std::uint64_t*>(sorted_.data());
    order_.sort(buffers_.cell.data(), buffers_.kind.data(), blocks, bits, largest_id_,
                {keys, keys + std::size_t(blocks.count) * run_block}, indices_for(blocks), stream_);
    const dim3 grid(blocks.count, static_cast<unsigned>(state_.size()));
    detail::move_state<false><<<grid, run_block, 0, stream_>>>(state_.data(), order_.order(), blocks, sorted_.data());
    detail::move_state<true><<<grid, run_block, 0, stream_>>>(state_.data(), order_.order(), blocks, sorted_.data());
    detail::copy_rebuilt<<<blocks.count, run_block, 0, stream_>>>(buffers_.offset.data(), buffers_.reference.data(),
                                                                  blocks);
    check(cudaGetLastError(), "sorting");
}

template <class Policy, int D>
LentIndices CudaBatch<Policy, D>::indices_for(const RebuiltBlocks& blocks)
{
    const std::size_t count = std::size_t(blocks.count) * run_block;
    fit(indices_, 2 * count, "sorting");
    return {indices_.data(), indices_.data() + count};
}

template <class Policy, int D>
void CudaBatch<Policy, D>::find_neighbours(const Group& group, const RebuiltBlocks& blocks)
{
    const CellBounds most = widest(group);
    const Reach& reach = runs_[group.front()].reach;
    directory_.build(buffers_.cell.data(), blocks, indices_for(blocks), stream_);
    const std::size_t wanted = Ranges::bytes_to_order(directory_.view().cells);
    if (wanted > sorted_.capacity()) sorted_.resize(wanted + wanted / 4, "sorting");
    ranges_.build(directory_.view(), blocks, reach.rows, reach.images, buffers_.kind.data(), places_,
                  std::max({most.bits(0), most.bits(1), most.bits(2), 1}), targets_.data(),
                  reinterpret_cast<std::byte*>(sorted_.data()), stream_);
    make_lists(group, blocks);
}

template <class Policy, int D>
void CudaBatch<Policy, D>::make_lists(const Group& group, const RebuiltBlocks& blocks)
{
    while (true) {
        detail::begin_rebuild<<<blocks_for(group.size(), 256), 256, 0, stream_>>>(reports_.data(), blocks, false);
        const RebuiltRuns<Real> rebuilt{.runs = pair_runs(),
                                        .blocks = blocks,
                                        .ranges = ranges_.view(),
                                        .packed_words = ranges_.packed_words(),
                                        .widest = widest(group),
                                        .reach_squared = 0};
        pair_kernels<typename Policy::Pairs, D>().make_lists_of_runs(common(), rebuilt, stream_);
        read_reports();
        const auto fits = [this](std::uint32_t k) { return reports_here_[k].list_words <= runs_[k].words.capacity; };
        if (std::all_of(group.begin(), group.end(), fits)) return;
        enlarge_lists(group);
    }
}

// Enlarges the lists of all runs by the factor that the most demanding run of the group needs at least; the lists of
// runs that are not rebuilt are copied.
template <class Policy, int D>
void CudaBatch<Policy, D>::enlarge_lists(const Group& group)
{
    double factor = 1.125;
    for (const std::uint32_t k : group) {
        const std::uint64_t wanted = reports_here_[k].list_words;
        const std::uint64_t capacity = runs_[k].words.capacity;
        if (wanted > capacity && capacity > 0)
            factor = std::max(factor, 1.0625 * static_cast<double>(wanted) / static_cast<double>(capacity));
    }
    std::vector<RunWords> words;
    std::uint64_t end = 0;
    for (std::size_t k = 0; k < runs_.size(); ++k) {
        const auto enlarged = [factor](std::uint64_t number) {
            return static_cast<std::uint64_t>(factor * static_cast<double>(number));
        };
        std::uint64_t capacity = enlarged(runs_[k].words.capacity);
        if (capacity == 0) capacity = enlarged(reports_here_[k].list_words);
        words.push_back({end, capacity});
        end += capacity;
    }
    DeviceVector<WarpWords> larger;
    larger.resize(end, "the neighbour lists");
    std::vector<bool> made_anew(runs_.size());
    for (const std::uint32_t k : group) made_anew[k] = true;
    for (std::size_t k = 0; k < runs_.size(); ++k) {
        const RunWords& old = runs_[k].words;
        if (!made_anew[k] && old.capacity > 0)
            check(cudaMemcpyAsync(larger.data() + words[k].begin, list_words_.data() + old.begin,
                                  old.capacity * sizeof(WarpWords), cudaMemcpyDeviceToDevice, stream_),
                  "making lists");
        runs_[k].words = words[k];
    }
    check(cudaStreamSynchronize(stream_), "making lists");
    list_words_.swap(larger);
    send(words_of_, words, "making lists");
}

template <class Policy, int D>
RebuiltBlocks CudaBatch<Policy, D>::blocks_of(const Group& group)
{
    std::size_t blocks = 0;
    for (const std::uint32_t k : group) blocks += places_for(runs_[k].place.count) / run_block;
    // In one transfer. The host has waited for the device since the last one.
    std::size_t bytes = 0;
    const auto place_for = [&bytes](std::size_t size) {
        const std::size_t at = bytes;
        bytes += (size + 15) / 16 * 16;
        return at;
    };
    const std::size_t at_begins = place_for(blocks * sizeof(std::uint32_t));
    const std::size_t at_rebuilt = place_for(group.size() * sizeof(RebuiltRun));
    const std::size_t at_reaches = place_for(group.size() * sizeof(Reach));
    const std::size_t at_ranks = place_for(runs_.size() * sizeof(std::uint32_t));
    if (bytes > rebuild_tables_.capacity()) {
        rebuild_tables_.resize(2 * bytes, "choosing runs");
        rebuild_tables_here_.resize(2 * bytes);
    }
    std::uint8_t* const here = rebuild_tables_here_.data();
    auto* begins = reinterpret_cast<std::uint32_t*>(here + at_begins);
    auto* const rebuilt = reinterpret_cast<RebuiltRun*>(here + at_rebuilt);
    auto* const reaches = reinterpret_cast<Reach*>(here + at_reaches);
    auto* const ranks = reinterpret_cast<std::uint32_t*>(here + at_ranks);
    std::uint32_t rank = 0;
    for (const std::uint32_t k : group) {
        const Run& run = runs_[k];
        for (std::uint32_t at = 0; at < places_for(run.place.count); at += run_block) *begins++ = run.place.begin + at;
        rebuilt[rank] = {k, run.place.begin, run.place.count, run.bounds};
        reaches[rank] = run.reach;
        ranks[k] = rank++;
    }
    check(cudaMemcpyAsync(rebuild_tables_.data(), here, bytes, cudaMemcpyHostToDevice, stream_), "choosing runs");
    const std::uint8_t* const there = rebuild_tables_.data();
    return {.begin = reinterpret_cast<const std::uint32_t*>(there + at_begins),
            .count = static_cast<std::uint32_t>(blocks),
            .runs = reinterpret_cast<const RebuiltRun*>(there + at_rebuilt),
            .reach = reinterpret_cast<const Reach*>(there + at_reaches),
            .ranks = rank,
            .of_block = of_block_.data(),
            .rank = reinterpret_cast<const std::uint32_t*>(there + at_ranks)};
}

template <class Policy, int D>
CellBounds CudaBatch<Policy, D>::widest(const Group& group) const
{
    CellBounds widest{};
    for (const std::uint32_t k : group) {
        const CellBounds& own = runs_[k].bounds;
        for (int c = 0; c < 3; ++c) {
            if (std::int64_t(own.high[c]) - own.low[c] <= std::int64_t(widest.high[c]) - widest.low[c]) continue;
            widest.low[c] = own.low[c];
            widest.high[c] = own.high[c];
        }
    }
    return widest;
}

}  // namespace halfulp::cuda
