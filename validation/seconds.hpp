// Wall-clock times of what the host does.
#pragma once

#include <chrono>
#include <cmath>
#include <limits>

namespace halfulp {

// s since some moment; never goes back.
inline double seconds_now()
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// The fastest of at least `least` acts and of as many as `seconds` take.
template <class Act>
double fastest_time(double seconds, Act act, int least = 3)
{
    double fastest = std::numeric_limits<double>::infinity();
    double spent = 0;
    for (int k = 0; k < least || spent < seconds; ++k) {
        const double begun = seconds_now();
        act();
        const double taken = seconds_now() - begun;
        fastest = std::fmin(fastest, taken);
        spent += taken;
    }
    return fastest;
}

}  // namespace halfulp
