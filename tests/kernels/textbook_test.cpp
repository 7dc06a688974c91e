// The equations of the papers, written down here in long double with the C library's functions, against the physics
// headers: kernels, equations of state, the forces and rates of a pair.
#include <algorithm>
#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "kernels/density_diffusion.hpp"
#include "kernels/expanded_smoothing.hpp"
#include "kernels/time_step.hpp"
#include "kernels/xsph.hpp"
#include "tests/core/neighbours/textbook.hpp"
#include "tests/kernels/random_pair.hpp"

namespace halfulp::test {
namespace {

// The factored forms err by the roundings that textbook.hpp counts, the expanded ones by six of their largest term.
template <class Kernel, class T>
void expect_textbook_shapes(SmoothingKernel kernel, Long largest_term)
{
    for (int k = 0; k <= 3500; ++k) {
        const T q = static_cast<T>(k / 1000.0);
        const auto w = shape_of(kernel, Approximate<T>{q, 0});
        const auto f = gradient_of(kernel, Approximate<T>{q, 0});
        const Long slack = 6 * Long(unit_roundoff<T>) * largest_term;
        ASSERT_LE(std::fabs(Long(Kernel::shape(q)) - w.value), w.error + slack) << Kernel::name << ' ' << q;
        ASSERT_LE(std::fabs(Long(Kernel::gradient_shape(q)) - f.value), f.error + slack) << Kernel::name << ' ' << q;
        ASSERT_LE(std::fabs(Long(halfulp::shape_of(kernel, q)) - w.value), w.error) << Kernel::name << ' ' << q;
        ASSERT_LE(std::fabs(Long(halfulp::gradient_shape_of(kernel, q)) - f.value), f.error)
            << Kernel::name << ' ' << q;
    }
}

template <class T>
void expect_textbook_kernels()
{
    constexpr auto wendland = SmoothingKernel::wendland_c2;
    constexpr auto spline = SmoothingKernel::cubic_spline;
    expect_textbook_shapes<WendlandC2, T>(wendland, 0);
    expect_textbook_shapes<CubicSpline, T>(spline, 0);
    expect_textbook_shapes<Gaussian, T>(SmoothingKernel::gaussian, 0);
    // At q = 2: 5/2 q^3 = 20 of Wendland's w and 15/2 q of its f; -3 q of the spline's.
    expect_textbook_shapes<ExpandedWendlandC2<HornerEvaluation>, T>(wendland, 20);
    expect_textbook_shapes<ExpandedWendlandC2<PowersEvaluation>, T>(wendland, 20);
    expect_textbook_shapes<ExpandedCubicSpline<HornerEvaluation>, T>(spline, 6);
    expect_textbook_shapes<ExpandedCubicSpline<PowersEvaluation>, T>(spline, 6);
}

TEST(Textbook, Kernels)
{
    expect_textbook_kernels<float>();
    expect_textbook_kernels<double>();
}

TEST(Textbook, AKernelChosenAtRunTimeIsTheOneNamed)
{
    const auto name = [](SmoothingKernel kernel) {
        return with_kernel(kernel, [](auto chosen) { return std::string(decltype(chosen)::name); });
    };
    EXPECT_EQ(name(SmoothingKernel::wendland_c2), "wendland-c2");
    EXPECT_EQ(name(SmoothingKernel::cubic_spline), "cubic-spline");
    EXPECT_EQ(name(SmoothingKernel::gaussian), "gaussian");
}

// P, c and P/rho^2 in SI units for a density at rest of 800 and c0 = 30.
struct Fluid {
    static constexpr Long rho0 = 800, c0 = 30;

    StateEquation equation;

