#include "core/setup/wall_speed.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include <fmt/format.h>

#include "core/setup/extremes.hpp"
#include "core/setup/for_each_particle.hpp"
#include "core/setup/table.hpp"

namespace halfulp {

namespace {

// Times at which the rate of a signal may be largest.
void add_times(const Case& c, const Signal& signal, std::vector<double>& times)
{
    constexpr int pieces = 64;
    switch (signal.form) {
    case Signal::Form::steady: times.push_back(c.time.end); return;  // at either end
    case Signal::Form::sine: {
        // After that it repeats the first full period.
        const double end = std::min(c.time.end, signal.sine.smooth_start + signal.sine.period);
        const auto steps = std::ceil(std::min(end / signal.sine.period * pieces, 1e5));
        for (double k = 1; k <= steps; ++k) times.push_back(k / steps * end);
        return;
    }
    case Signal::Form::table: {
        const NumberTable table = read_number_table(c.path_of(signal.table.file));
        const std::vector<double>& rows = table.ascending_column(signal.table.time);
        for (std::size_t row = 0; row + 1 < rows.size(); ++row) {
            for (int k = 0; k < 4; ++k) times.push_back(rows[row] + k / 4.0 * (rows[row + 1] - rows[row]));
        }
        times.push_back(c.time.end);
        return;
    }
    }
}

// Of a motion, from 0 to time.end.
std::vector<double> times_of(const Case& c, std::size_t motion)
{
    std::vector<double> times{0};
    if (motion < c.motions.size()) {  // a wall's own velocity is steady
        if (const auto& turns = c.motions[motion].rotation) add_times(c, turns->angle, times);
        if (const auto& shifts = c.motions[motion].translation) add_times(c, shifts->distance, times);
    }
    std::erase_if(times, [&](double time) { return !(time >= 0 && time <= c.time.end); });
    return times;
}

struct FluidExtents {  // of the fluid at the start, from the pivot, cell sides
    Extremes along;    // a direction
    Extremes squares;  // of the distance from the axis
    std::array<Extremes, 3> axes;
};

FluidExtents extents_of_fluid(const Problem& problem, const Pose& start, const Vec<3, double>& along)
{
    return fold_particles(
        problem.particles.size(), FluidExtents{},
        [&](FluidExtents& all, std::size_t k) {
            const InitialParticle particle = problem.particles.without_velocity(k);
            if (particle.kind != Kind::fluid) return;
            const Vec<3, double> x = anchor_of(problem, particle, start);
            const double on_axis = dot(x, start.axis);
            all.along.add(dot(x, along));
            all.squares.add(dot(x, x) - on_axis * on_axis);
            for (std::size_t i = 0; i < 3; ++i) all.axes[i].add(x[static_cast<int>(i)]);
        },
        [](FluidExtents& all, const FluidExtents& more) {
            all.along.add(more.along);
            all.squares.add(more.squares);
            for (std::size_t i = 0; i < 3; ++i) all.axes[i].add(more.axes[i]);
        });
}

double speed_at(const Pose& pose, const Vec<3, double>& anchor)
{
    const Vec<3, double> velocity = velocity_at(pose, turned(pose, anchor));
    return std::sqrt(dot(velocity, velocity));
}

}  // namespace

std::string key_of_motion(const Case& c, std::size_t motion)
{
    if (motion < c.motions.size()) return "motions." + c.motions[motion].name;
    std::size_t slides = motion - c.motions.size();
    for (const Shape& s : c.shapes) {
        if (s.slides() && slides-- == 0) return fmt::format("shapes.{}.velocity", s.name);
    }
    return "motions";
}

Vec<3, double> anchor_of(const Problem& problem, const InitialParticle& particle, const Pose& pose)
{
    Vec<3, double> anchor;
    for (int i = 0; i < 3; ++i) {
        const auto axis = static_cast<std::size_t>(i);
        const auto cells = static_cast<double>(std::int64_t(particle.cell[axis]) - problem.source.origin.cells[axis] -
                                               pose.pivot_cell[i]);
        anchor[i] = cells + (static_cast<double>(particle.offset[axis]) - pose.pivot_offset[i]);
    }
    return anchor;
}

FastestWall fastest_wall(const Problem& problem, std::size_t motion)
{
    const Case& c = problem.source;
    const PrescribedMotion& moves = problem.motions[motion];
    const std::vector<double> times = times_of(c, motion);
    const Pose start = moves.at(0);
    const auto moved = [&](const InitialParticle& particle) {
        return particle.kind == Kind::wall &&
               (moves.frame() == MotionFrame::moving || particle.motion == static_cast<std::int32_t>(motion));
    };
    std::vector<Vec<3, double>> anchors;
    Vec<3, double> low{};
    Vec<3, double> high{};
    for (const InitialParticle& particle : problem.particles) {
        if (!moved(particle)) continue;
        anchors.push_back(anchor_of(problem, particle, start));
        for (int i = 0; i < 3; ++i) {
            low[i] = anchors.size() == 1 ? anchors.back()[i] : std::min(low[i], anchors.back()[i]);
            high[i] = anchors.size() == 1 ? anchors.back()[i] : std::max(high[i], anchors.back()[i]);
        }
    }
    // Velocity is linear in position, so over a box it is largest at a corner: that gives the time, at which all
    // particles are then evaluated.
    FastestWall fastest;
    for (const double time : times) {
        const Pose pose = moves.at(time);
        for (unsigned corner = 0; corner < 8; ++corner) {
            Vec<3, double> anchor;
            for (int i = 0; i < 3; ++i) anchor[i] = (corner >> static_cast<unsigned>(i) & 1U) != 0 ? high[i] : low[i];
            const double speed = speed_at(pose, anchor);
            if (speed > fastest.speed) fastest = {.speed = speed, .time = time};
        }
    }
    const Pose pose = moves.at(fastest.time);
    fastest.speed = 0;
    for (const auto& anchor : anchors) fastest.speed = std::max(fastest.speed, speed_at(pose, anchor));
    fastest.speed *= problem.units.velocity;
    return fastest;
}

double length_per_period(const Problem& problem, std::size_t motion)
{
    const Case& c = problem.source;
    const PrescribedMotion& moves = problem.motions[motion];
    double frequency = 0;  // rad/s
    for (const auto* signal : {&moves.angle(), &moves.distance()}) {
        if (!*signal) continue;
        const SignalFunction::Range range = (*signal)->range(c.time.end);
        if (range.fastest > 0) frequency = std::max(frequency, range.most_accelerated / range.fastest);
    }
    if (frequency == 0) return 0;
    const FluidExtents fluid = extents_of_fluid(problem, moves.at(0), {});
    return frequency / (2 * std::numbers::pi) * problem.units.length *
           std::max({fluid.axes[0].width(), fluid.axes[1].width(), fluid.axes[2].width()});
}

FrameLoad load_of_frame(const Problem& problem, std::size_t motion)
{
    const Case& c = problem.source;
    const PrescribedMotion& moves = problem.motions[motion];
    const Pose start = moves.at(0);
    // A uniform force along a period raises no pressure, and is left out.
    Vec<3, double> along{};
    double part = 0;  // of the translation
    if (const auto& shifts = c.motions[motion].translation) {
        const std::array<double, 3>& given = shifts->direction;
        for (int i = 0; i < 3; ++i)
            along[i] = c.period[static_cast<std::size_t>(i)] == 0 ? given[static_cast<std::size_t>(i)] : 0;
        part = std::hypot(along[0], along[1], along[2]);
        for (int i = 0; i < 3 && part > 0; ++i) along[i] /= part;
        part /= std::hypot(given[0], given[1], given[2]);
    }
    const FluidExtents fluid = extents_of_fluid(problem, start, along);
    const double side = problem.units.length;
    const auto& axes = fluid.axes;
    const double across = side * std::hypot(axes[0].width(), axes[1].width(), axes[2].width());
    // A frame that turns, too, feels the translation from all sides.
    const double length = moves.angle() ? across : side * fluid.along.width();
    const double radius = side * std::sqrt(std::max(fluid.squares.high, 0.0));
    FrameLoad load;
    for (const double time : times_of(c, motion)) {
        double potential = 0;
        if (moves.distance()) {
            const double acceleration = part * std::abs(moves.distance()->at(time).acceleration);
            load.acceleration = std::max(load.acceleration, acceleration);
            potential += acceleration * length;
        }
        if (moves.angle()) {
            const Jet angle = moves.angle()->at(time);
            load.turning = std::max(load.turning, std::abs(angle.rate));
            potential += angle.rate * angle.rate * side * side * fluid.squares.width() / 2 +
                         std::abs(angle.acceleration) * radius * across;
        }
        if (potential > load.potential) {
            load.potential = potential;
            load.time = time;
        }
    }
    return load;
}

}  // namespace halfulp
