// The CUDA back end's member functions, included where a policy is instantiated.
#pragma once

#include <algorithm>
#include <utility>

#include "core/backends/cuda/cuda_batch_body.cuh"
#include "core/backends/cuda/cuda_particles.cuh"
#include "core/backends/cuda/image_kernels.cuh"
#include "core/backends/cuda/make_cuda_particles.hpp"
#include "core/backends/cuda/particle_kernels.cuh"
#include "core/backends/cuda/reach_of.cuh"
#include "core/neighbours/reach.hpp"
#include "core/setup/host_memory.hpp"

namespace halfulp::cuda {

template <class Policy, int D>
CudaParticles<Policy, D>::CudaParticles(const Problem& problem, const CudaSettings& settings)
    : on_device_(settings.device), settings_(settings), shared_{}, reach_(reach_of(problem)), format_{.layer = 0},
      count_(0), buffers_(problem.physics), constants_(constants_of<Policy, D>(problem)),
      course_(static_cast<double>(problem.support) * static_cast<double>(problem.parameters.cell_side),
              static_cast<double>(constants_.skin)),
      // Particles are moved between ranks according to the times of their passes.
      clock_(stream_,
             settings.peers != nullptr ? StageClock::TellsApart::every_step : StageClock::TellsApart::one_of_seven)
{
    shared_.parameters = problem.parameters;
    shared_.physics = problem.physics;
    shared_.kernel = problem.source.numerics.kernel;
    shared_.signal_speed = problem.fixed_step == 0;
    shared_.centre = problem.centre;
    shared_.period = problem.period;
    stored_reach2_ = stored_reach_squared<Real>(problem.parameters, problem.search_cells);
    searched_reach2_ = searched_reach_squared<Real>(problem.parameters, problem.support);
    shown_.physics = problem.physics;
    if (settings.peers != nullptr) prepare_halo(problem);
    if (halo_) {
        const std::vector<std::uint32_t> held = held_at_start(problem, *halo_);
        upload_start(problem, held.size(), [&](std::size_t i) { return std::size_t{held[i]}; });
    } else {
        upload_start(problem, problem.particles.size(), [](std::size_t i) { return i; });
    }
    if (settings.peers != nullptr) {
        auto largest = static_cast<double>(largest_id_);
        settings.peers->maximum({&largest, 1});
        largest_id_ = static_cast<std::int32_t>(largest);
    }
    if (halo_) {
        device_halo_->sorted(buffers_.cell.data(), buffers_.kind.data(), count_);
        device_halo_->finish_choice();
    }
    check(cudaMemsetAsync(device_report_.data(), 0, sizeof(StepReport), stream_), "starting");
    check(cudaMemsetAsync(largest_of_dry_.data(), 0, largest_of_dry_.size() * sizeof(unsigned long long), stream_),
          "starting");
    course_.stay(can_assume_course());
    rebuild();
}

template <class Policy, int D>
CudaParticles<Policy, D>::~CudaParticles()
{
    cudaStreamSynchronize(stream_);
}

// In pieces, so that the host never holds them all.
template <class Policy, int D>
template <class IndexOf>
void CudaParticles<Policy, D>::upload_start(const Problem& problem, std::size_t count, const IndexOf& index_of)
{
    constexpr std::size_t piece = std::size_t{1} << 22U;
    buffers_.resize(count);
    for (std::size_t first = 0; first < count; first += piece) {
        const Buffers<Policy> here = initial_buffers<Policy, D>(problem, std::min(piece, count - first),
                                                                [&](std::size_t i) { return index_of(first + i); });
        for (const Four<std::int32_t>& cell : here.cell) largest_id_ = std::max(largest_id_, cell.w);
        copy_particles(buffers_.used(), first, here.contents(), 0, here.count(), is_any,
                       [this](void* to, const void* from, std::size_t bytes) {
                           check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, stream_),
                                 "copying the particles");
                       });
        check(cudaStreamSynchronize(stream_), "copying the particles");
    }
    count_ = count;
    particles_ = view_of(buffers_);
}

template <class Policy, int D>
void CudaParticles<Policy, D>::copy_to_host(const AnyBuffers& to, const FieldChoice& wanted) const
{
    copy_buffers(to, buffers_.contents(), wanted, [this](void* there, const void* from, std::size_t bytes) {
        check(cudaMemcpyAsync(there, from, bytes, cudaMemcpyDeviceToHost, stream_), "copying the particles");
    });
}

