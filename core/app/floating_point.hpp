// Does this machine compute as the promises need it? Asked by computing, and of every thread: a library that was loaded
// before us may have changed the modes, which a thread inherits from the one that makes it, or set them for itself.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace halfulp {

// What the arithmetic of one thread was found to do.
struct FloatingPointModes {
    bool to_nearest = false;
    bool subnormal_results = false;   // kept; else FTZ
    bool subnormal_operands = false;  // kept; else DAZ
    bool every_operation_rounds = false;
    std::optional<std::uint32_t> control;  // x86: MXCSR without its flags of what has happened

    bool operator==(const FloatingPointModes&) const = default;
};

FloatingPointModes measure_floating_point();

// Throws an Error (unsupported) if rounding of this thread is not to nearest, if it flushes subnormal numbers to zero,
// or if operations are fused or kept in more digits than they should have.
void check_floating_point();

// The same for every thread of OpenMP's, as many as the next parallel region has; what was found, for the provenance.
std::string check_floating_point_of_threads();

}  // namespace halfulp
