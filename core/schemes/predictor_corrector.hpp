// The predictor-corrector scheme of GPUSPH (Bilotta, Zago and Herault 2018), with two evaluations of the rates per
// step:
//   x* = x + u dt/2; u* = u + a(x, u, s) dt/2; s* = s + s_dot(x, u, s) dt/2;
//   u+ = u + dt a*; s+ = s + dt s_dot*; x+ = x + (u + u+) dt/2, with the rates of the state *.
// Second order.
#pragma once

#include "core/schemes/scheme.hpp"
#include "kernels/physics.hpp"

namespace halfulp {

struct PredictorCorrector {
    static constexpr const char* name = "predictor-corrector";
    static constexpr PreviousState previous_state = PreviousState::start_of_step;
    static constexpr bool corrects = false;
    static constexpr ForceTime force_time = ForceTime::both;
    static constexpr bool books_its_error = false;
    static double most_damping(int /*corrector_every*/) { return 2; }

    static void start(Sequence& s) { s.start_with_rates(); }

    static void step(Sequence& s)
    {
        predict(s);
        correct(s);
    }

    // To the state * and its rates.
    static void predict(Sequence& s)
    {
        s.add<KeepState>();
        s.add<Drift>(0.5);
        s.add<Advance>(0.5, Booking::unbooked);
        s.add<MoveWalls>(0.5);
        s.add<RefreshMovedNeighbours>(0.5);
        s.extrapolate_walls(0, Booking::unbooked);
        s.find_rates();
        s.add<BookWallPressure>();
    }
    // From the start of the step with these rates.
    static void correct(Sequence& s)
    {
        s.add<RestorePosition>();
        s.add<RestoreVelocity>();
        s.add<RestoreDensity>();
        s.add<Drift>(0.5);
        s.add<Advance>();
        s.add<Drift>(0.5);
        s.add<MoveWalls>();
        s.add<RefreshMovedNeighbours>(0.5);
        s.extrapolate_walls(0, Booking::unbooked);
        s.find_rates();
    }
};

}  // namespace halfulp
