// Wall times within a run.
#pragma once

#include <chrono>

namespace halfulp {

using WallClock = std::chrono::steady_clock;

inline double seconds_since(WallClock::time_point then)
{
    return std::chrono::duration<double>(WallClock::now() - then).count();
}

// Adds the time of its scope to a number of seconds.
class Stopwatch {
public:
    explicit Stopwatch(double& seconds) : seconds_(seconds) {}
    ~Stopwatch() { seconds_ += seconds_since(begun_); }
    Stopwatch(const Stopwatch&) = delete;
    Stopwatch& operator=(const Stopwatch&) = delete;

private:
    double& seconds_;
    WallClock::time_point begun_ = WallClock::now();
};

}  // namespace halfulp
