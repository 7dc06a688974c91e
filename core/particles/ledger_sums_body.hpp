// The sums of the energy ledger, for every policy. Included where a policy is instantiated.
#pragma once

#include <algorithm>
#include <limits>

#include "core/particles/report.hpp"
#include "kernels/energy.hpp"
#include "kernels/state_equation.hpp"
#include "precision/exact_sum.hpp"

namespace halfulp {

namespace detail {

struct ExactSums {
    ExactSum kinetic, potential, compressive_fluid, compressive_wall, central;
    std::array<ExactSum, works.size()> work;
    std::array<ExactSum, 3> momentum;
    std::array<ExactSum, 3> angular_momentum;

    void merge(const ExactSums& other)
    {
        kinetic.merge(other.kinetic);
        potential.merge(other.potential);
        compressive_fluid.merge(other.compressive_fluid);
        compressive_wall.merge(other.compressive_wall);
        central.merge(other.central);
        for (std::size_t k = 0; k < work.size(); ++k) work[k].merge(other.work[k]);
        for (std::size_t c = 0; c < 3; ++c) momentum[c].merge(other.momentum[c]);
        for (std::size_t c = 0; c < 3; ++c) angular_momentum[c].merge(other.angular_momentum[c]);
    }
};

}  // namespace detail

template <class Policy, int D>
LedgerSums ledger_sums(const ParticleView<Policy>& particles, const Frame& frame)
{
    const std::size_t count = particles.count;
    const auto stiffness = static_cast<double>(frame.parameters.stiffness);
    // Positions are in cell sides, the constants in units of the state.
    const auto side = static_cast<double>(frame.parameters.cell_side);
    Vec<D, double> gravity{};
    Vec<D, double> datum{};
    for (int c = 0; c < D; ++c) {
        const bool closed = frame.period[static_cast<std::size_t>(c)] == 0;
        gravity[c] = closed ? static_cast<double>(frame.parameters.gravity[c]) * side : 0;
        datum[c] = frame.datum[c];
    }
    Vec<D, double> centre{};
    for (int c = 0; c < D; ++c) centre[c] = frame.centre[static_cast<std::size_t>(c)];
    const double central_stiffness = static_cast<double>(frame.parameters.central_stiffness) * (side * side);
    detail::ExactSums sums;
    double max_speed2 = 0;
    double max_density = 0;
    double front = -std::numeric_limits<double>::infinity();
#pragma omp parallel reduction(max : max_speed2, max_density, front)
    {
        detail::ExactSums part;
#pragma omp for schedule(static)
        for (std::size_t i = 0; i < count; ++i) {
            const double s = density_of(particles, frame, i);
            const double compressive =
                compressive_energy(frame.physics.state_equation, CentredDensity<double>{s}, stiffness);
            for (std::size_t k = 0; k < works.size(); ++k) {
                if (done_in(frame.physics, works[k].work)) part.work[k].add(particles.work[k][i]);
            }
            if (particles.kind[i] == Kind::wall) {
                part.compressive_wall.add(compressive);
                continue;
            }
            const auto u = velocity_of<Policy, D>(particles, i);
            const auto x = position_of<Policy, D>(particles, frame, i);
            part.compressive_fluid.add(compressive);
            part.kinetic.add(kinetic_energy(u));
            part.potential.add(potential_energy(gravity, x - datum));
            if (frame.physics.central_force) part.central.add(central_energy(central_stiffness, x - centre));
            for (int c = 0; c < D; ++c) part.momentum[c].add(u[c]);
            // Product by product into the exact sum, so that what should cancel does.
            const auto add_moment = [&](std::size_t axis, int a, int b) {
                part.angular_momentum[axis].add(x[a] * u[b]);
                part.angular_momentum[axis].add(-(x[b] * u[a]));
            };
            add_moment(2, 0, 1);
            if constexpr (D == 3) {
                add_moment(0, 1, 2);
                add_moment(1, 2, 0);
            }
            max_speed2 = larger(max_speed2, dot(u, u));
            max_density = larger(max_density, magnitude(s));
            front = larger(front, x[0]);
        }
#pragma omp critical
        sums.merge(part);
    }
    LedgerSums result{.kinetic = sums.kinetic.value(),
                      .potential = sums.potential.value(),
                      .compressive_fluid = sums.compressive_fluid.value(),
                      .compressive_wall = sums.compressive_wall.value(),
                      .central = sums.central.value(),
                      .work = {},
                      .momentum = {},
                      .angular_momentum = {},
                      .max_speed = square_root(max_speed2),
                      .max_density_deviation = max_density,
                      .front = front};
    for (std::size_t k = 0; k < works.size(); ++k) result.work[k] = sums.work[k].value();
    for (std::size_t c = 0; c < 3; ++c) result.momentum[c] = sums.momentum[c].value();
    for (std::size_t c = 0; c < 3; ++c) result.angular_momentum[c] = sums.angular_momentum[c].value();
    return result;
}

}  // namespace halfulp
