// The symplectic position Verlet scheme of DualSPHysics (Dominguez et al. 2022, Comput. Part. Mech. 9, 867): the
// predictor-corrector scheme but for the density of the corrector,
//   rho+ = rho (2 - e) / (2 + e), e = -dt rho_dot* / rho*.
// Second order. Not time-symmetric.
#pragma once

#include "core/schemes/predictor_corrector.hpp"

namespace halfulp {

struct Symplectic {
    static constexpr const char* name = "symplectic";
    static constexpr PreviousState previous_state = PreviousState::start_of_step;
    static constexpr bool corrects = false;
    static constexpr ForceTime force_time = ForceTime::both;
    static constexpr bool books_its_error = false;
    static double most_damping(int /*corrector_every*/) { return 2; }

    static void start(Sequence& s) { PredictorCorrector::start(s); }

    static void step(Sequence& s)
    {
        PredictorCorrector::predict(s);
        s.add<ScaleDensityRate>();
        PredictorCorrector::correct(s);
    }
};

}  // namespace halfulp
