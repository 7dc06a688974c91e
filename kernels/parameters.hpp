// The constants of a run in units of the state, computed in double and rounded once to single precision for all
// policies: all policies solve the same discrete problem, and their energies are those of that problem.
#pragma once

#include "precision/real.hpp"

namespace halfulp {

template <int D, class T>
struct Parameters {
    T smoothing_length;          // h
    T inverse_smoothing_length;  // 1/h, rounded independently
    T pair_scale;                // V alpha/h^2: particle volume times the constant of F (kernels/smoothing.hpp)
    T stiffness;                 // B/rho0: c0^2/7 for Tait's equation, c0^2 for the linear one
    T sound_speed;               // c0
    T artificial_viscosity;      // Monaghan's alpha
    T viscous_softening;         // eta^2 = 0.01 h^2
    T kinematic_viscosity;       // nu
    T inverse_shape_at_spacing;  // 1/w(Delta p/h), for the tensile correction
    T density_diffusion;         // 2 delta h c0
    T contact_reaches;           // h over the reach of the contact pressure (kernels/walls.hpp)
    T xsph_scale;                // epsilon V alpha, for XSPH
    T shifting_scale;            // A h, for particle shifting
    T central_stiffness;         // Omega^2 of the central force -Omega^2 (x - centre)
    T reference_density = T(1);  // rho0, kg/m^3 in any units, for states that hold rho
    T cell_side = T(1);          // 1 in scaled units
    T gravity[D];

    // The same constants for another number type and dimension; exact when this one is float.
    template <int E, class U>
    HALFULP_HOST_DEVICE Parameters<E, U> as() const
    {
        static_assert(E <= D);
        Parameters<E, U> p{};
        p.smoothing_length = constant<U>(smoothing_length);
        p.inverse_smoothing_length = constant<U>(inverse_smoothing_length);
        p.pair_scale = constant<U>(pair_scale);
        p.stiffness = constant<U>(stiffness);
        p.sound_speed = constant<U>(sound_speed);
        p.artificial_viscosity = constant<U>(artificial_viscosity);
        p.viscous_softening = constant<U>(viscous_softening);
        p.kinematic_viscosity = constant<U>(kinematic_viscosity);
        p.inverse_shape_at_spacing = constant<U>(inverse_shape_at_spacing);
        p.density_diffusion = constant<U>(density_diffusion);
        p.contact_reaches = constant<U>(contact_reaches);
        p.xsph_scale = constant<U>(xsph_scale);
        p.shifting_scale = constant<U>(shifting_scale);
        p.central_stiffness = constant<U>(central_stiffness);
        p.reference_density = constant<U>(reference_density);
        p.cell_side = constant<U>(cell_side);
        for (int i = 0; i < E; ++i) p.gravity[i] = constant<U>(gravity[i]);
        return p;
    }
};

}  // namespace halfulp
