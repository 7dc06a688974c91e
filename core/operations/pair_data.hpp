// Input of passes over pairs: the particles, as plain pointers into the memory of the back end, and common constants.
#pragma once

#include <array>
#include <cstdint>

#include "core/motion/inertial_force.hpp"
#include "core/particles/fields.hpp"
#include "core/setup/cell_position.hpp"
#include "kernels/parameters.hpp"
#include "kernels/physics.hpp"
#include "kernels/smoothing.hpp"

namespace halfulp {

template <class Real>
struct PairConstants {
    Parameters<3, float> parameters{};
    Physics physics;
    SmoothingKernel kernel{};
    bool signal_speed = false;             // wanted for a variable step
    Real reach_squared{};                  // candidates are closer than this to a target, length units squared
    CellPosition centre;                   // of the central force
    std::array<std::int32_t, 3> period{};  // cells; 0: not periodic. Global coordinates alone need it here
    InertialForce inertial{};
    const Pose* poses = nullptr;  // of the motions when forces are taken
};

// All fields except the works, which no pass over pairs books.
using PairFields = detail::Without<AllFields, FieldList<field::Works>>::type;

template <class Real>
struct PairData : PairConstants<Real>, Members<Real, Pointer, PairFields> {
};

template <class Real, class View>
void set_pointers(PairData<Real>& data, const View& particles)
{
    for_each_field(PairFields{}, [&]<class F>() { F::of(data) = F::of(particles); });
}

}  // namespace halfulp
