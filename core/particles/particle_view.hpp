// The particles as plain pointers, into the memory of whichever back end holds them; and reading one of them in double
// precision, whatever the policy.
#pragma once

#include "core/particles/buffers.hpp"
#include "core/particles/frame.hpp"
#include "kernels/vector.hpp"

namespace halfulp {

// See Buffers; those that the policy and the physics do not use are null.
template <class Policy>
struct ParticleView {
    using Real = typename Policy::Real;

    std::size_t count = 0;
    Four<std::int32_t>* cell = nullptr;
    Kind* kind = nullptr;
    Four<double>* coordinate = nullptr;
    Four<double>* anchor = nullptr;
    Four<Real>* mirror_image = nullptr;
    Four<Real>* offset = nullptr;
    Four<Real>* velocity = nullptr;
    Four<Real>* offset_residual = nullptr;
    Four<Real>* velocity_residual = nullptr;
    Four<Real>* reference = nullptr;
    Four<Real>* smoothing = nullptr;
    Four<Real>* shifting = nullptr;
    double* work[works.size()] = {};
    Four<Real>* rate = nullptr;
    Four<Real>* artificial_rate = nullptr;
    Four<Real>* laminar_rate = nullptr;
    Four<Real>* tensile_rate = nullptr;
    Four<Real>* inertial_rate = nullptr;
    double* diffusion_rate = nullptr;
    Four<Real>* density_gradient = nullptr;
    double* filtered_density = nullptr;
    Four<Real>* wall_extrapolation = nullptr;

