// Harmonics and spectra of signals made by hand, at uneven times.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "validation/decisive/oscillation.hpp"

namespace halfulp::test {
namespace {

constexpr double frequency = 3.5;

std::vector<Sample> sampled(double begin, double end, double second, double noise = 0)
{
    std::mt19937 random(5);
    const auto uniform = [&] { return static_cast<double>(random()) / 4294967296.0; };
    std::vector<Sample> samples;
    for (int i = 0; i <= 1000; ++i) {
        const double t = begin + (end - begin) * (i + 0.3 * uniform()) / 1000;
        samples.push_back({t, 7 + 2 * std::cos(frequency * t + 0.4) + second * std::cos(2 * frequency * t - 1) +
                                  noise * (2 * uniform() - 1)});
    }
    return samples;
}

TEST(Harmonics, AreThoseOfTheSignal)
{
    const Harmonics found = fit_harmonics(sampled(10, 31, 0.5), frequency, 3);
    EXPECT_NEAR(found.mean, 7, 1e-11);
    ASSERT_EQ(found.lines.size(), 3u);
    EXPECT_NEAR(std::abs(found.lines[0]), 2, 1e-11);
    EXPECT_NEAR(std::arg(found.lines[0]), 0.4, 1e-11);
    EXPECT_NEAR(std::abs(found.lines[1]), 0.5, 1e-11);
    EXPECT_NEAR(std::arg(found.lines[1]), -1, 1e-11);
    EXPECT_NEAR(std::abs(found.lines[2]), 0, 1e-11);
    EXPECT_LT(found.rest, 1e-11);
    EXPECT_NEAR(fluctuation(found), std::sqrt(0.5 * (4 + 0.25)), 1e-11);
}

TEST(Harmonics, WhatTheyLeaveIsNoise)
{
    EXPECT_NEAR(fit_harmonics(sampled(10, 31, 0.5, 0.1), frequency, 3).rest, 0.1 / std::sqrt(3.0), 0.004);
}

// A signal later in time has the same phases: they count from zero, not from the window.
TEST(Harmonics, AreTheSameInAnotherWindow)
{
    const Harmonics early = fit_harmonics(sampled(0, 20, 0.5), frequency, 2);
    EXPECT_NEAR(distance(early, fit_harmonics(sampled(40, 55, 0.5), frequency, 2)), 0, 1e-10);
    const Harmonics other = fit_harmonics(sampled(0, 20, 0.6), frequency, 2);
    EXPECT_NEAR(distance(early, other), 0.1 / std::numbers::sqrt2, 1e-10);
}

TEST(Spectrum, HasTheLinesOfTheSignal)
{
    const std::vector<Sample> samples = sampled(10, 10 + 20 * 2 * std::numbers::pi / frequency, 0.5);
    EXPECT_NEAR(spectral_amplitude(samples, 0), 7, 0.02);
    EXPECT_NEAR(spectral_amplitude(samples, frequency), 2, 0.01);
    EXPECT_NEAR(spectral_amplitude(samples, 2 * frequency), 0.5, 0.005);
    EXPECT_LT(spectral_amplitude(samples, 1.5 * frequency), 0.02);
}

}  // namespace
}  // namespace halfulp::test
