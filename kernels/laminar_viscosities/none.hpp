// No laminar viscosity.
#pragma once

#include "kernels/laminar_viscosities/viscous_pair.hpp"

namespace halfulp {

struct NoLaminarViscosity {
    static constexpr const char* name = "none";
    static constexpr bool along_velocity = false;
    static constexpr int lengthwise = 1;

    static double damping(const LatticeSums& /*sums*/, int /*dimensions*/) { return 0; }

    template <int D, class T>
    static HALFULP_INLINE T factor(const ViscousPair<T>& /*pair*/, T /*kinematic_viscosity*/)
    {
        return constant<T>(0);  // never evaluated
    }
};

}  // namespace halfulp
