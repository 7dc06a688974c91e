// Which equations a run solves. Chosen in the case, the same for every back end and number type. Where a back end
// passes a constant, the branches on it cost nothing.
#pragma once

namespace halfulp {

enum class StateEquation { tait, linear };  // state_equation.hpp

// The two energy-conjugate pairs of continuity and momentum equation (continuity.hpp, momentum.hpp), never mixed:
// neighbours count by their mass, pair (i) of Monaghan 1992, or by their volume, pair (ii) of Colagrossi and Landrini
// 2003.
enum class Formulation { mass_weighted, volume_weighted };

enum class LaminarViscosity { none, morris, monaghan_gingold };                // viscosity.hpp
enum class DensityDiffusion { none, molteni_colagrossi, fourtakas, antuono };  // density_diffusion.hpp

struct Physics {
    StateEquation state_equation = StateEquation::tait;
    Formulation formulation = Formulation::mass_weighted;
    bool artificial_viscosity = false;
    LaminarViscosity laminar_viscosity = LaminarViscosity::none;
    bool tensile_correction = false;
    DensityDiffusion density_diffusion = DensityDiffusion::none;
    bool velocity_smoothing = false;
    bool central_force = false;
    bool driven = false;        // gravity has a component along a periodic direction
    bool moving_walls = false;  // as the case prescribes
    bool moving_frame = false;  // inertial forces act: the case is computed in a frame that moves
    bool wall_forces = false;   // the fluid's force on walls is wanted: they move, or it is measured

    bool operator==(const Physics&) const = default;
};

}  // namespace halfulp
