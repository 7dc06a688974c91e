#include "core/setup/field_words.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <vector>

namespace halfulp {

namespace {

// Words of one meaning, between blanks.
struct Meaning {
    std::string_view words;
    std::string_view key;
    std::string_view value{};
};

// Where a word has two meanings, the one in the table in which it stands counts, else the first.
constexpr std::array for_keys{
    Meaning{"dp dx deltap particle-spacing particle-distance initial-spacing", "resolution.spacing"},
    Meaning{"h hdp hdx hfac coefh smoothing-length", "resolution.smoothing_ratio"},
    Meaning{"rho0 rhop0 rho reference-density", "fluid.density"},
    Meaning{"c0 cs speedsound speed-of-sound coefsound", "fluid.sound_speed"},
    Meaning{"alpha visco", "fluid.artificial_viscosity"},
    Meaning{"nu viscosity", "fluid.kinematic_viscosity"},
    Meaning{"eos equation-of-state gamma", "fluid.state_equation"},
    Meaning{"smoothing-kernel", "numerics.kernel"},
    Meaning{"boundary boundary-condition boundary-conditions", "numerics.walls"},
    Meaning{"slip slipmode", "numerics.wall_slip"},
    Meaning{"ddt densitydt delta-sph", "numerics.density_diffusion"},
    Meaning{"delta ddtvalue densitydtvalue", "numerics.diffusion_coefficient"},
    Meaning{"shepard", "numerics.density_filter"},
    Meaning{"shifting pst", "numerics.particle_shifting"},
    Meaning{"xsph", "numerics.velocity_smoothing"},
    Meaning{"artificial-pressure tensile-instability", "numerics.tensile_correction"},
    Meaning{"time-integrator stepalgorithm scheme", "numerics.integrator"},
    Meaning{"verletsteps", "numerics.corrector_every"},
    Meaning{"tend t-end tf tmax timemax duration final-time", "time.end"},
    Meaning{"cflnumber courant courant-number", "time.cfl"},
    Meaning{"dt time-step timestep", "time.size"},
    Meaning{"dt timeout time-out every", "output.interval"},
    Meaning{"g", "gravity"},
    Meaning{"periodic", "period"},
    Meaning{"gauges sensors measuretool", "probes"},
    Meaning{"boundaries geometry bodies", "shapes"},
};

constexpr std::array for_values{
    Meaning{"dbc", "walls", "dynamic"},
    Meaning{"mdbc", "walls", "modified-dynamic"},
    Meaning{"mdbc2", "walls", "pressure-cloning"},
    Meaning{"adami generalised generalized dummy ghost", "walls", "extrapolated"},
    Meaning{"wendland quintic c2", "kernel", "wendland-c2"},
    Meaning{"m4 cubic", "kernel", "cubic-spline"},
    Meaning{"delta-sph", "density_diffusion", "antuono"},
    Meaning{"molteni", "density_diffusion", "molteni-colagrossi"},
    Meaning{"kdk velocity-verlet", "integrator", "kick-drift-kick"},
    Meaning{"leapfrog", "integrator", "leap-frog"},
    Meaning{"midpoint", "integrator", "implicit-midpoint"},
    Meaning{"cole stiffened-gas", "state_equation", "tait"},
    Meaning{"lo-shao", "laminar_viscosity", "morris"},
    Meaning{"boundary bound solid", "kind", "wall"},
    Meaning{"water liquid", "kind", "fluid"},
    Meaning{"swl elevation depth", "measures", "level"},
};

std::vector<FieldWord> word_by_word(std::span<const Meaning> meanings)
{
    std::vector<FieldWord> all;
    for (const Meaning& one : meanings) {
        for (std::size_t begin = 0, end = 0; end < one.words.size(); begin = end + 1) {
            end = std::min(one.words.find(' ', begin), one.words.size());
            all.push_back({one.words.substr(begin, end - begin), one.key, one.value});
        }
    }
    return all;
}

std::string plain(std::string_view word)
{
    std::string text(word);
    for (char& letter : text)
        letter = letter == '_' ? '-' : static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    return text;
}

}  // namespace

std::span<const FieldWord> field_words_for_keys()
{
    static const std::vector<FieldWord> all = word_by_word(for_keys);
    return all;
}

std::span<const FieldWord> field_words_for_values()
{
    static const std::vector<FieldWord> all = word_by_word(for_values);
    return all;
}

std::string_view key_meant_by(std::string_view word, std::string_view table)
{
    const std::string wanted = plain(word);
    std::string_view elsewhere;
    for (const FieldWord& one : field_words_for_keys()) {
        if (one.word != wanted) continue;
        if (!table.empty() && one.key.starts_with(table)) return one.key;
        if (elsewhere.empty()) elsewhere = one.key;
    }
    return elsewhere;
}

std::string_view value_meant_by(std::string_view word, std::string_view key)
{
    const std::string wanted = plain(word);
    for (const FieldWord& one : field_words_for_values()) {
        if (one.word == wanted && one.key == key) return one.value;
    }
    return {};
}

}  // namespace halfulp
