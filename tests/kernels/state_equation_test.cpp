// The equations of state and their energies in centred form, against closed forms in quad precision. Those lose about
// 1/s of 1e-34 (1/s^2 for the energy), so they are good to 1e-19 for the smallest s here.
#include <gtest/gtest.h>

#include <boost/math/special_functions/log1p.hpp>

#include "precision/multiprecision.hpp"

#include "kernels/state_equation.hpp"
#include "precision/simd.hpp"
#include "tests/precision/reference.hpp"

namespace halfulp::test {
namespace {

constexpr auto tait = StateEquation::tait;
constexpr auto linear = StateEquation::linear;

Quad exact_pressure(const Quad& s) { return pow(1 + s, 7) - 1; }

// The integral of P/rho^2 drho in closed form, for B/rho0 = 1.
Quad exact_energy(const Quad& s) { return (pow(1 + s, 6) - 1) / 6 + 1 / (1 + s) - 1; }

// |s| from 1e-7 to 1e-1, evenly in its logarithm, both signs.
template <class T, class Check>
void for_densities(Check check)
{
    for (int k = 0; k <= 6000; ++k) {
        const double size = std::pow(10.0, -7 + k / 1000.0);
        check(static_cast<T>(size));
        check(static_cast<T>(-size));
    }
}

template <class Value>
Quad relative_error(const Value& value, const Quad& exact)
{
    return abs((Quad(value) - exact) / exact);
}

// Horner's last fma and the product with s round fully, the fma before it by at most 0.4 of that at |s| = 0.1, the ones
// before it by far less: (1 + 1 + 0.5 + 0.3) u = 1.7e-7 at the ends, 1.2e-7 for small s.
TEST(StateEquation, PressureInFloatIsAccurateAtEverySmallDensity)
{
    Quad worst = 0;
    for_densities<float>([&](float s) {
        const float pressure = pressure_over_reference_density(tait, CentredDensity<float>{s}, 1.0F);
        worst = std::max(worst, relative_error(pressure, exact_pressure(Quad(s))));
    });
    EXPECT_LT(worst, 2e-7);
    EXPECT_GT(worst, 2e-8) << "an error of no rounding at all means comparing something with itself";
}

// What the centred form is for: the usual one errs by a thousandth and more of the pressure.
TEST(StateEquation, TheUsualFormInFloatWouldNotBe)
{
    Quad worst = 0;
    for_densities<float>([&](float s) {
        if (std::abs(s) > 1e-4F) return;
        const float r = 1 + s;
        worst = std::max(worst, relative_error(r * r * r * r * r * r * r - 1, exact_pressure(Quad(s))));
    });
    EXPECT_GT(worst, 1e-3);
}

TEST(StateEquation, PressureScalesWithTheStiffness)
{
    const CentredDensity<float> density{0.0123F};
    EXPECT_EQ(pressure_over_reference_density(tait, density, 1024.0F),
              1024.0F * pressure_over_reference_density(tait, density, 1.0F));
    EXPECT_EQ(pressure_over_reference_density(tait, CentredDensity<float>{1.0F}, 2.0F), 254.0F);
    EXPECT_EQ(pressure_over_reference_density(tait, CentredDensity<float>{0.0F}, 2.0F), 0.0F);
}

// Beside the pressure's 2.8 u: 1 + s twice, the square and the division.
TEST(StateEquation, PressureTermIsPressureOverDensitySquared)
{
    Quad worst = 0;
    for_densities<float>([&](float s) {
        const Quad x = s;
        worst = std::max(worst, relative_error(pressure_term(Physics{}, CentredDensity<float>{s}, 1.0F),
                                               exact_pressure(x) / ((1 + x) * (1 + x))));
    });
    EXPECT_LT(worst, 7 * Quad(unit_roundoff<float>));
    EXPECT_EQ(pressure_term(Physics{}, CentredDensity<float>{0.0F}, 3.0F), 0.0F);
}

// c0^2 = 7 B/rho0 makes c^2 = dP/drho = c0^2 (1+s)^6: compared with central differences of the pressure, truncation
// d^2/6 * 210 for d = 1e-10.
TEST(StateEquation, SoundSpeedIsTheSlopeOfThePressure)
{
    const Quad d("1e-10");
    for (const double s : {-0.1, -1e-3, 0.0, 1e-5, 0.1}) {
        const auto pressure = [](const Quad& x) {
            return pressure_over_reference_density(tait, CentredDensity<Quad>{x}, Quad(Quad(9) / 7));
        };
        const Quad slope = (pressure(Quad(s) + d) - pressure(Quad(s) - d)) / (2 * d);
        const Quad c = sound_speed(tait, CentredDensity<Quad>{Quad(s)}, Quad(3));
        EXPECT_LE(abs(c * c - slope), Quad("1e-17")) << s;
    }
    EXPECT_EQ(sound_speed(tait, CentredDensity<float>{1.0F}, 3.0F), 24.0F);
}

// Roundings: 1 + s and its inverse 2, their sum with the polynomial and the polynomial itself 2, s s and two products
// 3; one more.
template <class T>
void expect_accurate_energy()
{
    Quad worst = 0;
    for_densities<T>([&](T s) {
        worst = std::max(worst,
                         relative_error(compressive_energy(tait, CentredDensity<T>{s}, T(1)), exact_energy(Quad(s))));
    });
    EXPECT_LT(worst, 8 * Quad(unit_roundoff<T>));
}

TEST(StateEquation, EnergyIsAccurateAtEverySmallDensity)
{
    expect_accurate_energy<float>();
    expect_accurate_energy<double>();
    EXPECT_EQ(compressive_energy(tait, CentredDensity<double>{0.0}, 5.0), 0.0);
}

// de/ds = rho0 P/rho^2, the term that enters the momentum equation: the pair conserves energy only then.
TEST(StateEquation, EnergyIsTheIntegralOfThePressureTerm)
{
    const Quad d("1e-10");
    for (const double s : {-0.2, -1e-2, -1e-5, 1e-5, 1e-2, 0.2}) {
        const auto energy = [](const Quad& x) { return compressive_energy(tait, CentredDensity<Quad>{x}, Quad(3)); };
        const Quad slope = (energy(Quad(s) + d) - energy(Quad(s) - d)) / (2 * d);
        const Quad term = pressure_term(Physics{}, CentredDensity<Quad>{Quad(s)}, Quad(3));
        // Truncation d^2/6 times a third derivative of at most about 10^3; rounding 1e-34/d.
        EXPECT_LE(abs(slope - term), Quad("1e-17")) << s;
    }
}

// The same for every equation and either formulation: P/rho^2 is the slope of the energy.
#define HALFULP_EQUATION(enumerator, Model, ...) StateEquation::enumerator,
TEST(StateEquation, EnergyIsTheIntegralOfThePressureInEveryFormulation)
{
    const Quad d("1e-10");
    for (const StateEquation equation : {HALFULP_STATE_EQUATIONS(HALFULP_EQUATION)}) {
        for (const double s : {-0.5, -0.2, -1e-2, -1e-5, 1e-5, 1e-2, 0.2, 0.5}) {
            const auto energy = [&](const Quad& x) {
                return compressive_energy(equation, CentredDensity<Quad>{x}, Quad(3));
            };
            const Quad slope = (energy(Quad(s) + d) - energy(Quad(s) - d)) / (2 * d);
            const CentredDensity<Quad> density{Quad(s)};
            const Quad ratio = relative(density).ratio;
            const Physics by_mass{.state_equation = equation};
            const Physics by_volume{.state_equation = equation, .formulation = Formulation::volume_weighted};
            // Truncation d^2/6 times a third derivative of at most about 10^3; the linear equation's series is cut off
            // after z^33/33, z = -1/3 at the worst, which takes 2 c0^2 z^34 dz/ds = 7e-16 off the slope.
            const Quad tolerance = equation == linear ? Quad("1e-15") : Quad("1e-17");
            EXPECT_LE(abs(slope - pressure_term(by_mass, density, Quad(3))), tolerance) << s;
            EXPECT_LE(abs(slope - pressure_term(by_volume, density, Quad(3)) / (ratio * ratio)), tolerance) << s;
        }
    }
}

TEST(LinearStateEquation, HandWorkedValues)
{
    const CentredDensity<double> half{0.5};
    EXPECT_EQ(pressure_over_reference_density(linear, half, 9.0), 4.5);
    EXPECT_EQ(pressure_term({.state_equation = linear}, half, 9.0), 2.0) << "4.5 / 1.5^2";
    EXPECT_EQ(pressure_term({.state_equation = linear, .formulation = Formulation::volume_weighted}, half, 9.0), 4.5);
    EXPECT_EQ(sound_speed(linear, half, 3.0), 3.0);
    EXPECT_EQ(stiffness_of(linear, 9.0), 9.0);
    EXPECT_EQ(stiffness_of(tait, 14.0), 2.0);
    EXPECT_EQ(density_under(linear, 0.125).s, 0.125);
    EXPECT_EQ(compressive_energy(linear, CentredDensity<double>{0.0}, 5.0), 0.0);
}

// log(1+s) - s/(1+s), in quad precision by log1p; it cancels to s^2/2, so down to |s| = 1e-7 20 digits are left. z
// rounds twice, z^2 counts that twice and once itself, the sum and two products: about 8 u; one more for the series.
template <class T>
void expect_accurate_linear_energy()
{
    Quad worst = 0;
    const auto check = [&](T s) {
        const Quad x = s;
        const Quad exact = boost::math::log1p(x) - x / (1 + x);
        worst = std::max(worst, relative_error(compressive_energy(linear, CentredDensity<T>{s}, T(1)), exact));
    };
    for_densities<T>(check);
    for (int k = -500; k <= 500; ++k) {
        if (k != 0) check(static_cast<T>(k / 1000.0));
    }
    EXPECT_LT(worst, 9 * Quad(unit_roundoff<T>));
    EXPECT_GT(worst, Quad(unit_roundoff<T>) / 4);
}

TEST(LinearStateEquation, EnergyIsAccurateUpToAHalf)
{
    expect_accurate_linear_energy<float>();
    expect_accurate_linear_energy<double>();
}

// What is left out from z^35/35 on, in quad precision, and nothing else: at s = 1, z = 1/3, and at s = -1/2, z = -1/3.
TEST(LinearStateEquation, EnergyIsASeriesOfSixteenOddPowers)
{
    for (const double s : {1.0, 0.5, -0.3, -0.5}) {
        const Quad x = s;
        const Quad z = x / (2 + x);
        const Quad exact = boost::math::log1p(x) - x / (1 + x);
        const Quad found = compressive_energy(linear, CentredDensity<Quad>{x}, Quad(3)) / 3;
        const Quad left_out = 2 * pow(abs(z), 35) / 35 / (1 - z * z);
        EXPECT_LE(abs(found - exact), left_out + Quad("1e-31")) << s;
    }
}

// Newton's last step leaves the rounding of the pressure, some 3 u of it, plus one of the subtraction: 4 u = 4.4e-16 of
// s, up to 1.6 times that where the slope (1+s)^6 and the mean slope P/s differ, |load| <= 0.5.
TEST(StateEquation, HydrostaticDensityInvertsThePressure)
{
    Quad worst = 0;
    for (int k = 0; k <= 2400; ++k) {
        for (const double sign : {-1.0, 1.0}) {
            const double load = sign * 0.5 * std::pow(10.0, -k / 200.0);
            const Quad exact = pow(1 + Quad(load), Quad(1) / 7) - 1;
            worst = std::max(worst, relative_error(density_under(tait, load).s, exact));
        }
    }
    EXPECT_LE(worst, 1e-15);
    EXPECT_EQ(density_under(tait, 0.0).s, 0.0);
    EXPECT_EQ(density_under(tait, 127.0).s, 1.0);
    EXPECT_NEAR(density_under(tait, -0.999).s, std::pow(0.001, 1.0 / 7) - 1, 1e-13)
        << "far below rest Newton still arrives";
}

// The root in a step, over all that it promises: from half to twice the density at rest, and near rest down to 5e-14.
// The pressure rounds by some 3 u of its size, and the load's last bit by one: k u of s, k = load/(7 s (1+s)^6) <= 9.2.
// The last subtraction rounds s itself. Measured: 3.5 u (1 + k).
template <class T>
void expect_accurate_root(const Quad& allowed)
{
    Quad worst = 0;
    const auto check = [&](const Quad& wanted) {
        const T load = static_cast<T>(exact_pressure(wanted));
        const Quad s = pow(1 + Quad(load), Quad(1) / 7) - 1;
        const Quad ratio = 1 + s;
        const Quad condition = abs(Quad(load) / (7 * s * pow(ratio, 6)));
        worst = std::max(worst, relative_error(density_from_load(tait, load).s, s) / (1 + condition));
    };
    for (int k = 1; k <= 500; ++k) {
        check(Quad(-k) / 1000);
        check(Quad(k) / 500);
    }
    for (int k = 0; k <= 2400; ++k) {
        for (const int sign : {-1, 1}) check(sign * pow(Quad(10), -Quad(k) / 200) / 20);
    }
    EXPECT_LE(worst, allowed);
    EXPECT_EQ(density_from_load(tait, T(0)).s, T(0));
    EXPECT_EQ(density_from_load(tait, T(127)).s, T(1));
    EXPECT_EQ(density_from_load(linear, T(0.125)).s, T(0.125));
}

TEST(StateEquation, DensityFromLoadInvertsThePressure)
{
    expect_accurate_root<float>(4 * Quad(unit_roundoff<float>));
    expect_accurate_root<double>(4 * Quad(unit_roundoff<double>));
    // The rounds suffice for 113 bits: what is left of 1e-34 at 1e-14 is 20 digits.
    for (int k = -500; k <= 1000; ++k) {
        if (k == 0) continue;
        const Quad s = Quad(k) / 1000;
        EXPECT_LE(relative_error(density_from_load(tait, exact_pressure(s)).s, s), Quad("1e-30")) << k;
    }
}

TEST(StateEquation, PressureComesBackFromItsTerm)
{
    for (const Formulation formulation : {Formulation::mass_weighted, Formulation::volume_weighted}) {
        const Physics physics{.formulation = formulation};
        for (const double s : {-0.3, -1e-5, 0.0, 1e-7, 0.2}) {
            const CentredDensity<Quad> density{Quad(s)};
            const Quad pressure = pressure_over_reference_density(tait, density, Quad(3));
            const Quad again = pressure_from_term(physics, pressure_term(physics, density, Quad(3)), density);
            EXPECT_LE(abs(again - pressure), Quad("1e-32")) << s;
        }
    }
}

TEST(StateEquation, LanesEqualTheScalar)
{
    Random random(81);
    using S = Simd<float, 16>;
    for (int k = 0; k < 500; ++k) {
        S s;
        for (int lane = 0; lane < 16; ++lane) s.set(lane, random.number<float>(-24, -3));
        const S pressure = pressure_term(Physics{}, CentredDensity<S>{s}, S(1.7F));
        const S speed = sound_speed(tait, CentredDensity<S>{s}, S(1.7F));
        const S energy = compressive_energy(tait, CentredDensity<S>{s}, S(1.7F));
        const S root = density_from_load(tait, s).s;
        const S linear_energy = compressive_energy(linear, CentredDensity<S>{s}, S(1.7F));
        for (int lane = 0; lane < 16; ++lane) {
            const CentredDensity<float> one{s[lane]};
            ASSERT_TRUE(same(pressure[lane], pressure_term(Physics{}, one, 1.7F)));
            ASSERT_TRUE(same(root[lane], density_from_load(tait, s[lane]).s));
            ASSERT_TRUE(same(speed[lane], sound_speed(tait, one, 1.7F)));
            ASSERT_TRUE(same(energy[lane], compressive_energy(tait, one, 1.7F)));
            ASSERT_TRUE(same(linear_energy[lane], compressive_energy(linear, one, 1.7F)));
        }
    }
}

// [e(s1) - e(s0)] / (s1 - s0) = P/rho^2 of the middle and the excess over it, for both equations and for changes from a
// ten-millionth of the density's deviation to ten times it; the excess alone to rounding as well, where it is not the
// difference of two numbers of its own size and the reference in quad has the digits. Measured: 5 and 12 roundings.
template <class T>
void expect_quotient(StateEquation equation, Quad (*energy)(const Quad&), double quotient_error, double excess_error)
{
    const Quad one = 1;
    Quad worst = 0;
    Quad worst_excess = 0;
    for (int k = 0; k <= 600; ++k) {
        for (const double sign : {-1.0, 1.0}) {
            const auto s = static_cast<T>(sign * std::pow(10.0, -5 + k / 130.0));
            for (const double part : {1e-7, 1e-4, 1e-2, 0.3, 10.0}) {
                const T d = s * static_cast<T>(part);
                if (s < T(-0.5) || abs(Quad(d)) > Quad(0.3) * (1 + Quad(s))) continue;
                const Quad exact = (energy(Quad(s) + Quad(d)) - energy(Quad(s) - Quad(d))) / (2 * Quad(d));
                const CentredDensity<T> middle{s};
                const T pressure = pressure_over_reference_density(equation, middle, T(1));
                const T excess = energy_quotient_excess(equation, middle, d, T(1));
                const Quad ratio = one + Quad(s);
                const Quad limit = Quad(pressure) / (ratio * ratio);
                worst = std::max(worst, Quad(abs(limit + Quad(excess) - exact) / (abs(limit) + abs(Quad(excess)))));
                const Quad exact_pressure_term =
                    (equation == tait ? exact_pressure(Quad(s)) : Quad(s)) / (ratio * ratio);
                const Quad exact_excess = exact - exact_pressure_term;
                if (abs(Quad(d)) > Quad(3e-6) && abs(Quad(s)) < Quad(0.1))
                    worst_excess = std::max(worst_excess, Quad(abs(Quad(excess) - exact_excess) / abs(exact_excess)));
            }
        }
    }
    EXPECT_LT(worst, quotient_error);
    EXPECT_GT(worst, 0.05 * quotient_error) << "an error of no rounding at all means comparing something with itself";
    EXPECT_LT(worst_excess, excess_error);
}

Quad exact_linear_energy(const Quad& s) { return boost::math::log1p(s) - s / (1 + s); }

TEST(StateEquation, DifferenceQuotientOfTheEnergyDoesNotCancel)
{
    expect_quotient<double>(tait, exact_energy, 8 * 0x1p-53, 20 * 0x1p-53);
    expect_quotient<double>(linear, exact_linear_energy, 8 * 0x1p-53, 20 * 0x1p-53);
    expect_quotient<float>(tait, exact_energy, 8 * 0x1p-24, 20 * 0x1p-24);
    expect_quotient<float>(linear, exact_linear_energy, 8 * 0x1p-24, 20 * 0x1p-24);
}

// The quotient of the rounded energies would be off by all of them for changes as small as those of a step.
TEST(StateEquation, DifferenceOfRoundedEnergiesWouldCancel)
{
    const double s = 1e-3;
    const double d = 1e-9;
    const auto energy = [](double at) { return compressive_energy(tait, CentredDensity<double>{at}, 1.0); };
    const Quad exact = (exact_energy(Quad(s) + Quad(d)) - exact_energy(Quad(s) - Quad(d))) / (2 * Quad(d));
    EXPECT_GT(relative_error((energy(s + d) - energy(s - d)) / (2 * d), exact), 1e-12);
}

}  // namespace
}  // namespace halfulp::test
