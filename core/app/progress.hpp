// How far a run is: one line rewritten in place on a terminal, plain lines when not on one.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace halfulp {

class Progress {
public:
    Progress(double end_time, std::uint64_t particles, bool quiet);

    void update(double time, std::uint64_t step, double time_step);
    // Ends the line on a terminal.
    void finish();

private:
    using Clock = std::chrono::steady_clock;
    [[nodiscard]] std::string line(double time, std::uint64_t step, double time_step, double elapsed) const;

    double end_time_;
    std::uint64_t particles_;
    bool quiet_;
    bool terminal_;
    bool drawn_ = false;
    Clock::time_point started_ = Clock::now();
    double last_shown_ = 0;  // s since the start
    double next_fraction_ = 0.1;
};

// "1:02:03" or "2:03".
std::string duration_text(double seconds);

}  // namespace halfulp