template <class Policy, int D>
Buffers<Policy> CudaParticles<Policy, D>::download(const FieldChoice& wanted) const
{
    Buffers<Policy> here(buffers_.physics);
    copy_to_host(here.used(), wanted);
    check(cudaStreamSynchronize(stream_), "copying the particles");
    return here;
}

template <class Policy, int D>
void CudaParticles<Policy, D>::prescribe(const CourseOfStep& course)
{
    const OnDevice chosen(settings_.device);
    poses_here_ = course.poses;
    poses_.resize(course.poses.size(), "the motions");
    // The source is pageable memory: it has been read when the call returns.
    check(cudaMemcpyAsync(poses_.data(), course.poses.data(), course.poses.size() * sizeof(Pose),
                          cudaMemcpyHostToDevice, stream_),
          "copying the motions");
    constants_.poses = poses_.data();
    constants_.motions = course.motions();
    constants_.poses_of_forces = course.poses_of_forces();
    constants_.inertial = course.inertial;
    shared_.inertial = course.inertial;
    shared_.poses = poses_.data() + course.poses_of_forces();
}

template <class Policy, int D>
void CudaParticles<Policy, D>::execute(const Operation& operation, double step)
{
    const OnDevice chosen(settings_.device);
    if (refresh_) {
        if (waits_for_refresh(operation.kind)) answer_refresh();
        else refresh_->since.push_back({operation, step});
    }
    const auto interval = interval_of<Real>(operation, step);
    // Other ranks would change the state beyond the operation that broke a rule in this one.
    const bool changes_state = info_of(operation.kind).target == TargetOfOperation::particles;
    if (halo_ && changes_state && rule_unseen_) {
        read_report();
        check_rules(last_interval_);
    }
    last_interval_ = interval.length;
    clock_.begin(info_of(operation.kind).stage);
    with_operation(operation.kind, [&]<class Op>() { carry_out<Op>(interval); });
    check(cudaGetLastError(), "starting a kernel");
}

