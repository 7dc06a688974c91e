// The scheme of an integrator for what a case computes.
#pragma once

#include "core/schemes/integrators.hpp"
#include "core/schemes/scheme.hpp"
#include "kernels/physics.hpp"

namespace halfulp {

// Without the operations that the physics does not need.
Scheme scheme_of(Integrator integrator, const Physics& physics, const SchemeSettings& settings = {});

}  // namespace halfulp
