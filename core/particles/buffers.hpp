// Every buffer of a run, named once: element type, unit, role and meaning. Sorting, output, checkpoints and the back
// ends read this table; a new buffer is one line in it.
//
// Structure of arrays with elements of four numbers (16 bytes in single precision), because a pair pass loads a
// neighbour with two such loads. Units are the state's (core/setup/units.hpp): lengths in cell sides, or in m.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/particles/work.hpp"
#include "core/setup/shape.hpp"
#include "precision/annotation.hpp"

namespace halfulp {

template <class T>
struct alignas(4 * sizeof(T)) Four {
    T x, y, z, w;

    HALFULP_INLINE T& operator[](int i) { return i == 0 ? x : i == 1 ? y : i == 2 ? z : w; }
    HALFULP_INLINE const T& operator[](int i) const { return i == 0 ? x : i == 1 ? y : i == 2 ? z : w; }
};

// state: what defines the particle, moved with it when particles are sorted; shown: the part of it that outputs are
// made of. derived: computed from the state within a step, invalid after sorting.
enum class Role { shown, state, derived };

struct BufferInfo {
    const char* name;
    const char* unit;
    Role role;
    const char* description;
};

template <class T>
using HostVector = std::vector<T>;

// Vector: of the back end that holds them, HostVector or the CUDA back end's.
template <class Policy, template <class> class Vector = HostVector>
struct Buffers {
    using Real = typename Policy::Real;

    explicit Buffers(const Physics& chosen = {}) : physics(chosen) {}

    Physics physics;  // decides which of the buffers are used; the others stay empty

    Vector<Four<std::int32_t>> cell;  // cell index x, y, z; id
    Vector<Kind> kind;
    Vector<Four<double>> coordinate;       // of a policy with positions in double; unused
    Vector<Four<double>> anchor;           // of moving walls: from the pivot at the start; index of the motion or -1
    Vector<Four<Real>> mirror_image;       // of walls at the start: from the particle; 1 or, where there is none, 0
    Vector<Four<Real>> offset;             // from the cell's centre x, y, z, or the coordinate; pressure term
    Vector<Four<Real>> velocity;           // u, v, w; density as the policy stores it
    Vector<Four<Real>> offset_residual;    // what rounding has kept out of the offset; unused
    Vector<Four<Real>> velocity_residual;  // and of the velocity; and of s
    Vector<Four<Real>> reference;          // offset at the last rebuild; unused
    Vector<Four<Real>> smoothing;          // of XSPH, to be added to the velocity that moves the particle; unused
    Vector<Four<Real>> shifting;           // likewise, of particle shifting
    std::array<Vector<double>, works.size()> work;  // done on the particle since the start, a unit mass
    Vector<Four<Real>> rate;                        // du/dt; ds/dt
    Vector<Four<Real>> artificial_rate;             // shares of du/dt; unused
    Vector<Four<Real>> laminar_rate;
    Vector<Four<Real>> tensile_rate;
    Vector<Four<Real>> inertial_rate;
    Vector<double> diffusion_rate;          // share of ds/dt
    Vector<Four<Real>> density_gradient;    // of s, renormalised; or by the forces, weight of the diffusion
    Vector<Four<Real>> wall_extrapolation;  // u, v, w of walls that viscosity sees; their P/rho0
    Vector<double> filtered_density;        // s of the fluid

