// The measurements of `halfulp validate operators` and the parts of its page: errors of right-hand sides, and of the
// pressure term of a pair in every way to store a density and to evaluate the equation of state, against quadruple
// precision.
#pragma once

#include "validation/block.hpp"
#include "validation/experiment.hpp"
#include "validation/operators/evaluation.hpp"

namespace halfulp {

// Of one right-hand side, over the interior particles. Errors are lengths of vectors for du/dt, numbers for ds/dt.
struct ErrorOfRate {
    double scale = 0;          // root mean square of the exact rate, units of the state
    double rms_start = 0;      // root mean square of the error against the exact start, over the scale
    double largest_start = 0;  // the largest, over the scale
    double rms_held = 0;       // the same against the start as the policy holds it: what the evaluation loses
    double largest_held = 0;
    double own_ulps = 0;                       // median over components, in float ulps of each component's exact value
    std::array<double, source_count> share{};  // root mean square of each source's share, over the scale; if split
};

struct OperatorErrors {
    ErrorOfRate acceleration;
    ErrorOfRate density_rate;
    double differing = 0;  // particles in which the host's evaluation has other bits than the back end
    StateHash digest;      // of all rates' bits
    [[nodiscard]] const ErrorOfRate& of(bool density) const { return density ? density_rate : acceleration; }
};

OperatorErrors measure_operators(const Block& block, const std::string& precision, bool split);

// The largest relative difference, over the rms, of the rates that the back end in quadruple precision gives and those
// of evaluate() in 113 bits, where both have the same particles; quad: "quad" or "quad/units=si".
double difference_of_quads(const Block& block, const std::string& quad);

// Root mean square errors of du/dt and ds/dt, over the scales, after `drifts` equal moves of all particles, by a
// hundredth of a cell in all, against those after the same moves in quadruple precision.
std::array<double, 2> errors_after_drifts(const Block& block, const std::string& precision, int drifts);

// Errors over many pairs with |s| from deviation/2 to deviation, signs drawn, against 113 bits from the same densities
// before they are stored.
struct PressureErrors {
    double rms = 0;           // of rho0 (P_a/rho_a^2 + P_b/rho_b^2) / c0^2
    double largest = 0;       // of the same
    double contribution = 0;  // rms of that times V h |grad W|: the pair's share of du/dt in units of c0^2/h (2D, h = 2
                              // spacings, q drawn from 1/2 to 2)
    double relative = 0;      // rms error of one particle's rho0 P/rho^2, relative to it
};

struct PressureWay {
    std::string storage;     // "absolute", "relative", "centred"
    std::string evaluation;  // "powers", "horner"
    PressureErrors (*errors)(double deviation, int pairs);
};
// All six.
const std::vector<PressureWay>& pressure_ways();

// An error over its scale in float ulps of the scale: multiples of 2^-23 of it.
inline double in_ulps(double relative_error) { return relative_error * 0x1p23; }

// A part of the page: errors of every policy over the displacement from the origin and over |s|, and where they come
// from.
void sweep_operators(Page& page, const StudyOptions& options, int dimensions);

}  // namespace halfulp
