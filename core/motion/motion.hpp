// The prescribed motion of walls, or of the frame in which the whole case is computed.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace halfulp {

// A function of time, given in one of three forms. A motion takes its change since t = 0.
struct Signal {
    enum class Form { sine, steady, table };
    Form form = Form::sine;
    struct {
        double amplitude = 0;     // m, or degrees
        double period = 0;        // s
        double phase = 0;         // degrees
        double smooth_start = 0;  // s until the amplitude is reached
    } sine;
    struct {
        double rate = 0;          // m/s, or degrees/s, at t = 0
        double acceleration = 0;  // m/s^2, or degrees/s^2
    } steady;
    struct {
        std::string file;  // CSV; relative to the case file
        std::string time = "t_s";
        std::string column;
        double scale = 1;  // m, or degrees, for one unit of the column
    } table;
};

// The frame of a moving wall: the laboratory, in which it moves, or a frame moving with it, in which it is at rest and
// inertial forces act.
enum class MotionFrame : std::uint8_t { laboratory, moving };

struct MotionRotation {
    std::array<double, 3> pivot{};        // m
    std::array<double, 3> axis{0, 0, 0};  // 3D; in 2D it is z
    Signal angle;                         // degrees, counter-clockwise seen against the axis
};

struct MotionTranslation {
    std::array<double, 3> direction{};
    Signal distance;  // m, along the direction
};

struct Motion {
    std::string name;
    std::vector<std::string> bodies;  // names of wall shapes; none: every wall
    MotionFrame frame = MotionFrame::laboratory;
    // Not nested, since clang rejects std::optional of a nested class with initialisers inside the enclosing class.
    using Rotation = MotionRotation;
    using Translation = MotionTranslation;
    std::optional<Rotation> rotation;
    std::optional<Translation> translation;
};

}  // namespace halfulp