template <class Policy, int D>
template <class Op>
void CudaParticles<Policy, D>::carry_out(const Interval<Real>& interval)
{
    StepReport* const report = device_report_.data();
    constexpr TargetOfOperation target = Op::info.target;
    ++operations_;
    rule_unseen_ = rule_unseen_ || rules_of<Op> != 0;
    if constexpr (target == TargetOfOperation::particles) {
        if constexpr (Op::info.leaves(Maximum::residual))
            check(cudaMemsetAsync(&report->residual, 0, sizeof report->residual, stream_), "starting an operation");
        if constexpr (requires { Op::rests_on_dry_walls; }) {
            const auto visit = [&](const std::uint32_t* some, std::size_t number, bool own) {
                if (number == 0) return;
                detail::over_targets<Op><<<blocks_for(number, settings_.block), settings_.block, 0, stream_>>>(
                    particles_, constants_, interval, some, static_cast<std::uint32_t>(number), own, report,
                    operations_);
            };
            const TargetsView targets = ranges_.targets();
            const bool join = dry_walls_.join(kind_of<Op>, shared_.physics);
            visit(targets.particle + targets.walls_begin,
                  (join ? targets.dry_end : targets.walls_end) - targets.walls_begin, true);
            // Which are no targets, dry or not.
            if (halo_) visit(device_halo_->copies(), device_halo_->number_of_copies(), false);
        } else if (swaps_buffers<Op>()) {
            if constexpr (requires { Op::swaps_buffers; }) Op::swap_buffers(buffers_);
            particles_ = view_of(buffers_);
        } else {
            detail::over_particles<Op><<<blocks(), settings_.block, 0, stream_>>>(particles_, constants_, interval,
                                                                                  owned(), report, operations_);
        }
        dry_walls_.after(kind_of<Op>);
    } else if constexpr (target == TargetOfOperation::images) {
        const PointConstants<D> points(constants_.domain);
        if (stores_neighbours() && mirrors_of_rebuild_ != rebuilds_) {
            ParticleView<Policy> at_sorting = particles_;
            at_sorting.offset = particles_.reference;
            mirrors_.build(particles_, at_sorting, constants_, points, reach_.search_cells, directory_.view(), owned(),
                           has_room, stream_);
            mirrors_of_rebuild_ = rebuilds_;
        }
        detail::over_images<Op><<<blocks_for(count_, 128), 128, 0, stream_>>>(
            particles_, constants_, points, reach_.search_cells, directory_.view(),
            stores_neighbours() ? mirrors_.view() : MirrorListsView<D>{}, owned(), report, operations_);
        if (stores_neighbours() && mirrors_.number_wet() > 0) {
            const std::uint32_t number = mirrors_.number_wet();
            const auto gather = [&](auto of_walls, auto solve) {
                of_walls<<<blocks_for(number, detail::walls_of_a_block), detail::walls_of_a_block * warp, 0, stream_>>>(
                    particles_, constants_, points, reach_.search_cells, mirrors_.view(), mirrors_.wet(), number,
                    mirrors_.sums(), report, operations_);
                solve<<<blocks_for(number, 128), 128, 0, stream_>>>(particles_, constants_, points, reach_.search_cells,
                                                                    directory_.view(), mirrors_.view(), mirrors_.wet(),
                                                                    number, mirrors_.sums(), report, operations_);
            };
            if (has_extrapolated_velocity(shared_.physics))
                gather(detail::gather_at_images<Op, true, Policy, D>, detail::solve_at_images<Op, true, Policy, D>);
            else gather(detail::gather_at_images<Op, false, Policy, D>, detail::solve_at_images<Op, false, Policy, D>);
        }
        if (halo_) exchange<Op>();
    } else if constexpr (target == TargetOfOperation::pairs) {
        const auto launch = pair_kernels<typename Policy::Pairs, D>().passes[static_cast<std::size_t>(kind_of<Op>)];
        if (launch == nullptr) refuse_operation(kind_of<Op>, Policy::name);
        const LargestOf largest = largest_of(Op::info.maxima, report);
        LargestOf of_dry{};
        for (int m = 0; m < most_maxima; ++m) {
            if (largest.value[m] != nullptr) of_dry.value[m] = of_dry_walls(kind_of<Op>, m, dry_walls_.sequence());
        }
        constexpr std::size_t bytes = sizeof(unsigned long long);
        const bool join = dry_walls_.join(kind_of<Op>, shared_.physics);
        if (join) {
            for (unsigned long long* const one : of_dry.value) {
                if (one != nullptr) check(cudaMemsetAsync(one, 0, bytes, stream_), "starting a pass");
            }
            launch(data(), neighbours_view(), true, of_dry, stream_);
        }
        for (int m = 0; m < most_maxima; ++m) {
            if (largest.value[m] == nullptr) continue;
            const auto k = static_cast<std::size_t>(Op::info.maxima.value[m]);
            if (join || began_.value[k] != of_dry.value[m])  // a copy leaves the device without work for 10 us
                check(cudaMemcpyAsync(largest.value[m], of_dry.value[m], bytes, cudaMemcpyDeviceToDevice, stream_),
                      "starting a pass");
            began_.value[k] = nullptr;
            left_.value[k] = of_dry.value[m];
        }
        if (!halo_ || parts_of<Op>().empty()) launch(data(), neighbours_view(), false, largest, stream_);
        else pass_beside_exchange<Op>(launch, largest);
    } else {
        serve(std::type_identity<Op>{}, interval.length);
    }
}

template <class Policy, int D>
void CudaParticles<Policy, D>::complete()
{
    const OnDevice chosen(settings_.device);
    answer_refresh();
    read_clock();
    clock_.end_step();
    StartOfMaxima coming = left_;
    if (shared_.physics.previous_state == PreviousState::step_before) {
        // The states will have been swapped then, as a rule.
        for (const unsigned long long*& start : coming.value) start = of_other_sequence(start);
    }
    report_.ask(device_report_.data(), coming, stream_);
    report_.wait(stream_);
    if (halo_) read_clock();  // by which particles move between ranks
    const std::array now{0.0, detail::number_of(report_->signal_speed), detail::number_of(report_->acceleration2),
                         detail::number_of(report_->residual)};
    for (std::size_t k = 1; k < maxima_.size(); ++k) {
        if (static_cast<Maximum>(k) != Maximum::residual && left_.value[k] == nullptr) continue;
        maxima_[k] = now[k];
        if (left_.value[k] != nullptr) began_.value[k] = coming.value[k];
        left_.value[k] = nullptr;
    }
    check_rules(last_interval_, maxima_);
    limits_.max_signal_speed = maxima_[static_cast<std::size_t>(Maximum::signal_speed)];
    limits_.max_acceleration = static_cast<double>(
        square_root(static_cast<Real>(maxima_[static_cast<std::size_t>(Maximum::acceleration_squared)])));
    limits_.residual = maxima_[static_cast<std::size_t>(Maximum::residual)];
}

// Whether an operation has to wait while it is not known yet if the lists are still valid.
template <class Policy, int D>
bool CudaParticles<Policy, D>::waits_for_refresh(OperationKind kind) const
{
    bool waits = info_of(kind).target == TargetOfOperation::lists;
    with_operation(kind, [&]<class Op>() { waits = waits || swaps_buffers<Op>(); });
    return waits;
}

