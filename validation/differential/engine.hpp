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
template <template <class> class Sum, class Products>
struct LsmpsWith {
    static constexpr const char* name = "LSMPS";
    template <class T>
    struct Sums : LinearFit<3, T, Sum<T>> {
        HALFULP_INLINE void take(const T& weight, const Vec<3, T>& r, const T& f, const OperatorConstants<T>& c)
        {
            this->add(weight, r, f, c.inverse_scale);
        }
        HALFULP_INLINE Four<T> result(const OperatorConstants<T>& c) const
        {
            const Vec<3, T> gradient = this->template value<Products>(c.inverse_scale).x;
            return {gradient[0], gradient[1], gradient[2], T(0)};
        }
    };
};
using GradientByLsmps = LsmpsWith<PlainSum, FusedProducts>;
// With the arithmetic of the solver's pass, so that searches alone differ.
using CompensatedLsmps = LsmpsWith<KbnSum, ExactProducts>;

// At the particle of a place, which the structure finds under a key. particles: x, y, z and the field, by place.
template <class Operator, class Domain, class T, class View, class Loops>
HALFULP_INLINE Four<T> operator_at(const View& structure, const Loops& loops, const Four<T>* particles,
                                   std::int32_t key, std::uint32_t place, const OperatorConstants<T>& constants)
{
    typename Operator::template Sums<T> sums{};
    const Four<T> own = particles[place];
    loops.around(structure, key, [&](std::uint32_t other) {
        const Four<T> there = particles[other];
        const Vec<3, T> r{{there.x - own.x, there.y - own.y, there.z - own.z}};
        if (other == place || !Domain::contains(r, constants.reach)) return;
        sums.take(Domain::weight(r, constants.inverse_reach), r, there.w - own.w, constants);
    });
    return sums.result(constants);
}

// Candidates, and those within the sphere and the cube, of the particle of a place; itself counts.
struct VisitsOfOne {
    std::uint32_t candidates = 0;
    std::uint32_t in_sphere = 0;
    std::uint32_t in_cube = 0;
};
template <class T, class View, class Loops>
HALFULP_INLINE VisitsOfOne visits_at(const View& structure, const Loops& loops, const Four<T>* particles,
                                     std::int32_t key, std::uint32_t place, const T& reach)
{
    VisitsOfOne visits;
    const Four<T> own = particles[place];
    loops.around(structure, key, [&](std::uint32_t other) {
        const Four<T> there = particles[other];
        const Vec<3, T> r{{there.x - own.x, there.y - own.y, there.z - own.z}};
        ++visits.candidates;
        visits.in_sphere += SphericalDomain::contains(r, reach) ? 1 : 0;
        visits.in_cube += CubicDomain::contains(r, reach) ? 1 : 0;
    });
    return visits;
}

// Particles in the order of a structure; and what it gives, by particle again.
template <class T, class Structure>
std::vector<Four<T>> in_order_of(const Structure& structure, const std::vector<Four<T>>& all)
{
    std::vector<Four<T>> ordered;
    ordered.reserve(all.size());
    for (const std::uint32_t i : structure.order()) ordered.push_back(all[i]);
    return ordered;
}
template <class T, class Structure>
std::vector<Four<T>> by_particle(const Structure& structure, const std::vector<Four<T>>& by_place)
{
    std::vector<Four<T>> of_particle(by_place.size());
    for (std::size_t k = 0; k < by_place.size(); ++k) of_particle[structure.order()[k]] = by_place[k];
    return of_particle;
}

// At all particles, by place, on the threads of OpenMP.
template <class Operator, class Domain, class T, class Structure, class Loops>
void apply_operator(const Structure& structure, const Loops& loops, const std::vector<Four<T>>& in_order,
                    const OperatorConstants<T>& constants, std::vector<Four<T>>& results)
{
    results.resize(in_order.size());
    const auto view = structure.view();
#pragma omp parallel for schedule(dynamic, 256)
    for (std::size_t k = 0; k < results.size(); ++k) {
        results[k] = operator_at<Operator, Domain>(view, loops, in_order.data(), structure.keys()[k],
                                                   static_cast<std::uint32_t>(k), constants);
    }
}

}  // namespace halfulp::differential
