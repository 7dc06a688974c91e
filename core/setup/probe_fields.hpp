// The keys of a probe, in the manner of case_fields.hpp.
#pragma once

#include "core/setup/key.hpp"
#include "core/setup/probe.hpp"

namespace halfulp {

template <class Archive>
void probe_fields(Archive& a, Probe& p, int dimensions)
{
    a.text({.name = "name", .meaning = "letters, digits, - and _; its files have it", .required = true}, p.name);
    choice(a, {.name = "measures", .meaning = "pressure, velocity, level, force or flow", .required = true}, p.measures,
           {"pressure", "velocity", "level", "force", "flow"});
    const bool force = p.measures == Probe::Measure::force;
    const bool flow = p.measures == Probe::Measure::flow;
    const bool level = p.measures == Probe::Measure::level;
    a.vector({.name = "at",
              .meaning = "the point, a point of the gauge (its height does not matter) or of the plane, m",
              .required = !force,
              .applies = !force,
              .applies_to = "a probe that does not measure \"force\""},
             p.at, dimensions, any_number);
    a.vector({.name = "normal",
              .meaning = "of the plane, in the direction of positive flow; any length",
              .required = flow,
              .applies = flow,
              .applies_to = "a probe that measures \"flow\""},
             p.normal, dimensions, any_number);
    a.texts({.name = "bodies",
             .meaning = "names of the walls on which the fluid's force is measured; none: all",
             .applies = force,
             .applies_to = "a probe that measures \"force\""},
            p.bodies);
    a.vector({.name = "about",
              .meaning = "reference point of moments, m",
              .applies = force,
              .applies_to = "a probe that measures \"force\""},
             p.about, dimensions, any_number);
    a.text(
        {.name = "attached",
         .meaning = "name of the motion that the probe follows; none: fixed",
         .applies = !level && !flow,
         .applies_to =
             "a probe that measures \"pressure\", \"velocity\" or \"force\" (a level or a flow is measured where the "
             "case file says; with frame = \"moving\" of the tank's motion that place moves with the tank)"},
        p.attached);
    a.real({.name = "interval", .meaning = "s between samples, each taken at the first step that reaches its time"},
           p.interval, positive);
    a.real({.name = "filter", .meaning = "s; width of the centred moving mean that is written as well; 0: none"},
           p.filter, not_negative);
    a.table({.name = "within",
             .meaning = "the box of the tank that counts, m; default: everything",
             .applies = level || flow,
             .applies_to = "a probe that measures \"level\" or \"flow\""},
            p.within, [&](Box& box) { box_fields(a, box, dimensions); });
}

}  // namespace halfulp
