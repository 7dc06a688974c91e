// ds/dt and du/dt from all pairs of particles, plainly, in long double, each with a bound on the rounding of the pair
// engine. No list, no cells, no shared code with the kernels.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "tests/core/neighbours/particle_cloud.hpp"

namespace halfulp::test {

using Long = long double;

struct Bounded {
    Long value = 0;
    Long terms = 0;  // sum of |term|
    Long error = 0;  // sum of the bounds of each term's error
    int count = 0;

    void add(Long term, Long bound)
    {
        value += term;
        terms += std::fabs(term);
        error += bound;
        if (term != 0) ++count;
    }
    // The rounding of the sum beside that of its terms: (n - 1) u sum|x| for a plain sum, u |s| + n^2 u^2 sum|x| for
    // KBN, here with n the terms that are not zero; then a factor, a product and a sum.
    [[nodiscard]] Long bound(Long u, bool plain, Long factor, Long added) const
    {
        const Long n = count;
        const Long sum = plain ? n * u * terms : u * std::fabs(value) + n * n * u * u * terms;
        return 1.01L * (factor * (error + sum + 2 * u * std::fabs(value)) + 2 * u * added);
    }
};

template <int D>
struct Expected {
    Bounded density_rate;  // these sums lack the factor pair_scale
    std::array<Bounded, D> force;
    std::array<Bounded, D> viscous;
    Long signal = 0;  // c + max |h u.r| / (r^2 + eta^2)
    int neighbours = 0;
};

// F h^2 / alpha of formulas in textbooks: Wendland C2 and the cubic spline.
inline Long gradient(const std::string& kernel, Long q)
{
    if (q >= 2) return 0;
    if (kernel == "wendland-c2") return -5 * std::pow(1 - q / 2, 3.0L);
    return q < 1 ? -3 + 9 * q / 4 : -0.75L * (2 - q) * (2 - q) / q;
}

// The largest |f'| of the two: 15/2 and 9/4.
inline Long slope(const std::string& kernel) { return kernel == "wendland-c2" ? 7.5L : 2.25L; }

template <class Policy, int D>
Expected<D> all_pairs(const Buffers<Policy>& buffers, const Parameters<3, float>& p, const std::string& kernel,
                      std::size_t a)
{
    using Real = typename Policy::Real;
    const Long u = unit_roundoff<Real>;
    const Long h = p.smoothing_length;
    const Long inverse_h = p.inverse_smoothing_length;
    const auto cubed = [](Long x) { return x * x * x; };
    Expected<D> sums;
    const Long own_speed = p.sound_speed * cubed(1 + Long(buffers.velocity[a].w));
    sums.signal = own_speed;
    for (std::size_t b = 0; b < buffers.count(); ++b) {
        if (a == b || (buffers.kind[a] == Kind::wall && buffers.kind[b] == Kind::wall)) continue;
        std::array<Long, D> r{};
        std::array<Long, D> w{};
        Long r2 = 0;
        Long approach = 0;
        Long products = 0;
        Long r_error = 0;  // of a component: (x_a - x_b) rounds to u |x_a - x_b|, adding cells to u |r|
        for (int c = 0; c < D; ++c) {
            const Long inside = Long(buffers.offset[a][c]) - Long(buffers.offset[b][c]);
            r[c] = inside + Long(std::int64_t(buffers.cell[a][c]) - buffers.cell[b][c]);
            w[c] = Long(buffers.velocity[a][c]) - Long(buffers.velocity[b][c]);
            r2 += r[c] * r[c];
            approach += w[c] * r[c];
            products += std::fabs(w[c] * r[c]);
            r_error = std::max(r_error, u * (std::fabs(inside) + std::fabs(r[c])));
        }
        const Long q = std::sqrt(r2) * inverse_h;
        // Rounding may take a particle at the very edge of the support into it or out of it.
        if (q >= 2 + 1e-4L) continue;
        if (q < 2) ++sums.neighbours;
        const Long f = gradient(kernel, q);
        // tests/kernels/pair_error_test.cpp derives 4 u q + 7 u f for an exact r; here r has an error of its own.
        const Long f_error =
            slope(kernel) * (4 * u * q + std::sqrt(Long(D)) * r_error * inverse_h) + 7 * u * std::fabs(f);
        const Long w_sum = [&] {
            Long sum = 0;
            for (const Long x : w) sum += std::fabs(x);
            return sum;
        }();
        const Long approach_error = (D + 1) * u * products + w_sum * r_error;
        sums.density_rate.add(approach * f,
                              products * f_error + approach_error * std::fabs(f) + 2 * u * products * std::fabs(f));

        const Long softened = r2 + Long(p.viscous_softening);
        if (f != 0) sums.signal = std::max(sums.signal, own_speed + h * std::fabs(approach) / softened);

        const Long s_a = buffers.velocity[a].w;
        const Long s_b = buffers.velocity[b].w;
        const Long mean_speed = Long(p.sound_speed) * (cubed(1 + s_a) + cubed(1 + s_b)) / 2;
        const Long strength = Long(p.artificial_viscosity) * h * mean_speed / (softened * (1 + (s_a + s_b) / 2));
        const Long pi = approach < 0 ? -strength * approach : 0;
        // Some 14 roundings of positive factors beside those of u.r; r^2 adds 2 |r| D r_error / softened.
        const Long pi_error = strength * (approach_error + 16 * u * std::fabs(approach) +
                                          std::fabs(approach) * 2 * D * std::sqrt(r2) * r_error / softened);
        const Long pressure_a = buffers.offset[a].w;
        const Long pressure_b = buffers.offset[b].w;
        const Long pressures = std::fabs(pressure_a) + std::fabs(pressure_b);
        const Long total = (pressure_a + pressure_b + pi) * f;
        const Long total_error =
            (pressures + pi) * f_error + (4 * u * (pressures + pi) + pi_error) * (std::fabs(f) + f_error);
        const Long viscous_error = pi * f_error + (2 * u * pi + pi_error) * (std::fabs(f) + f_error);
        for (int c = 0; c < D; ++c) {
            const Long arm = std::fabs(r[c]) + r_error;
            sums.force[c].add(total * r[c], total_error * arm + std::fabs(total) * (r_error + u * arm));
            sums.viscous[c].add(pi * f * r[c], viscous_error * arm + std::fabs(pi * f) * (r_error + u * arm));
        }
    }
    return sums;
}

}  // namespace halfulp::test