    [[nodiscard]] Long pressure(Long rho) const
    {
        return equation == StateEquation::linear ? c0 * c0 * (rho - rho0)
                                                 : rho0 * c0 * c0 / 7 * (std::pow(rho / rho0, 7.0L) - 1);
    }
    [[nodiscard]] Long sound_speed(Long rho) const
    {
        return equation == StateEquation::linear ? c0 : c0 * std::pow(rho / rho0, 3.0L);
    }
    [[nodiscard]] double stiffness() const { return double(equation == StateEquation::linear ? c0 * c0 : c0 * c0 / 7); }
};

// Ratios, and not s, are rounded on the way: some twenty roundings of rho/rho0, times the slope of its seventh power.
TEST(Textbook, StateEquations)
{
    Random random(301);
    for (const StateEquation equation : {StateEquation::tait, StateEquation::linear}) {
        const Fluid fluid{equation};
        const Physics by_mass{.state_equation = equation};
        const Physics by_volume{.state_equation = equation, .formulation = Formulation::volume_weighted};
        const double b = fluid.stiffness();
        EXPECT_DOUBLE_EQ(stiffness_of(equation, double(Fluid::c0 * Fluid::c0)), b);
        for (int k = 0; k < 500; ++k) {
            const double s = random.uniform(-0.4, 0.6);
            const Long rho = Fluid::rho0 * (1 + Long(s));
            const Long p = fluid.pressure(rho) / Fluid::rho0;
            const Long term = Fluid::rho0 * fluid.pressure(rho) / (rho * rho);
            const Long bound = 200 * unit_roundoff<double> * Fluid::c0 * Fluid::c0 * 10;
            const CentredDensity<double> density{s};
            const RelativeDensity<double> ratio{1 + s};
            EXPECT_NEAR(pressure_over_reference_density(equation, density, b), p, bound);
            EXPECT_NEAR(pressure_over_reference_density(equation, ratio, b), p, bound);
            EXPECT_NEAR(pressure_term(by_mass, density, b), term, bound);
            EXPECT_NEAR(pressure_term(by_mass, ratio, b), term, bound);
            EXPECT_NEAR(pressure_term(by_volume, density, b), p, bound);
            EXPECT_NEAR(pressure_term(by_volume, ratio, b), p, bound);
            EXPECT_NEAR(pressure_from_term(by_mass, double(term), density), p, bound);
            EXPECT_NEAR(pressure_from_term(by_volume, double(p), density), p, bound);
            EXPECT_NEAR(sound_speed(equation, density, double(Fluid::c0)), fluid.sound_speed(rho), bound);
            EXPECT_NEAR(density_under(equation, double(p / b)).s, s, 100 * unit_roundoff<double>);
            EXPECT_NEAR(density_from_load(equation, double(p / b)).s, s, 100 * unit_roundoff<double>);
        }
    }
}

// Every way to store a density and to evaluate the equation of state.
template <class DensityStorage, class PressureEvaluation>
struct Stored {
    using Density = DensityStorage;
    using Pressure = PressureEvaluation;
};
using CentredHorner = Stored<CentredStorage, CentredEvaluation>;
using AbsolutePowers = Stored<AbsoluteStorage, RatioEvaluation>;
using RelativeHorner = Stored<RelativeStorage, CentredEvaluation>;
using CentredPowers = Stored<CentredStorage, RatioEvaluation>;
using AbsoluteHorner = Stored<AbsoluteStorage, CentredEvaluation>;

TEST(Textbook, PressureTermsOfStoredDensities)
{
    const Fluid fluid{StateEquation::tait};
    const Physics physics{};
    const double b = fluid.stiffness();
    const auto rho0 = double(Fluid::rho0);
    for (const double rho : {500.0, 799.0, 800.0, 801.0, 1100.0}) {
        const Long term = Fluid::rho0 * fluid.pressure(rho) / (Long(rho) * rho);
        const double bound = 2000 * unit_roundoff<double> * b;
        EXPECT_NEAR(pressure_term_of<CentredHorner>(physics, rho / rho0 - 1, rho0, b), term, bound);
        EXPECT_NEAR(pressure_term_of<CentredPowers>(physics, rho / rho0 - 1, rho0, b), term, bound);
        EXPECT_NEAR(pressure_term_of<RelativeHorner>(physics, rho / rho0, rho0, b), term, bound);
        EXPECT_NEAR(pressure_term_of<AbsoluteHorner>(physics, rho, rho0, b), term, bound);
        EXPECT_NEAR(pressure_term_of<AbsolutePowers>(physics, rho, rho0, b), term, bound);
    }
}

// A pair in SI units as the papers have it: what multiplies r_ab and u_ab in du_a/dt, each over -m_b F/f, F = f/h^2.
struct PaperPair {
    Long along = 0, across = 0, artificial = 0, laminar = 0, tensile = 0;
};

template <int D>
PaperPair paper_pair(const Physics& physics, const Fluid& fluid, SmoothingKernel kernel,
                     const PairInput<D, double>& pair, const Parameters<D, double>& p)
{
    Long r2 = 0, approach = 0;
    for (int i = 0; i < D; ++i) {
        r2 += Long(pair.r[i]) * pair.r[i];
        approach += (Long(pair.a.velocity[i]) - pair.b.velocity[i]) * pair.r[i];
    }
    const Long h = p.smoothing_length, eta2 = p.viscous_softening, nu = p.kinematic_viscosity;
    const Approximate<double> q{std::sqrt(r2) * p.inverse_smoothing_length, 0};
    const Long f = gradient_of(kernel, q).value;
    const Long w = shape_of(kernel, q).value;
    const Long rho_a = Fluid::rho0 * (1 + Long(pair.a.density.s)), rho_b = Fluid::rho0 * (1 + Long(pair.b.density.s));
    const Long p_a = fluid.pressure(rho_a), p_b = fluid.pressure(rho_b);
    const Long mean = (rho_a + rho_b) / 2;
    PaperPair paper;
    const Long pressures = physics.formulation == Formulation::mass_weighted
                               ? p_a / (rho_a * rho_a) + p_b / (rho_b * rho_b)
                               : (p_a + p_b) / (rho_a * rho_b);
    if (physics.artificial_viscosity && approach < 0) {
        const Long mu = h * approach / (r2 + eta2);
        const Long c = (fluid.sound_speed(rho_a) + fluid.sound_speed(rho_b)) / 2;
        paper.artificial = -Long(p.artificial_viscosity) * c * mu / mean * f;
    }
    if (physics.laminar_viscosity == LaminarViscosity::monaghan_gingold)
        paper.laminar = -2 * (D + 2) * nu * approach / (mean * (r2 + eta2)) * f;
    if (physics.laminar_viscosity == LaminarViscosity::morris)
        paper.across = paper.laminar = -4 * nu * r2 * f / ((rho_a + rho_b) * (r2 + eta2));
    if (physics.laminar_viscosity == LaminarViscosity::brookshaw)
        paper.across = paper.laminar = -4 * nu * f / (rho_a + rho_b);
    if (physics.tensile_correction) {
        const auto r = [](Long pressure, Long rho) {
            return (pressure < 0 ? 0.2L * -pressure : 0.01L * pressure) / (rho * rho);
        };
        paper.tensile = std::pow(w * p.inverse_shape_at_spacing, 4.0L) * (r(p_a, rho_a) + r(p_b, rho_b)) * f;
    }
    paper.along = pressures * f + paper.artificial + paper.tensile +
                  (physics.laminar_viscosity == LaminarViscosity::monaghan_gingold ? paper.laminar : 0);
    return paper;
}

template <class Kernel, int D>
void expect_the_papers_pairs(SmoothingKernel kernel)
{
    Random random(302);
    auto p = test_parameters<D>().template as<D, double>();
    p.sound_speed = double(Fluid::c0);
    int acting = 0;
    for (int k = 0; k < 400; ++k) {
        auto pair = random_pair<D>(random, Kernel::support).template as<double>();
        for (const Physics& physics : every_physics) {
            const Fluid fluid{physics.state_equation};
            p.stiffness = fluid.stiffness();
            for (MomentumState<D, double>* state : {&pair.a, &pair.b}) {
                const Long rho = Fluid::rho0 * (1 + Long(state->density.s));
                const Long pressure = fluid.pressure(rho);
                state->pressure_term =
                    double(physics.formulation == Formulation::mass_weighted ? Fluid::rho0 * pressure / (rho * rho)
                                                                             : pressure / Fluid::rho0);
            }
            const PaperPair paper = paper_pair(physics, fluid, kernel, pair, p);
            const auto found = momentum_pair<Kernel>(physics, pair.r, pair.a, pair.b, p);
            // Terms of up to some hundreds, a few dozen roundings each; q's move f by less than that.
            const auto near = [&](double value, Long expected, const char* what) {
                EXPECT_NEAR(value, Fluid::rho0 * expected, 1e-11) << Kernel::name << ' ' << what << ' ' << k;
            };
            near(found.along, paper.along, "along");
            near(found.across, paper.across, "across");
            near(found.artificial, paper.artificial, "artificial");
            near(found.laminar, paper.laminar, "laminar");
            near(found.tensile, paper.tensile, "tensile");
            acting += paper.along != 0;
        }
    }
    EXPECT_GT(acting, 400);
}

TEST(Textbook, ForcesOfPairs)
{
    expect_the_papers_pairs<WendlandC2, 2>(SmoothingKernel::wendland_c2);
    expect_the_papers_pairs<WendlandC2, 3>(SmoothingKernel::wendland_c2);
    expect_the_papers_pairs<CubicSpline, 2>(SmoothingKernel::cubic_spline);
    expect_the_papers_pairs<CubicSpline, 3>(SmoothingKernel::cubic_spline);
    expect_the_papers_pairs<Gaussian, 2>(SmoothingKernel::gaussian);
    expect_the_papers_pairs<Gaussian, 3>(SmoothingKernel::gaussian);
}

template <int D>
Long dot_of(const Vec<D, double>& a, const Vec<D, double>& b)
{
    Long sum = 0;
    for (int i = 0; i < D; ++i) sum += Long(a[i]) * b[i];
    return sum;
}

// ds/dt of both formulations, XSPH's weight and the forms of density diffusion.
template <int D>
void expect_the_papers_rates()
{
    Random random(303);
    const auto p = test_parameters<D>().template as<D, double>();
    // Numbers of up to some tens, a few dozen roundings each.
    const auto near = [](double value, Long expected) { EXPECT_NEAR(value, expected, 1e-12); };
    for (int k = 0; k < 2000; ++k) {
        const auto in = random_pair<D>(random).template as<double>();
        const auto& [r, a, b] = in;
        const Long s_a = a.density.s, s_b = b.density.s, eta2 = p.viscous_softening;
        const Long r2 = dot_of(r, r);
        const Approximate<double> q{std::sqrt(r2) * p.inverse_smoothing_length, 0};
        const Long f = gradient_of(SmoothingKernel::wendland_c2, q).value;
        const Long w = shape_of(SmoothingKernel::wendland_c2, q).value;
        const Long approach = dot_of(a.velocity, r) - dot_of(b.velocity, r);
        const auto pair = continuity_pair<WendlandC2>(r, a.velocity - b.velocity, p.inverse_smoothing_length);
        near(pair.rate, approach * f);
        near(pair.approach, approach);
        near(pair.distance_squared, r2);
        near(pair.gradient_shape, f);
        const double share = continuity_share(Formulation::volume_weighted, pair.rate, b.density);
        near(continuity_total(Formulation::volume_weighted, share, a.density, p.pair_scale),
             p.pair_scale * (1 + s_a) / (1 + s_b) * approach * f);
        near(xsph_weight(double(w), a.density, b.density), w / ((1 + s_a + 1 + s_b) / 2));
        near(closing_speed(pair.approach, pair.distance_squared, p.smoothing_length, p.viscous_softening),
             std::fabs(p.smoothing_length * approach) / (r2 + eta2));
        // psi r_ba . grad W / (r^2 + eta^2) with velocities for gradients of s.
        const double psi = density_difference(a.density, b.density);
        near(psi, s_b - s_a);
        near(diffusion_pair(psi, pair.distance_squared, pair.gradient_shape, p.viscous_softening),
             (s_b - s_a) * -r2 * f / (r2 + eta2));
        const Long linear = -(dot_of(a.velocity, r) + dot_of(b.velocity, r)) / 2;
        near(linear_difference(a.velocity, b.velocity, r), linear);
        const DiffusionBalance<D, double> own{a.velocity, random.uniform(0, 1)},
            other{b.velocity, random.uniform(0, 1)};
        near(balanced_difference(psi, own, other, r), std::max(own.weight, other.weight) * (s_b - s_a - linear));
    }
}

TEST(Textbook, RatesOfPairs)
{
    expect_the_papers_rates<2>();
    expect_the_papers_rates<3>();
}

// G = -a (1 + s)/c^2, w = min((30 |a + f|/|f|)^2, 1).
template <int D>
void expect_balance()
{
    Random random(304);
    for (int k = 0; k < 2000; ++k) {
        Vec<D, double> force{}, pull{}, missed{};
        for (int i = 0; i < D; ++i) {
            force[i] = random.uniform(-9, 9);
            pull[i] = -force[i] * (k % 2 == 0 ? random.uniform(-0.5, 1.5) : 1) + random.uniform(-0.1, 0.1);
            missed[i] = pull[i] + force[i];
        }
        const double s = random.uniform(-0.1, 0.1), c = random.uniform(5, 20);
        const Long f2 = dot_of(force, force);
        const auto balance = diffusion_balance(pull, force, CentredDensity<double>{s}, c);
        for (int i = 0; i < D; ++i) EXPECT_NEAR(balance.gradient[i], -pull[i] * (1 + Long(s)) / (Long(c) * c), 1e-15);
        EXPECT_NEAR(balance.weight, std::min(900 * dot_of(missed, missed) / f2, Long(1)), 1e-12);
    }
}

TEST(Textbook, BalanceOfTheDensityDiffusion)
{
    expect_balance<2>();
    expect_balance<3>();
}

}  // namespace
}  // namespace halfulp::test
