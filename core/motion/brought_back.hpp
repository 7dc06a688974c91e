// The initial position of a point that a motion has moved.
#pragma once

#include "core/motion/pose.hpp"

namespace halfulp {

// The position from which the pose has moved a point to `place`, both in cell sides from the case's origin. Rounded, so
// only for uses on which no bit of the state depends.
inline Vec<3, double> brought_back(const Pose& pose, const Vec<3, double>& place)
{
    Pose back = pose;
    back.sine = -pose.sine;
    Vec<3, double> pivot;
    Vec<3, double> arm;
    for (int c = 0; c < 3; ++c) {
        pivot[c] = pose.pivot_cell[c] + pose.pivot_offset[c];
        arm[c] = place[c] - pivot[c] - pose.moved[c];
    }
    const Vec<3, double> anchor = turned(back, arm);
    Vec<3, double> start;
    for (int c = 0; c < 3; ++c) start[c] = pivot[c] + anchor[c];
    return start;
}

}  // namespace halfulp