// The first rule in this order that some particle of any rank has broken ends the run.
template <class Policy, int D>
template <std::size_t N>
void CudaParticles<Policy, D>::check_rules(Real interval, std::array<double, N>& maxima)
{
    rule_unseen_ = false;
    constexpr const auto& rules = rules_in_order;
    std::array<double, rules.size() + N> all{};  // a rule that is broken, and the maxima
    const auto broken_here = [&](Rule rule) { return (report_->broken & bit_of(rule)) != 0; };
    for (std::size_t k = 0; k < rules.size(); ++k) all[k] = broken_here(rules[k]) ? 1 : 0;
    std::copy(maxima.begin(), maxima.end(), all.begin() + rules.size());
    if (halo_) halo_->peers().maximum(all);
    std::copy(all.begin() + rules.size(), all.end(), maxima.begin());
    const auto end_of_rules = all.begin() + rules.size();
    const auto first = std::find(all.begin(), end_of_rules, 1.0);
    if (first == end_of_rules) return;
    const Rule rule = rules[static_cast<std::size_t>(first - all.begin())];
    // What outputs of this state ask for is still to be computed.
    check(cudaMemsetAsync(&device_report_.data()->broken_in, 0, sizeof(unsigned long long), stream_), "breaking down");
    if (!broken_here(rule)) throw OtherRankBroke{};
    const Buffers<Policy> here = halo_ ? own_particles(is_any) : download(is_any);
    ParticleConstants<Policy, D> constants = constants_;
    constants.poses = poses_here_.data();
    throw_breakdown(view_of(here), constants, rule, interval);
}

template <class Policy, int D>
auto CudaParticles<Policy, D>::data() -> PairData<Real>
{
    PairData<Real> data;
    static_cast<PairConstants<Real>&>(data) = shared_;
    set_pointers(data, particles_);
    data.reach_squared = stores_neighbours() ? stored_reach2_ : searched_reach2_;
    return data;
}

template <class Policy, int D>
NeighboursView CudaParticles<Policy, D>::neighbours_view() const
{
    return {.ranges = ranges_.view(),
            .targets = ranges_.targets(),
            .reach = reach_,
            .largest_words = ranges_.largest_words(),
            .packed_words = ranges_.packed_words(),
            .bounds = bounds_,
            .list = {.kept = kept_neighbours(),
                     .words = list_words_.data(),
                     .place = list_places_.data(),
                     .lengths = list_lengths_.data(),
                     .format = format_},
            .count = static_cast<std::uint32_t>(count_),
            .report = device_report_.data()};
}

// Blocks of a sum over all particles: a few for each multiprocessor of a large device.
inline constexpr unsigned most_sum_blocks = 8 * 132;

template <class Policy, int D>
LedgerTotals CudaParticles<Policy, D>::ledger_totals() const
{
    const OnDevice chosen(settings_.device);
    check(cudaMemsetAsync(ledger_.data(), 0, sizeof(LedgerBuffer), stream_), "summing the ledger");
    sum_ledger<Policy, D><<<std::min(most_sum_blocks, blocks_for(count_, 256)), 256, 0, stream_>>>(
        particles_, owned(), constants_.domain, LedgerConstants<D>(constants_.domain), ledger_.data());
    LedgerBuffer here;
    check(cudaMemcpyAsync(&here, ledger_.data(), sizeof here, cudaMemcpyDeviceToHost, stream_), "summing the ledger");
    check(cudaStreamSynchronize(stream_), "summing the ledger");
    return totals_of(here);
}

template <class Policy, int D>
std::vector<ProbeTotals> CudaParticles<Policy, D>::sample(const std::vector<ProbePlace>& places) const
{
    if (places.empty()) return {};
    const OnDevice chosen(settings_.device);
    const unsigned blocks = std::min(most_sum_blocks, blocks_for(count_, 256));
    return probes_.template sample<Policy, D>(particles_, owned(), constants_.domain, places, blocks, stream_);
}

template <class Policy, int D>
Rates CudaParticles<Policy, D>::rates() const
{
    const OnDevice chosen(settings_.device);
    Buffers<Policy> here = download(is_any);
    return rates_of<Policy, D>(view_of(here), constants_.domain);
}

template <class Policy, int D>
SnapshotSource CudaParticles<Policy, D>::snapshot_source() const
{
    const OnDevice chosen(settings_.device);
    require_memory_for_output(count_, shown_bytes_per_particle<Policy>(buffers_.physics));
    const auto here = std::make_shared<Buffers<Policy>>(download(is_shown));
    return halfulp::snapshot_source<Policy, D>(view_of(*here), constants_.domain, here);
}

