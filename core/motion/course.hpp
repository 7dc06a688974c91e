// What the motions of a case prescribe for one step.
#pragma once

#include <vector>

#include "core/motion/inertial_force.hpp"
#include "core/motion/pose.hpp"

namespace halfulp {

struct CourseOfStep {
    std::vector<Pose> poses;  // of every motion halfway through the step, then those at its end
    InertialForce inertial;   // at its end

    [[nodiscard]] int motions() const { return static_cast<int>(poses.size() / 2); }
};

}  // namespace halfulp
