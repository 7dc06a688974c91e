// What `halfulp validate operators` measures: errors of right-hand sides against quadruple precision.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "validation/operators/block.hpp"
#include "validation/operators/evaluation.hpp"
#include "validation/study_cache.hpp"

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
    double differing = 0;            // particles in which the host's evaluation has other bits than the back end
    std::array<double, 4> digest{};  // of all rates' bits, 32 bits each
    [[nodiscard]] const ErrorOfRate& of(bool density) const { return density ? density_rate : acceleration; }
};

// As rows of a study and back.
Results measure_operators(const Block& block, const std::string& precision, bool split);
OperatorErrors operator_errors(const Results& rows);

// The largest relative difference, over the rms, of the rates that the back end in quadruple precision gives and those
// of evaluate() in 113 bits, where both have the same particles; quad: "quad" or "quad/units=si".
double difference_of_quads(const Block& block, const std::string& quad);

// Root mean square errors of du/dt and ds/dt, over the scales, after `drifts` equal moves of all particles, by a
// hundredth of a cell in all, against those after the same moves in quadruple precision.
std::array<double, 2> errors_after_drifts(const Block& block, const std::string& precision, int drifts);

}  // namespace halfulp
