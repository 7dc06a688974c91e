// Rounding of the pair interactions: float and double against the same functions in quad precision, from equal inputs.
//
// q has a relative error of (D/2 + 2) u, at most 4 u: D roundings of r.r, halved by the root, the root and the product.
// It moves f by slope q 4u, where slope bounds |f'|: 7.5 for Wendland C2 (15/2 t^2), 9/4 for the cubic spline. Beside
// it f has at most 7 u of its own, the sum of the pressures 1 and the product 1.
#include <gtest/gtest.h>

#include "precision/multiprecision.hpp"

#include "tests/kernels/random_pair.hpp"

namespace halfulp::test {
namespace {

template <class Kernel>
constexpr double slope = std::is_same_v<Kernel, WendlandC2> ? 7.5 : 2.25;

// A pair in quad precision, and what the bounds are made of. Not inlined: quad arithmetic is long, and compiled once is
// enough.
struct ExactPair {
    Quad q, f;       // f is |f|
    Quad pressures;  // |P_a| + |P_b|, as pressure terms
    Quad products;   // sum of |u_i r_i|
    Quad viscosity;  // Pi if all of these products closed in
    Quad total, viscous, rate;
};

template <class Kernel, int D>
[[gnu::noinline]] ExactPair exact_pair(const PairInput<D, float>& single)
{
    const auto p = test_parameters<D>().template as<D, Quad>();
    const auto in = single.template as<Quad>();
    const auto velocity = in.a.velocity - in.b.velocity;
    ExactPair exact;
    exact.q = sqrt(dot(in.r, in.r)) * p.inverse_smoothing_length;
    exact.f = abs(Kernel::gradient_shape(exact.q));
    exact.pressures = abs(in.a.pressure_term) + abs(in.b.pressure_term);
    exact.products = 0;
    for (int i = 0; i < D; ++i) exact.products += abs(velocity[i] * in.r[i]);
    exact.viscosity =
        artificial_viscosity(Quad(-exact.products), dot(in.r, in.r), in.a.density, in.b.density, p.artificial_viscosity,
                             p.smoothing_length, p.viscous_softening, p.sound_speed);
    exact.total = momentum_pair<Kernel, false>(in.r, in.a, in.b, p).total;
    exact.viscous = momentum_pair<Kernel, true>(in.r, in.a, in.b, p).viscous;
    exact.rate = continuity_pair<Kernel>(in.r, velocity, p.inverse_smoothing_length).rate;
    return exact;
}

template <class Kernel, int D, class T>
void expect_small_errors()
{
    Random random(95);
    const auto p = test_parameters<D>().template as<D, T>();
    const Quad u = unit_roundoff<T>;
    const Quad second_order("1.001");
    Quad worst = 0;
    for (int k = 0; k < 5000; ++k) {
        const auto single = random_pair<D>(random);
        const auto in = single.template as<T>();
        const ExactPair exact = exact_pair<Kernel, D>(single);
        const Quad f_error = exact.q * slope<Kernel> * 4 * u + 7 * exact.f * u;

        const Quad total_error = abs(Quad(momentum_pair<Kernel, false>(in.r, in.a, in.b, p).total) - exact.total);
        ASSERT_LE(total_error, exact.pressures * (f_error + 2 * exact.f * u) * second_order) << "q = " << exact.q;
        worst = std::max(worst, Quad(total_error / exact.pressures));

        // u_ab is rounded once a component and u.r D times.
        const auto velocity = in.a.velocity - in.b.velocity;
        const Quad rate = continuity_pair<Kernel>(in.r, velocity, p.inverse_smoothing_length).rate;
        ASSERT_LE(abs(rate - exact.rate), exact.products * (f_error + (D + 2) * exact.f * u) * second_order)
            << "q = " << exact.q;

        // Artificial viscosity: about 14 roundings of positive factors beside those of u.r.
        const Quad viscous = momentum_pair<Kernel, true>(in.r, in.a, in.b, p).viscous;
        ASSERT_LE(abs(viscous - exact.viscous), exact.viscosity * (f_error + (D + 16) * exact.f * u) * second_order)
            << "q = " << exact.q;
    }
    EXPECT_GT(worst, u / 100) << "no rounding at all would mean comparing something with itself";
}

TEST(PairErrors, WendlandC2)
{
    expect_small_errors<WendlandC2, 2, float>();
    expect_small_errors<WendlandC2, 3, float>();
    expect_small_errors<WendlandC2, 3, double>();
}

TEST(PairErrors, CubicSpline)
{
    expect_small_errors<CubicSpline, 2, float>();
    expect_small_errors<CubicSpline, 3, float>();
    expect_small_errors<CubicSpline, 3, double>();
}

}  // namespace
}  // namespace halfulp::test
