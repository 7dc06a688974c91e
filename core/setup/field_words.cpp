#include "core/setup/field_words.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

namespace halfulp {

namespace {

// Where a word has two meanings, the one in the table in which it stands counts, else the first.
constexpr std::array for_keys{
    FieldWord{"dp", "resolution.spacing"},
    FieldWord{"dx", "resolution.spacing"},
    FieldWord{"deltap", "resolution.spacing"},
    FieldWord{"particle-spacing", "resolution.spacing"},
    FieldWord{"particle-distance", "resolution.spacing"},
    FieldWord{"initial-spacing", "resolution.spacing"},
    FieldWord{"h", "resolution.smoothing_ratio"},
    FieldWord{"hdp", "resolution.smoothing_ratio"},
    FieldWord{"hdx", "resolution.smoothing_ratio"},
    FieldWord{"hfac", "resolution.smoothing_ratio"},
    FieldWord{"coefh", "resolution.smoothing_ratio"},
    FieldWord{"smoothing-length", "resolution.smoothing_ratio"},
    FieldWord{"rho0", "fluid.density"},
    FieldWord{"rhop0", "fluid.density"},
    FieldWord{"rho", "fluid.density"},
    FieldWord{"reference-density", "fluid.density"},
    FieldWord{"c0", "fluid.sound_speed"},
    FieldWord{"cs", "fluid.sound_speed"},
    FieldWord{"speedsound", "fluid.sound_speed"},
    FieldWord{"speed-of-sound", "fluid.sound_speed"},
    FieldWord{"coefsound", "fluid.sound_speed"},
    FieldWord{"alpha", "fluid.artificial_viscosity"},
    FieldWord{"visco", "fluid.artificial_viscosity"},
    FieldWord{"nu", "fluid.kinematic_viscosity"},
    FieldWord{"viscosity", "fluid.kinematic_viscosity"},
    FieldWord{"eos", "fluid.state_equation"},
    FieldWord{"equation-of-state", "fluid.state_equation"},
    FieldWord{"gamma", "fluid.state_equation"},
    FieldWord{"smoothing-kernel", "numerics.kernel"},
    FieldWord{"boundary", "numerics.walls"},
    FieldWord{"boundary-condition", "numerics.walls"},
    FieldWord{"boundary-conditions", "numerics.walls"},
    FieldWord{"slip", "numerics.wall_slip"},
    FieldWord{"slipmode", "numerics.wall_slip"},
    FieldWord{"ddt", "numerics.density_diffusion"},
    FieldWord{"densitydt", "numerics.density_diffusion"},
    FieldWord{"delta-sph", "numerics.density_diffusion"},
    FieldWord{"delta", "numerics.diffusion_coefficient"},
    FieldWord{"ddtvalue", "numerics.diffusion_coefficient"},
    FieldWord{"densitydtvalue", "numerics.diffusion_coefficient"},
    FieldWord{"shepard", "numerics.density_filter"},
    FieldWord{"shifting", "numerics.particle_shifting"},
    FieldWord{"pst", "numerics.particle_shifting"},
    FieldWord{"xsph", "numerics.velocity_smoothing"},
    FieldWord{"artificial-pressure", "numerics.tensile_correction"},
    FieldWord{"tensile-instability", "numerics.tensile_correction"},
    FieldWord{"time-integrator", "numerics.integrator"},
    FieldWord{"stepalgorithm", "numerics.integrator"},
    FieldWord{"scheme", "numerics.integrator"},
    FieldWord{"verletsteps", "numerics.corrector_every"},
    FieldWord{"tend", "time.end"},
    FieldWord{"t-end", "time.end"},
    FieldWord{"tf", "time.end"},
    FieldWord{"tmax", "time.end"},
    FieldWord{"timemax", "time.end"},
    FieldWord{"duration", "time.end"},
    FieldWord{"final-time", "time.end"},
    FieldWord{"cflnumber", "time.cfl"},
    FieldWord{"courant", "time.cfl"},
    FieldWord{"courant-number", "time.cfl"},
    FieldWord{"dt", "time.size"},
    FieldWord{"dt", "output.interval"},
    FieldWord{"time-step", "time.size"},
    FieldWord{"timestep", "time.size"},
    FieldWord{"timeout", "output.interval"},
    FieldWord{"time-out", "output.interval"},
    FieldWord{"every", "output.interval"},
    FieldWord{"g", "gravity"},
    FieldWord{"periodic", "period"},
    FieldWord{"gauges", "probes"},
    FieldWord{"sensors", "probes"},
    FieldWord{"measuretool", "probes"},
    FieldWord{"boundaries", "shapes"},
    FieldWord{"geometry", "shapes"},
    FieldWord{"bodies", "shapes"},
};

constexpr std::array for_values{
    FieldWord{"dbc", "walls", "dynamic"},
    FieldWord{"mdbc", "walls", "modified-dynamic"},
    FieldWord{"mdbc2", "walls", "pressure-cloning"},
    FieldWord{"adami", "walls", "extrapolated"},
    FieldWord{"generalised", "walls", "extrapolated"},
    FieldWord{"generalized", "walls", "extrapolated"},
    FieldWord{"dummy", "walls", "extrapolated"},
    FieldWord{"ghost", "walls", "extrapolated"},
    FieldWord{"wendland", "kernel", "wendland-c2"},
    FieldWord{"quintic", "kernel", "wendland-c2"},
    FieldWord{"c2", "kernel", "wendland-c2"},
    FieldWord{"m4", "kernel", "cubic-spline"},
    FieldWord{"cubic", "kernel", "cubic-spline"},
    FieldWord{"delta-sph", "density_diffusion", "antuono"},
    FieldWord{"molteni", "density_diffusion", "molteni-colagrossi"},
    FieldWord{"kdk", "integrator", "kick-drift-kick"},
    FieldWord{"velocity-verlet", "integrator", "kick-drift-kick"},
    FieldWord{"leapfrog", "integrator", "leap-frog"},
    FieldWord{"midpoint", "integrator", "implicit-midpoint"},
    FieldWord{"cole", "state_equation", "tait"},
    FieldWord{"stiffened-gas", "state_equation", "tait"},
    FieldWord{"lo-shao", "laminar_viscosity", "morris"},
    FieldWord{"boundary", "kind", "wall"},
    FieldWord{"bound", "kind", "wall"},
    FieldWord{"solid", "kind", "wall"},
    FieldWord{"water", "kind", "fluid"},
    FieldWord{"liquid", "kind", "fluid"},
    FieldWord{"swl", "measures", "level"},
    FieldWord{"elevation", "measures", "level"},
    FieldWord{"depth", "measures", "level"},
};

std::string plain(std::string_view word)
{
    std::string text(word);
    for (char& letter : text)
        letter = letter == '_' ? '-' : static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    return text;
}

}  // namespace

std::span<const FieldWord> field_words_for_keys() { return for_keys; }
std::span<const FieldWord> field_words_for_values() { return for_values; }

std::string_view key_meant_by(std::string_view word, std::string_view table)
{
    const std::string wanted = plain(word);
    std::string_view elsewhere;
    for (const FieldWord& one : for_keys) {
        if (one.word != wanted) continue;
        if (!table.empty() && one.key.starts_with(table)) return one.key;
        if (elsewhere.empty()) elsewhere = one.key;
    }
    return elsewhere;
}

std::string_view value_meant_by(std::string_view word, std::string_view key)
{
    const std::string wanted = plain(word);
    const auto found =
        std::ranges::find_if(for_values, [&](const FieldWord& one) { return one.word == wanted && one.key == key; });
    return found == for_values.end() ? std::string_view{} : found->value;
}

}  // namespace halfulp
