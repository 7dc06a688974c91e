#include "core/setup/prescribed_motion.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "core/error.hpp"
#include "core/setup/table.hpp"
#include "precision/elementary.hpp"

namespace halfulp {

namespace {

constexpr double pi = 3.14159265358979323846;

// From 0 at 0 to 1 at `duration`, with two continuous derivatives at both ends.
Jet smooth_step(double t, double duration)
{
    if (t >= duration) return {1, 0, 0};
    const double x = t / duration;
    return {x * x * x * (10 + x * (-15 + x * 6)), x * x * (30 + x * (-60 + x * 30)) / duration,
            x * (60 + x * (-180 + x * 120)) / (duration * duration)};
}

// Of a motion's table.
struct Samples {
    std::filesystem::path path;
    std::vector<double> times;
    std::vector<double> values;
};

// key: names the file in errors.
Samples read_samples(const Signal& signal, const std::filesystem::path& file, const std::string& key)
{
    try {
        const NumberTable table = read_number_table(file);
        return {table.path, table.ascending_column(signal.table.time), table.column(signal.table.column)};
    } catch (const Error& error) {
        throw input_error("{}.table.file: {}", key, error.what());
    }
}

CubicSpline1D read_spline(const Signal& signal, double end, const std::filesystem::path& path, const std::string& key)
{
    const auto [file, times, values] = read_samples(signal, path, key);
    const bool short_of = times.size() < 2;
    const bool late = !short_of && times.front() > 0;
    const bool early = !short_of && times.back() < end;
    if (short_of || late || early) {
        throw input_error("{}.table.file: {} {}, but must last from 0 to time.end = {} s; {}{}{}.", key, path.string(),
                          short_of ? std::string("has fewer than two rows")
                                   : fmt::format("lasts from {} to {} s", times.front(), times.back()),
                          end, late ? "let its first row be at 0 s or earlier" : "", late && early ? ", and " : "",
                          short_of || early ? "shorten the run or give a longer table" : "");
    }
    return {times, values};
}

}  // namespace

SignalFunction::SignalFunction(const Signal& signal, double unit, double end, const std::filesystem::path& table,
                               const std::string& key)
    : signal_(signal), unit_(unit)
{
    if (signal.form == Signal::Form::table) spline_ = read_spline(signal, end, table, key);
    if (signal.form == Signal::Form::sine && !(2 * pi * end / signal.sine.period < largest_angle / 2)) {
        throw input_error(
            "{}.sine.period is {} s, which makes more than {:.0f} periods until time.end = {} s; give a longer one.",
            key, signal.sine.period, largest_angle / (4 * pi), end);
    }
    start_ = absolute(0).value;
    std::vector<double> times{0, end / 2, end};
    // Where a constant acceleration turns the motion back.
    if (signal.form == Signal::Form::steady && signal.steady.acceleration != 0) {
        const double turn = -signal.steady.rate / signal.steady.acceleration;
        if (turn > 0 && turn < end) times.push_back(turn);
    }
    // For a table its rows and the midpoints between them, where its curve has its maximum or nearly so.
    if (spline_) {
        const std::vector<double>& rows = spline_->knots();
        for (std::size_t k = 0; k + 1 < rows.size() && rows[k] < end; ++k) {
            if (rows[k + 1] > 0) times.insert(times.end(), {rows[k + 1], rows[k] / 2 + rows[k + 1] / 2});
        }
    }
    for (const double t : times) {
        const Jet jet = at(t);
        if (!std::isfinite(jet.value) || !std::isfinite(jet.rate) || !std::isfinite(jet.acceleration)) {
            throw input_error(
                "{}.{} makes the place, speed or acceleration infinite at t = {} s; give smaller numbers{}.", key,
                spline_                             ? "table"
                : signal.form == Signal::Form::sine ? "sine"
                                                    : "steady",
                t, spline_ ? ", or rows that lie less close together" : "");
        }
        farthest_ = std::max(farthest_, std::abs(jet.value));
    }
    // For a sine the amplitude bounds the displacement.
    if (signal.form == Signal::Form::sine) farthest_ = 2 * std::abs(unit * signal.sine.amplitude);
}

Jet SignalFunction::absolute(double t) const
{
    Jet jet;
    double scale = unit_;
    switch (signal_.form) {
    case Signal::Form::steady: {
        const auto& [rate, acceleration] = signal_.steady;
        jet = {rate * t + 0.5 * acceleration * t * t, rate + acceleration * t, acceleration};
        break;
    }
    case Signal::Form::table:
        jet = spline_->at(t);
        scale *= signal_.table.scale;
        break;
    case Signal::Form::sine: {
        const double frequency = 2 * pi / signal_.sine.period;
        const double angle = frequency * t + signal_.sine.phase * degree;
        const double s = sine(angle);
        const double rate = frequency * cosine(angle);
        const double acceleration = -frequency * frequency * s;
        const Jet w = smooth_step(t, signal_.sine.smooth_start);
        jet = {w.value * s, w.rate * s + w.value * rate,
               w.acceleration * s + 2 * w.rate * rate + w.value * acceleration};
        scale *= signal_.sine.amplitude;
        break;
    }
    }
    return {scale * jet.value, scale * jet.rate, scale * jet.acceleration};
}

Jet SignalFunction::at(double t) const
{
    Jet jet = absolute(t);
    jet.value -= start_;
    return jet;
}

SignalFunction::Range SignalFunction::range(double end) const
{
    const double periods = signal_.form == Signal::Form::sine ? end / signal_.sine.period : 0;
    const double times = std::clamp(std::round(40 * periods), 4000.0, 1e6);
    Range range;
    for (double k = 0; k <= times; ++k) {
        const Jet jet = at(end * k / times);
        range.lowest = std::min(range.lowest, jet.value);
        range.highest = std::max(range.highest, jet.value);
        range.fastest = std::max(range.fastest, std::abs(jet.rate));
        range.most_accelerated = std::max(range.most_accelerated, std::abs(jet.acceleration));
    }
    return range;
}

PrescribedMotion::PrescribedMotion(const Case& c, const Motion& motion, const Units& units)
    : units_(units), frame_(motion.frame)
{
    // A wall's velocity is a motion of the same name as the wall.
    const auto named = [&](const Motion& other) { return other.name == motion.name; };
    const std::string own = std::any_of(c.motions.begin(), c.motions.end(), named)
                                ? "motions." + motion.name
                                : fmt::format("shapes.{}.velocity", motion.name);
    const std::string key = fmt::format("{}: {}", place_of(c, own), own);
    const auto normalise = [&](std::array<double, 3> vector, const char* what) {
        const double largest = std::max({std::abs(vector[0]), std::abs(vector[1]), std::abs(vector[2])});
        if (!(largest > 0)) {
            throw input_error("{}.{} is zero, but must have a length; give a direction.", key, what);
        }
        // Of any length: squares would overflow or vanish. A power of two changes no digit.
        int exponent = 0;
        std::frexp(largest, &exponent);
        for (double& component : vector) component = std::ldexp(component, -exponent);
        const double length = std::sqrt(vector[0] * vector[0] + vector[1] * vector[1] + vector[2] * vector[2]);
        return Vec<3, double>{vector[0] / length, vector[1] / length, vector[2] / length};
    };
    if (motion.rotation) {
        const std::array<double, 3> axis = c.dimensions == 2 ? std::array<double, 3>{0, 0, 1} : motion.rotation->axis;
        still_.axis = normalise(axis, "rotation.axis");
        const CellPosition pivot = cell_position(c, units, motion.rotation->pivot, key + ".rotation.pivot");
        for (int i = 0; i < 3; ++i) {
            const auto axis_index = static_cast<std::size_t>(i);
            still_.pivot_cell[i] = pivot.cell[axis_index] - c.origin.cells[axis_index];
            still_.pivot_offset[i] = static_cast<double>(pivot.offset[axis_index]);
        }
        const Signal& angle = motion.rotation->angle;
        angle_.emplace(angle, degree, c.time.end, c.path_of(angle.table.file), key + ".rotation");
        if (!(angle_->farthest() <= largest_angle)) {
            throw input_error(
                "{}.rotation turns by {:.3g} degrees until time.end = {} s, but at most {:.3g} can be computed; turn "
                "slower, or shorten the run.",
                key, angle_->farthest() / degree, c.time.end, largest_angle / degree);
        }
    }
    if (motion.translation) {
        direction_ = normalise(motion.translation->direction, "translation.direction");
        const Signal& distance = motion.translation->distance;
        distance_.emplace(distance, 1, c.time.end, c.path_of(distance.table.file), key + ".translation");
        constexpr double most_cells = 1073741824;  // 2^30; carried() counts them in 32 bits
        if (!(distance_->farthest() / units.length <= most_cells)) {
            throw input_error(
                "{}.translation goes as far as {:.3g} m until time.end = {} s, {:.3g} cells, but at most 2^30 can be "
                "numbered; shorten the way or the run.",
                key, distance_->farthest(), c.time.end, distance_->farthest() / units.length);
        }
    }
}

Pose PrescribedMotion::at(double t) const
{
    Pose pose = still_;
    const double velocity = units_.length / units_.velocity;
    if (angle_) {
        const Jet angle = angle_->at(t);
        const double half = sine(angle.value / 2);
        pose.sine = sine(angle.value);
        pose.versine = 2 * half * half;
        pose.turning = angle.rate * velocity;
        pose.turning_up = angle.acceleration * units_.length / units_.acceleration();
        pose.centripetal = angle.rate * angle.rate * units_.length / units_.acceleration();
    }
    if (distance_) {
        const Jet distance = distance_->at(t);
        for (int i = 0; i < 3; ++i) {
            pose.moved[i] = direction_[i] * (distance.value / units_.length);
            pose.moving[i] = direction_[i] * (distance.rate / units_.velocity);
            pose.speeding_up[i] = direction_[i] * (distance.acceleration / units_.acceleration());
        }
    }
    return pose;
}

CellPosition carried(const Pose& pose, const std::array<std::int32_t, 3>& origin, const CellPosition& start)
{
    Vec<3, double> anchor;
    for (int i = 0; i < 3; ++i) {
        const auto axis = static_cast<std::size_t>(i);
        const auto cells = static_cast<double>(std::int64_t(start.cell[axis]) - origin[axis] - pose.pivot_cell[i]);
        anchor[i] = cells + (static_cast<double>(start.offset[axis]) - pose.pivot_offset[i]);
    }
    const Vec<3, double> arm = turned(pose, anchor);
    CellPosition place;
    for (int i = 0; i < 3; ++i) {
        const auto axis = static_cast<std::size_t>(i);
        const double from_pivot_cell = pose.pivot_offset[i] + (arm[i] + pose.moved[i]);
        const double nearest = std::floor(from_pivot_cell + 0.5);
        place.cell[axis] = origin[axis] + pose.pivot_cell[i] + static_cast<std::int32_t>(nearest);
        place.offset[axis] = static_cast<float>(from_pivot_cell - nearest);
    }
    return place;
}

}  // namespace halfulp
