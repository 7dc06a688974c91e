// Runs forwards and then as many steps of the other sign, which is the same as turning all velocities round. The
// integrator is time-symmetric and inviscid flow dissipates nothing, so what differs from the start is rounding.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "core/setup/case.hpp"
#include "core/setup/policy_table.hpp"
#include "validation/page.hpp"

namespace halfulp {

using Points = std::vector<std::array<double, 3>>;

// The largest distance of points of the same numbers, m; infinite where one is no number or where they are not as many.
double farthest(const Points& a, const Points& b);

// The fluid at some moments, for the film strip: x, y and the height at the start, m.
inline constexpr std::array film_moments{"start", "halfway", "turn", "halfway back", "back"};
using Film = std::vector<std::vector<std::array<double, 3>>>;

// What differs from the start after the return. Residuals are part of positions.
struct Return {
    double words = 0;       // of 32 bits, of the state
    double changed = 0;     // of them
    double distance = 0;    // m; the largest of a fluid particle from its start
    double speed = 0;       // m/s; the largest difference of a fluid particle's velocity
    double moved = 0;       // m; how far from its start any fluid particle was at the turn
    double resolution = 0;  // m; half an ulp of the coarsest coordinate, as kept or as read: closer is not told apart
    double broke_at = -1;   // steps taken, there and back, when the run broke down; below 0: it did not
    Points turn{};          // where the fluid was at the turn, m, in order of id; empty if the run broke before
    Film film{};            // of the moments that it reached; empty if none was wanted
    static auto members(auto& self)
    {
        return std::tie(self.words, self.changed, self.distance, self.speed, self.moved, self.resolution, self.broke_at,
                        self.turn, self.film);
    }
};

// Throws an Error where the case has no fixed step.
Return there_and_back(const Case& c, int steps, bool film);

using Returns = std::map<std::string, Return>;  // of policies by name; "double" is among them

// What double does in the same units; "double" itself in a build without the other.
const Return& reference(const Returns& all, const std::string& policy);
// Did the run go where double goes, to a tenth of its way? Else its return says nothing.
bool counts(const Returns& all, const std::string& policy);
// The distance from the start, m, no nearer than the resolution of positions.
double measurable_distance(const Return& r);
// The distance from double at the turn, m, no nearer than the resolution; infinite for a run that broke before.
double error_at_turn(const Returns& all, const std::string& policy);
// For tables.
std::string return_text(const Returns& all, const std::string& policy);
std::string turn_text(const Returns& all, const std::string& policy);

// The measurements with the most steps before the turn.
struct Turned {
    // Cells, of the other place besides the origin, where naive's coordinates still resolve a step.
    static constexpr std::int32_t far_away = 4000;

    std::vector<PolicyInfo> policies;
    std::vector<double> cfls;
    double spacing = 0;                                          // m
    std::map<double, int> steps;                                 // of a CFL number
    std::map<std::pair<std::int32_t, double>, Returns> returns;  // of cells from the origin and a CFL number
};

// The policies by what they come back to, and by where they are at the turn.
void report_ranks(Page& page, const Turned& turned);
// robust against the best of the others, and why some come back closer.
void judge_robust(Page& page, const Turned& turned);

}  // namespace halfulp
