#include "core/setup/case_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.hpp"
#include "core/setup/policy_table.hpp"
#include "core/setup/polygon.hpp"
#include "core/setup/spelling.hpp"
#include "core/setup/units.hpp"
#include "kernels/state_equation.hpp"

namespace halfulp {

namespace {

// what: "shapes", "motions", "probes": tables with a name.
template <class Table>
void check_names(const std::vector<Table>& tables, std::string_view what, const KeyPlaces& places)
{
    std::set<std::string_view> before;
    for (std::size_t i = 0; i < tables.size(); ++i) {
        const std::string& name = tables[i].name;
        if (!CaseReader::addressable(name)) {
            throw places.fault(
                fmt::format("{}.{}.name", what, i),
                "the name of {}.{} is \"{}\", but must be letters, digits, - and _, starting with a letter.", what, i,
                shortened(name));
        }
        if (constexpr std::size_t longest = 100; what == "probes" && name.size() > longest) {
            throw places.fault(
                fmt::format("{}.{}.name", what, i),
                "the name of {}.{} has {} letters, but its file is called after it; shorten it to {} or fewer.", what,
                i, name.size(), longest);
        }
        if (!before.insert(name).second) {
            throw places.fault(fmt::format("{}.{}.name", what, name),
                               "two {} are named \"{}\"; give each its own name.", what, name);
        }
    }
}

void check_polygon(const Shape& s, const std::string& path, const KeyPlaces& places)
{
    const std::string polygon = path + ".polygon";
    const auto edges = crossing_edges(s.points);
    if (!edges) return;
    const auto edge = [&](std::size_t first) {
        const auto& a = s.points[first];
        const auto& b = s.points[(first + 1) % s.points.size()];
        return fmt::format("from [{}, {}] to [{}, {}]", a[0], a[1], b[0], b[1]);
    };
    throw places.fault(
        polygon,
        "{} crosses or touches itself where the edges {} and {} meet; give its corners in order around it, each once.",
        polygon, edge(edges->first), edge(edges->second));
}

void check_shape(const Case& c, const Shape& s, const KeyPlaces& places)
{
    const std::string path = "shapes." + s.name;
    if (s.form == Shape::Form::polygon) {
        check_polygon(s, path, places);
    } else if (s.is_box()) {
        check_corners({s.from, s.to}, c.dimensions, path + (s.form == Shape::Form::box ? ".box" : ".hollow_box"),
                      places);
    } else if (s.form == Shape::Form::cylinder && s.from == s.to) {
        throw places.fault(path + ".cylinder.to",
                           "{}.cylinder.from and {}.cylinder.to are the same point; give the two ends of its axis.",
                           path, path);
    }
    for (std::size_t i = 0; i < s.velocity.size(); ++i) {
        if (s.kind == Kind::wall && std::holds_alternative<Expression>(s.velocity[i])) {
            throw places.fault(path + ".velocity",
                               "{}.velocity.{} is the expression \"{}\", but a wall moves as a whole; give a number.",
                               path, i, std::get<Expression>(s.velocity[i]).text());
        }
    }
    if (s.hydrostatic && c.gravity == std::array<double, 3>{}) {
        throw places.fault(path + ".hydrostatic",
                           "{}.hydrostatic is true, but gravity is zero; set gravity or remove hydrostatic.", path);
    }
    bool presses = false;
    for (std::size_t i = 0; i < 3; ++i) presses = presses || (c.gravity[i] != 0 && c.period[i] == 0);
    if (s.hydrostatic && !presses) {
        throw places.fault(
            path + ".hydrostatic",
            "{}.hydrostatic is true, but gravity acts along periodic directions only; remove hydrostatic.", path);
    }
}

void check_period(const Case& c, const KeyPlaces& places)
{
    for (std::size_t i = 0; i < 3; ++i) {
        if (c.period[i] == 0 || !c.central_force) continue;
        throw places.fault("period",
                           "period.{} is {} m and central_force is given, but an attraction to one point does not "
                           "repeat itself; remove one of them.",
                           i, c.period[i]);
    }
}

const Shape* find_shape(const Case& c, const std::string& name)
{
    const auto named = [&](const Shape& s) { return s.name == name; };
    const auto found = std::find_if(c.shapes.begin(), c.shapes.end(), named);
    return found == c.shapes.end() ? nullptr : &*found;
}

constexpr double most_cuts = 1000;

Error too_many_cuts(const Shape& s, const KeyPlaces& places)
{
    const std::string path = fmt::format("shapes.{}.without", s.name);
    return places.fault(path,
                        "{} cuts out more than {} shapes, each counted once for every way that the cuts of its cuts "
                        "lead to it; cut each out of one shape only.",
                        path, most_cuts);
}

// The number of cuts of shape s, including the cuts of its cuts, each counted once per path: the work of filling it.
double count_cuts(const Case& c, const Shape& s, std::map<std::string_view, double>& known)
{
    if (const auto found = known.find(s.name); found != known.end()) return found->second;
    double count = 0;
    for (const std::string& name : s.without) count += 1 + count_cuts(c, *find_shape(c, name), known);
    known[s.name] = count;
    return count;
}

// `above` are the shapes from which s is being cut out, s included.
void refuse_circular_cuts(const Case& c, const Shape& s, std::vector<const Shape*>& above, std::set<const Shape*>& done,
                          const KeyPlaces& places)
{
    if (!done.insert(&s).second) return;
    if (static_cast<double>(above.size()) > most_cuts) throw too_many_cuts(*above.front(), places);
    for (const std::string& name : s.without) {
        const Shape* const cut = find_shape(c, name);
        if (std::find(above.begin(), above.end(), cut) != above.end()) {
            throw places.fault(fmt::format("shapes.{}.without", s.name),
                               "shapes.{}.without names \"{}\", which is itself, by way of its own `without`, cut by "
                               "\"{}\"; remove one of the cuts.",
                               s.name, name, s.name);
        }
        above.push_back(cut);
        refuse_circular_cuts(c, *cut, above, done, places);
        above.pop_back();
    }
}

void check_cuts(const Case& c, const KeyPlaces& places)
{
    for (const Shape& s : c.shapes) {
        const std::string path = fmt::format("shapes.{}.without", s.name);
        for (const std::string& name : s.without) {
            if (name != s.name && find_shape(c, name) != nullptr) continue;
            std::vector<std::string_view> others;
            for (const Shape& other : c.shapes) {
                if (&other != &s) others.push_back(other.name);
            }
            throw places.fault(path, "{} names \"{}\", but must name other shapes of the case{}{}.", path,
                               shortened(name), others.empty() ? "" : ": ", enumerate_names(others, "or"));
        }
    }
    std::set<const Shape*> done;
    for (const Shape& s : c.shapes) {
        std::vector<const Shape*> above{&s};
        refuse_circular_cuts(c, s, above, done, places);
    }
    std::map<std::string_view, double> known;
    for (const Shape& s : c.shapes) {
        if (count_cuts(c, s, known) > most_cuts) throw too_many_cuts(s, places);
        const auto cuts = [&](const Shape& other) {
            return std::find(other.without.begin(), other.without.end(), s.name) != other.without.end();
        };
        if (!s.kind && std::none_of(c.shapes.begin(), c.shapes.end(), cuts)) {
            throw places.fault("shapes." + s.name,
                               "shapes.{} is void, but no shape is without it; give the shape that it is to be cut out "
                               "of without = [\"{}\"], or remove it.",
                               s.name, s.name);
        }
    }
}

// Pressures are written in Pa and in single precision, of densities up to the bound. Their factor in the units of the
// run is at most twice rho0 c0^2.
void check_pressure(const Case& c, const KeyPlaces& places)
{
    const Case::Fluid& f = c.fluid;
    const double modulus = f.density * f.sound_speed * f.sound_speed;
    const CentredDensity<double> densest{c.numerics.density_bound};
    const double stiffness = f.density * stiffness_of(f.state_equation, f.sound_speed * f.sound_speed);
    const double most = std::max(2 * modulus, pressure_over_reference_density(f.state_equation, densest, stiffness));
    if (most <= static_cast<double>(std::numeric_limits<float>::max())) return;
    const char* const key = places.given("fluid.density") ? "fluid.density" : "fluid.sound_speed";
    throw places.fault(
        key,
        "fluid.density = {} kg/m^3 and fluid.sound_speed = {} m/s make pressures of {:.3g} Pa possible, but single "
        "precision, in which pressures are written, ends at 3e+38; lower one of them.",
        f.density, f.sound_speed, most);
}

// Counters of steps, outputs and samples are whole numbers held by a double.
void check_times(const Case& c, const KeyPlaces& places)
{
    constexpr double most = 9007199254740992;  // 2^53
    const auto refuse = [&](const std::string& key, double given, double seconds, std::string_view what) {
        if (c.time.end / seconds <= most) return;
        throw places.fault(key,
                           "{} is {}, which makes {:.3g} {} until time.end = {} s, but at most 2^53 can be counted; "
                           "raise it or shorten the run.",
                           key, given, c.time.end / seconds, what, c.time.end);
    };
    const double sound_time = smoothing_length(c) / c.fluid.sound_speed;
    if (c.time.size) refuse("time.size", *c.time.size, *c.time.size, "steps");
    else refuse("time.cfl", c.time.cfl, c.time.cfl * sound_time, "steps");
    refuse("output.interval", c.output.interval, c.output.interval, "outputs");
    for (const Probe& probe : c.probes)
        refuse(fmt::format("probes.{}.interval", probe.name), probe.interval, probe.interval, "samples");
}

void check_front(const Front& f, const KeyPlaces& places)
{
    for (std::size_t i = 0; i < f.references.size(); ++i) {
        const FrontReference& r = f.references[i];
        const std::string path =
            fmt::format("front.references.{}", CaseReader::addressable(r.name) ? r.name : std::to_string(i));
        const auto later = [](const auto& a, const auto& b) { return a[0] >= b[0]; };
        if (std::adjacent_find(r.points.begin(), r.points.end(), later) != r.points.end()) {
            throw places.fault(path + ".points",
                               "the times of {}.points (the first number of each pair) do not ascend; sort them.",
                               path);
        }
        for (std::size_t k = 0; k < r.points.size(); ++k) {
            // The run's front is divided by the published one.
            const auto& [time, x] = r.points[k];
            if (signed_scale.holds(time) && scale.holds(x)) continue;
            throw places.fault(
                path + ".points",
                "{}.points.{} is [{}, {}], but its time must be from -1e+15 to 1e+15 and its front from 1e-15 to "
                "1e+15, both without units; correct it or leave it out.",
                path, k, time, x);
        }
    }
}

// Refuses corrections that an integrator does not apply, and forces that depend on the time.
void check_integrator(const Case& c, const KeyPlaces& places)
{
    const Case::Numerics& n = c.numerics;
    const IntegratorInfo integrator = info_of(n.integrator);
    const auto refuse = [&](bool wrong, const char* key, std::string_view allowed) {
        if (!wrong) return;
        throw places.fault(places.given(key) ? key : "numerics.integrator",
                           "numerics.integrator is \"{}\", which needs {} to be {}; change one of them.",
                           integrator.name, key, allowed);
    };
    if (!integrator.corrects) {
        refuse(n.velocity_smoothing != 0, "numerics.velocity_smoothing", "0");
        refuse(n.particle_shifting != 0, "numerics.particle_shifting", "0");
        refuse(n.density_filter != DensityFilter::none, "numerics.density_filter", "\"none\"");
    }
    // Walls that cut off their tension change their density by more than their rate.
    refuse(n.integrator == Integrator::discrete_gradient && !n.wall_tension && !follow_the_fluid(n.walls),
           "numerics.wall_tension", "true where walls keep a density of their own");
    if (integrator.force_time == ForceTime::both) {
        const bool moves = !c.motions.empty();
        refuse(moves && c.motions.front().frame == MotionFrame::moving, "motions", "in the frame \"laboratory\"");
        refuse(moves && follow_the_fluid(n.walls), "numerics.walls",
               "\"dynamic\" where motions move walls (the velocity of a shape is none)");
    }
}

// Requirements of policies: reversibility of a fixed-point state (nothing that dissipates or reads s for its own rate),
// and the pair loops of the precision laboratory.
void check_precision(const Case& c, const KeyPlaces& places)
{
    const Case::Numerics& n = c.numerics;
    const PolicyInfo* const policy = find_policy(n.precision);
    if (policy == nullptr) {
        throw places.fault("numerics.precision", "numerics.precision is \"{}\", {}.", shortened(n.precision),
                           why_no_policy(n.precision));
    }
    struct Need {
        std::string key;
        std::string_view allowed;
    };
    std::vector<Need> needs;
    const auto refuse = [&](bool wrong, const char* key, std::string_view allowed) {
        if (wrong) needs.push_back({key, allowed});
    };
    if (policy->reversible) {
        refuse(n.integrator != Integrator::kick_drift_kick, "numerics.integrator", "to be \"kick-drift-kick\"");
        refuse(c.time.step != "fixed", "time.step", "to be \"fixed\"");
        refuse(c.fluid.artificial_viscosity != 0, "fluid.artificial_viscosity", "to be 0");
        refuse(!n.wall_tension, "numerics.wall_tension", "to be true");
        refuse(n.rebuild_every != 0, "numerics.rebuild_every", "to be 0");
    }
    if (policy->reversible || !policy->every_physics) {
        refuse(c.fluid.laminar_viscosity != LaminarViscosity::none, "fluid.laminar_viscosity", "to be \"none\"");
        refuse(n.density_diffusion != DensityDiffusion::none, "numerics.density_diffusion", "to be \"none\"");
        refuse(n.velocity_smoothing != 0, "numerics.velocity_smoothing", "to be 0");
        refuse(n.particle_shifting != 0, "numerics.particle_shifting", "to be 0");
        refuse(n.formulation != Formulation::mass_weighted, "numerics.formulation", "to be \"mass-weighted\"");
        refuse(n.density_filter != DensityFilter::none, "numerics.density_filter", "to be \"none\"");
        refuse(n.walls != Walls::dynamic, "numerics.walls", "to be \"dynamic\"");
        refuse(!c.time.step_softening, "time.step_softening", "to be true");
    }
    if (!policy->every_physics) {
        refuse(n.tensile_correction, "numerics.tensile_correction", "to be false");
        refuse(c.fluid.artificial_viscosity > 0 && c.fluid.state_equation != StateEquation::tait,
               "fluid.state_equation", "to be \"tait\" where there is artificial viscosity");
    }
    if (policy->reversible) refuse(!c.motions.empty(), "motions", "to be absent");
    if (needs.empty()) return;
    std::string all;
    for (std::size_t i = 0; i < needs.size(); ++i) {
        const std::string_view before = i == 0 ? "" : i + 1 < needs.size() ? ", " : " and ";
        all += fmt::format("{}{} {}", before, needs[i].key, needs[i].allowed);
    }
    // The place of a given key, or else of the precision: defaults have no place.
    const auto given =
        std::find_if(needs.begin(), needs.end(), [&](const Need& need) { return places.given(need.key); });
    throw places.fault(given == needs.end() ? "numerics.precision" : given->key,
                       "numerics.precision is \"{}\", which needs {}; {}.", n.precision, all,
                       needs.size() == 1 ? "change one of them" : "change these or the precision");
}

void check_output(const Case& c, const KeyPlaces& places)
{
    if (c.output.within) check_corners(*c.output.within, c.dimensions, "output.within", places);
    const PolicyInfo* const policy = find_policy(c.numerics.precision);
    for (std::size_t k = 0; k < c.output.columns.size(); ++k) {
        const std::string& name = c.output.columns[k];
        if (std::ranges::find(policy->columns, name) != policy->columns.end()) {
            // The neighbours of a position halfway through the step are not those of its end.
            if (!policy->on_request(name) || info_of(c.numerics.integrator).force_time != ForceTime::halfway) continue;
            throw places.fault("output.columns",
                               "output.columns.{} is \"{}\", but numerics.integrator = \"{}\" has no neighbours at the "
                               "end of a step; take another integrator, or `halfulp operators` after the run.",
                               k, name, info_of(c.numerics.integrator).name);
        }
        throw places.fault("output.columns",
                           "output.columns.{} is \"{}\", but with numerics.precision \"{}\" must be {}.", k, name,
                           policy->name, enumerate_names(policy->columns, "or"));
    }
}

}  // namespace

void check_corners(const Box& box, int dimensions, const std::string& path, const KeyPlaces& places)
{
    for (std::size_t i = 0; i < static_cast<std::size_t>(dimensions); ++i) {
        if (box.from[i] < box.to[i]) continue;
        throw places.fault(path + ".to", "{}.from.{} is {} and {}.to.{} is {}, but from must be less than to.", path, i,
                           box.from[i], path, i, box.to[i]);
    }
}

std::vector<std::string> wall_names(const Case& c)
{
    std::vector<std::string> names;
    for (const Shape& s : c.shapes) {
        if (s.kind == Kind::wall) names.push_back(s.name);
    }
    return names;
}

void check_bodies(const std::vector<std::string>& bodies, const std::vector<std::string>& walls,
                  const std::string& path, const KeyPlaces& places)
{
    for (const std::string& name : bodies) {
        if (std::ranges::find(walls, name) != walls.end()) continue;
        throw places.fault(path, "{} names \"{}\", but must name walls of the case: {}.", path, name,
                           enumerate_names({walls.begin(), walls.end()}, "or"));
    }
}

void check_case(const Case& c, const KeyPlaces& places)
{
    check_names(c.shapes, "shapes", places);
    check_names(c.motions, "motions", places);
    check_names(c.probes, "probes", places);
    for (const Shape& s : c.shapes) check_shape(c, s, places);
    if (std::none_of(c.shapes.begin(), c.shapes.end(), [](const Shape& s) { return s.kind == Kind::fluid; })) {
        throw places.fault("shapes", "no shape is a fluid; give at least one [[shapes]] with kind = \"fluid\".");
    }
    check_cuts(c, places);
    check_pressure(c, places);
    check_times(c, places);
    check_period(c, places);
    check_motions(c, places);
    if (c.numerics.density_diffusion == DensityDiffusion::fourtakas && c.gravity == std::array<double, 3>{}) {
        throw places.fault("numerics.density_diffusion",
                           "numerics.density_diffusion is \"fourtakas\", which takes the weight of the fluid off, but "
                           "gravity is zero; set gravity or choose \"balanced\".");
    }
    check_integrator(c, places);
    check_precision(c, places);
    if (c.front) check_front(*c.front, places);
    check_probes(c, places);
    check_output(c, places);
}

}  // namespace halfulp
