// A run forwards and then as many steps of the other sign, which is the same as turning all velocities round. The
// integrator is time-symmetric and inviscid flow dissipates nothing, so what differs from the start is rounding.
#pragma once

#include <array>
#include <map>
#include <string>
#include <vector>

#include "core/setup/case.hpp"
#include "validation/study_cache.hpp"

namespace halfulp {

using Points = std::vector<std::array<double, 3>>;

// What is left when it is back. Residuals are part of positions.
struct ReturnNumbers {
    double words = 0;       // of 32 bits, of the state
    double changed = 0;     // of them
    double distance = 0;    // m; the largest of a fluid particle from its start
    double speed = 0;       // m/s; the largest difference of a fluid particle's velocity
    double moved = 0;       // m; how far from its start any fluid particle was at the turn
    double resolution = 0;  // m; half an ulp of the coarsest coordinate, as kept or as read: closer is not told apart
    double broke_at = -1;   // steps taken, there and back, when the run broke down; below 0: it did not
};
struct Return : ReturnNumbers {
    Points turn;  // where the fluid was at the turn, m, in order of id; empty if the run broke before
};

// The largest distance of points of the same numbers, m; infinite where one is no number or where they are not as many.
double farthest(const Points& a, const Points& b);

// Of the film strip: the moments whose fluid it shows.
inline constexpr std::array film_moments{"start", "halfway", "turn", "halfway back", "back"};

// For a job: rows that return_of reads, then, with `film`, a row {moment, x, y, first y}, m, a fluid particle and
// moment; film_row is where those begin. Throws an Error where the case has no fixed step.
Results there_and_back(const Case& c, int steps, bool film);
Return return_of(const Results& rows);
std::size_t film_row(const Results& rows);

// The fixed step of a case, s; 0: it has none.
double fixed_step_of(const Case& c);

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
