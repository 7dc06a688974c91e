// Operations of a step for the runs of a batch on a device, by groups of runs that do the same, with their reports and
// broken rules.
#pragma once

#include <algorithm>
#include <cstddef>

#include "core/backends/cuda/cuda_batch.cuh"
#include "core/operations/operations.hpp"

namespace halfulp::cuda {

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
    if constexpr (target == TargetOfOperation::particles && !Op::info.leaves(Maximum::residual)) {
        detail::over_particles_of_runs<Op><<<blocks_, run_block, 0, stream_>>>(
            particles_, particle_runs(), operation.fraction, operation.booking == Booking::booked, operations_);
    } else if constexpr (target == TargetOfOperation::pairs) {
        const auto launch =
            pair_kernels<typename Policy::Pairs, D>().passes_of_runs[static_cast<std::size_t>(kind_of<Op>)];
        if (launch == nullptr) refuse_operation(kind_of<Op>, Policy::name);
        if constexpr (Op::info.leaves(Maximum::signal_speed))
            clear_reports(offsetof(StepReport, signal_speed), sizeof(StepReport::signal_speed));
        if constexpr (Op::info.leaves(Maximum::acceleration_squared))
            clear_reports(offsetof(StepReport, acceleration2), sizeof(StepReport::acceleration2));
        launch(common(), pair_runs(), Op::info.maxima, stream_);
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
            for (const Rule rule : rules_in_order) {
                if ((reports_here_[k].broken & bit_of(rule)) != 0)
                    throw_breakdown(view_of(here), constants, rule, settled ? Real(0) : run.last_interval);
            }
        } catch (const SimulationBroke& broke) {
            run.broken = broke.breakdown;
        }
    }
    return going_on;
}

}  // namespace halfulp::cuda
