// The CPU back end's member functions, included where a policy is instantiated.
#pragma once

#include "core/backends/cpu/cpu_particles.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <cstring>
#include <memory>

#include "core/operations/perform.hpp"
#include "precision/simd.hpp"

namespace halfulp {

// Sets OpenMP's number of threads from here on, and returns the settings.
inline const CpuSettings& with_its_threads(const CpuSettings& settings)
{
    omp_set_num_threads(settings.threads);
    return settings;
}

template <class Policy, int D>
CpuParticles<Policy, D>::CpuParticles(const Problem& problem, const CpuSettings& settings)
    : settings_(with_its_threads(settings)), buffers_(first_share<Policy, D>(problem, settings.peers)),
      particles_(view_of(buffers_)), constants_(constants_of<Policy, D>(problem)),
      course_(static_cast<double>(problem.support) * static_cast<double>(problem.parameters.cell_side),
              static_cast<double>(constants_.skin))
{
    if (settings_.peers != nullptr) prepare_halo(problem);
    const PairSettings pairs{.parameters = problem.parameters,
                             .physics = problem.physics,
                             .kernel = problem.source.numerics.kernel,
                             .signal_speed = problem.fixed_step == 0,
                             .search_cells = problem.search_cells,
                             .support = problem.support,
                             .origin = problem.source.origin.cells,
                             .period = problem.period,
                             .centre = problem.centre,
                             .lanes = settings.lanes,
                             .stored = settings.stored};
    engine_ = make_pair_engine<Policy, D>(pairs);
    course_.stay(can_assume_course());
    rebuild();
}

template <class Policy, int D>
std::function<SnapshotSource()> CpuParticles<Policy, D>::begin_snapshot()
{
    const auto copied = std::make_shared<Buffers<Policy>>(buffers_.physics);
    copy_buffers(copied->used(), buffers_.contents(), is_shown,
                 [](void* to, const void* from, std::size_t bytes) { std::memcpy(to, from, bytes); });
    return [copied, domain = constants_.domain] {
        return halfulp::snapshot_source<Policy, D>(view_of(*copied), domain, copied);
    };
}

template <class Policy, int D>
void CpuParticles<Policy, D>::execute(const Operation& operation, double step)
{
    omp_set_num_threads(settings_.threads);  // another back end may have set its own
    const auto started = std::chrono::steady_clock::now();
    const auto interval = interval_of<Real>(operation, step);
    with_operation(operation.kind, [&]<class Op>() { carry_out<Op>(interval); });
    seconds_[static_cast<std::size_t>(info_of(operation.kind).stage)] +=
        std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
}

template <class Policy, int D>
template <class Op>
void CpuParticles<Policy, D>::carry_out(const Interval<Real>& interval)
{
    constexpr TargetOfOperation target = Op::info.target;
    if constexpr (target == TargetOfOperation::particles) {
        over_particles<Op>(interval);
        engine_->after(kind_of<Op>);
    } else if constexpr (target == TargetOfOperation::pairs) over_pairs<Op>();
    else if constexpr (target == TargetOfOperation::images) over_images<Op>();
    else serve(std::type_identity<Op>{}, interval.length);
}

template <class Policy, int D>
template <class Op>
void CpuParticles<Policy, D>::over_particles(const Interval<Real>& interval)
{
    const std::size_t count = buffers_.count();
    if constexpr (Op::info.leaves(Maximum::residual)) {
        double largest = 0;
#pragma omp parallel for schedule(static) reduction(max : largest)
        for (std::size_t i = 0; i < count; ++i) {
            if (is_own(i)) largest = larger(largest, perform<Op>(particles_, constants_, i, interval));
        }
        limits_.residual = largest;
    } else if constexpr (rules_of<Op> != 0) {
        unsigned broken = 0;
        const auto rules = tracking();
#pragma omp parallel for schedule(static) reduction(| : broken)
        for (std::size_t i = 0; i < count; ++i) {
            perform<Op>(particles_, constants_, i, of_particle(i, interval));
            if (is_own(i)) broken |= broken_after<Op>(rules, i, interval.length);
        }
        for (const Rule rule : rules_in_order) {
            if ((rules_of<Op> & bit_of(rule)) != 0) check((broken & bit_of(rule)) == 0, rule, interval.length);
        }
    } else {
#pragma omp parallel for schedule(static)
        for (std::size_t i = 0; i < count; ++i) perform<Op>(particles_, constants_, i, of_particle(i, interval));
    }
}

template <class Policy, int D>
template <class Op>
void CpuParticles<Policy, D>::over_pairs()
{
    const Largest<Real> largest = engine_->pass(kind_of<Op>, buffers_);
    for (int k = 0; k < most_maxima; ++k) {
        const Maximum maximum = Op::info.maxima.value[k];
        if (maximum == Maximum::signal_speed) limits_.max_signal_speed = static_cast<double>(largest[k]);
        if (maximum == Maximum::acceleration_squared)
            limits_.max_acceleration = static_cast<double>(square_root(largest[k]));
    }
    exchange<Op>();
}

template <class Policy, int D>
template <class Op>
void CpuParticles<Policy, D>::over_images()
{
    const PointConstants<D> points(constants_.domain);
    const typename Op::template Body<Policy, D> body(particles_, constants_, points, engine_->search_cells());
    const CellDirectory& directory = engine_->directory();
    if (settings_.stored && mirrors_of_rebuild_ != rebuilds_) {
        ParticleView<Policy> at_sorting = particles_;
        at_sorting.offset = particles_.reference;
        mirrors_.build(body, at_sorting, directory);
        mirrors_of_rebuild_ = rebuilds_;
    }
    const MirrorListsView<D> lists = settings_.stored ? mirrors_.view() : MirrorListsView<D>{};
    const std::size_t count = buffers_.count();
#pragma omp parallel for schedule(dynamic, 64)
    for (std::size_t i = 0; i < count; ++i) {
        if (body.is_fluid(i) || !is_own(i)) continue;
        body.template extrapolate<Simd<double, 4>>(
            i, [&](const auto& image, const auto& visit) { lists.for_each_near(body, directory, i, image, visit); });
    }
    exchange<Op>();
}

template <class Policy, int D>
void CpuParticles<Policy, D>::check(bool kept, Rule rule, Real interval) const
{
    if (!halo_) {
        if (!kept) throw_breakdown(particles_, constants_, rule, interval);
        return;
    }
    if (!halo_->peers().any(!kept)) return;
    of_own([&](const auto& own) { throw_breakdown(own, constants_, rule, interval); });
    throw OtherRankBroke{};
}

template <class Policy, int D>
void CpuParticles<Policy, D>::complete()
{
    if (!halo_) return;
    std::array values{limits_.max_acceleration, limits_.max_signal_speed, limits_.residual};
    halo_->peers().maximum(values);
    limits_ = {values[0], values[1], values[2]};
}

template <class Policy, int D>
void CpuParticles<Policy, D>::prescribe(const CourseOfStep& course)
{
    poses_ = course.poses;
    constants_.poses = poses_.data();
    constants_.motions = course.motions();
    constants_.poses_of_forces = course.poses_of_forces();
    constants_.inertial = course.inertial;
    engine_->prescribe(course.inertial, poses_.data() + course.poses_of_forces());
}

template <class Policy, int D>
std::size_t CpuParticles<Policy, D>::bytes() const
{
    return buffers_.count() * bytes_per_particle<Policy>(buffers_.physics) +
           (course_place_.capacity() + course_move_.capacity()) * sizeof(Four<Real>) + engine_->bytes() +
           mirrors_.bytes();
}

template <class Policy, int D>
std::vector<StageTime> CpuParticles<Policy, D>::stage_times() const
{
    std::vector<StageTime> times;
    for (std::size_t k = 0; k < stages; ++k) times.push_back({stage_names[k], seconds_[k]});
    return times;
}

template <class Policy, int D>
std::string CpuParticles<Policy, D>::description() const
{
    return fmt::format("cpu, {} thread{}, {} lane{}{}", settings_.threads, settings_.threads == 1 ? "" : "s",
                       settings_.lanes, settings_.lanes == 1 ? "" : "s",
                       settings_.stored ? "" : ", no stored neighbours");
}

}  // namespace halfulp
