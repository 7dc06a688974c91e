// Fits of polynomials to fields of the fluid around its particles, by weighted least squares (LSMPS,
// kernels/differential_operators.hpp): the base of the passes over pairs that outputs alone ask for. Neighbours are the
// fluid within two smoothing lengths: a wall's velocity and pressure are those of a boundary condition, and a fit needs
// no full support.
#pragma once

#include "core/operations/pair_pass.hpp"
#include "kernels/differential_operators.hpp"

namespace halfulp {

template <class Policy, int D, class T, class Operation>
struct FluidFit : PairPass<Policy, D, T, Operation> {
    using Base = PairPass<Policy, D, T, Operation>;
    using Base::Base, Base::p;
    using typename Base::Real;

    HALFULP_INLINE bool wants(const TargetRange& range) const { return range.fluid_lanes != 0; }

    // The weight of a neighbour, zero in the lanes that do not have it.
    HALFULP_INLINE T weight_of(const Neighbour<D, T>& b) const
    {
        const T inverse_reach = constant<T>(0.5) * p.inverse_smoothing_length;
        return masked(b.lanes, SphericalDomain::weight(b.r, inverse_reach));
    }
    // The vector from the target to the neighbour.
    static HALFULP_INLINE Vec<D, T> place_of(const Neighbour<D, T>& b)
    {
        Vec<D, T> r;
        for (int i = 0; i < D; ++i) r[i] = -b.r[i];
        return r;
    }
    // The scale of the polynomial.
    HALFULP_INLINE T inverse_scale() const { return p.inverse_smoothing_length; }

    // Writes one number of each fluid lane.
    static HALFULP_INLINE void store_number(const TargetRange& range, const T& value, Real* out)
    {
        Base::for_lanes(range.fluid_lanes, range,
                        [&](int k, std::uint32_t particle) { out[particle] = get_lane(value, k); });
    }
};

// The gradients of all components of the velocity.
template <class Policy, int D, class T, class Operation>
struct VelocityFit : FluidFit<Policy, D, T, Operation> {
    using Base = FluidFit<Policy, D, T, Operation>;
    using Base::Base, Base::data;
    using typename Base::Place, typename Base::Sum;

    struct Target {
        Place place;
        Vec<D, T> u;
        LinearFit<D, T, Sum, D> fit;
    };

    HALFULP_INLINE Target begin(const TargetRange& range) const
    {
        const Place place = this->places(range);
        return {place, components<D>(place.motion), {}};
    }
    HALFULP_INLINE void add(Target& a, const Neighbour<D, T>& b) const
    {
        if (b.wall) return;
        const Vec<D, T> u = broadcast<D, T>(data.velocity[b.index]);
        T differences[D];
        for (int i = 0; i < D; ++i) differences[i] = u[i] - a.u[i];
        a.fit.add(this->weight_of(b), this->place_of(b), differences, this->inverse_scale());
    }
    HALFULP_INLINE Vec<D, T> gradient_of(const Target& a, int component) const
    {
        return a.fit.template value<ExactProducts>(this->inverse_scale(), component).x;
    }
};

}  // namespace halfulp
