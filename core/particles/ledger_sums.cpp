#include <algorithm>
#include <limits>

#include "core/particles/report.hpp"
#include "kernels/energy.hpp"
#include "kernels/state_equation.hpp"
#include "precision/exact_sum.hpp"
#include "precision/policy.hpp"

namespace halfulp {

namespace {

struct ExactSums {
    ExactSum kinetic, potential, compressive_fluid, compressive_wall, viscous_work;
    std::array<ExactSum, 3> momentum;

    void merge(const ExactSums& other)
    {
        kinetic.merge(other.kinetic);
        potential.merge(other.potential);
        compressive_fluid.merge(other.compressive_fluid);
        compressive_wall.merge(other.compressive_wall);
        viscous_work.merge(other.viscous_work);
        for (std::size_t c = 0; c < momentum.size(); ++c) momentum[c].merge(other.momentum[c]);
    }
};

}  // namespace

template <class Policy, int D>
LedgerSums ledger_sums(const Buffers<Policy>& buffers, const Frame& frame)
{
    const std::size_t count = buffers.count();
    const auto stiffness = static_cast<double>(frame.parameters.stiffness);
    Vec<D, double> gravity{};
    Vec<D, double> datum{};
    for (int c = 0; c < D; ++c) {
        gravity[c] = static_cast<double>(frame.parameters.gravity[c]);
        datum[c] = frame.datum[c];
    }
    ExactSums sums;
    double max_speed2 = 0;
    double max_density = 0;
    double front = -std::numeric_limits<double>::infinity();
#pragma omp parallel reduction(max : max_speed2, max_density, front)
    {
        ExactSums part;
#pragma omp for schedule(static)
        for (std::size_t i = 0; i < count; ++i) {
            const double s = density_of(buffers, i);
            const double compressive = compressive_energy(CentredDensity<double>{s}, stiffness);
            if (buffers.kind[i] == Kind::wall) {
                part.compressive_wall.add(compressive);
                continue;
            }
            const auto u = velocity_of<Policy, D>(buffers, i);
            const auto x = position_of<Policy, D>(buffers, frame, i);
            part.compressive_fluid.add(compressive);
            part.kinetic.add(kinetic_energy(u));
            part.potential.add(potential_energy(gravity, x - datum));
            part.viscous_work.add(buffers.viscous_work[i]);
            for (int c = 0; c < D; ++c) part.momentum[c].add(u[c]);
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
                      .viscous_work = sums.viscous_work.value(),
                      .momentum = {},
                      .max_speed = square_root(max_speed2),
                      .max_density_deviation = max_density,
                      .front = front};
    for (std::size_t c = 0; c < 3; ++c) result.momentum[c] = sums.momentum[c].value();
    return result;
}

#define HALFULP_INSTANTIATE(Policy)                                                   \
    template LedgerSums ledger_sums<Policy, 2>(const Buffers<Policy>&, const Frame&); \
    template LedgerSums ledger_sums<Policy, 3>(const Buffers<Policy>&, const Frame&);
HALFULP_FOR_EACH_POLICY(HALFULP_INSTANTIATE)
#undef HALFULP_INSTANTIATE

}  // namespace halfulp
