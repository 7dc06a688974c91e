// The pressure term of a pair of particles in single precision, in every way to store a density and to evaluate the
// equation of state.
#pragma once

#include <string>
#include <vector>

namespace halfulp {

struct PressureWay {
    std::string storage;     // "absolute", "relative", "centred"
    std::string evaluation;  // "powers", "horner"
    bool operator==(const PressureWay&) const = default;
};

// All six.
std::vector<PressureWay> pressure_ways();

// Errors over many pairs with |s| from deviation/2 to deviation, signs drawn, against 113 bits from the same densities
// before they are stored.
struct PressureErrors {
    double rms = 0;           // of rho0 (P_a/rho_a^2 + P_b/rho_b^2) / c0^2
    double largest = 0;       // of the same
    double contribution = 0;  // rms of that times V h |grad W|: the pair's share of du/dt in units of c0^2/h (2D, h = 2
                              // spacings, q drawn from 1/2 to 2)
    double relative = 0;      // rms error of one particle's rho0 P/rho^2, relative to it
};
PressureErrors pressure_errors(const PressureWay& way, double deviation, int pairs);

}  // namespace halfulp
