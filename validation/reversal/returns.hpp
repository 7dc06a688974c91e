// What the policies of one place, CFL number and number of steps come back to, one against the other.
#pragma once

#include <map>
#include <string>

#include "validation/reversal/there_and_back.hpp"

namespace halfulp {

using Returns = std::map<std::string, Return>;  // of policies by name; "double" is among them

// What double does in the same units; "double" itself in a build without the other.
const Return& reference(const Returns& all, const std::string& policy);
// Did the run go where double goes, to a tenth of its way? Else its return says nothing.
bool counts(const Returns& all, const std::string& policy);
// What a run can be told to have come back to, m.
double told(const Return& r);
// The distance from double at the turn as far as it can be told, m; infinite for a run that broke before.
double error_at_turn(const Returns& all, const std::string& policy);
// For tables.
std::string return_text(const Returns& all, const std::string& policy);
std::string turn_text(const Returns& all, const std::string& policy);

}  // namespace halfulp