    // Calls visit(info, vector) for every buffer that the policy and the physics use.
    template <class Visitor>
    void for_each(Visitor&& visit)
    {
        visit(BufferInfo{"cell", "1", Role::shown, "cell index x, y, z; id"}, cell);
        visit(BufferInfo{"kind", "1", Role::shown, "0 fluid, 1 wall"}, kind);
        if constexpr (Policy::Position::in_double)
            visit(BufferInfo{"coordinate", "length unit", Role::shown, "position in double"}, coordinate);
        if (physics.moving_walls)
            visit(BufferInfo{"anchor", "cell side", Role::state, "from the pivot at the start; motion or -1"}, anchor);
        if (physics.walls == Walls::modified_dynamic)
            visit(BufferInfo{"mirror_image", "cell side", Role::state,
                             "of walls at the start, from the particle; 1 or 0"},
                  mirror_image);
        visit(BufferInfo{"offset", "length unit", Role::shown,
                         "from the cell's centre, or the coordinate; pressure term (derived)"},
              offset);
        visit(BufferInfo{"velocity", "velocity unit", Role::shown, "velocity; density"}, velocity);
        if constexpr (Policy::Update::has_residual) {
            visit(BufferInfo{"offset_residual", "length unit", Role::shown, "residual of the offset"}, offset_residual);
            visit(BufferInfo{"velocity_residual", "velocity unit", Role::shown, "residual of velocity and density"},
                  velocity_residual);
        }
        visit(BufferInfo{"reference", "length unit", Role::state, "offset at the last rebuild"}, reference);
        if (physics.velocity_smoothing)
            visit(BufferInfo{"smoothing", "velocity unit", Role::state, "XSPH's addition to the velocity"}, smoothing);
        if (physics.particle_shifting)
            visit(BufferInfo{"shifting", "velocity unit", Role::state, "velocity of particle shifting"}, shifting);
        for (std::size_t k = 0; k < works.size(); ++k) {
            if (done_in(physics, works[k].work))
                visit(BufferInfo{works[k].name, "velocity unit^2", Role::state, works[k].description}, work[k]);
        }
        visit(BufferInfo{"rate", "velocity unit / time unit", Role::derived, "du/dt; ds/dt"}, rate);
        const char* const acceleration = "velocity unit / time unit";
        if (physics.artificial_viscosity)
            visit(BufferInfo{"artificial_rate", acceleration, Role::derived, "share of artificial viscosity"},
                  artificial_rate);
        if (physics.laminar_viscosity != LaminarViscosity::none)
            visit(BufferInfo{"laminar_rate", acceleration, Role::derived, "share of laminar viscosity"}, laminar_rate);
        if (physics.tensile_correction)
            visit(BufferInfo{"tensile_rate", acceleration, Role::derived, "share of the tensile correction"},
                  tensile_rate);
        if (physics.moving_frame)
            visit(BufferInfo{"inertial_rate", acceleration, Role::derived, "share of inertial forces"}, inertial_rate);
        if (physics.density_diffusion != DensityDiffusion::none)
            visit(BufferInfo{"diffusion_rate", "1 / time unit", Role::derived, "share of ds/dt"}, diffusion_rate);
        if (has_density_gradient(physics)) {
            // Renormalised, it is found right before it is used; the balanced form's, with the forces, a sort before.
            const bool balanced = physics.density_diffusion == DensityDiffusion::balanced;
            visit(BufferInfo{"density_gradient", "1 / length unit; 1", balanced ? Role::state : Role::derived,
                             balanced ? "gradient of s by the forces; weight of the diffusion"
                                      : "renormalised gradient of s; unused"},
                  density_gradient);
        }
        if (physics.density_filter != DensityFilter::none)
            visit(BufferInfo{"filtered_density", "1", Role::derived, "s of the fluid after the filter"},
                  filtered_density);
        if (follow_the_fluid(physics.walls))
            visit(BufferInfo{"wall_extrapolation", "velocity unit; velocity unit^2", Role::derived,
                             "velocity of walls that viscosity sees; their P/rho0"},
                  wall_extrapolation);
    }

    void resize(std::size_t count)
    {
        for_each([count](const BufferInfo&, auto& buffer) { buffer.resize(count); });
    }

    [[nodiscard]] Vector<double>& work_of(Work kind) { return work[static_cast<std::size_t>(kind)]; }
    [[nodiscard]] const Vector<double>& work_of(Work kind) const { return work[static_cast<std::size_t>(kind)]; }

    [[nodiscard]] std::size_t count() const { return cell.size(); }
};

// Bytes of all buffers a particle.
template <class Policy>
std::size_t bytes_per_particle(const Physics& physics)
{
    std::size_t bytes = 0;
    Buffers<Policy> buffers(physics);
    buffers.for_each([&bytes](const BufferInfo&, auto& buffer) { bytes += sizeof(buffer[0]); });
    return bytes;
}

// Of those that outputs are made of.
template <class Policy>
std::size_t shown_bytes_per_particle(const Physics& physics)
{
    std::size_t bytes = 0;
    Buffers<Policy> buffers(physics);
    buffers.for_each([&bytes](const BufferInfo& info, auto& buffer) {
        if (info.role == Role::shown) bytes += sizeof(buffer[0]);
    });
    return bytes;
}

// Gives `to` as many particles as `from` has, in the buffers that outputs are made of, and copies them by
// copy(to, from, bytes), of two addresses. The other buffers of `to` stay empty.
template <class Policy, template <class> class To, template <class> class From, class Copy>
void copy_shown(Buffers<Policy, To>& to, const Buffers<Policy, From>& from, const Copy& copy)
{
    std::vector<const void*> sources;
    const_cast<Buffers<Policy, From>&>(from).for_each([&](const BufferInfo& info, auto& buffer) {
        if (info.role == Role::shown) sources.push_back(buffer.data());
    });
    std::size_t k = 0;
    to.for_each([&](const BufferInfo& info, auto& buffer) {
        if (info.role != Role::shown) return;
        buffer.resize(from.count());
        copy(buffer.data(), sources[k++], from.count() * sizeof(*buffer.data()));
    });
}

}  // namespace halfulp
