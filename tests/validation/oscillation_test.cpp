// Oscillations fitted to samples made by hand, and their distances.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "validation/decisive/oscillation.hpp"

namespace halfulp::test {
namespace {

std::vector<Sample> sampled(double begin, double end, double offset, double amplitude, double phase, double frequency,
                            double damping, double noise = 0)
{
    std::mt19937 random(3);
    std::vector<Sample> samples;
    for (int i = 0; i <= 400; ++i) {
        const double t = begin + (end - begin) * i / 400;
        const double disturbed = noise * (static_cast<double>(random()) / 2147483648.0 - 1);
        samples.push_back(
            {t, offset + amplitude * std::exp(-damping * t) * std::cos(frequency * t + phase) + disturbed});
    }
    return samples;
}

TEST(Oscillation, IsFoundFromAFrequencyThatIsOff)
{
    for (const double off : {0.93, 1.0, 1.07}) {
        const Oscillation o = fit_oscillation(sampled(10, 20, 0.3, 2, 0.7, 5.3, 0.05), off * 5.3);
        EXPECT_NEAR(o.middle, 15, 1e-12);
        EXPECT_NEAR(o.frequency, 5.3, 1e-10);
        EXPECT_NEAR(o.damping, 0.05, 1e-10);
        EXPECT_NEAR(o.offset, 0.3, 1e-10);
        EXPECT_NEAR(o.amplitude(), 2 * std::exp(-0.05 * 15), 1e-10);
        EXPECT_NEAR(o.at(17), 0.3 + 2 * std::exp(-0.05 * 17) * std::cos(5.3 * 17 + 0.7), 1e-10);
        EXPECT_LT(o.rest, 1e-10);
    }
}

TEST(Oscillation, NoiseIsWhatIsLeft)
{
    const Oscillation o = fit_oscillation(sampled(0, 12, 0, 1, 0, 5.3, 0.01, 0.1), 5.3);
    EXPECT_NEAR(o.amplitude(), std::exp(-0.06), 0.02);
    EXPECT_NEAR(o.rest, 0.1 / std::sqrt(3.0), 0.01);
}

TEST(Oscillation, OfNothingIsNothing)
{
    const Oscillation flat = fit_oscillation(sampled(0, 12, 0.5, 0, 0, 5.3, 0), 5.3);
    EXPECT_NEAR(flat.offset, 0.5, 1e-12);
    EXPECT_NEAR(flat.amplitude(), 0, 1e-12);
    const Oscillation wave = fit_oscillation(sampled(0, 12, 0, 1, 0, 5.3, 0), 5.3);
    EXPECT_NEAR(error_of(flat, wave).together, 1, 1e-9) << "all of it is lost";
    EXPECT_NEAR(error_of(flat, wave).offset, 0.5, 1e-9);
}

TEST(Oscillation, ErrorsAreOfAmplitudeAndPhase)
{
    const Oscillation reference = fit_oscillation(sampled(10, 20, 0, 1, 0, 5.3, 0), 5.3);
    const OscillationError larger = error_of(fit_oscillation(sampled(10, 20, 0, 1.02, 0, 5.3, 0), 5.3), reference);
    EXPECT_NEAR(larger.amplitude, 0.02, 1e-9);
    EXPECT_NEAR(larger.phase, 0, 1e-9);
    EXPECT_NEAR(larger.together, 0.02, 1e-9);
    const OscillationError turned = error_of(fit_oscillation(sampled(10, 20, 0, 1, 0.01, 5.3, 0), 5.3), reference);
    EXPECT_NEAR(turned.amplitude, 0, 1e-9);
    EXPECT_NEAR(turned.phase, 0.01, 1e-9);
    EXPECT_NEAR(turned.together, 0.01, 1e-6);
    // Samples of other times tell the same.
    const OscillationError shifted = error_of(fit_oscillation(sampled(10.2, 20.1, 0, 1, 0, 5.3, 0), 5.3), reference);
    EXPECT_NEAR(shifted.together, 0, 1e-8);
}

}  // namespace
}  // namespace halfulp::test
