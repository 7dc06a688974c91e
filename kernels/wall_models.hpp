// Wall models by the source of the walls' pressure: their own continuity equation (dynamic boundary conditions, DBC),
// the fluid beside them (extrapolated, walls.hpp) or the fluid at their mirror nodes, along its own gradient (modified
// dynamic boundary conditions, mDBC, mirrored_density.hpp) or along that which body forces give fluid at rest (pressure
// cloning).
// A wall model that follows the fluid names its operation (core/operations); Sequence::extrapolate_walls
// (core/schemes/scheme.hpp) adds it to every integrator.
#pragma once

namespace halfulp {

struct ExtrapolateWalls;
struct MirrorWalls;

struct DynamicWalls {
    static constexpr const char* name = "dynamic";
    using Operation = void;
    static constexpr bool follow_the_fluid = false;
    static constexpr bool have_mirror_images = false;
    static constexpr bool clone_pressure = false;
};

struct ExtrapolatedWalls {
    static constexpr const char* name = "extrapolated";
    using Operation = ExtrapolateWalls;
    static constexpr bool follow_the_fluid = true;
    static constexpr bool have_mirror_images = false;
    static constexpr bool clone_pressure = false;
};

struct ModifiedDynamicWalls {
    static constexpr const char* name = "modified-dynamic";
    using Operation = MirrorWalls;
    static constexpr bool follow_the_fluid = true;
    static constexpr bool have_mirror_images = true;
    static constexpr bool clone_pressure = false;
};

struct PressureCloningWalls {
    static constexpr const char* name = "pressure-cloning";
    using Operation = MirrorWalls;
    static constexpr bool follow_the_fluid = true;
    static constexpr bool have_mirror_images = true;
    static constexpr bool clone_pressure = true;
};

}  // namespace halfulp
