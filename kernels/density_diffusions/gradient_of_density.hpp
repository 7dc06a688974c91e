// The sources of the gradient of s with which a density diffusion corrects differences.
#pragma once

namespace halfulp {

// None; renormalised, in a pass before the density rate (core/operations/find_density_gradient.hpp); or that of the
// forces before, with the weight of a DiffusionBalance (core/operations/find_forces.hpp).
enum class GradientOfDensity { none, renormalised, by_forces };

}  // namespace halfulp
