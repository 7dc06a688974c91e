// The contribution of one particle to the sums of a probe, for every back end, and the meaning of the sums.
//
// V = m/rho is a particle's volume, W the case's kernel with smoothing length h, W_k the same kernel normalised in k
// dimensions; r is the particle's position relative to the probe point.
//   pressure  sum P V W(|r|) and sum V W(|r|), over the fluid and over walls; their ratio is Shepard's interpolation
//             (Shepard 1968, Proc. 23rd ACM Nat. Conf., 517)
//   velocity  sum u V W(|r|) over sum V W(|r|), of the fluid
//   level     sum V W_(D-1)(horizontal part of r), of the fluid: the water depth, without entrapped air
//   force     sum f and sum r x f, f = m du/dt of the wall: the fluid's force on it (core/operations/find_forces.hpp)
//   flow      sum V (u.n) W_1(r.n), of the fluid
#pragma once

#include <array>
#include <vector>

#include "core/particles/particle_view.hpp"
#include "core/particles/point_constants.hpp"
#include "core/setup/probe_place.hpp"
#include "kernels/state_equation.hpp"
#include "precision/exact_sum.hpp"

namespace halfulp {

// The exact sums of a probe point, by measured quantity.
struct ProbeSum {
    static constexpr int pressure_fluid = 0, weight_fluid = 1, pressure_wall = 2, weight_wall = 3;
    static constexpr int velocity = 0, weight = 3;
    static constexpr int level = 0;
    static constexpr int force = 0, moment = 3;
    static constexpr int flow = 0;
    static constexpr int count = 6;
};

// Rounded to double, in units of the state: pressures over rho0, accelerations; lengths in cell sides; dimensionless
// weights.
using ProbeSums = std::array<double, ProbeSum::count>;

// Exact sums as they are gathered: the result has the same bits for any order and partition.
struct ProbeTotals {
    std::array<ExactSum, ProbeSum::count> exact;

    void add(int sum, double term) { exact[static_cast<std::size_t>(sum)].add(term); }
    void merge(const ProbeTotals& other)
    {
        for (std::size_t k = 0; k < exact.size(); ++k) exact[k].merge(other.exact[k]);
    }
    [[nodiscard]] ProbeSums sums() const
    {
        ProbeSums rounded;
        for (std::size_t k = 0; k < exact.size(); ++k) rounded[k] = exact[k].value();
        return rounded;
    }
};

// Constants of the terms, from a domain.
template <int D>
struct ProbeConstants : PointConstants<D> {
    double stiffness;
    // The volume of a particle at rest times the normalisation of W_(D-1) and W_1.
    double level_weight;  // cell sides
    double flow_weight;   // cell sides^(D-1)

    explicit ProbeConstants(const Domain& domain)
        : PointConstants<D>(domain), stiffness(static_cast<double>(domain.parameters.stiffness))
    {
        const double h = this->smoothing_length;
        const double in_line = D == 3 ? h * h : h;  // h^(D-1)
        with_kernel(this->kernel, [&](auto chosen) {
            level_weight = this->volume / in_line * chosen.normalisation(D - 1);
            flow_weight = this->volume / h * chosen.normalisation(1);
        });
    }
};

// sink has add(sum, term) for the exact sums. Particles beyond the kernel's support, or of another body, add nothing.
template <class Policy, int D, class Sink>
HALFULP_INLINE void add_to_probe(const ParticleView<Policy>& particles, const Domain& domain,
                                 const ProbeConstants<D>& constants, const ProbePlace& place, std::size_t i, Sink& sink)
{
    using Measure = Probe::Measure;
    const Measure measures = place.measures;
    const bool fluid = particles.kind[i] == Kind::fluid;
    if (measures == Measure::force) {
        if (particles.body[i] != place.body) return;
    } else if (measures != Measure::pressure && !fluid) {
        return;
    }

    const Vec<D, double> r = position_relative_to<Policy, D>(particles, domain, i, place.at);
    if (measures == Measure::force) {
        Vec<D, double> a;
        for (int c = 0; c < D; ++c) {
            a[c] = static_cast<double>(particles.rate[i][c]);
            sink.add(ProbeSum::force + c, a[c]);
        }
        // Each product enters the exact sum on its own, so that cancellation is exact.
        const auto add_moment = [&](int axis, int b, int c) {
            sink.add(ProbeSum::moment + axis, r[b] * a[c]);
            sink.add(ProbeSum::moment + axis, -(r[c] * a[b]));
        };
        add_moment(2, 0, 1);
        if constexpr (D == 3) {
            add_moment(0, 1, 2);
            add_moment(1, 2, 0);
        }
        return;
    }

    double distance2 = 0;
    double across = 0;  // flow: the distance from the plane
    if (measures == Measure::flow) {
        for (int c = 0; c < D; ++c) across = fma(r[c], place.normal[static_cast<std::size_t>(c)], across);
        distance2 = across * across;
    } else {
        for (int c = 0; c < D; ++c) {
            if (measures != Measure::level || c != place.axis) distance2 = fma(r[c], r[c], distance2);
        }
    }
    if (!(distance2 < constants.support2)) return;
    if (measures == Measure::level || measures == Measure::flow) {
        for (int c = 0; c < D; ++c) {
            const auto axis = static_cast<std::size_t>(c);
            double x = measures == Measure::flow ? fma(-across, place.normal[axis], r[c]) : r[c];
            if (domain.period[axis] > 0) {  // a box may extend beyond half a period
                if (x < place.low[axis]) x += domain.period[axis];
                else if (x >= place.high[axis]) x -= domain.period[axis];
            }
            if (!(x >= place.low[axis] && x < place.high[axis])) return;
        }
    }

    const double s = density_of(particles, domain, i);
    const double w = shape_of(constants.kernel, square_root(distance2) * constants.inverse_smoothing_length) / (1 + s);
    if (measures == Measure::pressure) {
        const double weight = constants.point_weight * w;
        const double pressure = pressure_over_reference_density(domain.physics.state_equation,
                                                                CentredDensity<double>{s}, constants.stiffness);
        sink.add(fluid ? ProbeSum::pressure_fluid : ProbeSum::pressure_wall, pressure * weight);
        sink.add(fluid ? ProbeSum::weight_fluid : ProbeSum::weight_wall, weight);
        return;
    }
    if (measures == Measure::level) {
        sink.add(ProbeSum::level, constants.level_weight * w);
        return;
    }
    const Vec<D, double> u = velocity_of<Policy, D>(particles, i);
    if (measures == Measure::velocity) {
        const double weight = constants.point_weight * w;
        for (int c = 0; c < D; ++c) sink.add(ProbeSum::velocity + c, u[c] * weight);
        sink.add(ProbeSum::weight, weight);
        return;
    }
    double through = 0;
    for (int c = 0; c < D; ++c) through = fma(u[c], place.normal[static_cast<std::size_t>(c)], through);
    sink.add(ProbeSum::flow, through * (constants.flow_weight * w));
}

// The values of probe_columns in SI units from the sums over the points of a probe; `place` is any of them. An empty
// mean is 0.
std::vector<double> probe_values(const ProbePlace& place, const ProbeSums& sums, const Units& units, int dimensions);

}  // namespace halfulp
