// Inertial forces of a moving frame: with r from the pivot, u the velocity in the frame, omega its angular velocity, R
// its rotation and d its translation,
//   f = R^T (g - d_tt) - g - omega_t x r - omega x (omega x r) - 2 omega x u        (Landau and Lifshitz, Mechanics,
//   39)
// The case's gravity g acts in addition and has its potential; f contains its rotation.
#pragma once

#include <array>

#include "core/motion/pose.hpp"

namespace halfulp {

// f = constant + position r + velocity u, in units of the state.
struct InertialForce {
    std::int32_t pivot_cell[3]{};   // the case's origin included
    Vec<3, double> pivot_offset{};  // cell sides
    Vec<3, double> constant{};
    double position[3][3]{};
    double velocity[3][3]{};
};

// origin: the case's; gravity: of the case, in units of the state; cell_side: in units of length of the state.
InertialForce inertial_force(const Pose& pose, const std::array<std::int32_t, 3>& origin, const Vec<3, double>& gravity,
                             double cell_side);

}  // namespace halfulp
