// The motions and inertial forces prescribed for one step.
#pragma once

#include <vector>

#include "core/motion/inertial_force.hpp"
#include "core/motion/pose.hpp"

namespace halfulp {

struct CourseOfStep {
    std::vector<Pose> poses;    // of every motion halfway through the step, then of every motion at its end
    InertialForce inertial;     // at the time at which forces are computed
    bool forces_at_end = true;  // whether forces are computed at the end of the step; otherwise halfway through it

    [[nodiscard]] int motions() const { return static_cast<int>(poses.size() / 2); }
    // Index of the first pose used while forces are computed.
    [[nodiscard]] int poses_of_forces() const { return forces_at_end ? motions() : 0; }
};

}  // namespace halfulp
