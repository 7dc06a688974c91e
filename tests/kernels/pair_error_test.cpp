// Rounding of the pair interactions: float and double against the same functions in quad precision, from equal inputs.
//
// q has a relative error of (D/2 + 2) u, at most 4 u: D roundings of r.r, halved by the root, the root and the product.
// It moves f by slope q 4u, where slope bounds |f'|: 7.5 for Wendland C2 (15/2 t^2), 9/4 for the cubic spline, 1.72 for
// the Gaussian (4 q e^(-q^2) at q^2 = 1/2). It moves w by 1.06 q 4u for all three. Beside it they have the roundings of
// their own that smoothing_test.cpp counts: f at most 7 u, w at most 9 u, and 12 u both for the Gaussian, whose shape
// has them of e^-9 more. Sums and products after that are counted where they are used.
#include <gtest/gtest.h>

#include "precision/multiprecision.hpp"

#include "kernels/density_diffusion.hpp"
#include "kernels/xsph.hpp"
#include "tests/kernels/random_pair.hpp"

namespace halfulp::test {
namespace {

template <class Kernel>
constexpr bool gaussian = std::is_same_v<Kernel, Gaussian>;
template <class Kernel>
constexpr double slope = std::is_same_v<Kernel, WendlandC2> ? 7.5
                         : gaussian<Kernel>                 ? 1.72
                                                            : 2.25;

constexpr Physics by_volume{.formulation = Formulation::volume_weighted};
constexpr Physics with_monaghan_gingold{.laminar_viscosity = LaminarViscosity::monaghan_gingold};
constexpr Physics with_morris{.laminar_viscosity = LaminarViscosity::morris};
constexpr Physics with_brookshaw{.laminar_viscosity = LaminarViscosity::brookshaw};
constexpr Physics with_tension{.tensile_correction = true};
constexpr Physics all_at_once{
    .artificial_viscosity = true, .laminar_viscosity = LaminarViscosity::monaghan_gingold, .tensile_correction = true};

// The results for one pair in any number type.
template <class T>
struct PairResults {
    T pressure, pressure_by_volume, artificial, along_r, across_r, unsoftened_r, tensile, all, rate, rate_by_volume,
        diffusion, smoothing;
};

template <class Kernel, int D, class T>
PairResults<T> results_of(const PairInput<D, T>& in, const Parameters<D, T>& p)
{
    const auto velocity = in.a.velocity - in.b.velocity;
    const auto force = [&](const Physics& physics) { return momentum_pair<Kernel>(physics, in.r, in.a, in.b, p); };
    const auto mass = continuity_pair<Kernel>(in.r, velocity, p.inverse_smoothing_length);
    const T w = Kernel::shape(square_root(mass.distance_squared) * p.inverse_smoothing_length);
    PairResults<T> results;
    results.pressure = force(pressure_only).along;
    results.pressure_by_volume = force(by_volume).along;
    results.artificial = force(with_artificial_viscosity).artificial;
    results.along_r = force(with_monaghan_gingold).laminar;
    results.across_r = force(with_morris).across;
    results.unsoftened_r = force(with_brookshaw).across;
    results.tensile = force(with_tension).tensile;
    results.all = force(all_at_once).along;
    results.rate = mass.rate;
    results.rate_by_volume = continuity_share(Formulation::volume_weighted, mass.rate, in.b.density);
    results.diffusion = diffusion_pair(density_difference(in.a.density, in.b.density), mass.distance_squared,
                                       mass.gradient_shape, p.viscous_softening);
    results.smoothing = xsph_weight(w, in.a.density, in.b.density);
    return results;
}

// The same in quad precision, and what the bounds are made of. Not inlined: quad arithmetic is long, and compiled once
// is enough.
struct ExactPair {
    PairResults<Quad> results;
    Quad q, f, w;            // f is |f|
    Quad pressures;          // |P_a| + |P_b|, as pressure terms
    Quad products;           // sum of |u_i r_i|
    Quad artificial, along;  // the two Pi if all of these products closed in
    Quad shares;             // R_a + R_b of the tensile correction
};

template <class Kernel, int D>
[[gnu::noinline]] ExactPair exact_pair(const PairInput<D, float>& single)
{
    const auto p = test_parameters<D>().template as<D, Quad>();
    const auto in = single.template as<Quad>();
    const auto velocity = in.a.velocity - in.b.velocity;
    const Quad r2 = dot(in.r, in.r);
    ExactPair exact;
    exact.results = results_of<Kernel>(in, p);
    exact.q = sqrt(r2) * p.inverse_smoothing_length;
    exact.f = abs(Kernel::gradient_shape(exact.q));
    exact.w = Kernel::shape(exact.q);
    exact.pressures = abs(in.a.pressure_term) + abs(in.b.pressure_term);
    exact.products = 0;
    for (int i = 0; i < D; ++i) exact.products += abs(velocity[i] * in.r[i]);
    exact.artificial =
        artificial_viscosity(StateEquation::tait, Quad(-exact.products), r2, in.a.density, in.b.density,
                             p.artificial_viscosity, p.smoothing_length, p.viscous_softening, p.sound_speed);
    const ViscousPair<Quad> viscous{-exact.products, r2, p.viscous_softening,
                                    mean_density_ratio(in.a.density, in.b.density)};
    exact.along = MonaghanGingoldViscosity::factor<D>(viscous, p.kinematic_viscosity);
    exact.shares = tensile_share(in.a.pressure_term) + tensile_share(in.b.pressure_term);
    return exact;
}

template <class Kernel, int D, class T>
void expect_small_errors()
{
    Random random(95);
    const auto p = test_parameters<D>().template as<D, T>();
    const Quad u = unit_roundoff<T>;
    const Quad second_order("1.001");
    const Quad lowered = gaussian<Kernel> ? exp(Quad(-9)) : Quad(0);
    Quad worst = 0;
    for (int k = 0; k < 5000; ++k) {
        const auto single = random_pair<D>(random, Kernel::support);
        const PairResults<T> results = results_of<Kernel>(single.template as<T>(), p);
        const ExactPair exact = exact_pair<Kernel, D>(single);
        // There the Gaussian's f jumps, and rounding may take it either way.
        if (gaussian<Kernel> && abs(exact.q - 3) < 12 * u) continue;
        const Quad f = exact.f;
        const Quad f_error = exact.q * slope<Kernel> * 4 * u + (gaussian<Kernel> ? 12 : 7) * f * u;
        const Quad w_error =
            exact.q < Kernel::support ? Quad(exact.q * 1.06 * 4 * u + 12 * (exact.w + lowered) * u) : Quad(0);
        const auto expect_near = [&](const T& value, const Quad& wanted, const Quad& bound, const char* what) {
            ASSERT_LE(abs(Quad(value) - wanted), bound * second_order) << what << ", q = " << exact.q;
        };
        // A factor with n roundings of its own, of which `magnitude` says how large its parts are, times f.
        const auto times_f = [&](const Quad& magnitude, int n) { return Quad(magnitude * (f_error + n * f * u)); };

        // The sum of the pressures and the product.
        expect_near(results.pressure, exact.results.pressure, times_f(exact.pressures, 2), "pressure");
        worst = std::max(worst, Quad(abs(Quad(results.pressure) - exact.results.pressure) / exact.pressures));
        // Beside them two density ratios, their product and a division; the ratios' product is at least 0.96.
        expect_near(results.pressure_by_volume, exact.results.pressure_by_volume,
                    times_f(exact.pressures / Quad("0.96"), 6), "pressure by volume");

        // u_ab is rounded once a component and u.r D times; by volume a ratio, at least 0.98, and a division more.
        expect_near(results.rate, exact.results.rate, times_f(exact.products, D + 2), "density rate");
        expect_near(results.rate_by_volume, exact.results.rate_by_volume, times_f(exact.products / Quad("0.98"), D + 4),
                    "density rate by volume");

        // Artificial viscosity: about 14 roundings of positive factors beside those of u.r.
        const Quad artificial_bound = times_f(exact.artificial, D + 16);
        expect_near(results.artificial, exact.results.artificial, artificial_bound, "artificial viscosity");

        // u_ab and u.r: D + 1; its factor: 2; r^2 and the sum with eta^2: D + 1; the mean density: 2; their product,
        // the quotient and the product with f: 3.
        const Quad along_bound = times_f(exact.along, 2 * D + 9);
        expect_near(results.along_r, exact.results.along_r, along_bound, "Monaghan and Gingold's viscosity");
        // 2 nu and r^2: D + 1; r^2 and eta^2: D + 1; the mean: 2; 2 nu is exact; two products, a quotient, and f: 4.
        expect_near(results.across_r, exact.results.across_r,
                    times_f(f > 0 ? Quad(abs(exact.results.across_r) / f) : Quad(0), 2 * D + 8), "Morris's viscosity");
        // The mean: 2; the quotient, the product and f: 3; 2 nu is exact.
        expect_near(results.unsoftened_r, exact.results.unsoftened_r,
                    times_f(f > 0 ? Quad(abs(exact.results.unsoftened_r) / f) : Quad(0), 5), "Brookshaw's viscosity");

        // (w + e)^4 - w^4 for an error e of w; the ratio is rounded once, which counts four times, and squared twice,
        // 3; each share 2 with its constant, their sum, the product and the product with f: 12 in all.
        const Quad ratio = exact.w * Quad(p.inverse_shape_at_spacing);
        const Quad larger_ratio = (exact.w + w_error) * Quad(p.inverse_shape_at_spacing);
        const Quad moved = pow(larger_ratio, 4) - pow(ratio, 4);
        const Quad tensile_bound = exact.shares * (moved * (f + f_error)) + times_f(exact.shares * pow(ratio, 4), 12);
        expect_near(results.tensile, exact.results.tensile, tensile_bound, "tensile correction");

        // Three additions, each of at most the sum of all magnitudes, beside the parts' own errors.
        const Quad all = exact.pressures + exact.artificial + exact.along + exact.shares * pow(ratio, 4);
        expect_near(results.all, exact.results.all,
                    times_f(exact.pressures, 2) + artificial_bound + along_bound + tensile_bound + 3 * all * f * u,
                    "all forces");

        // s_b - s_a: 1; its product with f: 1; r^2 twice and eta^2: 2 D + 1; a quotient and a product: 2.
        const Quad psi = f > 0 ? Quad(abs(exact.results.diffusion) / f) : Quad(0);
        expect_near(results.diffusion, exact.results.diffusion, times_f(psi, 2 * D + 5), "density diffusion");
        // The mean density, at least 0.98: 2; the quotient: 1.
        expect_near(results.smoothing, exact.results.smoothing, (w_error + 3 * exact.w * u) / Quad("0.98"), "XSPH");
    }
    EXPECT_GT(worst, u / 100) << "no rounding at all would mean comparing something with itself";
}

template <class Kernel>
void expect_small_errors_in_every_type()
{
    expect_small_errors<Kernel, 2, float>();
    expect_small_errors<Kernel, 3, float>();
    expect_small_errors<Kernel, 3, double>();
}

TEST(PairErrors, WendlandC2) { expect_small_errors_in_every_type<WendlandC2>(); }
TEST(PairErrors, CubicSpline) { expect_small_errors_in_every_type<CubicSpline>(); }
TEST(PairErrors, Gaussian) { expect_small_errors_in_every_type<Gaussian>(); }

}  // namespace
}  // namespace halfulp::test
