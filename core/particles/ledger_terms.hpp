// The contribution of one particle to the sums of the energy ledger, for every back end.
#pragma once

#include "core/particles/particle_view.hpp"
#include "kernels/energy.hpp"
#include "kernels/state_equation.hpp"

namespace halfulp {

// The exact sums; works, momentum and angular momentum have several components.
struct LedgerSum {
    static constexpr int kinetic = 0, potential = 1, compressive_fluid = 2, compressive_wall = 3, central = 4, work = 5,
                         momentum = work + static_cast<int>(works.size()), angular_momentum = momentum + 3,
                         count = angular_momentum + 3;
};

// Constants of the terms, from a domain. Positions are in cell sides, the constants in units of the state.
template <int D>
struct LedgerConstants {
    Vec<D, double> gravity{};
    Vec<D, double> datum{};
    Vec<D, double> centre{};
    double stiffness = 0;
    double central_stiffness = 0;

    explicit LedgerConstants(const Domain& domain) : stiffness(static_cast<double>(domain.parameters.stiffness))
    {
        const auto side = static_cast<double>(domain.parameters.cell_side);
        for (int c = 0; c < D; ++c) {
            const auto axis = static_cast<std::size_t>(c);
            gravity[c] = domain.period[axis] == 0 ? static_cast<double>(domain.parameters.gravity[c]) * side : 0;
            datum[c] = domain.datum[axis];
            centre[c] = domain.centre[axis];
        }
        central_stiffness = static_cast<double>(domain.parameters.central_stiffness) * (side * side);
    }
};

// sink has add(sum, term) for the exact sums and raise_speed(u.u), raise_density(|s|), raise_front(x) for the maxima
// over the fluid.
template <class Policy, int D, class Sink>
HALFULP_INLINE void add_to_ledger(const ParticleView<Policy>& particles, const Domain& domain,
                                  const LedgerConstants<D>& constants, std::size_t i, Sink& sink)
{
    const double s = density_of(particles, domain, i);
    const double compressive =
        compressive_energy(domain.physics.state_equation, CentredDensity<double>{s}, constants.stiffness);
    for (std::size_t k = 0; k < works.size(); ++k) {
        if (done_in(domain.physics, static_cast<Work>(k)))
            sink.add(LedgerSum::work + static_cast<int>(k), particles.work[k][i]);
    }
    if (particles.kind[i] == Kind::wall) {
        // The density of extrapolated walls stores no energy: their pressure does work instead.
        if (!follow_the_fluid(domain.physics.walls)) sink.add(LedgerSum::compressive_wall, compressive);
        return;
    }
    const auto u = velocity_of<Policy, D>(particles, i);
    const auto x = position_of<Policy, D>(particles, domain, i);
    sink.add(LedgerSum::compressive_fluid, compressive);
    sink.add(LedgerSum::kinetic, kinetic_energy(u));
    sink.add(LedgerSum::potential, potential_energy(constants.gravity, x - constants.datum));
    if (domain.physics.central_force)
        sink.add(LedgerSum::central, central_energy(constants.central_stiffness, x - constants.centre));
    for (int c = 0; c < D; ++c) sink.add(LedgerSum::momentum + c, u[c]);
    // Each product enters the exact sum on its own, so that cancellation is exact.
    const auto add_moment = [&](int axis, int a, int b) {
        sink.add(LedgerSum::angular_momentum + axis, x[a] * u[b]);
        sink.add(LedgerSum::angular_momentum + axis, -(x[b] * u[a]));
    };
    add_moment(2, 0, 1);
    if constexpr (D == 3) {
        add_moment(0, 1, 2);
        add_moment(1, 2, 0);
    }
    sink.raise_speed(dot(u, u));
    sink.raise_density(magnitude(s));
    sink.raise_front(x[0]);
}

}  // namespace halfulp
