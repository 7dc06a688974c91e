// The scheme of an integrator, reduced to the operations that a case needs.
#pragma once

#include <vector>

#include "core/schemes/integrators.hpp"
#include "core/schemes/scheme.hpp"
#include "kernels/physics.hpp"

namespace halfulp {

Scheme scheme_of(Integrator integrator, const Physics& physics, const SchemeSettings& settings = {});

// Throws std::logic_error if the step of an integrator, before operations are left out, contradicts what the integrator
// declares: otherwise an operation on an earlier state that it does not keep would be left out silently, and a
// correction that it lacks would be accepted and ignored. Called by scheme_of.
void check_declaration(const IntegratorInfo& info, const std::vector<SchemeBlock>& step, const Physics& physics);

// The operations that the analyses of the physics need before an output.
std::vector<Operation> operations_for_outputs(const Physics& physics);

}  // namespace halfulp
