// The sources of the gradient of s with which a density diffusion corrects differences.
#pragma once

namespace halfulp {

// none; renormalised: computed in a pass before the density rate (core/operations/find_density_gradient.hpp);
// by_forces: left by the preceding pass for forces, with the weight of a DiffusionBalance
// (core/operations/find_forces.hpp).
enum class GradientOfDensity { none, renormalised, by_forces };

}  // namespace halfulp
