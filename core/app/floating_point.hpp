// Does this machine compute as the promises need it? Asked by computing, and of every thread: a library that was loaded
// before us may have changed the modes, which a thread inherits from the one that makes it, or set them for itself. One
// that is called or loaded later may do so in the middle of a run, which is why they are looked at again.
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

    [[nodiscard]] bool as_needed() const
    {
        return to_nearest && subnormal_results && subnormal_operands && every_operation_rounds;
    }
    bool operator==(const FloatingPointModes&) const = default;
};

FloatingPointModes measure_floating_point();

// Throws an Error (unsupported) if rounding of this thread is not to nearest, if it flushes subnormal numbers to zero,
// or if operations are fused or kept in more digits than they should have. where: which thread it is, for the sentence.
void check_floating_point(const std::string& where = "");

// For whom OpenMP's threads work: each thread that has parallel regions has its own.
enum class ThreadsOf { simulation, outputs };

// The same for this thread and all of OpenMP's that it has, as many as the next parallel region has; what was found,
// for the provenance.
std::string check_floating_point_of_threads(ThreadsOf which = ThreadsOf::simulation);

struct RunPlace {
    double time = 0;  // s
    std::uint64_t step = 0;
};

// The same again and again while a run goes on. It takes microseconds.
class FloatingPointWatch {
public:
    // start: where all was well, as check_floating_point_of_threads has found
    FloatingPointWatch(ThreadsOf which, const RunPlace& start) : which_(which), last_(start) {}

    // Throws an Error (unsupported) that says between which two looks a mode has changed.
    void look(const RunPlace& now);

private:
    ThreadsOf which_;
    RunPlace last_;
};

}  // namespace halfulp
