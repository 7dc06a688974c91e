// The time integrators available to a case, a line each: the enumerator and the type that defines its name in case
// files and its operations. A new integrator is a file of its own and a line here.
#pragma once

#include "core/schemes/discrete_gradient.hpp"
#include "core/schemes/implicit_midpoint.hpp"
#include "core/schemes/kick_drift_kick.hpp"
#include "core/schemes/leap_frog.hpp"
#include "core/schemes/predictor_corrector.hpp"
#include "core/schemes/symplectic.hpp"
#include "core/schemes/verlet.hpp"

// clang-format off

#define HALFULP_INTEGRATORS(use, ...) \
    use(kick_drift_kick, KickDriftKick, __VA_ARGS__)      \
    use(verlet, Verlet, __VA_ARGS__)                      \
    use(implicit_midpoint, ImplicitMidpoint, __VA_ARGS__) \
    use(leap_frog, LeapFrog, __VA_ARGS__)                 \
    use(predictor_corrector, PredictorCorrector, __VA_ARGS__) \
    use(symplectic, Symplectic, __VA_ARGS__) \
    use(discrete_gradient, DiscreteGradient, __VA_ARGS__)

// clang-format on

namespace halfulp {

enum class Integrator { HALFULP_INTEGRATORS(HALFULP_ENUMERATOR) };

struct IntegratorInfo {
    const char* name;
    PreviousState previous_state;
    // Whether it applies corrections of velocity, position or density beside the equations: XSPH, particle shifting,
    // density filters.
    bool corrects;
    ForceTime force_time;
    bool books_its_error;  // of the energy, in the ledger
    // The largest product of step and rate of a dissipative term with which waves do not grow (core/setup/damping.hpp).
    double (*most_damping)(int corrector_every);
};

constexpr IntegratorInfo info_of(Integrator integrator)
{
    const auto info = []<class Chosen>(Chosen) {
        return IntegratorInfo{Chosen::name,       Chosen::previous_state,  Chosen::corrects,
                              Chosen::force_time, Chosen::books_its_error, &Chosen::most_damping};
    };
    switch (integrator) {
        HALFULP_INTEGRATORS(HALFULP_VISIT_MODEL, Integrator, info)
    }
    __builtin_unreachable();
}

}  // namespace halfulp
