// The keys of [[motions]], in the manner of case_fields.hpp.
#pragma once

#include "core/motion/motion.hpp"
#include "core/setup/key.hpp"

namespace halfulp {

// The initial value of a signal is subtracted.
template <class Archive>
void signal_fields(Archive& a, Signal& s, bool of_angle)
{
    const auto meaning = [of_angle](std::string_view of_length, std::string_view of_degrees) {
        return of_angle ? of_degrees : of_length;
    };
    a.form({.name = "sine", .meaning = "amplitude sin(2 pi t/period + phase), from a smooth start"}, s.form,
           Signal::Form::sine, [&] {
               a.real({.name = "amplitude", .meaning = meaning("m", "degrees"), .required = true}, s.sine.amplitude,
                      any_number);
               a.real({.name = "period", .meaning = "s", .required = true}, s.sine.period, positive);
               a.real({.name = "phase", .meaning = "degrees"}, s.sine.phase, {.low = -360, .high = 360});
               a.real({.name = "smooth_start", .meaning = "s until the whole amplitude is reached"},
                      s.sine.smooth_start, not_negative);
           });
    a.form({.name = "steady", .meaning = "a constant rate, or acceleration"}, s.form, Signal::Form::steady, [&] {
        a.real({.name = "rate", .meaning = meaning("m/s, at t = 0", "degrees/s, at t = 0"), .required = true},
               s.steady.rate, any_number);
        a.real({.name = "acceleration", .meaning = meaning("m/s^2", "degrees/s^2")}, s.steady.acceleration, any_number);
    });
    a.form({.name = "table", .meaning = "a smooth curve through the rows of a CSV file"}, s.form, Signal::Form::table,
           [&] {
               a.text(
                   {.name = "file", .meaning = "CSV with a line of names; relative to the case file", .required = true},
                   s.table.file);
               a.text({.name = "time", .meaning = "name of the column of times, s"}, s.table.time);
               a.text({.name = "column", .meaning = "name of the column of values", .required = true}, s.table.column);
               a.real({.name = "scale", .meaning = meaning("m for one unit of it", "degrees for one unit of it")},
                      s.table.scale, any_number);
           });
}

template <class Archive>
void motion_fields(Archive& a, Motion& m, int dimensions)
{
    a.text({.name = "name", .meaning = "name in messages and reports", .required = true}, m.name);
    a.texts({.name = "bodies", .meaning = "names of the walls that move; none: every wall"}, m.bodies);
    choice(a, {.name = "frame", .meaning = "laboratory (walls move) or moving (walls rest, inertial forces act)"},
           m.frame, {"laboratory", "moving"});
    a.table({.name = "rotation", .meaning = "about a pivot"}, m.rotation, [&](Motion::Rotation& r) {
        a.vector({.name = "pivot", .meaning = "m, at the start", .required = true}, r.pivot, dimensions, any_number);
        a.vector({.name = "axis",
                  .meaning = "direction of the axis; turns are counter-clockwise seen against it",
                  .required = dimensions == 3,
                  .applies = dimensions == 3,
                  .applies_to = "a case with dimensions = 3"},
                 r.axis, 3, any_number);
        signal_fields(a, r.angle, true);
    });
    a.table({.name = "translation", .meaning = "along a direction, beside the rotation"}, m.translation,
            [&](Motion::Translation& t) {
                a.vector({.name = "direction", .meaning = "of any length", .required = true}, t.direction, dimensions,
                         any_number);
                signal_fields(a, t.distance, false);
            });
}

}  // namespace halfulp
