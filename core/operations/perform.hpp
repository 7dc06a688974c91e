// The loop body of an operation on particles, for every back end: the update followed by its bookings, or a
// measurement.
#pragma once

#include "core/operations/operation.hpp"
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
template <class Operation>
concept HasRule = requires
{
    Operation::rule;
};

// Returns the measurement, or 0.
template <class Operation, class Policy, int D>
HALFULP_INLINE double perform(const ParticleView<Policy>& particles, const ParticleConstants<Policy, D>& constants,
                              std::size_t i, const Interval<typename Policy::Real>& interval)
{
    if constexpr (Measures<Operation, Policy, D>) {
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

}  // namespace halfulp
