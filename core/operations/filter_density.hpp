// The operation filter_density: the fluid's filtered density (kernels/density_filter.hpp), in some steps.
#pragma once

#include "core/operations/pair_pass.hpp"
#include "kernels/density_filter.hpp"

namespace halfulp {

struct FilterDensity {
    static constexpr OperationInfo info{"filter_density", TargetOfOperation::pairs, Stage::density};
    static constexpr bool needed(const Physics& physics) { return physics.density_filter != DensityFilter::none; }
    static constexpr bool in_every_policy = false;

    using Reads = Parts<>;
    using NeighbourReads = Parts<Part<field::KindOf>, Part<field::Velocity, scalar>>;
    using Writes = Parts<Part<field::FilteredDensity>>;

    template <class Policy, int D, class T, class Kernel>
    struct Pass;
};

template <class Policy, int D, class T, class Kernel>
struct FilterDensity::Pass : PairPass<Policy, D, T, FilterDensity> {
    using Base = PairPass<Policy, D, T, FilterDensity>;
    using Base::constants, Base::data, Base::p;
    using typename Base::Data, typename Base::Place, typename Base::Real, typename Base::Sum;

    bool linear;

    HALFULP_INLINE explicit Pass(const Data& all) : Base(all), linear(keeps_linear_density(all.physics.density_filter))
    {
    }

    struct Target {
        Place place;
        Sum weights;
        Sum densities;
        Sum places[D];
        Sum squares[triangle<D>];
        Sum products[D];
    };

    HALFULP_INLINE bool wants(const TargetRange& range) const { return range.fluid_lanes != 0; }
    HALFULP_INLINE Target begin(const TargetRange& range) const
    {
        Target a{this->places(range), {}, {}, {}, {}, {}};
        const CentredDensity<T> own = this->centred(a.place.motion.w);
        const T weight = filter_weight(Kernel::shape(constant<T>(0)), own);
        a.weights.add(weight);
        a.densities.add(weight * own.s);
        return a;
    }
    HALFULP_INLINE void add(Target& a, const Neighbour<D, T>& b) const
    {
        if (b.wall) return;
        const CentredDensity<T> s = this->centred(T(data.velocity[b.index].w));
        const T q = Base::Distance::length(b.r) * p.inverse_smoothing_length;
        const T weight = masked(b.lanes, filter_weight(Kernel::shape(q), s));
        const T density = weight * s.s;
        a.weights.add(weight);
        a.densities.add(density);
        if (!linear) return;
        int element = 0;
        for (int i = 0; i < D; ++i) {
            const T along = weight * b.r[i];
            a.places[i].add(along);
            a.products[i].add(density * b.r[i]);
            for (int j = i; j < D; ++j) a.squares[element++].add(along * b.r[j]);
        }
    }
    HALFULP_INLINE Real finish(const Target& a, const TargetRange& range) const
    {
        const T weights = a.weights.value();
        T value = a.densities.value() / weights;
        if (linear) {
            Vec<D, T> place;
            Vec<D, T> products;
            T squares[triangle<D>];
            for (int i = 0; i < D; ++i) place[i] = a.places[i].value() / weights;
            for (int i = 0; i < D; ++i) products[i] = a.products[i].value() / weights;
            for (int k = 0; k < triangle<D>; ++k) squares[k] = a.squares[k].value() / weights;
            value = fitted_value(value, place, squares, products);
        }
        this->for_lanes(range.fluid_lanes, range, [&](int k, std::uint32_t particle) {
            data.filtered_density[particle] = static_cast<double>(get_lane(value, k));
        });
        return 0;
    }
};

}  // namespace halfulp
