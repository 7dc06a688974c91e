// Simulated time: the sum of all steps taken, each rounded once to the state's precision before any use. The sum itself
// is exact, so the time after 10^7 steps has a single rounding, on reading.
#pragma once

#include <cstdint>

#include "precision/exact_sum.hpp"

namespace halfulp {

class Clock {
public:
    Clock() = default;
    Clock(const ExactSum& time, std::uint64_t steps) : time_(time), steps_(steps) {}
    // step: a finite number of time units.
    void advance(double step)
    {
        time_.add(step);
        ++steps_;
    }
    [[nodiscard]] double time() const { return time_.value(); }
    [[nodiscard]] std::uint64_t steps() const { return steps_; }

private:
    ExactSum time_;
    std::uint64_t steps_ = 0;
};

}  // namespace halfulp
