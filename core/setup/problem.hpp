// A case prepared to run: units, constants and the initial state, all representable in single precision, so that every
// precision policy starts from the same state and solves the same discrete problem.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "core/setup/case.hpp"
#include "core/setup/cell_position.hpp"
#include "core/setup/fill.hpp"
#include "core/setup/initial_particles.hpp"
#include "core/setup/prescribed_motion.hpp"
#include "core/setup/probe_place.hpp"
#include "core/setup/units.hpp"
#include "kernels/parameters.hpp"

namespace halfulp {

// The state of a particle from an output, as stored there, which replaces that of an InitialParticle.
struct GivenState {
    std::array<double, 3> offset{};    // cell sides
    std::array<double, 3> velocity{};  // velocity units of the state
    double analysed = 0;               // the field whose derivatives are wanted, less a number
};

// Mirror node of a wall particle in the surface of its wall (mirror_images.hpp).
struct MirrorImage {
    std::array<float, 3> from_particle{};  // cell sides
    bool exists = false;
};

struct Problem {
    Case source;
    Units units;
    Physics physics;
    Parameters<3, float> parameters{};       // units of the state; the first `dimensions` components of gravity count
    int search_cells = 2;                    // support + skin is exactly this many cells
    float support = 0;                       // cell sides
    float skin = 0;                          // cell sides
    std::array<std::int32_t, 3> period{};    // cells; 0: not periodic
    std::vector<PrescribedMotion> motions;   // those of the case, then those of shapes with a velocity of their own
    CellPosition centre;                     // of the central force, the case's origin included
    InitialParticles particles;              // in the order of the case's shapes
    std::vector<GivenState> given;           // of all particles, or none
    std::vector<MirrorImage> mirror_images;  // of all particles, for wall models with mirror nodes
    std::uint64_t fluid = 0;
    std::uint64_t wall = 0;
    std::vector<std::uint64_t> of_shape;  // number of particles of each shape; they are stored in this order
    std::vector<ProbePlace> probes;       // at the start
    std::vector<Snapped> snapped;
    std::vector<FilledVolume> volumes;
    std::array<double, 3> datum{};  // where the potential energy is zero, cell sides relative to the case's origin
    double available_energy = 0;    // initial potential energy minus that of the fluid at rest in its chambers, J
    bool available_energy_from_rest =
        true;               // false: no closed tank holds all fluid, so it is the potential energy above the lowest
    double fixed_step = 0;  // s; 0 for a variable step
};

// The id of a particle: distinct for every particle, and not negative; gaps and any order are possible.
inline std::int32_t id_of(const InitialParticle& particle, std::size_t i)
{
    return particle.id < 0 ? static_cast<std::int32_t>(i) : particle.id;
}

// Throws an Error if the case cannot be set up. placed: called with the number of particles, before their initial state
// is computed.
Problem prepare(const Case& c, const std::function<void(std::uint64_t particles)>& placed = {});

}  // namespace halfulp
