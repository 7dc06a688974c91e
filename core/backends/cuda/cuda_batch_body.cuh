// The member functions of a batch on a device, included where a policy is instantiated.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "core/backends/cuda/cuda_batch.cuh"
#include "core/error.hpp"
#include "core/operations/operations.hpp"
#include "core/particles/initial_buffers.hpp"
#include "core/particles/restored_particles.hpp"

namespace halfulp::cuda {

inline constexpr CellBounds nowhere{{INT32_MAX, INT32_MAX, INT32_MAX}, {INT32_MIN, INT32_MIN, INT32_MIN}};

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
    list_base_.resize(places_ / warp, "the neighbour lists");
    list_size_.resize(places_, "the neighbour lists");
    buffers_.resize(places_);
    particles_ = view_of(buffers_);
    std::vector<StateArray> state;
    buffers_.for_each([&](const FieldInfo& info, auto& buffer) {
        const std::size_t size = sizeof(*buffer.data());
        check(cudaMemsetAsync(buffer.data(), 0, places_ * size, stream_), "starting a batch");
        if (info.role == Role::derived) return;
        state.push_back({reinterpret_cast<std::uint8_t*>(buffer.data()), static_cast<std::uint32_t>(size),
                         static_cast<std::uint32_t>(state_bytes_)});
        state_bytes_ += size;
    });
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
    send(entries_of_, std::vector<RunEntries>(runs_.size()), "starting a batch");
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
    copy_particles(buffers_, runs_[k].place.begin, here, 0, here.count(), is_any,
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
    copy_particles(here, 0, buffers_, runs_[k].place.begin, here.count(), is_any,
                   [this](void* to, const void* from, std::size_t bytes) {
                       check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, stream_),
                             "copying the particles");
                   });
    check(cudaStreamSynchronize(stream_), "copying the particles");
    return here;
}

template <class Policy, int D>
void CudaBatch<Policy, D>::prescribe(std::size_t k, const CourseOfStep& course)
{
    Run& run = runs_[k];
    run.poses = course.poses;
    if (run.constants.motions != course.motions() || run.constants.poses_of_forces != course.poses_of_forces())
        constants_known_ = false;
    run.constants.motions = course.motions();
    run.constants.poses_of_forces = course.poses_of_forces();
    inertial_here_[k] = course.inertial;
    prescribed_ = true;
}

template <class Policy, int D>
void CudaBatch<Policy, D>::note(std::size_t k, const Operation& operation, double step)
{
    runs_[k].noted.push_back({operation, step});
}

template <class Policy, int D>
void CudaBatch<Policy, D>::complete(std::size_t k)
{
    if (runs_[k].broken) throw SimulationBroke{*runs_[k].broken};
}

// Runs with the same operations in the same order go together: all, as long as their numbers of steps are the same.
template <class Policy, int D>
auto CudaBatch<Policy, D>::groups_at_work() const -> std::vector<Group>
{
    const auto same = [](const Noted& a, const Noted& b) {
        return a.operation.kind == b.operation.kind && a.operation.fraction == b.operation.fraction &&
               a.operation.booking == b.operation.booking;
    };
    std::vector<Group> groups;
    for (std::size_t k = 0; k < runs_.size(); ++k) {
        const std::vector<Noted>& own = runs_[k].noted;
        if (own.empty() || runs_[k].broken) continue;
        const auto found = std::find_if(groups.begin(), groups.end(), [&](const Group& group) {
            const std::vector<Noted>& other = runs_[group.front()].noted;
            return std::equal(own.begin(), own.end(), other.begin(), other.end(), same);
        });
        if (found != groups.end()) found->push_back(static_cast<std::uint32_t>(k));
        else groups.push_back({static_cast<std::uint32_t>(k)});
    }
    return groups;
}

