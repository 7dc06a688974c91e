// The implicit midpoint rule with a discrete gradient of the compressive energy (Cercos-Pita, Merino-Alonso,
// Calderon-Sanchez and Duque 2023, arXiv 2210.12372; discrete gradients: Gonzalez 1996, J. Nonlinear Sci. 6, 449):
// P/rho^2 in the forces is the difference quotient (e(s1) - e(s0)) / (s1 - s0) over the step, so that the pressure does
// exactly the work by which the compressive energy changes, whatever the equation of state and the step. The energy is
// kept to rounding; the rule with P/rho^2 of the midpoint keeps only a quadratic one.
//
// For pair (i), with the midpoint m of the step and the quotient Q,
//   s1_a - s0_a = dt sum_b V u_ab . grad W(x_m), u1_a - u0_a = -dt sum_b m (Q_a + Q_b)/rho0 grad W(x_m) + dt g;
// multiplied by m Q_a and by m u_m, both sums cancel pair by pair. For pair (ii) the pressure is Q rho_m^2, of the same
// rho_m by which the neighbours are weighted. Linear and angular momentum are kept as by the midpoint rule.
//
// Each iteration updates the density first, then the velocity: the error falls with the square of the ratio of the step
// to the acoustic one.
#pragma once

#include "core/schemes/implicit_midpoint.hpp"

namespace halfulp {

struct DiscreteGradient {
    static constexpr const char* name = "discrete-gradient";
    static constexpr PreviousState previous_state = PreviousState::start_of_step;
    static constexpr bool corrects = false;
    static constexpr ForceTime force_time = ForceTime::halfway;
    static constexpr bool books_its_error = false;  // it has none
    static double most_damping(int /*corrector_every*/) { return 2; }

    static void start(Sequence& s) { ImplicitMidpoint::start(s); }

    static void step(Sequence& s)
    {
        ImplicitMidpoint::find_midpoint(s, [&] { s.add<AveragePressure>(0.5); });
        s.add<BookDiffusion>();
        ImplicitMidpoint::advance(s, Booking::unbooked);
    }
};

}  // namespace halfulp
