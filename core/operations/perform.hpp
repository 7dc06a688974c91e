// The loop body of an operation on particles, for every back end: the update followed by its bookings, or a
// measurement.
#pragma once

#include <type_traits>

#include "core/operations/operation.hpp"
#include "core/particles/breakdown.hpp"
#include "core/particles/particle_constants.hpp"
#include "core/particles/particle_view.hpp"

namespace halfulp {

template <class Operation, class Policy, int D>
concept Updates = requires
{
    typename Operation::template Update<Policy, D>;
};
template <class Operation, class Policy, int D>
concept Books = requires
{
    typename Operation::template Booking<Policy, D>;
};
template <class Operation, class Policy, int D>
concept Measures = requires
{
    typename Operation::template Measure<Policy, D>;
};
namespace detail {

template <class Operation, class Policy, int D>
HALFULP_INLINE unsigned broken_after_one(const ParticleTracking<Policy, D>& tracking, std::size_t i,
                                         typename Policy::Real length)
{
    if constexpr (requires { Operation::rule; })
        return breaks(tracking, Operation::rule, i, length) ? bit_of(Operation::rule) : 0;
    return 0;
}

template <class... Operation>
constexpr unsigned rules_of(OperationList<Operation...> /*list*/)
{
    const auto rule_of = []<class One>(std::type_identity<One>) {
        if constexpr (requires { One::rule; }) return bit_of(One::rule);
        return 0U;
    };
    return (rule_of(std::type_identity<Operation>{}) | ... | 0U);
}

}  // namespace detail

// The rules that an operation is checked against, as bits (bit_of).
template <class Operation>
inline constexpr unsigned rules_of = detail::rules_of(InOrderOf<Operation>{});

// Those of these rules that particle i breaks after the operation, as bits.
template <class Operation, class Policy, int D>
HALFULP_INLINE unsigned broken_after(const ParticleTracking<Policy, D>& tracking, std::size_t i,
                                     typename Policy::Real length)
{
    return []<class... One>(OperationList<One...>, const auto& tracking, std::size_t i, auto length) {
        return (detail::broken_after_one<One, Policy, D>(tracking, i, length) | ... | 0U);
    }(InOrderOf<Operation>{}, tracking, i, length);
}

namespace detail {

// Returns the measurement, or 0.
template <class Operation, class Policy, int D>
HALFULP_INLINE double perform_one(const ParticleView<Policy>& particles, const ParticleConstants<Policy, D>& constants,
                                  std::size_t i, const Interval<typename Policy::Real>& interval)
{
    if constexpr (requires { typename Operation::Whole; }) {
        const Interval<typename Policy::Real> half{interval.length * typename Policy::Real(0.5), false,
                                                   interval.booked};
        return perform_one<typename Operation::Whole>(particles, constants, i, half);
    } else if constexpr (Measures<Operation, Policy, D>) {
        const typename Operation::template Measure<Policy, D> measure(particles, constants);
        return measure.concerns(i) ? measure(i, interval) : 0.0;
    } else if constexpr (Updates<Operation, Policy, D>) {
        const typename Operation::template Update<Policy, D> update(particles, constants);
        if (!update.concerns(i)) return 0;
        if constexpr (Books<Operation, Policy, D>) {
            const auto change = update(i, interval);
            const typename Operation::template Booking<Policy, D> book(particles, constants);
            if (interval.booked) book(i, change, interval);
        } else {
            update(i, interval);
        }
    } else if constexpr (Books<Operation, Policy, D>) {
        const typename Operation::template Booking<Policy, D> book(particles, constants);
        if (interval.booked && book.concerns(i)) book(i, interval);
    }
    return 0;
}

template <class Policy, int D, class... Operation>
HALFULP_INLINE double perform_all(OperationList<Operation...> /*list*/, const ParticleView<Policy>& particles,
                                  const ParticleConstants<Policy, D>& constants, std::size_t i,
                                  const Interval<typename Policy::Real>& interval)
{
    double last = 0;
    ((last = perform_one<Operation>(particles, constants, i, interval)), ...);  // in this order
    return last;
}

}  // namespace detail

// Returns the measurement, or 0.
template <class Operation, class Policy, int D>
HALFULP_INLINE double perform(const ParticleView<Policy>& particles, const ParticleConstants<Policy, D>& constants,
                              std::size_t i, const Interval<typename Policy::Real>& interval)
{
    return detail::perform_all(InOrderOf<Operation>{}, particles, constants, i, interval);
}

}  // namespace halfulp
