// Included where a policy is instantiated.
#pragma once

#include "core/backends/cpu/cpu_particles.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <omp.h>

#include "core/error.hpp"
#include "core/particles/order.hpp"
#include "kernels/energy.hpp"
#include "kernels/state_equation.hpp"
#include "kernels/walls.hpp"
#include "precision/error_free.hpp"
#include "precision/position.hpp"

namespace halfulp {

template <class Policy, int D>
CpuParticles<Policy, D>::CpuParticles(const Problem& problem, const CpuSettings& settings)
    : frame_(frame_of(problem)), parameters_(problem.parameters.as<D, Real>()),
      skin_(Real(problem.skin) * parameters_.cell_side), density_bound_(problem.source.numerics.density_bound),
      limit_tension_(!problem.source.numerics.wall_tension), physics_(problem.physics),
      books_kicks_(done_in(physics_, Work::artificial) || done_in(physics_, Work::laminar) ||
                   done_in(physics_, Work::tensile) || done_in(physics_, Work::driving) ||
                   done_in(physics_, Work::wall)),
      settings_(settings), buffers_(physics_)
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
    load(problem);
    compute_pressure_terms();
    rebuild();
}

template <class Policy, int D>
void CpuParticles<Policy, D>::load(const Problem& problem)
{
    buffers_.resize(problem.particles.size());
    for (std::size_t i = 0; i < problem.particles.size(); ++i) {
        const InitialParticle& p = problem.particles[i];
        buffers_.cell[i] = {p.cell[0], p.cell[1], p.cell[2], static_cast<std::int32_t>(i)};
        buffers_.kind[i] = p.kind;
        place(p, i);
        const Real density = Policy::Density::stored(CentredDensity<Real>{p.density}, parameters_.reference_density);
        buffers_.velocity[i] = {p.velocity[0], p.velocity[1], p.velocity[2], density};
        if constexpr (Policy::Update::has_residual) {
            const double exact = Policy::Density::stored(CentredDensity<double>{static_cast<double>(p.density)},
                                                         static_cast<double>(parameters_.reference_density));
            buffers_.velocity_residual[i].w = static_cast<Real>(exact - static_cast<double>(density));
            for (int c = 0; c < 3; ++c) Policy::Update::settle(buffers_.offset[i][c], buffers_.offset_residual[i][c]);
            for (int c = 0; c < 4; ++c)
                Policy::Update::settle(buffers_.velocity[i][c], buffers_.velocity_residual[i][c]);
        }
        buffers_.reference[i] = buffers_.offset[i];
    }
    sort_particles();
}

// The start is given by cells and offsets of single precision, in cell sides. What a global coordinate rounds away goes
// into the residual where there is one.
template <class Policy, int D>
void CpuParticles<Policy, D>::place(const InitialParticle& particle, std::size_t i)
{
    using Position = typename Policy::Position;
    const auto side = static_cast<double>(parameters_.cell_side);
    buffers_.offset[i] = {0, 0, 0, 0};
    for (int c = 0; c < D; ++c) {
        const auto axis = static_cast<std::size_t>(c);
        const double offset = static_cast<double>(particle.offset[axis]);
        const double coordinate = (particle.cell[axis] + offset) * side;
        Real& value = buffers_.offset[i][c];
        if constexpr (Position::in_double) {
            buffers_.coordinate[i][c] = coordinate;
        } else if constexpr (Position::relative_to_cell) {
            value = static_cast<float>(offset * side);
        } else {
            value = static_cast<Real>(coordinate);
            if constexpr (Policy::Update::has_residual)
                buffers_.offset_residual[i][c] = static_cast<Real>(coordinate - static_cast<double>(value));
        }
    }
    if constexpr (Position::in_double) offset_from_coordinate(i);
}

