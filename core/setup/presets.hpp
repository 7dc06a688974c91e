// Presets: the numerics of published codes and papers under one name, numerics.preset. A key that the case or an
// override gives has precedence; the completed case contains every one of them.
#pragma once

#include <toml++/toml.h>

#include <string_view>

namespace halfulp {

struct Preset {
    std::string_view name;
    std::string_view source;  // citation
    std::string_view keys;    // TOML
};

// The preset of this name; null if there is none, as for "none".
const Preset* find_preset(std::string_view name);

// Adds the keys of the preset that numerics.preset names, if any, to a case's table wherever it lacks them. Their place
// reads: preset "NAME". Does nothing if there is no such preset: whoever reads that key says so.
void add_preset(toml::table& root);

// Whether a node was added by a preset. Such a key is left out if other keys of the case remove the setting that it
// belongs to.
bool is_of_a_preset(const toml::source_region& source);

}  // namespace halfulp
