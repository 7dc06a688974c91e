// Warnings about cases that depart from what their flow needs, for the tests of them.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "case_text.hpp"
#include "core/setup/case_warnings.hpp"
#include "hand_made.hpp"

namespace halfulp {

// Spacing 0.1 m and h = 0.2 m unless it is changed: a support of four spacings; c0 = 20 m/s.
inline Case tank_with(std::vector<Shape> shapes, int dimensions = 2)
{
    shapes.insert(shapes.begin(), hollow_box("tank", {0, 0, 0}, {2, 1, 1}, 0));
    Case c = case_of(dimensions, 0.1, std::move(shapes));
    c.gravity[static_cast<std::size_t>(dimensions - 1)] = -9.81;
    c.fluid.sound_speed = 20;
    c.time.end = c.output.interval = 1;
    return c;
}

inline Shape water(double height, double width = 2) { return box("water", Kind::fluid, {0, 0, 0}, {width, height, 1}); }

inline std::string said(const Case& c)
{
    std::string all;
    for (const std::string& sentence : case_warnings(prepare(c))) all += sentence + "\n";
    return all;
}

inline std::string refused(const Case& c)
{
    return sentence_of([&] { case_warnings(prepare(c)); });
}

inline testing::AssertionResult says(const Case& c, const std::string& part)
{
    const std::string all = said(c);
    if (std::count(all.begin(), all.end(), '\n') == 1 && all.find(part) != std::string::npos)
        return testing::AssertionSuccess();
    return testing::AssertionFailure() << '"' << part << "\" is not the one thing said in: " << all;
}
inline Motion along(Signal distance, std::vector<std::string> bodies)
{
    Motion m{.name = "push", .bodies = std::move(bodies), .rotation = {}, .translation = {}};
    m.translation = MotionTranslation{.direction = {3, 0, 0}, .distance = std::move(distance)};
    return m;
}

// Starts at rest unless it has another phase.
inline Signal sine_of(double amplitude, double period, double phase = 90)
{
    Signal s;
    s.form = Signal::Form::sine;
    s.sine.amplitude = amplitude;
    s.sine.period = period;
    s.sine.phase = phase;
    return s;
}

inline Signal steadily(double rate)
{
    Signal s;
    s.form = Signal::Form::steady;
    s.steady.rate = rate;
    return s;
}

inline std::vector<Shape> open_tank()
{
    return {box("floor", Kind::wall, {-0.4, -0.4, 0}, {2.4, 0, 0}), box("left", Kind::wall, {-0.4, 0, 0}, {0, 1, 0}),
            box("right", Kind::wall, {2, 0, 0}, {2.4, 1, 0})};
}

}  // namespace halfulp
