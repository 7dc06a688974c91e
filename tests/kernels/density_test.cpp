// Densities as types: mixing them must not compile, and converting them must do what it says.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
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
static_assert(refused_everywhere<AbsoluteDensity<float>>);
// A ratio has a pressure, for the ablation study, and nothing else.
static_assert(HasPressure<RelativeDensity<float>> && HasPressureTerm<RelativeDensity<float>> &&
              HasRelative<RelativeDensity<float>>);
static_assert(!HasSoundSpeed<RelativeDensity<float>> && !HasEnergy<RelativeDensity<float>> &&
              !FitsMomentumState<RelativeDensity<float>> &&
              !MixesInViscosity<CentredDensity<float>, RelativeDensity<float>>);
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

// What a storage gives back of s, and what it loses: half an ulp of what it holds, which for a ratio is 2^-24 whatever
// s is, and for a density in kg/m^3 the same or less, relative to rho.
template <class Storage>
double largest_loss()
{
    double largest = 0;
    for (int k = -2000; k <= 2000; ++k) {
        const float s = 1e-6F * static_cast<float>(k);
        const float stored = Storage::stored(CentredDensity<float>{s}, 1000.0F);
        const double back = Storage::centred(static_cast<double>(stored), 1000.0).s;
        largest = std::max(largest, std::abs(back - static_cast<double>(s)));
    }
    return largest;
}

TEST(Density, StoragesLoseHalfAnUlpOfWhatTheyHold)
{
    EXPECT_EQ(largest_loss<CentredStorage>(), 0);
    EXPECT_LE(largest_loss<RelativeStorage>(), 0x1p-24);
    EXPECT_GT(largest_loss<RelativeStorage>(), 0x1p-26);
    EXPECT_LE(largest_loss<AbsoluteStorage>(), 0x1p-15 / 1000 * 1.001);  // rho from 512 to 1024: ulp 2^-14
    EXPECT_GT(largest_loss<AbsoluteStorage>(), 0x1p-17 / 1000);
}

TEST(Density, RatesOfStoredDensities)
{
    EXPECT_EQ(CentredStorage::rate(0.5F, 1000.0F), 0.5F);
    EXPECT_EQ(RelativeStorage::rate(0.5F, 1000.0F), 0.5F);
    EXPECT_EQ(AbsoluteStorage::rate(0.5F, 1000.0F), 500.0F);
    EXPECT_EQ(AbsoluteStorage::relative(1250.0F, 1000.0F).ratio, 1.25F);
    EXPECT_EQ(RelativeStorage::centred(1.25F, 1000.0F).s, 0.25F);
}

}  // namespace
}  // namespace halfulp::test
