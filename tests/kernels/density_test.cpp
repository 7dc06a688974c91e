// Densities as types: mixing them must not compile, and converting them must do what it says.
#include <gtest/gtest.h>

#include <type_traits>

#include "kernels/density.hpp"
#include "kernels/momentum.hpp"
#include "kernels/state_equation.hpp"

namespace halfulp::test {
namespace {

template <class Density>
concept HasPressure = requires(Density density)
{
    pressure_over_reference_density(StateEquation::tait, density, 1.0F);
};
template <class Density>
concept HasPressureTerm = requires(Density density)
{
    pressure_term(Physics{}, density, 1.0F);
};
template <class Density>
concept HasSoundSpeed = requires(Density density)
{
    sound_speed(StateEquation::tait, density, 1.0F);
};
template <class Density>
concept HasEnergy = requires(Density density)
{
    compressive_energy(StateEquation::tait, density, 1.0F);
};
template <class Density>
concept HasRelative = requires(Density density)
{
    relative(density);
};
template <class Density>
concept FitsMomentumState = requires(Density density)
{
    MomentumState<2, float>{{}, 0.0F, density};
};
template <class A, class B>
concept MixesInViscosity = requires(A a, B b)
{
    artificial_viscosity(StateEquation::tait, 1.0F, 1.0F, a, b, 1.0F, 1.0F, 1.0F, 1.0F);
};

// What is meant to compile does, so that the refusals below are not refusals of everything.
static_assert(HasPressure<CentredDensity<float>> && HasPressureTerm<CentredDensity<float>> &&
              HasSoundSpeed<CentredDensity<float>>);
static_assert(HasEnergy<CentredDensity<float>> && HasRelative<CentredDensity<float>> &&
              FitsMomentumState<CentredDensity<float>>);
static_assert(MixesInViscosity<CentredDensity<float>, CentredDensity<float>>);

template <class Density>
constexpr bool refused_everywhere =
    !HasPressure<Density> && !HasPressureTerm<Density> && !HasSoundSpeed<Density> && !HasEnergy<Density> &&
    !HasRelative<Density> && !FitsMomentumState<Density> && !MixesInViscosity<CentredDensity<float>, Density>;
static_assert(refused_everywhere<RelativeDensity<float>>);
static_assert(refused_everywhere<AbsoluteDensity<float>>);
// A bare number may only fill a state's braces, where the language lets it through.
static_assert(!HasPressure<float> && !HasPressureTerm<float> && !HasSoundSpeed<float> && !HasEnergy<float> &&
              !HasRelative<float>);

template <class A, class B>
constexpr bool unrelated =
    !std::is_convertible_v<A, B> && !std::is_assignable_v<A&, B> && !std::is_constructible_v<A, B>;
static_assert(unrelated<CentredDensity<float>, RelativeDensity<float>> &&
              unrelated<RelativeDensity<float>, CentredDensity<float>>);
static_assert(unrelated<CentredDensity<float>, AbsoluteDensity<float>> &&
              unrelated<AbsoluteDensity<float>, CentredDensity<float>>);
static_assert(unrelated<RelativeDensity<float>, AbsoluteDensity<float>> &&
              unrelated<AbsoluteDensity<float>, RelativeDensity<float>>);
static_assert(!std::is_convertible_v<float, CentredDensity<float>> &&
              !std::is_convertible_v<CentredDensity<float>, float>);
static_assert(unrelated<CentredDensity<float>, CentredDensity<double>>);

TEST(Density, ConvertsOutOfTheCentredForm)
{
    const CentredDensity<float> density{0.25F};
    EXPECT_EQ(relative(density).ratio, 1.25F);
    EXPECT_EQ(absolute(density, 1000.0F).rho, 1250.0F);
    EXPECT_EQ(absolute(CentredDensity<float>{-0.5F}, 2.0F).rho, 1.0F);
}

}  // namespace
}  // namespace halfulp::test