// Of a policy with positions in double: what pairs read.
template <class Policy, int D>
void CpuParticles<Policy, D>::offset_from_coordinate(std::size_t i)
{
    const auto side = static_cast<double>(parameters_.cell_side);
    for (int c = 0; c < D; ++c)
        buffers_.offset[i][c] = static_cast<Real>(buffers_.coordinate[i][c] - buffers_.cell[i][c] * side);
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
    case OperationKind::update_density: update_density(interval); break;
    case OperationKind::rebuild_neighbours:
        rebuild();
        stage = neighbours;
        break;
    case OperationKind::refresh_neighbours:
        refresh_neighbours(interval);
        stage = neighbours;
        break;
    case OperationKind::book_smoothing: book_smoothing(interval); break;
    case OperationKind::smooth_velocity:
        engine_->smooth_velocity(buffers_);
        stage = density;
        break;
    case OperationKind::density_gradient:
        engine_->density_gradient(buffers_);
        stage = density;
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
void CpuParticles<Policy, D>::kick(Real interval)
{
    const std::size_t count = buffers_.count();
    bool finite = true;
#pragma omp parallel for schedule(static) reduction(&& : finite)
    for (std::size_t i = 0; i < count; ++i) {
        if (!moves(i)) continue;
        Four<Real>& u = buffers_.velocity[i];
        Four<Real> residual = buffers_.velocity_residual_of(i);
        const Four<Real>& a = buffers_.rate[i];
        Vec<D, double> before{};
        Vec<D, double> after{};
        const bool fluid = buffers_.kind[i] == Kind::fluid;
        for (int c = 0; c < D; ++c) {
            before[c] = static_cast<double>(u[c]);
            if (fluid) Policy::Update::advance(u[c], residual[c], a[c], Real(0), interval);
            after[c] = static_cast<double>(u[c]);
        }
        if constexpr (Policy::Update::has_residual) buffers_.velocity_residual[i] = residual;
        if (books_kicks_) book_kick(i, before, after, static_cast<double>(interval));
        const double square = dot(after, after);
        finite = finite && square - square == 0;
    }
    if (finite) return;
    break_down(
        [&](std::size_t i) {
            const auto u = velocity_of<Policy, D>(buffers_, i);
            const double square = dot(u, u);
            return !(square - square == 0);
        },
        [](std::size_t) { return std::string("its velocity is not a finite number"); },
        "particles that came too close to each other in one step: try a smaller time.cfl");
}

// What the booked forces do to particle i in one kick.
template <class Policy, int D>
void CpuParticles<Policy, D>::book_kick(std::size_t i, const Vec<D, double>& before, const Vec<D, double>& after,
                                        double interval)
{
    const auto book = [&](Work kind, const Vec<D, double>& force) {
        buffers_.work_of(kind)[i] += work_of_kick(force, before, after, interval);
    };
    const auto vector_of = [i](const std::vector<Four<Real>>& rate) {
        Vec<D, double> force{};
        for (int c = 0; c < D; ++c) force[c] = static_cast<double>(rate[i][c]);
        return force;
    };
    const bool wall = buffers_.kind[i] == Kind::wall;
    if (wall) {
        // The reaction to what the fluid does to the wall. The share of each booked force is booked for the wall too:
        // only with it is a pair's viscous work what the pair dissipates, whoever moves.
        Vec<D, double> force = vector_of(buffers_.rate);
        for (int c = 0; c < D; ++c) force[c] = -force[c];
        book(Work::wall, force);
    }
    if (physics_.artificial_viscosity) book(Work::artificial, vector_of(buffers_.artificial_rate));
    if (physics_.laminar_viscosity != LaminarViscosity::none) book(Work::laminar, vector_of(buffers_.laminar_rate));
    if (physics_.tensile_correction) book(Work::tensile, vector_of(buffers_.tensile_rate));
    if (physics_.driven && !wall) {
        Vec<D, double> force{};
        for (int c = 0; c < D; ++c) {
            if (frame_.period[static_cast<std::size_t>(c)] > 0) force[c] = static_cast<double>(parameters_.gravity[c]);
        }
        book(Work::driving, force);
    }
}

// Particles that XSPH moves by more than their velocity gain energy from the forces that have one: all but those booked
// on their own.
template <class Policy, int D>
void CpuParticles<Policy, D>::book_smoothing(Real interval)
{
    const std::size_t count = buffers_.count();
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < count; ++i) {
        if (buffers_.kind[i] != Kind::fluid) continue;
        double power = 0;
        for (int c = 0; c < D; ++c) {
            auto force = static_cast<double>(buffers_.rate[i][c]);
            if (physics_.artificial_viscosity) force -= static_cast<double>(buffers_.artificial_rate[i][c]);
            if (physics_.laminar_viscosity != LaminarViscosity::none)
                force -= static_cast<double>(buffers_.laminar_rate[i][c]);
            if (physics_.tensile_correction) force -= static_cast<double>(buffers_.tensile_rate[i][c]);
            if (frame_.period[static_cast<std::size_t>(c)] > 0) force -= static_cast<double>(parameters_.gravity[c]);
            power = fma(-force, static_cast<double>(buffers_.smoothing[i][c]), power);
        }
        buffers_.work_of(Work::smoothing)[i] += power * static_cast<double>(interval);
    }
}

template <class Policy, int D>
void CpuParticles<Policy, D>::transport_velocity(std::size_t i, Vec<D, Real>& velocity, Vec<D, Real>& residual) const
{
    const Four<Real>& u = buffers_.velocity[i];
    const Four<Real> u_residual = buffers_.velocity_residual_of(i);
    for (int c = 0; c < D; ++c) {
        velocity[c] = u[c];
        residual[c] = u_residual[c];
    }
    if (!physics_.velocity_smoothing) return;
    for (int c = 0; c < D; ++c) {
        const auto sum = two_sum(velocity[c], buffers_.smoothing[i][c]);
        velocity[c] = sum.value;
        residual[c] = residual[c] + sum.error;
    }
}

