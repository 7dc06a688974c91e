// The motions of a case, evaluated as poses of their bodies.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "core/motion/motion.hpp"
#include "core/motion/pose.hpp"
#include "core/setup/cell_position.hpp"
#include "core/setup/spline.hpp"
#include "core/setup/units.hpp"

namespace halfulp {

inline constexpr double degree = 3.14159265358979323846 / 180;  // radians

// A signal with its table read.
class SignalFunction {
public:
    // unit: m or radians per unit of the signal. key: the signal's name in errors, with file and place. Throws an Error
    // if the table cannot be read or does not cover 0 to `end` (s).
    SignalFunction(const Signal& signal, double unit, double end, const std::filesystem::path& table,
                   const std::string& key);

    // The change since t = 0; t in s.
    [[nodiscard]] Jet at(double t) const;
    // The largest absolute value of `at` up to `end`; for a table approximately.
    [[nodiscard]] double farthest() const { return farthest_; }

    // The extremes of `at` and the largest magnitudes of its first and second derivatives up to `end`: approximately,
    // from samples at many times.
    struct Range {
        double lowest = 0;
        double highest = 0;
        double fastest = 0;
        double most_accelerated = 0;
    };
    [[nodiscard]] Range range(double end) const;

private:
    [[nodiscard]] Jet absolute(double t) const;

    Signal signal_;
    double unit_;
    std::optional<CubicSpline1D> spline_;
    double start_ = 0;
    double farthest_ = 0;
};

class PrescribedMotion {
public:
    PrescribedMotion(const Case& c, const Motion& motion, const Units& units);

    // t in s.
    [[nodiscard]] Pose at(double t) const;
    [[nodiscard]] MotionFrame frame() const { return frame_; }
    // In radians and m.
    [[nodiscard]] const std::optional<SignalFunction>& angle() const { return angle_; }
    [[nodiscard]] const std::optional<SignalFunction>& distance() const { return distance_; }

private:
    Units units_;
    MotionFrame frame_ = MotionFrame::laboratory;
    Pose still_;  // the parts of the pose that are constant in time
    Vec<3, double> direction_{};
    std::optional<SignalFunction> angle_;
    std::optional<SignalFunction> distance_;
};

// The place to which a pose moves an initial place `start`, the case's origin included in both.
CellPosition carried(const Pose& pose, const std::array<std::int32_t, 3>& origin, const CellPosition& start);

}  // namespace halfulp
