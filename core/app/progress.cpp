#include "core/app/progress.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/app/highlight.hpp"
#include "core/app/short_numbers.hpp"
#include "core/error.hpp"

namespace halfulp {

std::string duration_text(double seconds)
{
    const auto total = std::llround(seconds);
    if (total >= 3600) return fmt::format("{}:{:02}:{:02}", total / 3600, total / 60 % 60, total % 60);
    return fmt::format("{}:{:02}", total / 60, total % 60);
}

std::string time_left_text(double elapsed, double fraction)
{
    return fraction > 0 ? duration_text(elapsed * (1 - fraction) / fraction) : "?";
}

ProgressLine::ProgressLine(std::FILE* stream) : stream_(stream), terminal_(is_terminal(stream)) {}

double ProgressLine::elapsed() const { return std::chrono::duration<double>(Clock::now() - started_).count(); }

bool ProgressLine::due() const { return elapsed() - last_shown_ >= (terminal_ ? 0.2 : 60); }

void ProgressLine::show(const std::string& text)
{
    // Not by fmt::print, which throws where the stream is gone: no run ends for its progress.
    std::fputs((terminal_ ? "\r" + text + "\033[K" : text + '\n').c_str(), stream_);
    std::fflush(stream_);
    drawn_ = terminal_;
    last_shown_ = elapsed();
}

void ProgressLine::clear()
{
    if (drawn_) std::fputs("\r\033[K", stream_);
    std::fflush(stream_);
    drawn_ = false;
}

Progress::Progress(double end_time, std::uint64_t particles, bool quiet, double time, std::uint64_t step)
    : end_time_(end_time), particles_(particles), quiet_(quiet), first_time_(time), first_step_(step)
{
}

std::string Progress::text(double time, std::uint64_t step, double time_step) const
{
    const double elapsed = line_.elapsed();
    const double fraction = std::min(1.0, time / end_time_);
    const double taken = static_cast<double>(particles_) * static_cast<double>(step - first_step_);
    const double speed = elapsed > 0 ? taken / elapsed / 1e6 : 0;
    const double left = std::min(1.0, (time - first_time_) / (end_time_ - first_time_));
    return fmt::format("{:3.0f} %  t = {} of {} s  step {} of {:.2e} s  {:.2f} million particle steps/s  {} left",
                       100 * fraction, fixed_or_short(time, end_time_ / 100), end_time_, step, time_step, speed,
                       time_left_text(elapsed, left));
}

void Progress::update(double time, std::uint64_t step, double time_step)
{
    if (quiet_) return;
    // Without a terminal also a line at every tenth of the run.
    const bool tenth = !line_.on_terminal() && time >= next_fraction_ * end_time_;
    if (!tenth && !line_.due()) return;
    while (next_fraction_ * end_time_ <= time) next_fraction_ += 0.1;
    line_.show(text(time, step, time_step));
}

void Progress::say(const std::string& sentence)
{
    if (quiet_) return;
    line_.clear();
    std::puts(highlighted(one_line(sentence), stdout).c_str());
    std::fflush(stdout);
}

void Progress::finish() { line_.clear(); }

}  // namespace halfulp