template <class Policy, int D>
void CudaBatch<Policy, D>::carry_out()
{
    check(cudaSetDevice(settings_.device), "choosing it");
    if (!constants_known_) upload_constants();
    if (prescribed_) {
        std::vector<Pose> poses;
        for (const Run& run : runs_) poses.insert(poses.end(), run.poses.begin(), run.poses.end());
        if (!poses.empty()) send(poses_, poses, "copying the motions");
        send(inertial_, inertial_here_, "copying the motions");
        prescribed_ = false;
    }
    std::fill(ledger_of_.begin(), ledger_of_.end(), std::nullopt);
    for (const Group& group : groups_at_work()) carry_out(group);
    for (Run& run : runs_) run.noted.clear();
}

template <class Policy, int D>
void CudaBatch<Policy, D>::carry_out(const Group& group)
{
    for (std::size_t k = 0; k < runs_.size(); ++k) steps_here_[k] = {0, 0};
    for (const std::uint32_t k : group) steps_here_[k] = {runs_[k].noted.front().step, 1};
    check(cudaMemcpyAsync(steps_.data(), steps_here_.data(), runs_.size() * sizeof(StepOfRun), cudaMemcpyHostToDevice,
                          stream_),
          "copying the steps");
    const std::vector<Noted> noted = runs_[group.front()].noted;
    while (events_.size() <= noted.size()) {
        events_.push_back(nullptr);
        check(cudaEventCreate(&events_.back()), "making an event");
    }
    check(cudaEventRecord(events_.front(), stream_), "keeping time");
    for (std::size_t n = 0; n < noted.size(); ++n) {
        const Noted& one = noted[n];
        for (const std::uint32_t k : group)
            runs_[k].last_interval = static_cast<Real>(one.operation.fraction * steps_here_[k].length);
        with_operation(one.operation.kind, [&]<class Op>() { carry_out<Op>(group, one.operation); });
        check(cudaGetLastError(), "starting a kernel");
        check(cudaEventRecord(events_[n + 1], stream_), "keeping time");
    }
    read_reports();
    keep_rules(group, false);
    for (std::size_t n = 0; n < noted.size(); ++n) {
        float milliseconds = 0;
        check(cudaEventElapsedTime(&milliseconds, events_[n], events_[n + 1]), "keeping time");
        const Stage stage = info_of(noted[n].operation.kind).stage;
        seconds_[static_cast<std::size_t>(stage)] += 1e-3 * static_cast<double>(milliseconds);
    }
    for (const std::uint32_t k : group) {
        const StepReport& report = reports_here_[k];
        const auto acceleration2 = static_cast<Real>(detail::number_of(report.acceleration2));
        runs_[k].limits = {.max_acceleration = static_cast<double>(square_root(acceleration2)),
                           .max_signal_speed = detail::number_of(report.signal_speed),
                           .residual = 0};
    }
}

template <class Policy, int D>
template <class Op>
void CudaBatch<Policy, D>::carry_out(const Group& group, const Operation& operation)
{
    constexpr TargetOfOperation target = Op::info.target;
    ++operations_;
    if constexpr (target == TargetOfOperation::particles && Op::info.maximum == Maximum::none) {
        detail::over_particles_of_runs<Op><<<blocks_, run_block, 0, stream_>>>(
            particles_, particle_runs(), operation.fraction, operation.booking == Booking::booked, operations_);
    } else if constexpr (target == TargetOfOperation::pairs) {
        const auto launch =
            pair_kernels<typename Policy::Pairs, D>().passes_of_runs[static_cast<std::size_t>(kind_of<Op>)];
        if (launch == nullptr) refuse_operation(kind_of<Op>, Policy::name);
        if constexpr (Op::info.maximum == Maximum::signal_speed)
            clear_reports(offsetof(StepReport, signal_speed), sizeof(StepReport::signal_speed));
        if constexpr (Op::info.maximum == Maximum::acceleration_squared)
            clear_reports(offsetof(StepReport, acceleration2), sizeof(StepReport::acceleration2));
        launch(common(), pair_runs(), Op::info.maximum, stream_);
    } else if constexpr (target == TargetOfOperation::lists) {
        serve(std::type_identity<Op>{}, group, operation.fraction);
    } else {
        refuse_operation(kind_of<Op>, Policy::name);  // no run with it is in a batch
    }
}

