// Time-symmetric kick-drift-kick with the density advanced by its rate at the midpoint:
//   u' = u + a dt/2; x' = x + u' dt/2; s1 = s + dt s_dot(x', u'); x1 = x' + u' dt/2; a1 = a(x1, s1); u1 = u' + a1 dt/2.
// Second order; exactly time-symmetric for pair (i) without viscosity at a fixed step. Viscous forces, taken at u',
// density diffusion, taken at s, and XSPH, taken at x, are first order.
#pragma once

#include "core/schemes/scheme.hpp"
#include "kernels/physics.hpp"

namespace halfulp {

struct KickDriftKick {
    static constexpr const char* name = "kick-drift-kick";
    static constexpr PreviousState previous_state = PreviousState::none;
    static constexpr bool corrects = true;
    static constexpr ForceTime force_time = ForceTime::end;
    static constexpr bool books_its_error = false;
    static double most_damping(int /*corrector_every*/) { return 2; }

    static void start(Sequence& s)
    {
        s.add<MoveWalls>();
        // The density rate only serves the first variable step, as its pairs give the signal speed.
        s.add<RefreshNeighbours>(0);
        s.extrapolate_walls(0);
        s.add<FindDensityGradient>();
        s.add<FindDensityRate>();
        s.add<FindForces>();
    }

    static void step(Sequence& s)
    {
        const bool reversible = s.settings.reversible;
        s.add<Kick>(0.5);
        s.add<FindXsphVelocity>();
        s.add<ShiftParticles>();
        s.add<BookTransport>(0.5);
        if (!reversible) s.add<RefreshNeighbours>();
        s.add<Drift>(0.5);
        s.add<MoveWalls>(0.5);
        if (reversible) s.add<RebuildNeighbours>();
        s.add<FindDensityGradient>();
        s.add<FindDensityRate>();
        s.add<UpdateDensityAndDrift>();
        s.add<MoveWalls>();
        if (reversible) s.add<RebuildNeighbours>();
        s.filter_density(1);
        s.extrapolate_walls(1);
        s.add<FindForces>();
        s.add<BookTransport>(0.5);
        s.add<Kick>(0.5);
    }
};

}  // namespace halfulp
