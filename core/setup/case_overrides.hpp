// Overrides of a case file from the command line.
#pragma once

#include <toml++/toml.h>

#include <string>
#include <vector>

namespace halfulp {

// Sets each "dotted.key=value" in the table, as if the file contained it. A component of the key names a key or, in an
// array, an index from 0 or the `name` of a table: "shapes.water.box.to=[1, 2]". The value is TOML, otherwise text.
// Places of overridden values read as name_of_override has it.
void apply_overrides(toml::table& root, const std::vector<std::string>& overrides);

// "--set dotted.key=value", shortened if it is long.
std::string name_of_override(const std::string& given);

}  // namespace halfulp
