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

#include <cmath>

#include "core/schemes/scheme.hpp"
#include "kernels/physics.hpp"

namespace halfulp {

struct Verlet {
    static constexpr const char* name = "verlet";
    static constexpr PreviousState previous_state = PreviousState::step_before;
    static constexpr bool corrects = true;
    static constexpr ForceTime force_time = ForceTime::end;
    static constexpr bool books_its_error = false;
    static double most_damping(int corrector_every);

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

// With damping z per step the steps between correctors, x+ = x- - 2 z x, have the modes r = -z +- sqrt(1 + z^2). A
// corrector, x+ = (1 - z) x, leaves b = (1 - 1/sqrt(1 + z^2))/2 of the second, which grows by z + sqrt(1 + z^2) in each
// step until the next. Returned is the z from which it is as large after corrector_every steps as all was at the start.
inline double Verlet::most_damping(int corrector_every)
{
    const auto grows = [&](double z) {
        const double root = std::sqrt(1 + z * z);
        const double decaying = (1 + 1 / root) / 2 * std::pow(root - z, corrector_every);
        const double growing = (1 - 1 / root) / 2 * std::pow(root + z, corrector_every);
        return growing + (corrector_every % 2 == 0 ? decaying : -decaying) > 1;
    };
    double low = 0;
    double high = 2;
    for (int k = 0; k < 50; ++k) {
        const double middle = (low + high) / 2;
        (grows(middle) ? high : low) = middle;
    }
    return low;
}

}  // namespace halfulp
