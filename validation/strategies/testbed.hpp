// The case on which strategies for sums over pairs are timed, and how far their rates are from the program's.
#pragma once

#include "core/backends/make_backend.hpp"
#include "core/evolution/simulation.hpp"
#include "validation/strategies/arrangement.hpp"

namespace halfulp::strategies {

// The spacing s at which a case has about so many particles, volume/s^3 + area/s^2: its volumes and, three layers
// thick, walls. Those of dominguez-2013 unless others are given.
double spacing_for(double particles, double volume = 0.0869, double area = 8.8);

// A state of dominguez-2013 and the rates that the program's passes have of it.
struct Testbed {
    Problem problem;  // starts from the state
    State state;
    Rates canonical;
};
// Of about so many particles, `after` s from the start.
Testbed testbed(double particles, double after, const BackendOptions& on);

// The largest differences from the canonical sums, in ulps of the root mean square: 2^-23 of it.
struct Differences {
    double force = 0;
    double rate = 0;
};
Differences differences(const std::vector<std::array<double, 4>>& rates, const Rates& canonical,
                        const std::vector<Kind>& kind);

}  // namespace halfulp::strategies
