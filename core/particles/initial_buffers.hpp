// The initial particle buffers of a run, in the order of the problem's particles.
#pragma once

#include "core/particles/buffers.hpp"
#include "core/particles/particle_tracking.hpp"
#include "core/setup/for_each_particle.hpp"

namespace halfulp {

namespace detail {

// Sets the position of particle i. The initial state has cells and single-precision offsets, in cell sides; if the
// policy has a residual, it receives the rounding error of a global coordinate.
template <class Policy, int D>
void place(const InitialParticle& particle, const ParticleTracking<Policy, D>& tracking, std::size_t i)
{
    using Real = typename Policy::Real;
    using Position = typename Policy::Position;
    const auto& particles = tracking.particles;
    const auto side = static_cast<double>(tracking.parameters.cell_side);
    particles.offset[i] = {0, 0, 0, 0};
    for (int c = 0; c < D; ++c) {
        const auto axis = static_cast<std::size_t>(c);
        const double offset = static_cast<double>(particle.offset[axis]);
        const double coordinate = (particle.cell[axis] + offset) * side;
        Real& value = particles.offset[i][c];
        if constexpr (Position::in_double) {
            particles.coordinate[i][c] = coordinate;
        } else if constexpr (Position::relative_to_cell) {
            value = static_cast<float>(offset * side);
        } else {
            value = static_cast<Real>(coordinate);
            if constexpr (Policy::Update::has_residual)
                particles.offset_residual[i][c] = static_cast<Real>(coordinate - static_cast<double>(value));
        }
    }
    if constexpr (Position::in_double) tracking.offset_from_coordinate(i);
}

// Vector from the pivot of the motion that moves the particle.
inline Four<double> anchor_of(const InitialParticle& particle, const Problem& problem)
{
    Four<double> anchor{0, 0, 0, static_cast<double>(particle.motion)};
    if (particle.motion < 0) return anchor;
    const Pose pose = problem.motions[static_cast<std::size_t>(particle.motion)].at(0);
    for (int c = 0; c < 3; ++c) {
        const auto axis = static_cast<std::size_t>(c);
        const std::int64_t pivot = std::int64_t(problem.source.origin.cells[axis]) + pose.pivot_cell[c];
        const auto cells = static_cast<double>(particle.cell[axis] - pivot);
        anchor[c] = cells + (static_cast<double>(particle.offset[axis]) - pose.pivot_offset[c]);
    }
    return anchor;
}

// Replaces the state of particle i by one given from an output. In the policies used for this, offsets are zero at cell
// centres.
template <class Policy, int D>
void give(const GivenState& given, Buffers<Policy>& buffers, std::size_t i)
{
    using Real = typename Policy::Real;
    for (int c = 0; c < D; ++c) {
        const auto axis = static_cast<std::size_t>(c);
        buffers.offset[i][c] = static_cast<Real>(given.offset[axis]);
        buffers.velocity[i][c] = static_cast<Real>(given.velocity[axis]);
    }
    if (!buffers.analysed.empty()) buffers.analysed[i] = static_cast<Real>(given.analysed);
}

}  // namespace detail

// The initial buffers of some of the problem's particles: index_of(0) to index_of(count - 1).
template <class Policy, int D, class IndexOf>
Buffers<Policy> initial_buffers(const Problem& problem, std::size_t count, const IndexOf& index_of)
{
    using Real = typename Policy::Real;
    Buffers<Policy> buffers(problem.physics);
    by_threads(buffers.used(), count, [&](const AnyBuffer& buffer) { buffer.resize(count); });
    const auto constants = constants_of<Policy, D>(problem);
    const ParticleTracking<Policy, D> tracking(view_of(buffers), constants);
    const Real reference = tracking.parameters.reference_density;
    for_each_particle(count, [&](std::size_t i) {
        const std::size_t k = index_of(i);
        const InitialParticle p = problem.particles[k];
        buffers.cell[i] = {p.cell[0], p.cell[1], p.cell[2], id_of(p, k)};
        buffers.kind[i] = p.kind;
        if (problem.physics.moving_walls) buffers.anchor[i] = detail::anchor_of(p, problem);
        if (problem.physics.wall_forces) buffers.body[i] = p.shape;
        if (have_mirror_images(problem.physics.walls)) {
            const MirrorImage& image = problem.mirror_images[k];
            buffers.mirror_image[i] = {image.from_particle[0], image.from_particle[1], image.from_particle[2],
                                       image.exists ? Real(1) : Real(0)};
        }
        detail::place(p, tracking, i);
        const Real density = Policy::Density::stored(CentredDensity<Real>{p.density}, reference);
        buffers.velocity[i] = {p.velocity[0], p.velocity[1], p.velocity[2], density};
        if constexpr (Policy::Update::has_residual) {
            const double exact = Policy::Density::stored(CentredDensity<double>{static_cast<double>(p.density)},
                                                         static_cast<double>(reference));
            buffers.velocity_residual[i].w = static_cast<Real>(exact - static_cast<double>(density));
            for (int c = 0; c < 3; ++c) Policy::Update::settle(buffers.offset[i][c], buffers.offset_residual[i][c]);
            for (int c = 0; c < 4; ++c) Policy::Update::settle(buffers.velocity[i][c], buffers.velocity_residual[i][c]);
        }
        if (!problem.given.empty()) detail::give<Policy, D>(problem.given[k], buffers, i);
        buffers.offset[i].w = tracking.pressure_term_at(buffers.velocity[i].w);
    });
    return buffers;
}

template <class Policy, int D>
Buffers<Policy> initial_buffers(const Problem& problem)
{
    return initial_buffers<Policy, D>(problem, problem.particles.size(), [](std::size_t i) { return i; });
}

}  // namespace halfulp
