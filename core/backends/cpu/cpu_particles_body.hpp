// Included where a policy is instantiated.
#pragma once

#include "core/backends/cpu/cpu_particles.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <cstring>
#include <memory>

#include "core/particles/initial_buffers.hpp"
#include "core/particles/order.hpp"

namespace halfulp {

template <class Policy, int D>
CpuParticles<Policy, D>::CpuParticles(const Problem& problem, const CpuSettings& settings)
    : settings_(settings), buffers_(initial_buffers<Policy, D>(problem)),
      operations_(operations_of<Policy, D>(problem, view_of(buffers_)))
{
    omp_set_num_threads(settings_.threads);
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
    rebuild();
}

template <class Policy, int D>
std::function<SnapshotSource()> CpuParticles<Policy, D>::begin_snapshot()
{
    const auto copied = std::make_shared<Buffers<Policy>>(buffers_.physics);
    copy_shown(*copied, buffers_, [](void* to, const void* from, std::size_t bytes) { std::memcpy(to, from, bytes); });
    return [copied, frame = operations_.frame] {
        return halfulp::snapshot_source<Policy, D>(view_of(*copied), frame, copied);
    };
}

template <class Policy, int D>
void CpuParticles<Policy, D>::execute(const Operation& operation, double step)
{
    omp_set_num_threads(settings_.threads);  // another back end may have set its own
    const auto started = std::chrono::steady_clock::now();
    const auto interval = static_cast<Real>(operation.fraction * step);
    Stage stage = update;
    switch (operation.kind) {
    case OperationKind::kick: kick(interval); break;
    case OperationKind::drift: drift(interval); break;
    case OperationKind::move_walls:
        move_walls(poses_.data() + (operation.fraction < 1 ? 0 : operations_.motions));
        break;
    case OperationKind::update_density: update_density(interval); break;
    case OperationKind::rebuild_neighbours:
        rebuild();
        stage = neighbours;
        break;
    case OperationKind::refresh_neighbours:
    case OperationKind::renew_neighbours:
        refresh_neighbours(interval, operation.kind == OperationKind::renew_neighbours);
        stage = neighbours;
        break;
    case OperationKind::book_transport: book_transport(interval); break;
    case OperationKind::smooth_velocity:
        engine_->smooth_velocity(buffers_);
        stage = density;
        break;
    case OperationKind::shift_particles:
        engine_->shift_particles(buffers_);
        stage = density;
        break;
    case OperationKind::density_gradient:
        engine_->density_gradient(buffers_);
        stage = density;
        break;
    case OperationKind::filter_density:
        filter_density(interval);
        stage = density;
        break;
    case OperationKind::extrapolate_walls:
        extrapolate_walls(interval);
        stage = momentum;
        break;
    case OperationKind::density_rate:
        limits_.max_signal_speed = static_cast<double>(engine_->density_rate(buffers_));
        stage = density;
        break;
    case OperationKind::forces:
        limits_.max_acceleration = static_cast<double>(engine_->forces(buffers_));
        stage = momentum;
        break;
    }
    seconds_[stage] += std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
}

template <class Policy, int D>
void CpuParticles<Policy, D>::check(bool kept, Rule rule, Real interval) const
{
    if (!kept) throw_breakdown(operations_, rule, interval);
}

template <class Policy, int D>
void CpuParticles<Policy, D>::kick(Real interval)
{
    const std::size_t count = buffers_.count();
    bool kept = true;
#pragma omp parallel for schedule(static) reduction(&& : kept)
    for (std::size_t i = 0; i < count; ++i) {
        if (!operations_.moves(i)) continue;
        operations_.kick(i, interval);
        kept = kept && !breaks(operations_, Rule::finite_velocity, i, interval);
    }
    check(kept, Rule::finite_velocity);
}

template <class Policy, int D>
void CpuParticles<Policy, D>::book_transport(Real interval)
{
    const std::size_t count = buffers_.count();
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < count; ++i) operations_.book_transport(i, interval);
}

template <class Policy, int D>
void CpuParticles<Policy, D>::drift(Real interval)
{
    const std::size_t count = buffers_.count();
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < count; ++i) {
        if (operations_.is_fluid(i)) operations_.drift(i, interval);
    }
}

template <class Policy, int D>
void CpuParticles<Policy, D>::move_walls(const Pose* poses)
{
    const std::size_t count = buffers_.count();
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < count; ++i) {
        if (operations_.is_prescribed(i)) operations_.place_wall(i, poses);
    }
}

template <class Policy, int D>
void CpuParticles<Policy, D>::prescribe(const CourseOfStep& course)
{
    poses_ = course.poses;
    operations_.poses = poses_.data();
    operations_.motions = course.motions();
    engine_->prescribe(course.inertial, poses_.data() + course.motions());
}

template <class Policy, int D>
void CpuParticles<Policy, D>::update_density(Real interval)
{
    const std::size_t count = buffers_.count();
    bool kept = true;
#pragma omp parallel for schedule(static) reduction(&& : kept)
    for (std::size_t i = 0; i < count; ++i) {
        operations_.update_density(i, interval);
        kept = kept && !breaks(operations_, Rule::density_bound, i, interval);
    }
    check(kept, Rule::density_bound);
}

template <class Policy, int D>
void CpuParticles<Policy, D>::filter_density(Real interval)
{
    engine_->filter_density(buffers_);
    const std::size_t count = buffers_.count();
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < count; ++i) operations_.filter_density(i, interval);
}

template <class Policy, int D>
void CpuParticles<Policy, D>::extrapolate_walls(Real interval)
{
    const std::size_t count = buffers_.count();
    if (buffers_.physics.walls == Walls::modified_dynamic) {
        mirror_walls();
    } else {
        engine_->extrapolate_walls(buffers_);
    }
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < count; ++i) operations_.set_wall(i, interval);
}

template <class Policy, int D>
void CpuParticles<Policy, D>::mirror_walls()
{
    const MirroredWalls<Policy, D> walls(operations_, engine_->search_cells());
    const CellDirectory& directory = engine_->directory();
    if (settings_.stored && mirrors_of_rebuild_ != rebuilds_) {
        mirrors_.build(walls, directory);
        mirrors_of_rebuild_ = rebuilds_;
    }
    const std::size_t count = buffers_.count();
#pragma omp parallel for schedule(dynamic, 64)
    for (std::size_t i = 0; i < count; ++i) {
        if (operations_.is_fluid(i)) continue;
        walls.extrapolate(i, [&](const auto& image, auto visit) {
            if (settings_.stored) mirrors_.for_each_near(walls, directory, i, image, visit);
            else walls.search(image, directory, visit);
        });
    }
}

template <class Policy, int D>
std::size_t CpuParticles<Policy, D>::bytes() const
{
    return buffers_.count() * bytes_per_particle<Policy>(buffers_.physics) + engine_->bytes() + mirrors_.bytes();
}

template <class Policy, int D>
std::vector<StageTime> CpuParticles<Policy, D>::stage_times() const
{
    return {{"neighbours", seconds_[neighbours]},
            {"density rate", seconds_[density]},
            {"forces", seconds_[momentum]},
            {"update", seconds_[update]}};
}

template <class Policy, int D>
std::string CpuParticles<Policy, D>::description() const
{
    return fmt::format("cpu, {} thread{}, {} lane{}{}", settings_.threads, settings_.threads == 1 ? "" : "s",
                       settings_.lanes, settings_.lanes == 1 ? "" : "s",
                       settings_.stored ? "" : ", no stored neighbours");
}

}  // namespace halfulp
