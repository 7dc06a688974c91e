// The leap-frog scheme with velocities and densities between the steps, as the CEHINAV group uses it (docs/physics.md),
// with one evaluation of the rates per step:
//   u(n+1/2) = u(n-1/2) + dt a(n); x(n+1) = x(n) + dt u(n+1/2); s(n+1/2) = s(n-1/2) + dt s_dot(n),
// the first half of a step long. Rates and results at n+1 are those of the state extrapolated to there,
//   u* = u(n+1/2) + a(n) dt/2; s* = s(n+1/2) + s_dot(n) dt/2.
// Second order at a fixed step where the rates do not depend on u and s themselves.
//
// Works advance with the velocities between the steps, and to the results with the extrapolation.
#pragma once

#include <limits>

#include "core/schemes/scheme.hpp"
#include "kernels/physics.hpp"

namespace halfulp {

struct LeapFrog {
    static constexpr const char* name = "leap-frog";
    static constexpr PreviousState previous_state = PreviousState::step_before;
    static constexpr bool corrects = false;
    static constexpr ForceTime force_time = ForceTime::end;
    static constexpr bool books_its_error = false;
    static double most_damping(int /*corrector_every*/) { return 1; }

    static void start(Sequence& s) { s.start_with_rates(); }

    static void step(Sequence& s)
    {
        const Steps first{.every = std::numeric_limits<std::uint64_t>::max()};
        Steps others = first;
        others.others = true;
        s.in(first);
        advance(s, 0.5);
        s.in(others);
        s.add<SwapWorks>();
        s.add<SwapState>();
        advance(s, 1);
        s.in_every_step();
        s.add<KeepState>();
        s.add<Drift>();
        advance(s, 0.5);
        s.add<MoveWalls>();
        s.add<RefreshMovedNeighbours>();
        s.extrapolate_walls(1, Booking::unbooked);
        s.find_rates();
    }

private:
    static void advance(Sequence& s, double fraction)
    {
        s.add<BookWallPressure>(fraction);
        s.add<Advance>(fraction);
    }
};

}  // namespace halfulp
