// The models available to a case: a list per choice, with a line per model, its enumerator and the type that defines
// its name in case files and its equations. Enumerations, the names allowed in cases and dispatch at run time derive
// from these lists; a new model is a file of its own and a line here.
#pragma once

// clang-format off

#define HALFULP_SMOOTHING_KERNELS(use, ...)     \
    use(wendland_c2, WendlandC2, __VA_ARGS__)   \
    use(cubic_spline, CubicSpline, __VA_ARGS__) \
    use(gaussian, Gaussian, __VA_ARGS__)

#define HALFULP_STATE_EQUATIONS(use, ...)  \
    use(tait, TaitEquation, __VA_ARGS__)   \
    use(linear, LinearEquation, __VA_ARGS__)

#define HALFULP_DENSITY_DIFFUSIONS(use, ...)                \
    use(none, NoDiffusion, __VA_ARGS__)                     \
    use(molteni_colagrossi, MolteniColagrossi, __VA_ARGS__) \
    use(fourtakas, Fourtakas, __VA_ARGS__)                  \
    use(antuono, Antuono, __VA_ARGS__)                      \
    use(balanced, BalancedDiffusion, __VA_ARGS__)

#define HALFULP_LAMINAR_VISCOSITIES(use, ...)  \
    use(none, NoLaminarViscosity, __VA_ARGS__) \
    use(morris, MorrisViscosity, __VA_ARGS__)  \
    use(monaghan_gingold, MonaghanGingoldViscosity, __VA_ARGS__) \
    use(brookshaw, BrookshawViscosity, __VA_ARGS__)

#define HALFULP_DENSITY_FILTERS(use, ...)  \
    use(none, NoFilter, __VA_ARGS__)       \
    use(shepard, ShepardFilter, __VA_ARGS__) \
    use(moving_least_squares, MovingLeastSquares, __VA_ARGS__)

#define HALFULP_WALL_MODELS(use, ...)              \
    use(dynamic, DynamicWalls, __VA_ARGS__)        \
    use(extrapolated, ExtrapolatedWalls, __VA_ARGS__) \
    use(modified_dynamic, ModifiedDynamicWalls, __VA_ARGS__) \
    use(pressure_cloning, PressureCloningWalls, __VA_ARGS__)

#define HALFULP_ENUMERATOR(enumerator, Model, ...) enumerator,
#define HALFULP_NAME_OF_MODEL(enumerator, Model, ...) Model::name,
#define HALFULP_RETURN_OF_MODEL(enumerator, Model, Enum, ...) case Enum::enumerator: return Model::__VA_ARGS__;
#define HALFULP_VISIT_MODEL(enumerator, Model, Enum, visit) case Enum::enumerator: return visit(Model{});

// Returns a member of the chosen model of a list: HALFULP_OF_MODEL(HALFULP_STATE_EQUATIONS, StateEquation, equation,
// pressure(density, stiffness)).
#define HALFULP_OF_MODEL(LIST, Enum, value, ...) \
    switch (value) { LIST(HALFULP_RETURN_OF_MODEL, Enum, __VA_ARGS__) } \
    __builtin_unreachable()

// The names of a list's models, in the order of the enumeration, as a braced list.
#define HALFULP_NAMES_OF_MODELS(LIST) {LIST(HALFULP_NAME_OF_MODEL)}

// clang-format on

namespace halfulp {

enum class SmoothingKernel { HALFULP_SMOOTHING_KERNELS(HALFULP_ENUMERATOR) };
enum class StateEquation { HALFULP_STATE_EQUATIONS(HALFULP_ENUMERATOR) };
enum class DensityDiffusion { HALFULP_DENSITY_DIFFUSIONS(HALFULP_ENUMERATOR) };
enum class LaminarViscosity { HALFULP_LAMINAR_VISCOSITIES(HALFULP_ENUMERATOR) };
enum class DensityFilter { HALFULP_DENSITY_FILTERS(HALFULP_ENUMERATOR) };
enum class Walls { HALFULP_WALL_MODELS(HALFULP_ENUMERATOR) };

}  // namespace halfulp
