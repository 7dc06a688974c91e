// The rates at which the dissipative terms of a case damp the shortest waves of its lattice, and what an explicit
// integrator bears of them.
#pragma once

#include "core/setup/case.hpp"

namespace halfulp {

// Largest eigenvalues of the terms on an even lattice, 1/s, by Fourier modes (von Neumann). With steps dt a rate times
// dt beyond IntegratorInfo::most_damping (core/schemes/integrators.hpp) makes such waves grow.
struct DampingRates {
    double density = 0;     // by the density diffusion
    double laminar = 0;     // of velocity, by the laminar viscosity
    double artificial = 0;  // of velocity, by the artificial viscosity: half of it, as only approaching pairs have it
    // Largest square of a wave's frequency over the sum of these rates for it: a step dt of Euler's scheme feeds sound
    // by (frequency dt)^2/2, every step takes half of that sum times dt. Infinite without damping.
    double euler = 0;
};

DampingRates damping_rates(const Case& c);

}  // namespace halfulp
