#include "core/motion/inertial_force.hpp"

namespace halfulp {

InertialForce inertial_force(const Pose& pose, const std::array<std::int32_t, 3>& origin, const Vec<3, double>& gravity,
                             double cell_side)
{
    InertialForce force;
    for (int i = 0; i < 3; ++i) force.pivot_cell[i] = origin[static_cast<std::size_t>(i)] + pose.pivot_cell[i];
    force.pivot_offset = pose.pivot_offset;
    Pose back = pose;
    back.sine = -pose.sine;
    const Vec<3, double> load = turned(back, gravity - pose.speeding_up);
    force.constant = load - gravity;
    for (int j = 0; j < 3; ++j) {
        Vec<3, double> unit{};
        unit[j] = 1;
        const Vec<3, double> across = cross(pose.axis, unit);
        const Vec<3, double> inwards = cross(pose.axis, across);
        for (int i = 0; i < 3; ++i) {
            force.position[i][j] = -(pose.turning_up * across[i] + pose.centripetal * inwards[i]) / cell_side;
            force.velocity[i][j] = -2 * pose.turning * across[i] / cell_side;
        }
    }
    return force;
}

}  // namespace halfulp