// The same bytes of every report.
template <class Policy, int D>
void CudaBatch<Policy, D>::clear_reports(std::size_t offset, std::size_t bytes)
{
    check(cudaMemset2DAsync(reinterpret_cast<std::uint8_t*>(reports_.data()) + offset, sizeof(StepReport), 0, bytes,
                            runs_.size(), stream_),
          "starting an operation");
}

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
    order_.sort(buffers_.cell.data(), buffers_.kind.data(), blocks, bits, largest_id_, stream_);
    const std::size_t wanted = std::size_t(blocks.count) * run_block * state_bytes_;
    if (wanted > sorted_.capacity()) sorted_.resize(wanted + wanted / 4, "sorting");
    const dim3 grid(blocks.count, static_cast<unsigned>(state_.size()));
    detail::move_state<false><<<grid, run_block, 0, stream_>>>(state_.data(), order_.order(), blocks, sorted_.data());
    detail::move_state<true><<<grid, run_block, 0, stream_>>>(state_.data(), order_.order(), blocks, sorted_.data());
    detail::copy_rebuilt<<<blocks.count, run_block, 0, stream_>>>(buffers_.offset.data(), buffers_.reference.data(),
                                                                  blocks);
    check(cudaGetLastError(), "sorting");
}

template <class Policy, int D>
void CudaBatch<Policy, D>::find_neighbours(const Group& group, const RebuiltBlocks& blocks)
{
    const CellBounds most = widest(group);
    const Reach& reach = runs_[group.front()].reach;
    directory_.build(buffers_.cell.data(), blocks, stream_);
    ranges_.build(directory_.view(), blocks, reach.rows, reach.images, buffers_.kind.data(), places_,
                  std::max({most.bits(0), most.bits(1), most.bits(2), 1}), targets_.data(), stream_);
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
                                        .largest_words = ranges_.largest_words(),
                                        .widest = widest(group),
                                        .reach_squared = 0};
        pair_kernels<typename Policy::Pairs, D>().make_lists_of_runs(common(), rebuilt, stream_);
        read_reports();
        const auto fits = [this](std::uint32_t k) { return reports_here_[k].list_fours <= runs_[k].entries.capacity; };
        if (std::all_of(group.begin(), group.end(), fits)) return;
        enlarge_lists(group);
    }
}

// More memory for the lists of all runs, in the proportion that one of them wants at least; the lists of runs that are
// not rebuilt move with it.
template <class Policy, int D>
void CudaBatch<Policy, D>::enlarge_lists(const Group& group)
{
    double factor = 1.125;
    for (const std::uint32_t k : group) {
        const std::uint64_t wanted = reports_here_[k].list_fours;
        const std::uint64_t capacity = runs_[k].entries.capacity;
        if (wanted > capacity && capacity > 0)
            factor = std::max(factor, 1.0625 * static_cast<double>(wanted) / static_cast<double>(capacity));
    }
    std::vector<RunEntries> entries;
    std::uint64_t end = 0;
    for (std::size_t k = 0; k < runs_.size(); ++k) {
        const auto enlarged = [factor](std::uint64_t fours) {
            return static_cast<std::uint64_t>(factor * static_cast<double>(fours));
        };
        std::uint64_t capacity = enlarged(runs_[k].entries.capacity);
        if (capacity == 0) capacity = enlarged(reports_here_[k].list_fours);
        entries.push_back({end, capacity});
        end += capacity;
    }
    DeviceVector<FourEntries> larger;
    larger.resize(end, "the neighbour lists");
    std::vector<bool> made_anew(runs_.size());
    for (const std::uint32_t k : group) made_anew[k] = true;
    for (std::size_t k = 0; k < runs_.size(); ++k) {
        const RunEntries& old = runs_[k].entries;
        if (!made_anew[k] && old.capacity > 0)
            check(cudaMemcpyAsync(larger.data() + entries[k].begin, entries_.data() + old.begin,
                                  old.capacity * sizeof(FourEntries), cudaMemcpyDeviceToDevice, stream_),
                  "making lists");
        runs_[k].entries = entries[k];
    }
    check(cudaStreamSynchronize(stream_), "making lists");
    entries_.swap(larger);
    send(entries_of_, entries, "making lists");
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

template <class Policy, int D>
void CudaBatch<Policy, D>::read_reports()
{
    check(cudaMemcpyAsync(reports_here_.data(), reports_.data(), reports_here_.size() * sizeof(StepReport),
                          cudaMemcpyDeviceToHost, stream_),
          "reading the reports");
    check(cudaStreamSynchronize(stream_), "computing");
}

template <class Policy, int D>
auto CudaBatch<Policy, D>::keep_rules(const Group& group, bool settled) -> Group
{
    Group going_on;
    for (const std::uint32_t k : group) {
        Run& run = runs_[k];
        if (run.broken) continue;
        if (reports_here_[k].broken == 0) {
            going_on.push_back(k);
            continue;
        }
        const Buffers<Policy> here = download(k);
        ParticleConstants<Policy, D> constants = run.constants;
        constants.poses = run.poses.data();
        try {
            for (const Rule rule :
                 {Rule::finite_velocity, Rule::density_bound, Rule::short_move, Rule::cell_range, Rule::converged}) {
                if ((reports_here_[k].broken >> static_cast<unsigned>(rule) & 1U) != 0)
                    throw_breakdown(view_of(here), constants, rule, settled ? Real(0) : run.last_interval);
            }
        } catch (const SimulationBroke& broke) {
            run.broken = broke.breakdown;
        }
    }
    return going_on;
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
            .list_base = list_base_.data(),
            .list_size = list_size_.data(),
            .entries = entries_.data(),
            .entries_of = entries_of_.data()};
}

