// Verlet's scheme of Dominguez et al. 2013, eq. A.7 (Computer Physics Communications 184, 617; d2v/dt2 in its line for
// the position is a misprint of dv/dt), with one evaluation of the rates per step:
//   u+ = u- + 2 dt a; x+ = x + dt u + dt^2/2 a; s+ = s- + 2 dt s_dot,
// from the previous step (-) over this one to the next (+). In every corrector_every-th step, starting with the first,
//   u+ = u + dt a; s+ = s + dt s_dot,
// so that even and odd steps do not decouple; likewise after a density filter, which only one of the two sequences has
// seen. Second order between these steps, which are first order.
//
// The works follow the velocities: those of the previous step advance over two steps.
#pragma once

#include "core/schemes/scheme.hpp"
#include "kernels/physics.hpp"

namespace halfulp {

struct Verlet {
    static constexpr const char* name = "verlet";
    static constexpr PreviousState previous_state = PreviousState::step_before;
    static constexpr bool corrects = true;
    static constexpr ForceTime force_time = ForceTime::end;
    static constexpr bool books_its_error = false;

    static void start(Sequence& s) { s.start_with_rates(); }

    static void step(Sequence& s)
    {
        const Steps corrector{.every = s.settings.corrector_every, .or_every = s.settings.filter_every};
        Steps others = corrector;
        others.others = true;
        s.in(corrector);
        s.add<KeepState>();
        book_rates(s, 1);
        s.in(others);
        s.add<SwapWorks>();
        book_rates(s, 2);
        s.in_every_step();
        s.add<AcceleratedDrift>();
        s.in(corrector);
        s.add<Advance>(1);
        s.in(others);
        s.add<SwapState>();
        s.add<Advance>(2);
        s.in_every_step();
        s.add<MoveWalls>();
        s.add<RefreshMovedNeighbours>();
        s.filter_density(0);  // kicks and density rates that follow start from the filtered state
        s.extrapolate_walls(1, Booking::unbooked);
        s.find_rates();
    }

private:
    static void book_rates(Sequence& s, double fraction)
    {
        s.add<BookTransport>(fraction);
        s.add<BookWallPressure>(fraction);
    }
};

}  // namespace halfulp
