// Position and velocity of a body under a prescribed motion at one time, as plain numbers for the host and a device. A
// body's particles are placed from their initial positions, in closed form and in double precision, so nothing
// accumulates from step to step; everything is relative to the pivot's cell, so that a shift of a case by whole cells
// changes no bit.
#pragma once

#include <cstdint>

#include "kernels/vector.hpp"

namespace halfulp {

// Lengths in cell sides, the rest in units of the state; in 2D all third components are zero except the axis's.
struct Pose {
    std::int32_t pivot_cell[3]{};   // relative to the case's origin
    Vec<3, double> pivot_offset{};  // from the centre of that cell
    Vec<3, double> axis{};          // of unit length
    double sine = 0;                // of the rotation angle
    double versine = 0;             // 1 - its cosine
    Vec<3, double> moved{};
    double turning = 0;  // angular velocity: velocity at one cell side from the axis
    Vec<3, double> moving{};
    double turning_up = 0;   // angular acceleration: acceleration at one cell side from the axis
    double centripetal = 0;  // angular velocity squared: acceleration at one cell side from the axis
    Vec<3, double> speeding_up{};
};

HALFULP_INLINE Vec<3, double> cross(const Vec<3, double>& a, const Vec<3, double>& b)
{
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

// The vector from the pivot to a point initially at `anchor` from it, rotated by Rodrigues' formula, in which an angle
// of zero changes no bit.
HALFULP_INLINE Vec<3, double> turned(const Pose& pose, const Vec<3, double>& anchor)
{
    const Vec<3, double> across = cross(pose.axis, anchor);
    const Vec<3, double> inwards = cross(pose.axis, across);
    Vec<3, double> arm;
    for (int c = 0; c < 3; ++c) arm[c] = anchor[c] + (pose.sine * across[c] + pose.versine * inwards[c]);
    return arm;
}

// The velocity at the end of an arm, as returned by `turned`.
HALFULP_INLINE Vec<3, double> velocity_at(const Pose& pose, const Vec<3, double>& arm)
{
    const Vec<3, double> across = cross(pose.axis, arm);
    Vec<3, double> velocity;
    for (int c = 0; c < 3; ++c) velocity[c] = pose.turning * across[c] + pose.moving[c];
    return velocity;
}

HALFULP_INLINE Vec<3, double> acceleration_at(const Pose& pose, const Vec<3, double>& arm)
{
    const Vec<3, double> across = cross(pose.axis, arm);
    const Vec<3, double> inwards = cross(pose.axis, across);
    Vec<3, double> acceleration;
    for (int c = 0; c < 3; ++c)
        acceleration[c] = (pose.turning_up * across[c] + pose.centripetal * inwards[c]) + pose.speeding_up[c];
    return acceleration;
}

}  // namespace halfulp
