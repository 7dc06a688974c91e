// Particles as plain pointers into the memory of the back end, and access to one of them in double precision for every
// policy.
#pragma once

#include "core/particles/buffers.hpp"
#include "core/particles/domain.hpp"
#include "kernels/vector.hpp"

namespace halfulp {

// Pointers to fields of the particles, and their number. Fields unused by the policy and the physics are null.
template <class Policy, class Fields = Members<typename Policy::Real, Pointer, AllFields>>
struct ParticleFields : Fields {
    using Real = typename Policy::Real;

    ParticleFields() = default;
    // The same particles through any type that has pointers to all these fields.
    template <class All>
    HALFULP_INLINE explicit ParticleFields(const All& all) : Fields(all), count(all.count)
    {
    }

    std::size_t count = 0;

    // The residuals of one particle; zeros in a policy without residuals.
    HALFULP_INLINE Four<Real> offset_residual_of(std::size_t i) const
    {
        if constexpr (Policy::Update::has_residual) return this->offset_residual[i];
        else return Four<Real>{};
    }
    HALFULP_INLINE Four<Real> velocity_residual_of(std::size_t i) const
    {
        if constexpr (Policy::Update::has_residual) return this->velocity_residual[i];
        else return Four<Real>{};
    }
};

template <class Policy>
using ParticleView = ParticleFields<Policy>;

namespace detail {

template <class Element, class Vector>
void point(Element*& to, Vector& buffer)
{
    to = buffer.data();
}
template <class Element, class Vector>
void point(field::Works::Member<Element*>& to, field::Works::Member<Vector>& buffers)
{
    for (std::size_t k = 0; k < works.size(); ++k) {
        to.work[k] = buffers.work[k].data();
        to.previous_work[k] = buffers.previous_work[k].data();
    }
}

}  // namespace detail

template <class Policy, template <class> class Vector>
ParticleView<Policy> view_of(Buffers<Policy, Vector>& buffers)
{
    ParticleView<Policy> view;
    view.count = buffers.count();
    for_each_field(AllFields{}, [&]<class F>() { detail::point(F::of(view), F::of(buffers)); });
    return view;
}

// For reading alone.
template <class Policy, template <class> class Vector>
ParticleView<Policy> view_of(const Buffers<Policy, Vector>& buffers)
{
    return view_of(const_cast<Buffers<Policy, Vector>&>(buffers));
}

// x relative to the case's origin, in cell sides, residual included; within [0, period) along periodic axes.
template <class Policy, int D, class Fields>
HALFULP_INLINE Vec<D, double> position_of(const ParticleFields<Policy, Fields>& particles, const Domain& domain,
                                          std::size_t i)
{
    using Position = typename Policy::Position;
    const auto residual = particles.offset_residual_of(i);
    const auto side = static_cast<double>(domain.parameters.cell_side);
    Vec<D, double> x;
    for (int c = 0; c < D; ++c) {
        const auto origin = static_cast<double>(domain.origin[static_cast<std::size_t>(c)]);
        if constexpr (Position::in_double) {
            x[c] = particles.coordinate[i][c] / side - origin;
        } else if constexpr (Position::relative_to_cell) {
            const auto cells =
                static_cast<double>(std::int64_t(particles.cell[i][c]) - domain.origin[static_cast<std::size_t>(c)]);
            const double offset = static_cast<double>(particles.offset[i][c]) + static_cast<double>(residual[c]);
            x[c] = cells + (Policy::Units::cell_is_one ? offset : offset / side);
        } else {
            // The coordinate first, so that the residual is not lost to rounding.
            x[c] =
                (static_cast<double>(particles.offset[i][c]) / side - origin) + static_cast<double>(residual[c]) / side;
        }
        const double period = domain.period[static_cast<std::size_t>(c)];
        if (period > 0 && x[c] < 0) x[c] += period;
        else if (period > 0 && x[c] >= period) x[c] -= period;
    }
    return x;
}

// x relative to the centre of a cell, in cell sides, residual included, less `offset`; of the nearest image along
// periodic axes. Cells are subtracted as integers, so no accuracy is lost far from the origin.
template <class Policy, int D, class Fields>
HALFULP_INLINE Vec<D, double> position_relative_to(const ParticleFields<Policy, Fields>& particles,
                                                   const Domain& domain, std::size_t i,
                                                   const Vec<D, std::int32_t>& cell, const Vec<D, double>& offset)
{
    using Position = typename Policy::Position;
    Vec<D, double> r;
    if constexpr (Position::relative_to_cell && !Position::in_double) {
        const auto residual = particles.offset_residual_of(i);
        const auto side = static_cast<double>(domain.parameters.cell_side);
        for (int c = 0; c < D; ++c) {
            const double cells = static_cast<double>(particles.cell[i][c]) - static_cast<double>(cell[c]);
            const double own = static_cast<double>(particles.offset[i][c]) + static_cast<double>(residual[c]);
            r[c] = cells + ((Policy::Units::cell_is_one ? own : own / side) - offset[c]);
        }
    } else {
        r = position_of<Policy, D>(particles, domain, i);
        for (int c = 0; c < D; ++c) {
            const auto axis = static_cast<std::size_t>(c);
            const auto cells = static_cast<double>(std::int64_t(cell[c]) - domain.origin[axis]);
            r[c] = r[c] - (cells + offset[c]);
        }
    }
    for (int c = 0; c < D; ++c) {
        const std::int32_t cells = domain.period[static_cast<std::size_t>(c)];
        if (cells == 0) continue;
        const double period = cells;
        if (r[c] < -0.5 * period) r[c] += period;
        else if (r[c] >= 0.5 * period) r[c] -= period;
    }
    return r;
}

template <class Policy, int D, class Fields>
HALFULP_INLINE Vec<D, double> position_relative_to(const ParticleFields<Policy, Fields>& particles,
                                                   const Domain& domain, std::size_t i, const CellPosition& place)
{
    Vec<D, std::int32_t> cell;
    Vec<D, double> offset;
    for (int c = 0; c < D; ++c) {
        const auto axis = static_cast<std::size_t>(c);
        cell[c] = place.cell[axis];
        offset[c] = static_cast<double>(place.offset[axis]);
    }
    return position_relative_to<Policy, D>(particles, domain, i, cell, offset);
}

// In velocity units, residual included.
template <class Policy, int D, class Fields>
HALFULP_INLINE Vec<D, double> velocity_of(const ParticleFields<Policy, Fields>& particles, std::size_t i)
{
    const auto residual = particles.velocity_residual_of(i);
    Vec<D, double> u;
    for (int c = 0; c < D; ++c) u[c] = static_cast<double>(particles.velocity[i][c]) + static_cast<double>(residual[c]);
    return u;
}

// rho/rho0 - 1, residual included.
template <class Policy, class Fields>
HALFULP_INLINE double density_of(const ParticleFields<Policy, Fields>& particles, const Domain& domain, std::size_t i)
{
    const double stored =
        static_cast<double>(particles.velocity[i].w) + static_cast<double>(particles.velocity_residual_of(i).w);
    return Policy::Density::centred(stored, static_cast<double>(domain.parameters.reference_density)).s;
}

}  // namespace halfulp
