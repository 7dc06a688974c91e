// Overrides of a case file from the command line.
#pragma once

#include <toml++/toml.h>

#include <string>
#include <vector>

namespace halfulp {

// Puts each "dotted.key=value" into the table, as if the file had it. A component of the key names a key or, in an
// array, an index from 0 or the `name` of a table: "shapes.water.box.to=[1, 2]". The value is TOML's; what is none is a
// text. The places of what is put in read "--set dotted.key=value".
void apply_overrides(toml::table& root, const std::vector<std::string>& overrides);

}  // namespace halfulp
