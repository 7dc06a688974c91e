// Consistency rules between the values of a case.
#pragma once

#include <string>
#include <vector>

#include "core/setup/case.hpp"
#include "core/setup/case_reader.hpp"

namespace halfulp {

// Throws an Error naming the place and the keys of the first broken rule.
void check_case(const Case& c, const KeyPlaces& places);

// For the box at key `path`.
void check_corners(const Box& box, int dimensions, const std::string& path, const KeyPlaces& places);

// The names of all walls; `bodies`, at key `path`, must be among them.
std::vector<std::string> wall_names(const Case& c);
void check_bodies(const std::vector<std::string>& bodies, const std::vector<std::string>& walls,
                  const std::string& path, const KeyPlaces& places);

// Rules of motions and probes.
void check_motions(const Case& c, const KeyPlaces& places);
void check_probes(const Case& c, const KeyPlaces& places);

}  // namespace halfulp
