// Differential operators at all particles by any form of the search by buckets: the work of one particle, which serves
// a thread of the host and of a device, and the host's loop over particles.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/particles/field.hpp"
#include "kernels/differential_operators.hpp"
#include "validation/differential/buckets.hpp"

namespace halfulp::differential {

// Rounded once to the number type.
template <class T>
struct OperatorConstants {
    T reach;
    T inverse_reach;
    T gradient;       // d/n0
    T laplacian;      // 2d/(lambda0 n0)
    T inverse_scale;  // of LSMPS
};

// reach: r_e over the spacing, which is 1.
template <class Domain, class T>
OperatorConstants<T> operator_constants(double reach)
{
    const auto lattice = lattice_constants<3, Domain>(reach);
    return {static_cast<T>(reach), static_cast<T>(1 / reach), static_cast<T>(3 / lattice.number_density),
            static_cast<T>(6 / (lattice.spread * lattice.number_density)), static_cast<T>(1 / 1.5)};
}

// What an operator sums and gives: a vector, or a number in the fourth component.
struct GradientByMps {
    static constexpr const char* name = "gradient";
    template <class T>
    struct Sums : MpsGradient<3, T, PlainSum<T>> {
        HALFULP_INLINE void take(const T& weight, const Vec<3, T>& r, const T& f, const OperatorConstants<T>& /*c*/)
        {
            this->add(weight, r, f);
        }
        HALFULP_INLINE Four<T> result(const OperatorConstants<T>& c) const
        {
            const Vec<3, T> gradient = this->value(c.gradient);
            return {gradient[0], gradient[1], gradient[2], T(0)};
        }
    };
};
struct LaplacianByMps {
    static constexpr const char* name = "Laplacian";
    template <class T>
    struct Sums : MpsLaplacian<T, PlainSum<T>> {
        HALFULP_INLINE void take(const T& weight, const Vec<3, T>& r, const T& f, const OperatorConstants<T>& /*c*/)
        {
            this->add(weight, r, f);
        }
        HALFULP_INLINE Four<T> result(const OperatorConstants<T>& c) const
        {
            return {T(0), T(0), T(0), this->value(c.laplacian)};
        }
    };
};
struct GradientByLsmps {
    static constexpr const char* name = "LSMPS";
    template <class T>
    struct Sums : LinearFit<3, T, PlainSum<T>> {
        HALFULP_INLINE void take(const T& weight, const Vec<3, T>& r, const T& f, const OperatorConstants<T>& c)
        {
            this->add(weight, r, f, c.inverse_scale);
        }
        HALFULP_INLINE Four<T> result(const OperatorConstants<T>& c) const
        {
            const Vec<3, T> gradient = this->template value<FusedProducts>(c.inverse_scale).x;
            return {gradient[0], gradient[1], gradient[2], T(0)};
        }
    };
};

// At the particle of a place. particles: x, y, z and the field, by place in the structure's order.
template <class Operator, class Domain, class T, class View, class Loops>
HALFULP_INLINE Four<T> operator_at(const View& structure, const Loops& loops, const Four<T>* particles,
                                   std::int32_t bucket, std::uint32_t place, const OperatorConstants<T>& constants)
{
    typename Operator::template Sums<T> sums{};
    const Four<T> own = particles[place];
    loops.around(structure, bucket, [&](std::uint32_t other) {
        const Four<T> there = particles[other];
        const Vec<3, T> r{{there.x - own.x, there.y - own.y, there.z - own.z}};
        if (other == place || !Domain::contains(r, constants.reach)) return;
        sums.take(Domain::weight(r, constants.inverse_reach), r, there.w - own.w, constants);
    });
    return sums.result(constants);
}

// What a search works on, in the order of its structure.
template <class T>
struct InOrder {
    std::vector<Four<T>> particles;
    std::vector<std::int32_t> bucket;

    template <class Structure>
    InOrder(const Structure& structure, const std::vector<Four<T>>& all, const std::vector<std::int32_t>& bucket_of)
    {
        for (const std::uint32_t i : structure.order()) {
            particles.push_back(all[i]);
            bucket.push_back(bucket_of[i]);
        }
    }
};

// At all particles, by place, on the threads of OpenMP.
template <class Operator, class Domain, class T, class View, class Loops>
void apply_operator(const View& structure, const Loops& loops, const InOrder<T>& in_order,
                    const OperatorConstants<T>& constants, std::vector<Four<T>>& results)
{
    results.resize(in_order.particles.size());
#pragma omp parallel for schedule(dynamic, 256)
    for (std::size_t k = 0; k < results.size(); ++k) {
        results[k] = operator_at<Operator, Domain>(structure, loops, in_order.particles.data(), in_order.bucket[k],
                                                   static_cast<std::uint32_t>(k), constants);
    }
}

}  // namespace halfulp::differential
