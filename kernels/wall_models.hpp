// What walls have their pressure from: their own continuity equation (dynamic), the fluid beside them (extrapolated,
// walls.hpp) or the fluid at their mirror images in the surface (modified dynamic, mDBC, mirrored_density.hpp).
//
// A wall model that follows the fluid names the operation that finds what walls take over from it (core/operations);
// Sequence::extrapolate_walls (core/schemes/scheme.hpp) puts it into every integrator.
#pragma once

namespace halfulp {

struct ExtrapolateWalls;
struct MirrorWalls;

struct DynamicWalls {
    static constexpr const char* name = "dynamic";
    using Operation = void;
    static constexpr bool follow_the_fluid = false;
    static constexpr bool have_mirror_images = false;
};

struct ExtrapolatedWalls {
    static constexpr const char* name = "extrapolated";
    using Operation = ExtrapolateWalls;
    static constexpr bool follow_the_fluid = true;
    static constexpr bool have_mirror_images = false;
};

struct ModifiedDynamicWalls {
    static constexpr const char* name = "modified-dynamic";
    using Operation = MirrorWalls;
    static constexpr bool follow_the_fluid = true;
    static constexpr bool have_mirror_images = true;
};

}  // namespace halfulp
