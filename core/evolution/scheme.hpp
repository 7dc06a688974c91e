// The scheme of an integrator, reduced to the operations that a case needs.
#pragma once

#include "core/schemes/integrators.hpp"
#include "core/schemes/scheme.hpp"
#include "kernels/physics.hpp"

namespace halfulp {

Scheme scheme_of(Integrator integrator, const Physics& physics, const SchemeSettings& settings = {});

// What the analyses of the physics need before an output.
std::vector<Operation> operations_for_outputs(const Physics& physics);

}  // namespace halfulp
