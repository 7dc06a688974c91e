// The scheme of an integrator, reduced to the operations that a case needs.
#pragma once

#include <vector>

#include "core/schemes/integrators.hpp"
#include "core/schemes/scheme.hpp"
#include "kernels/physics.hpp"

namespace halfulp {

Scheme scheme_of(Integrator integrator, const Physics& physics, const SchemeSettings& settings = {});

// Throws std::logic_error where the step of an integrator, before operations are left out, contradicts what it says of
// itself: an operation on an earlier state that it does not keep would be left out without a word, a correction that it
// lacks be accepted and ignored. By scheme_of.
void check_declaration(const IntegratorInfo& info, const std::vector<SchemeBlock>& step, const Physics& physics);

// What the analyses of the physics need before an output.
std::vector<Operation> operations_for_outputs(const Physics& physics);

}  // namespace halfulp
