// Constants of operations on particles, the same for all particles during a step.
#pragma once

#include "core/motion/inertial_force.hpp"
#include "core/motion/pose.hpp"
#include "core/particles/domain.hpp"
#include "kernels/parameters.hpp"

namespace halfulp {

template <class Policy, int D>
struct ParticleConstants {
    using Real = typename Policy::Real;

    Domain domain;
    Parameters<D, Real> parameters;
    const Pose* poses = nullptr;  // of the motions halfway through the coming step, followed by those at its end
    int motions = 0;
    int poses_of_forces = 0;  // index of the poses that walls have when forces are taken
    // Of a moving frame, when forces are taken; not in a batch, whose walls have no mirror nodes.
    InertialForce inertial{};
    Real skin;             // of the neighbour lists, length units
    double density_bound;  // on |rho/rho0 - 1|
    bool limit_tension;    // of walls
    const char* step_key;  // of the case: what limits the time step
};

template <class Policy, int D>
ParticleConstants<Policy, D> constants_of(const Problem& problem)
{
    using Real = typename Policy::Real;
    const auto parameters = problem.parameters.as<D, Real>();
    return {.domain = domain_of(problem),
            .parameters = parameters,
            .skin = Real(problem.skin) * parameters.cell_side,
            .density_bound = problem.source.numerics.density_bound,
            .limit_tension = !problem.source.numerics.wall_tension,
            .step_key = step_key(problem)};
}

}  // namespace halfulp