template <class Policy, int D>
void CpuParticles<Policy, D>::drift(Real interval)
{
    const std::size_t count = buffers_.count();
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < count; ++i) {
        if (!moves(i)) continue;
        [[maybe_unused]] Four<Real>& x = buffers_.offset[i];
        Vec<D, Real> u;
        Vec<D, Real> u_residual;
        transport_velocity(i, u, u_residual);
        if constexpr (Policy::Position::in_double) {
            for (int c = 0; c < D; ++c) {
                double& coordinate = buffers_.coordinate[i][c];
                const double speed = static_cast<double>(u[c]) + static_cast<double>(u_residual[c]);
                coordinate = fma(speed, static_cast<double>(interval), coordinate);
            }
            offset_from_coordinate(i);
        } else {
            Four<Real> residual = buffers_.offset_residual_of(i);
            for (int c = 0; c < D; ++c) Policy::Update::advance(x[c], residual[c], u[c], u_residual[c], interval);
            if constexpr (Policy::Update::has_residual) buffers_.offset_residual[i] = residual;
        }
    }
}

template <class Policy, int D>
void CpuParticles<Policy, D>::update_density(Real interval)
{
    using Density = typename Policy::Density;
    const std::size_t count = buffers_.count();
    const auto bound = static_cast<Real>(density_bound_);
    const bool diffusion = physics_.density_diffusion != DensityDiffusion::none;
    const Real reference = parameters_.reference_density;
    const Real rest = Density::stored(CentredDensity<Real>{0}, reference);
    // Of the number that is kept, in double, for the work of diffusion.
    const auto deviation = [reference](const Real& stored) {
        return Density::centred(static_cast<double>(stored), static_cast<double>(reference)).s;
    };
    const double unit_rate = Density::rate(1.0, static_cast<double>(reference));
    bool within = true;
#pragma omp parallel for schedule(static) reduction(&& : within)
    for (std::size_t i = 0; i < count; ++i) {
        Real& density = buffers_.velocity[i].w;
        Four<Real> residual = buffers_.velocity_residual_of(i);
        const Real before = density;
        Policy::Update::advance(density, residual.w, buffers_.rate[i].w, Real(0), interval);
        if (diffusion) {
            buffers_.work_of(Work::diffusion)[i] += work_of_density_share(
                physics_.state_equation, static_cast<double>(parameters_.stiffness), deviation(before),
                deviation(density), static_cast<double>(buffers_.rate[i].w) / unit_rate, buffers_.diffusion_rate[i],
                static_cast<double>(interval));
        }
        const CentredDensity<Real> s = Density::centred(density, reference);
        if (limit_tension_ && buffers_.kind[i] == Kind::wall && in_tension(s)) {
            density = rest;
            residual.w = 0;
        }
        if constexpr (Policy::Update::has_residual) buffers_.velocity_residual[i] = residual;
        buffers_.offset[i].w = pressure_term_at(density);
        within = within && magnitude(s.s) <= bound;
    }
    if (within) return;
    break_down(
        [&](std::size_t i) { return !(magnitude(Density::centred(buffers_.velocity[i].w, reference).s) <= bound); },
        [&](std::size_t i) {
            return fmt::format(
                "its density deviates from rest by rho/rho0 - 1 = {:.4g}, beyond numerics.density_bound = {}",
                density_of(buffers_, frame_, i), density_bound_);
        },
        "a step too large for the flow (try a smaller time.cfl), a sound speed below ten times the fastest flow (fluid.sound_speed), "
        "or fluid that starts squeezed against a wall");
}

template <class Policy, int D>
void CpuParticles<Policy, D>::compute_pressure_terms()
{
    const std::size_t count = buffers_.count();
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < count; ++i) buffers_.offset[i].w = pressure_term_at(buffers_.velocity[i].w);
}

template <class Policy, int D>
template <class Broken, class Describe>
void CpuParticles<Policy, D>::break_down(Broken broken, Describe describe, const char* likely_cause) const
{
    std::size_t first = buffers_.count();
    for (std::size_t i = 0; i < buffers_.count(); ++i) {
        if (broken(i) && (first == buffers_.count() || buffers_.cell[i].w < buffers_.cell[first].w)) first = i;
    }
    if (first == buffers_.count()) return;
    Breakdown breakdown{.what = describe(first),
                        .likely_cause = likely_cause,
                        .id = static_cast<std::uint32_t>(buffers_.cell[first].w),
                        .kind = buffers_.kind[first],
                        .position = {}};
    const auto x = position_of<Policy, D>(buffers_, frame_, first);
    for (int c = 0; c < D; ++c) breakdown.position[c] = x[c] * frame_.units.length;
    throw SimulationBroke{breakdown};
}

template <class Policy, int D>
std::size_t CpuParticles<Policy, D>::bytes() const
{
    return buffers_.count() * bytes_per_particle<Policy>(physics_) + engine_->bytes();
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
