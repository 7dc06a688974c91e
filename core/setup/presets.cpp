#include "core/setup/presets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace halfulp {

namespace {

constexpr std::string_view place_prefix = "preset ";

constexpr std::array presets{
    Preset{.name = "dominguez-2013",
           .source = "Dominguez, Crespo and Gomez-Gesteira, Comput. Phys. Commun. 184 (2013) 617, appendix A",
           .keys = R"(
[resolution]
smoothing_ratio = 2.0            # more than 250 neighbours

[fluid]
artificial_viscosity = 0.25
laminar_viscosity = "none"
state_equation = "tait"          # eq. A.6

[numerics]
kernel = "cubic-spline"          # eq. A.3
tensile_correction = true
integrator = "verlet"            # eq. A.7, the corrector every 40 steps
wall_tension = true
density_diffusion = "none"

[time]
step = "variable"                # eq. A.8
cfl = 0.2
step_softening = false           # r^2 alone
)"},
    Preset{.name = "cehinav",
           .source =
               "the CEHINAV group (Universidad Politecnica de Madrid), dam break and sloshing on graphics processors",
           .keys = R"(
[resolution]
smoothing_ratio = 1.33

[fluid]
artificial_viscosity = 0.0
laminar_viscosity = "monaghan-gingold"
state_equation = "tait"

[numerics]
kernel = "gaussian"
tensile_correction = false
integrator = "leap-frog"
wall_tension = true
density_diffusion = "none"

[time]
step = "variable"
cfl = 0.125
)"},
    Preset{.name = "gpusph-2018",
           .source = "Bilotta, Zago and Herault, Design and implementation of particle systems for meshfree methods "
                     "with high performance (2018)",
           .keys = R"(
[numerics]
kernel = "wendland-c2"
tensile_correction = false
integrator = "predictor-corrector"
rebuild_every = 10
density_diffusion = "none"
)"},
    Preset{.name = "dualsphysics-5",
           .source = "Dominguez et al., Comput. Part. Mech. 9 (2022) 867, and the defaults of its public examples",
           .keys = R"(
[resolution]
smoothing_ratio = 1.732          # coefh 1 in three dimensions

[fluid]
artificial_viscosity = 0.01
laminar_viscosity = "none"
state_equation = "tait"

[numerics]
kernel = "wendland-c2"
tensile_correction = false
integrator = "symplectic"
wall_tension = false             # the density of walls does not fall below that at rest
density_diffusion = "fourtakas"
diffusion_coefficient = 0.1

[time]
step = "variable"
cfl = 0.2
)"},
};

// Of all presets.
constexpr std::string_view common_keys = R"(
[numerics]
formulation = "mass-weighted"    # of dominguez-2013: eqs. A.4, A.5
walls = "dynamic"
wall_slip = "no-slip"            # viscosity acts between all particles
density_filter = "none"
velocity_smoothing = 0.0
particle_shifting = 0.0
)";

// Adds to `to` what it lacks of `from`, table by table. A copied node would lose its place.
void add_missing(toml::table& to, toml::table&& from)
{
    for (auto&& [key, value] : from) {
        toml::node* const there = to.get(key.str());
        if (there == nullptr) to.insert(key, std::move(value));
        else if (there->is_table() && value.is_table()) add_missing(*there->as_table(), std::move(*value.as_table()));
    }
}

}  // namespace

const Preset* find_preset(std::string_view name)
{
    const auto* const found =
        std::find_if(presets.begin(), presets.end(), [&](const Preset& preset) { return preset.name == name; });
    return found == presets.end() ? nullptr : found;
}

void add_preset(toml::table& root)
{
    const auto name = root["numerics"]["preset"].value<std::string>();
    const Preset* const preset = name ? find_preset(*name) : nullptr;
    if (preset == nullptr) return;
    for (const std::string_view keys : {preset->keys, common_keys})
        add_missing(root, toml::parse(keys, fmt::format("{}\"{}\"", place_prefix, preset->name)));
}

bool is_of_a_preset(const toml::source_region& source) { return source.path && source.path->starts_with(place_prefix); }

}  // namespace halfulp
