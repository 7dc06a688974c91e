// The scheme of an integrator, reduced to the operations that a case needs.
#pragma once

#include "core/schemes/integrators.hpp"
#include "core/schemes/scheme.hpp"
#include "kernels/physics.hpp"

namespace halfulp {

Scheme scheme_of(Integrator integrator, const Physics& physics, const SchemeSettings& settings = {});

}  // namespace halfulp
