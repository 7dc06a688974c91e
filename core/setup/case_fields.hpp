// The keys of a case file, each defined once, with meaning, unit and allowed values. Reading, the search for unknown
// keys and writing all traverse this one description: an archive has a member function for every type of value.
#pragma once

#include <initializer_list>
#include <limits>
#include <string>
#include <string_view>

#include "core/setup/case.hpp"
#include "core/setup/motion_fields.hpp"
#include "core/setup/probe_fields.hpp"
#include "core/setup/shape_fields.hpp"
#include "core/setup/spelling.hpp"
#include "kernels/density_filter.hpp"
#include "kernels/smoothing.hpp"
#include "kernels/viscosity.hpp"

namespace halfulp {

template <class Archive>
void front_fields(Archive& a, Front& f)
{
    a.real({.name = "start", .meaning = "x of the wall behind the column, m"}, f.start, signed_scale);
    a.real({.name = "length", .meaning = "L, the column's width, m", .required = true}, f.length, scale);
    a.real(
        {.name = "tolerance", .meaning = "largest accepted mean relative deviation from a reference, its lag fitted"},
        f.tolerance, {.low = 0, .high = 1e15, .low_included = false});
    a.list({.name = "references", .meaning = "published positions of the front"}, f.references, [&](FrontReference& r) {
        a.text({.name = "name", .meaning = "author of the measurement", .required = true}, r.name);
        a.text({.name = "citation", .meaning = "publication"}, r.citation);
        a.points({.name = "points", .meaning = "(t sqrt(2 g / L), x / L)", .required = true}, r.points, 1);
    });
}

// The names of a list's models as the meaning of a key, followed by notes on some of them; a new model of the list
// appears by itself.
inline std::string meaning_of(std::initializer_list<std::string_view> names, const char* rest = "")
{
    return enumerate_names(names, "or") + rest;
}

template <class Archive>
void case_fields(Archive& a, Case& c)
{
    static const std::string kernels = meaning_of(HALFULP_NAMES_OF_MODELS(HALFULP_SMOOTHING_KERNELS));
    static const std::string equations =
        meaning_of(HALFULP_NAMES_OF_MODELS(HALFULP_STATE_EQUATIONS), " (tait has the exponent 7)");
    static const std::string viscosities = meaning_of(
        HALFULP_NAMES_OF_MODELS(HALFULP_LAMINAR_VISCOSITIES),
        "; morris and brookshaw act along the difference of velocities, brookshaw without softening, to whose viscosity "
        "the flow converges, monaghan-gingold along the line of centres");
    static const std::string diffusions =
        meaning_of(HALFULP_NAMES_OF_MODELS(HALFULP_DENSITY_DIFFUSIONS), " (balanced is zero for water at rest)");
    static const std::string filters =
        meaning_of(HALFULP_NAMES_OF_MODELS(HALFULP_DENSITY_FILTERS),
                   " (shepard keeps a constant density, mls, moving least squares, a linear one)");
    a.text({.name = "title", .meaning = "one line for reports; default: the file's name"}, c.title);
    a.integer({.name = "dimensions", .meaning = "2 or 3; gravity usually acts along the last"}, c.dimensions,
              {.low = 2, .high = 3});
    const int d = c.dimensions;
    a.vector({.name = "gravity", .meaning = "m/s^2; default 9.81 downwards along the last dimension"}, c.gravity, d,
             signed_scale);

    a.vector({.name = "period", .meaning = "m; the case repeats itself along this direction; 0: it does not"}, c.period,
             d, not_negative);
    a.table({.name = "central_force", .meaning = "attraction to a point, -rate^2 (x - centre)"}, c.central_force,
            [&](CentralForce& force) {
                a.real({.name = "rate", .meaning = "1/s", .required = true}, force.rate, scale);
                a.vector({.name = "centre", .meaning = "m"}, force.centre, d, any_number);
            });

    a.table({.name = "resolution", .meaning = "particle spacing and smoothing length"}, [&] {
        a.real({.name = "spacing", .meaning = "distance between particles, m", .required = true}, c.resolution.spacing,
               scale);
        a.real({.name = "smoothing_ratio",
                .meaning = "smoothing length over spacing; the kernel's support is two or three of it"},
               c.resolution.smoothing_ratio, {.low = 0.8, .high = 4});
    });
    a.table({.name = "origin", .meaning = "position of the case in space"}, [&] {
        a.vector({.name = "cells", .meaning = "added to every particle's cell; changes no bit of anything else"},
                 c.origin.cells, d, cell_range);
    });
    a.table({.name = "fluid", .meaning = "properties of the fluid"}, [&] {
        a.real({.name = "density", .meaning = "density at rest, kg/m^3"}, c.fluid.density, scale);
        a.real({.name = "sound_speed",
                .meaning = "at rest, m/s; ten times the fastest flow keeps compression below 1 %",
                .required = true},
               c.fluid.sound_speed, scale);
        a.real({.name = "artificial_viscosity", .meaning = "Monaghan's alpha; 0: inviscid"},
               c.fluid.artificial_viscosity, {.low = 0, .high = 1e15});
        choice(a, {.name = "laminar_viscosity", .meaning = viscosities}, c.fluid.laminar_viscosity,
               HALFULP_NAMES_OF_MODELS(HALFULP_LAMINAR_VISCOSITIES));
        const bool laminar = c.fluid.laminar_viscosity != LaminarViscosity::none;
        a.real({.name = "kinematic_viscosity",
                .meaning = "nu, m^2/s; of the laminar viscosity",
                .required = laminar,
                .applies = laminar,
                .applies_to = "a fluid whose laminar_viscosity is not \"none\""},
               c.fluid.kinematic_viscosity, {.low = 0, .high = 1e15, .low_included = false});
        choice(a, {.name = "state_equation", .meaning = equations}, c.fluid.state_equation,
               HALFULP_NAMES_OF_MODELS(HALFULP_STATE_EQUATIONS));
    });
    a.table({.name = "numerics", .meaning = "numerical scheme"}, [&] {
        Case::Numerics& n = c.numerics;
        a.one_of({.name = "preset",
                  .meaning = "numerics of a published code, for every key that is not given: none, dominguez-2013, "
                             "cehinav, gpusph-2018 or dualsphysics-5"},
                 n.preset, {"none", "dominguez-2013", "cehinav", "gpusph-2018", "dualsphysics-5"});
        a.text({.name = "precision",
                .meaning = "robust (compensated single precision), double, or another policy (docs/precision.md)"},
               n.precision);
        choice(a, {.name = "kernel", .meaning = kernels}, n.kernel, HALFULP_NAMES_OF_MODELS(HALFULP_SMOOTHING_KERNELS));
        choice(a, {.name = "formulation", .meaning = "mass-weighted (conjugate pair i) or volume-weighted (pair ii)"},
               n.formulation, {"mass-weighted", "volume-weighted"});
        choice(a, {.name = "integrator", .meaning = "time integrator (docs/physics.md)"}, n.integrator,
               HALFULP_NAMES_OF_MODELS(HALFULP_INTEGRATORS));
        a.integer({.name = "corrector_every",
                   .meaning = "steps between corrector steps",
                   .applies = n.integrator == Integrator::verlet,
                   .applies_to = "the integrator \"verlet\""},
                  n.corrector_every, {.low = 1, .high = std::numeric_limits<int>::max()});
        a.real({.name = "skin", .meaning = "skin of the neighbour lists over the support"}, n.skin,
               {.low = 0.01, .high = 1});
        a.integer(
            {.name = "rebuild_every",
             .meaning = "steps after which neighbour lists are rebuilt at the latest; 0: as displacements require"},
            n.rebuild_every, {.low = 0, .high = std::numeric_limits<int>::max()});
        a.integer({.name = "cells_per_support", .meaning = "cell side = (support + skin) / this"}, n.cells_per_support,
                  {.low = 1, .high = 3});
        a.boolean(
            {.name = "wall_tension",
             .meaning = "whether walls may pull on the fluid; false keeps their density at or above that at rest"},
            n.wall_tension);
        choice(a,
               {.name = "walls",
                .meaning = "whether walls follow the fluid's equations (dynamic) or have their pressure from the fluid "
                           "beside them (extrapolated), or at their mirror nodes, continued along its own gradient "
                           "(modified-dynamic, mDBC) or as in fluid at rest (pressure-cloning)"},
               n.walls, HALFULP_NAMES_OF_MODELS(HALFULP_WALL_MODELS));
        choice(
            a,
            {.name = "wall_slip",
             .meaning = "whether viscosity acts between fluid and walls; default: laminar viscosity does, artificial "
                        "alone does not",
             .applies = c.fluid.artificial_viscosity > 0 || c.fluid.laminar_viscosity != LaminarViscosity::none,
             .applies_to = "a fluid with artificial_viscosity or laminar_viscosity"},
            n.wall_slip, {"no-slip", "free-slip"});
        a.boolean({.name = "tensile_correction", .meaning = "Monaghan's (2000), against clumping under tension"},
                  n.tensile_correction);
        choice(a, {.name = "density_diffusion", .meaning = diffusions}, n.density_diffusion,
               HALFULP_NAMES_OF_MODELS(HALFULP_DENSITY_DIFFUSIONS));
        a.real({.name = "diffusion_coefficient",
                .meaning = "delta, coefficient of the density diffusion",
                .applies = n.density_diffusion != DensityDiffusion::none,
                .applies_to = "a case whose density_diffusion is not \"none\""},
               n.diffusion_coefficient, {.low = 0, .high = 1, .low_included = false});
        choice(a, {.name = "density_filter", .meaning = filters}, n.density_filter,
               HALFULP_NAMES_OF_MODELS(HALFULP_DENSITY_FILTERS));
        a.integer({.name = "filter_every",
                   .meaning = "steps between applications of the density filter",
                   .applies = n.density_filter != DensityFilter::none,
                   .applies_to = "a case whose density_filter is not \"none\""},
                  n.filter_every, {.low = 1, .high = std::numeric_limits<int>::max()});
        a.real({.name = "particle_shifting",
                .meaning = "A of the shifting velocity -A h |u| grad C, published codes take 1 to 6; 0: none"},
               n.particle_shifting, {.low = 0, .high = 10});
        a.real({.name = "velocity_smoothing", .meaning = "epsilon of XSPH; 0: particles move with their own velocity"},
               n.velocity_smoothing, {.low = 0, .high = 1});
        a.real({.name = "density_bound", .meaning = "the run stops where |density/density at rest - 1| exceeds it"},
               n.density_bound, {.low = 0, .high = 1, .low_included = false, .high_included = false});
    });
    a.table({.name = "time", .meaning = "duration and time step"}, [&] {
        a.real({.name = "end", .meaning = "s", .required = true}, c.time.end, positive);
        a.one_of({.name = "step", .meaning = "variable (limited by the flow) or fixed"}, c.time.step,
                 {"variable", "fixed"});
        a.real({.name = "cfl", .meaning = "CFL number, dt c0/h at rest"}, c.time.cfl,
               {.low = 0, .high = 1, .low_included = false});
        a.boolean({.name = "step_softening",
                   .meaning = "whether close pairs limit the step by |h u.r|/(r^2 + 0.01 h^2), or by r^2 alone",
                   .applies = c.time.step == "variable",
                   .applies_to = "step = \"variable\""},
                  c.time.step_softening);
        a.real({.name = "size",
                .meaning = "s; size of a fixed step, instead of cfl",
                .applies = c.time.step == "fixed",
                .applies_to = "step = \"fixed\""},
               c.time.size, positive);
    });
    a.table({.name = "output", .meaning = "what is written, and how often"}, [&] {
        a.real({.name = "interval", .meaning = "s between outputs of all particles", .required = true},
               c.output.interval, positive);
        a.integer({.name = "ledger_every", .meaning = "steps between rows of the energy ledger"}, c.output.ledger_every,
                  {.low = 1, .high = std::numeric_limits<int>::max()});
        a.boolean({.name = "figures", .meaning = "whether pictures are drawn at the end"}, c.output.figures);
        choice(a, {.name = "particles", .meaning = "all or fluid: which are in the outputs"}, c.output.particles,
               {"all", "fluid"});
        a.table({.name = "within", .meaning = "the box whose particles are in the outputs, m; default: everything"},
                c.output.within, [&](Box& box) { box_fields(a, box, d); });
        a.texts({.name = "columns", .meaning = "of the particles, e.g. position, velocity; none: all"},
                c.output.columns);
        choice(a, {.name = "precision", .meaning = "full, or single: columns of float64 are rounded to float32"},
               c.output.precision, {"full", "single"});
        choice(a, {.name = "compression", .meaning = "none, or deflate: loses nothing, every HDF5 library reads it"},
               c.output.compression, {"none", "deflate"});
    });

    a.list({.name = "shapes", .meaning = "regions filled with particles", .required = true}, c.shapes,
           [&](Shape& s) { shape_fields(a, s, d); });
    a.list({.name = "motions", .meaning = "prescribed motions of walls"}, c.motions,
           [&](Motion& m) { motion_fields(a, m, d); });
    a.table({.name = "front", .meaning = "position of the fluid's foremost particle, compared with measurements"},
            c.front, [&](Front& f) { front_fields(a, f); });
    a.list({.name = "probes", .meaning = "measurements during the run"}, c.probes,
           [&](Probe& p) { probe_fields(a, p, d); });
}

}  // namespace halfulp
