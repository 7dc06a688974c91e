#include "core/app/progress.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include <fmt/format.h>
#include <unistd.h>

namespace halfulp {

std::string duration_text(double seconds)
{
    const auto total = std::llround(seconds);
    if (total >= 3600) return fmt::format("{}:{:02}:{:02}", total / 3600, total / 60 % 60, total % 60);
    return fmt::format("{}:{:02}", total / 60, total % 60);
}

Progress::Progress(double end_time, std::uint64_t particles, bool quiet)
    : end_time_(end_time), particles_(particles), quiet_(quiet), terminal_(isatty(STDOUT_FILENO) == 1)
{
}

std::string Progress::line(double time, std::uint64_t step, double time_step, double elapsed) const
{
    const double fraction = std::min(1.0, time / end_time_);
    const double speed = elapsed > 0 ? static_cast<double>(particles_) * static_cast<double>(step) / elapsed / 1e6 : 0;
    const std::string left = fraction > 0 ? duration_text(elapsed * (1 - fraction) / fraction) : "?";
    return fmt::format("{:3.0f} %  t = {:.4f} of {} s  step {} of {:.2e} s  {:.2f} million particle steps/s  {} left",
                       100 * fraction, time, end_time_, step, time_step, speed, left);
}

void Progress::update(double time, std::uint64_t step, double time_step)
{
    if (quiet_) return;
    const double elapsed = std::chrono::duration<double>(Clock::now() - started_).count();
    if (terminal_) {
        if (elapsed - last_shown_ < 0.2) return;
        fmt::print("\r{}\033[K", line(time, step, time_step, elapsed));
        drawn_ = true;
    } else {
        // A line at every tenth of the run, and at least one a minute.
        if (time < next_fraction_ * end_time_ && elapsed - last_shown_ < 60) return;
        while (next_fraction_ * end_time_ <= time) next_fraction_ += 0.1;
        fmt::print("{}\n", line(time, step, time_step, elapsed));
    }
    std::fflush(stdout);
    last_shown_ = elapsed;
}

void Progress::finish()
{
    if (drawn_) fmt::print("\r\033[K");
    std::fflush(stdout);
}

}  // namespace halfulp
