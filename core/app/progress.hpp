// Progress of long work: one line rewritten in place on a terminal, plain lines otherwise.
#pragma once

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>

namespace halfulp {

// "1:02:03" or "2:03".
std::string duration_text(double seconds);

// "2:03", the time left if `fraction` of the whole took `elapsed` seconds; "?" if nothing is done yet.
std::string time_left_text(double elapsed, double fraction);

// The line itself, on a stream.
class ProgressLine {
public:
    explicit ProgressLine(std::FILE* stream);

    // s since construction
    [[nodiscard]] double elapsed() const;
    // Whether to show it again: on a terminal every fifth of a second; elsewhere every minute.
    [[nodiscard]] bool due() const;
    [[nodiscard]] bool on_terminal() const { return terminal_; }
    void show(const std::string& text);
    // Removes the line from a terminal, so that something else can be printed.
    void clear();

private:
    using Clock = std::chrono::steady_clock;

    std::FILE* stream_;
    bool terminal_;
    bool drawn_ = false;
    Clock::time_point started_ = Clock::now();
    double last_shown_ = 0;  // s since the start
};

// Progress of a run.
class Progress {
public:
    // time, step: where the run starts or resumes.
    Progress(double end_time, std::uint64_t particles, bool quiet, double time = 0, std::uint64_t step = 0);

    void update(double time, std::uint64_t step, double time_step);
    // Prints a permanent line.
    void say(const std::string& sentence);
    // Ends the line on a terminal.
    void finish();

private:
    [[nodiscard]] std::string text(double time, std::uint64_t step, double time_step) const;

    double end_time_;
    std::uint64_t particles_;
    bool quiet_;
    double first_time_;
    std::uint64_t first_step_;
    ProgressLine line_{stdout};
    double next_fraction_ = 0.1;
};

}  // namespace halfulp