template <class Policy, int D>
PairData<typename Policy::Real> CudaBatch<Policy, D>::common() const
{
    PairData<Real> data;
    static_cast<PairConstants<Real>&>(data) = shared_;
    set_pointers(data, particles_);
    return data;
}

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
    return probes_.template sample<Policy, D>(view_of_run(k), runs_[k].constants.domain, places,
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
    const std::lock_guard reading(reading_);
    check(cudaSetDevice(settings_.device), "copying an output");
    const auto here = std::make_shared<Buffers<Policy>>();
    const std::size_t count = runs_[k].place.count;
    here->physics = buffers_.physics;
    here->for_each([count](const FieldInfo& info, auto& buffer) {
        if (is_shown(info)) buffer.resize(count);
    });
    copy_particles(*here, 0, buffers_, runs_[k].place.begin, count, is_shown,
                   [this](void* to, const void* from, std::size_t bytes) {
                       check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, stream_), "copying an output");
                   });
    check(cudaStreamSynchronize(stream_), "copying an output");
    return halfulp::snapshot_source<Policy, D>(view_of(*here), runs_[k].constants.domain, here);
}

template <class Policy, int D>
SavedParticles CudaBatch<Policy, D>::save(std::size_t k)
{
    const std::lock_guard reading(reading_);
    check(cudaSetDevice(settings_.device), "copying the particles");
    const auto here = std::make_shared<const Buffers<Policy>>(download(k));
    return {runs_[k].rebuilds, saved_buffers(*here, [here](const void* from, std::size_t bytes) {
                return std::span<const std::byte>(static_cast<const std::byte*>(from), bytes);
            })};
}

// The lists are those of the positions at the last rebuild. Building them overwrites the rates.
template <class Policy, int D>
void CudaBatch<Policy, D>::restore(std::size_t k, const SavedParticles& saved)
{
    const std::lock_guard reading(reading_);
    check(cudaSetDevice(settings_.device), "copying the particles");
    Run& run = runs_[k];
    Buffers<Policy> here = download(k);
    restore_buffers(saved, here, run.constants);
    run.bounds = nowhere;
    for (const Four<std::int32_t>& cell : here.cell) {
        for (int c = 0; c < 3; ++c) {
            run.bounds.low[c] = std::min(run.bounds.low[c], cell[c]);
            run.bounds.high[c] = std::max(run.bounds.high[c], cell[c]);
        }
    }
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