    // The residuals of one particle; zeros in a policy that keeps none.
    HALFULP_INLINE Four<Real> offset_residual_of(std::size_t i) const
    {
        if constexpr (Policy::Update::has_residual) return offset_residual[i];
        else return Four<Real>{};
    }
    HALFULP_INLINE Four<Real> velocity_residual_of(std::size_t i) const
    {
        if constexpr (Policy::Update::has_residual) return velocity_residual[i];
        else return Four<Real>{};
    }
    HALFULP_INLINE double* work_of(Work kind) const { return work[static_cast<std::size_t>(kind)]; }
};

template <class Policy, template <class> class Vector>
ParticleView<Policy> view_of(Buffers<Policy, Vector>& buffers)
{
    ParticleView<Policy> view{.count = buffers.count(),
                              .cell = buffers.cell.data(),
                              .kind = buffers.kind.data(),
                              .coordinate = buffers.coordinate.data(),
                              .anchor = buffers.anchor.data(),
                              .mirror_image = buffers.mirror_image.data(),
                              .offset = buffers.offset.data(),
                              .velocity = buffers.velocity.data(),
                              .offset_residual = buffers.offset_residual.data(),
                              .velocity_residual = buffers.velocity_residual.data(),
                              .reference = buffers.reference.data(),
                              .smoothing = buffers.smoothing.data(),
                              .shifting = buffers.shifting.data(),
                              .work = {},
                              .rate = buffers.rate.data(),
                              .artificial_rate = buffers.artificial_rate.data(),
                              .laminar_rate = buffers.laminar_rate.data(),
                              .tensile_rate = buffers.tensile_rate.data(),
                              .inertial_rate = buffers.inertial_rate.data(),
                              .diffusion_rate = buffers.diffusion_rate.data(),
                              .density_gradient = buffers.density_gradient.data(),
                              .filtered_density = buffers.filtered_density.data(),
                              .wall_extrapolation = buffers.wall_extrapolation.data()};
    for (std::size_t k = 0; k < works.size(); ++k) view.work[k] = buffers.work[k].data();
    return view;
}

// For reading alone.
template <class Policy, template <class> class Vector>
ParticleView<Policy> view_of(const Buffers<Policy, Vector>& buffers)
{
    return view_of(const_cast<Buffers<Policy, Vector>&>(buffers));
}

// x relative to the case's origin, in cell sides, residual included; within [0, period) where there is one.
template <class Policy, int D>
HALFULP_INLINE Vec<D, double> position_of(const ParticleView<Policy>& particles, const Frame& frame, std::size_t i)
{
    using Position = typename Policy::Position;
    const auto residual = particles.offset_residual_of(i);
    const auto side = static_cast<double>(frame.parameters.cell_side);
    Vec<D, double> x;
    for (int c = 0; c < D; ++c) {
        const auto origin = static_cast<double>(frame.origin[static_cast<std::size_t>(c)]);
        if constexpr (Position::in_double) {
            x[c] = particles.coordinate[i][c] / side - origin;
        } else if constexpr (Position::relative_to_cell) {
            const auto cells =
                static_cast<double>(std::int64_t(particles.cell[i][c]) - frame.origin[static_cast<std::size_t>(c)]);
            const double offset = static_cast<double>(particles.offset[i][c]) + static_cast<double>(residual[c]);
            x[c] = cells + (Policy::Units::cell_is_one ? offset : offset / side);
        } else {
            // The coordinate first, so that a residual is not lost in it.
            x[c] =
                (static_cast<double>(particles.offset[i][c]) / side - origin) + static_cast<double>(residual[c]) / side;
        }
        const double period = frame.period[static_cast<std::size_t>(c)];
        if (period > 0 && x[c] < 0) x[c] += period;
        else if (period > 0 && x[c] >= period) x[c] -= period;
    }
    return x;
}

// x relative to the centre of a cell, in cell sides, residual included, less `offset`; of the nearest image where there
// is a period. Cells are subtracted as integers, so that nothing is lost far from the origin.
template <class Policy, int D>
HALFULP_INLINE Vec<D, double> position_relative_to(const ParticleView<Policy>& particles, const Frame& frame,
                                                   std::size_t i, const Vec<D, std::int32_t>& cell,
                                                   const Vec<D, double>& offset)
{
    using Position = typename Policy::Position;
    Vec<D, double> r;
    if constexpr (Position::relative_to_cell && !Position::in_double) {
        const auto residual = particles.offset_residual_of(i);
        const auto side = static_cast<double>(frame.parameters.cell_side);
        for (int c = 0; c < D; ++c) {
            const auto cells = static_cast<double>(std::int64_t(particles.cell[i][c]) - cell[c]);
            const double own = static_cast<double>(particles.offset[i][c]) + static_cast<double>(residual[c]);
            r[c] = cells + ((Policy::Units::cell_is_one ? own : own / side) - offset[c]);
        }
    } else {
        r = position_of<Policy, D>(particles, frame, i);
        for (int c = 0; c < D; ++c) {
            const auto axis = static_cast<std::size_t>(c);
            const auto cells = static_cast<double>(std::int64_t(cell[c]) - frame.origin[axis]);
            r[c] = r[c] - (cells + offset[c]);
        }
    }
    for (int c = 0; c < D; ++c) {
        const double period = frame.period[static_cast<std::size_t>(c)];
        if (r[c] < -0.5 * period) r[c] += period;
        else if (period > 0 && r[c] >= 0.5 * period) r[c] -= period;
    }
    return r;
}

template <class Policy, int D>
HALFULP_INLINE Vec<D, double> position_relative_to(const ParticleView<Policy>& particles, const Frame& frame,
                                                   std::size_t i, const CellPosition& place)
{
    Vec<D, std::int32_t> cell;
    Vec<D, double> offset;
    for (int c = 0; c < D; ++c) {
        const auto axis = static_cast<std::size_t>(c);
        cell[c] = place.cell[axis];
        offset[c] = static_cast<double>(place.offset[axis]);
    }
    return position_relative_to<Policy, D>(particles, frame, i, cell, offset);
}

// In velocity units, residual included.
template <class Policy, int D>
HALFULP_INLINE Vec<D, double> velocity_of(const ParticleView<Policy>& particles, std::size_t i)
{
    const auto residual = particles.velocity_residual_of(i);
    Vec<D, double> u;
    for (int c = 0; c < D; ++c) u[c] = static_cast<double>(particles.velocity[i][c]) + static_cast<double>(residual[c]);
    return u;
}

// rho/rho0 - 1, residual included.
template <class Policy>
HALFULP_INLINE double density_of(const ParticleView<Policy>& particles, const Frame& frame, std::size_t i)
{
    const double stored =
        static_cast<double>(particles.velocity[i].w) + static_cast<double>(particles.velocity_residual_of(i).w);
    return Policy::Density::centred(stored, static_cast<double>(frame.parameters.reference_density)).s;
}

}  // namespace halfulp