// Output fields are copied at the speed of the bus, which takes pinned memory, and written during the next steps.
template <class Policy, int D>
std::function<SnapshotSource()> CudaParticles<Policy, D>::begin_snapshot()
{
    const OnDevice chosen(settings_.device);
    if (count_ > shown_.count()) require_memory_for_output(count_, shown_bytes_per_particle<Policy>(shown_.physics));
    try {
        copy_to_host(shown_.used(), is_shown);
    } catch (const std::bad_alloc&) {  // whoever does without needs the memory of the first fields
        check(cudaStreamSynchronize(stream_), "copying the particles");
        shown_ = Buffers<Policy, PinnedVector>(shown_.physics);
        throw;
    }
    check(cudaEventRecord(shown_copied_, stream_), "copying the particles");
    return [this] {
        const OnDevice chosen(settings_.device);
        check(cudaEventSynchronize(shown_copied_), "copying the particles");
        return halfulp::snapshot_source<Policy, D>(view_of(shown_), constants_.domain);
    };
}

// Buffers are copied to the host in pieces, on request.
template <class Policy, int D>
SavedParticles CudaParticles<Policy, D>::save() const
{
    return {
        rebuilds_, saved_buffers<Policy>(buffers_.contents(), [this, here = std::make_shared<std::vector<std::byte>>()](
                                                                  const std::byte* from, std::size_t bytes) {
            here->resize(bytes);
            check(cudaMemcpyAsync(here->data(), from, bytes, cudaMemcpyDeviceToHost, stream_), "copying the particles");
            check(cudaStreamSynchronize(stream_), "copying the particles");
            return std::span<const std::byte>(*here);
        })};
}

template <class Policy, int D>
void CudaParticles<Policy, D>::read_clock() const
{
    if (clock_.read() && halo_) device_halo_->read_clock();
}

template <class Policy, int D>
std::vector<StageTime> CudaParticles<Policy, D>::stage_times() const
{
    read_clock();
    std::vector<StageTime> times;
    for (std::size_t k = 0; k < stages; ++k) times.push_back({stage_names[k], clock_.seconds(Stage(k))});
    return times;
}

template <class Policy, int D>
BatchOfRuns batch_of(const std::vector<const Problem*>& problems, const CudaSettings& settings)
{
    const auto batch = std::make_shared<CudaBatch<Policy, D>>(problems, settings);
    BatchOfRuns runs{batch, {}};
    for (std::size_t k = 0; k < problems.size(); ++k)
        runs.runs.push_back(std::make_unique<RunOfCudaBatch<Policy, D>>(batch, k));
    return runs;
}

template <class Policy, int D>
std::unique_ptr<Backend> make_cuda(const Problem& problem, const CudaSettings& settings,
                                   std::unique_ptr<LocalRanks>& others)
{
    if (settings.peers == nullptr) return std::make_unique<CudaParticles<Policy, D>>(problem, settings);
    return std::make_unique<Ranks<CudaParticles<Policy, D>>>(problem, settings, std::move(others));
}

template <class Policy>
CudaPolicy cuda_policy_as()
{
    return {
        .name = Policy::name,
        .make =
            [](const Problem& problem, const CudaSettings& settings, std::unique_ptr<LocalRanks> others) {
                if (problem.source.dimensions == 2) return make_cuda<Policy, 2>(problem, settings, others);
                return make_cuda<Policy, 3>(problem, settings, others);
            },
        .serve =
            [](const Problem& problem, const CudaSettings& settings, const std::function<void()>& check) {
                if (problem.source.dimensions == 2) Ranks<CudaParticles<Policy, 2>>::serve(problem, settings, check);
                else Ranks<CudaParticles<Policy, 3>>::serve(problem, settings, check);
            },
        .make_batch =
            [](const std::vector<const Problem*>& problems, const CudaSettings& settings) {
                if (problems.front()->source.dimensions == 2) return batch_of<Policy, 2>(problems, settings);
                return batch_of<Policy, 3>(problems, settings);
            },
        .bytes_per_particle =
            [](const Physics& physics) {
                // Fields, and three numbers: the cell, the place among the targets, and the length of the list or a
                // tag.
                return bytes_per_particle<Policy>(physics) + sorting_bytes_per_particle<Policy>(physics) + 3 * 4;
            },
        .course_bytes_per_particle = [](const Physics& physics) { return course_bytes_per_particle<Policy>(physics); }};
}

}  // namespace halfulp::cuda
