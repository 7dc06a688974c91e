// halfulp validate operators: one evaluation of each right-hand side on the same particles, against quadruple
// precision.
#include <memory>

#include <CLI/CLI.hpp>

#include "core/app/commands.hpp"
#include "validation/experiment.hpp"
#include "validation/operators/sections.hpp"

namespace halfulp {

namespace {

ExitCode run_experiment(const StudyOptions& options)
{
    Page page(options.folder, "operators", "Right-hand sides against quadruple precision");
    page.paragraph(
        "A block of fluid on a jittered lattice; velocities of up to a tenth of the sound speed and densities rho = rho0 (1 + s) "
        "are drawn for every particle. No gravity, viscosity or walls; Wendland's kernel, Tait's equation, pair (i). Each "
        "policy starts from the same numbers of single precision, evaluates du/dt and ds/dt once, and is compared with the "
        "same formulas in 113 bits, over the particles that have their whole support inside the block. Errors are root "
        "mean squares over the root mean square of the exact rate; an ulp is 2^-23 of that.");
    page.paragraph(
        "Two references: the exact start, against which a policy also answers for what it cannot store (a coordinate far from the "
        "origin, a density near rest), and the start as the policy holds it, against which only its evaluation counts.");
    sweep_operators(page, options, 2);
    if (options.scale == Scale::full) sweep_operators(page, options, 3);
    compare_pressure_pairs(page, options);
    show_techniques_together(page, options);
    return page.close();
}

const bool registered = register_study<StudyOptions>(
    "operators",
    "One evaluation of du/dt and ds/dt against quadruple precision, over the displacement from the origin and the "
    "density's deviation, split by source of error",
    run_experiment);

}  // namespace

}  // namespace halfulp
