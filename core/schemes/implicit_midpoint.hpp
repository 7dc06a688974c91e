// The implicit midpoint rule, y1 = y0 + dt f((y0 + y1)/2) for y = (x, u, s): second order, time-symmetric for every f,
// viscosity and density diffusion included, and symplectic for conservative forces (Hairer, Lubich and Wanner 2006,
// Geometric Numerical Integration, II.1.2 and VI.4).
//
// The midpoint m is found by Gauss-Seidel iterations, each of which uses the newest values:
//   u_m = u0 + a dt/2; x_m = x0 + u_m dt/2; s_m = s0 + s_dot(x_m, u_m) dt/2; a = a(x_m, u_m, s_m),
// the first with the forces of the last step, until u_m changes only by rounding. Then the step is taken from its
// start, x1 = x0 + u_m dt and so on, with its works.
#pragma once

#include "core/schemes/kick_drift_kick.hpp"

namespace halfulp {

struct ImplicitMidpoint {
    static constexpr const char* name = "implicit-midpoint";
    static constexpr PreviousState previous_state = PreviousState::start_of_step;
    static constexpr bool corrects = false;
    static constexpr ForceTime force_time = ForceTime::halfway;
    static constexpr bool books_its_error = true;
    static double most_damping(int /*corrector_every*/) { return 2; }

    static void start(Sequence& s) { KickDriftKick::start(s); }

    static void step(Sequence& s)
    {
        find_midpoint(s, [] {});
        s.add<BookIntegratorError>();
        advance(s, Booking::booked);
    }

    // adapt_pressure adds operations on the pressure of the midpoint.
    template <class Adapt>
    static void find_midpoint(Sequence& s, Adapt adapt_pressure)
    {
        s.add<KeepState>();
        s.add<MoveWalls>(0.5);
        s.repeat([&] {
            s.add<RestoreVelocity>();
            s.add<Kick>(0.5, Booking::unbooked);
            s.add<RestorePosition>();
            s.add<Drift>(0.5);
            // The particles have moved: their present distance counts, not the coming one.
            s.add<RefreshNeighbours>(0);
            s.add<FindDensityGradient>();
            s.add<FindDensityRate>();
            s.add<RestoreDensity>();
            s.add<UpdateDensity>(0.5, Booking::unbooked);
            adapt_pressure();
            s.extrapolate_walls(0, Booking::unbooked);
            s.add<FindForces>();
            s.add<FindResidual>(0.5);
        });
    }
    // From the start of the step to its end, with the rates of the midpoint.
    static void advance(Sequence& s, Booking diffusion)
    {
        s.add<BookWallPressure>();
        s.add<RestorePosition>();
        s.add<Drift>();
        s.add<RestoreVelocity>();
        s.add<Kick>();
        s.add<RestoreDensity>();
        s.add<UpdateDensity>(1, diffusion);
        s.add<MoveWalls>();
    }
};

}  // namespace halfulp
