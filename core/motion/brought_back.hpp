// Where what a motion has taken somewhere was at the start.
#pragma once

#include "core/motion/pose.hpp"

namespace halfulp {

// `place` and what is returned in cell sides from the case's origin. To rounding: for questions that no bit of the
// state depends on.
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
