// A case: everything that defines a simulation, in SI units, as read from a TOML file under cases/ and completed with
// defaults, without the choices of a machine (threads, SIMD width).
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/motion/motion.hpp"
#include "core/schemes/integrators.hpp"
#include "core/setup/box.hpp"
#include "core/setup/probe.hpp"
#include "core/setup/shape.hpp"
#include "kernels/physics.hpp"
#include "kernels/smoothing.hpp"

namespace halfulp {

struct FrontReference {
    std::string name;  // e.g. "Koshizuka and Oka 1996"
    std::string citation;
    std::vector<std::array<double, 2>> points;  // (t sqrt(2 g / L), x / L)
};

// The position of the fluid's foremost particle, measured from `start` along +x and compared with published tables.
struct Front {
    double start = 0;         // x of the wall behind the column, m
    double length = 0;        // L, the column's width, m
    double tolerance = 0.06;  // largest accepted mean relative deviation from a reference, its lag fitted
    std::vector<FrontReference> references;
};

// An attraction to a point, du/dt = -rate^2 (x - centre): self-gravity of a drop, with energy rate^2 |x - centre|^2/2.
struct CentralForce {
    double rate = 0;                 // 1/s
    std::array<double, 3> centre{};  // m
};

struct Case {
    std::string name;                           // the file's stem
    std::filesystem::path path;                 // from which it was read
    std::string text;                           // the file as given
    std::vector<std::string> overrides;         // --set options as given
    std::map<std::string, std::string> places;  // by dotted key: "cases/tank.toml:12", or the --set that gave it

    // A run's copies of the files that its case names (meshes, tables), by name in the case.
    std::map<std::string, std::filesystem::path> kept_files;
    // The path of a file that the case names: the copy, or relative to the case file.
    [[nodiscard]] std::filesystem::path path_of(const std::string& file) const;
    // All such files, each once.
    [[nodiscard]] std::vector<std::string> files() const;
    // Their paths, by name in the case.
    [[nodiscard]] std::map<std::string, std::filesystem::path> paths() const;

    std::string title;
    int dimensions = 2;

    struct Resolution {
        double spacing = 0;          // Delta p, m
        double smoothing_ratio = 2;  // h / Delta p
    } resolution;

    struct Origin {
        std::array<std::int32_t, 3> cells{};  // added to every particle's cell; changes no other bit
    } origin;

    struct Fluid {
        double density = 1000;            // rho0, kg/m^3
        double sound_speed = 0;           // c0, m/s
        double artificial_viscosity = 0;  // Monaghan's alpha
        LaminarViscosity laminar_viscosity = LaminarViscosity::none;
        double kinematic_viscosity = 0;  // nu, m^2/s
        StateEquation state_equation = StateEquation::tait;
    } fluid;

    std::array<double, 3> gravity{};  // m/s^2; default 9.81 downwards along the last dimension

    struct Numerics {
        std::string preset = "none";       // whose keys were added to those of the file (presets.hpp)
        std::string precision = "robust";  // a policy of kernels/policy.hpp, by name
        SmoothingKernel kernel = SmoothingKernel::wendland_c2;
        Formulation formulation = Formulation::mass_weighted;
        bool tensile_correction = false;
        DensityDiffusion density_diffusion = DensityDiffusion::balanced;
        double diffusion_coefficient = 0.1;  // delta
        DensityFilter density_filter = DensityFilter::none;
        int filter_every = 30;          // steps
        double particle_shifting = 0;   // coefficient A
        int rebuild_every = 0;          // steps; 0: only as the skin requires
        double velocity_smoothing = 0;  // epsilon of XSPH
        Integrator integrator = Integrator::kick_drift_kick;
        int corrector_every = 40;   // steps, of Verlet's integrator
        double skin = 0.1;          // as a fraction of the support
        int cells_per_support = 2;  // cell side = (support + skin) / this; 1, 2 or 3
        bool wall_tension = true;   // whether walls may pull; false: wall density at least rho0
        Walls walls = Walls::extrapolated;
        WallSlip wall_slip = WallSlip::no_slip;  // of a viscous fluid; default in read_case.cpp
        double density_bound = 0.3;              // bound on |rho/rho0 - 1|; a run that exceeds it stops
    } numerics;

    struct Time {
        double end = 0;                 // s
        std::string step = "variable";  // "variable" (CFL on the flow) or "fixed" (CFL on c0, or `size`)
        double cfl = 0.2;
        bool step_softening = true;  // of the closing speeds that limit a variable step
        std::optional<double> size;  // s; a fixed step of given size
    } time;

    struct Output {
        double interval = 0;    // s between outputs of all particles
        int ledger_every = 10;  // steps between rows of the energy ledger
        bool figures = true;
        // Selection of particles and columns (none: all), precision and compression.
        enum class Particles { all, fluid } particles = Particles::all;
        std::optional<Box> within = {};
        std::vector<std::string> columns = {};
        enum class Precision { full, single } precision = Precision::full;
        enum class Compression { none, deflate } compression = Compression::none;
    } output;

    std::optional<CentralForce> central_force;

    std::array<double, 3> period{};  // m, along periodic directions; 0: not periodic

    std::vector<Shape> shapes;
    std::vector<Motion> motions;
    std::optional<Front> front;
    std::vector<Probe> probes;
};

// Whether a list of bodies has a shape of that name; one without names has all.
bool has_body(const std::vector<std::string>& bodies, const std::string& shape);

// For error messages: the place of a key or, if it was not given, of the table around it, or the file.
std::string place_of(const Case& c, std::string key);

}  // namespace halfulp
