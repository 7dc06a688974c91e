// Check of the floating-point environment on which reproducibility relies, by computing on every thread: a library
// loaded earlier may have changed the modes, which a thread inherits from its creator, or set them for itself. A
// library called or loaded later may do so during a run, so the check is repeated.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace halfulp {

class Backend;
class Simulation;

// The observed floating-point behaviour of one thread.
struct FloatingPointModes {
    bool to_nearest = false;
    bool subnormal_results = false;   // kept; otherwise FTZ
    bool subnormal_operands = false;  // kept; otherwise DAZ
    bool every_operation_rounds = false;
    std::optional<std::uint32_t> control;  // x86: MXCSR without exception flags

    [[nodiscard]] bool as_needed() const
    {
        return to_nearest && subnormal_results && subnormal_operands && every_operation_rounds;
    }
    bool operator==(const FloatingPointModes&) const = default;
};

FloatingPointModes measure_floating_point();

// Throws an Error (unsupported) if this thread does not round to nearest, flushes subnormal numbers to zero, fuses
// operations or keeps excess precision. where: the thread's name, for the message.
void check_floating_point(const std::string& where = "");

// The owner of OpenMP's threads: each thread with parallel regions has its own.
enum class ThreadsOf { simulation, outputs };

// The same for this thread and all of its OpenMP threads, as many as the next parallel region has; returns the findings
// for the provenance.
std::string check_floating_point_of_threads(ThreadsOf which = ThreadsOf::simulation);

struct RunPlace {
    double time = 0;  // s
    std::uint64_t step = 0;
};

RunPlace place_of(const Simulation& simulation);

// Repeated checks during a run. Each takes microseconds.
class FloatingPointWatch {
public:
    // start: the last point with correct modes, checked by check_floating_point_of_threads; backend: whose threads
    // compute, if they may be others than this one and its own
    FloatingPointWatch(ThreadsOf which, const RunPlace& start, const Backend* backend = nullptr)
        : which_(which), last_(start), backend_(backend)
    {
    }

    // Throws an Error (unsupported) that says between which two checks a mode has changed.
    void look(const RunPlace& now);

private:
    ThreadsOf which_;
    RunPlace last_;
    const Backend* backend_;
};

}  // namespace halfulp
