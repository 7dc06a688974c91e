#include "core/app/interrupts.hpp"

#include <array>
#include <atomic>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string_view>

#include <poll.h>
#include <time.h>
#include <unistd.h>

namespace halfulp {

namespace {

constexpr std::array signals{SIGINT,  SIGTERM, SIGQUIT, SIGHUP,    SIGPIPE, SIGXCPU,
                             SIGALRM, SIGUSR1, SIGUSR2, SIGVTALRM, SIGPROF, SIGPWR};

volatile std::sig_atomic_t interrupt_signal = 0;
std::array<struct sigaction, signals.size()> before;  // set_handler
bool caught = false;                                  // whether it has been called since they were last released

constexpr int code_of(int signal) { return 128 + signal; }

// The system repeats the others by itself: SIGHUP when a shell ends after its terminal, SIGXCPU every second, SIGPIPE
// with every write.
constexpr bool ends_at_second(int signal) { return signal == SIGINT || signal == SIGTERM || signal == SIGQUIT; }

// timeout(1), batch systems and containers send one interrupt twice, to the process and to its group, within
// microseconds. What comes within this time of the first is the same interrupt.
constexpr std::int64_t same_interrupt = 500'000'000;  // ns

std::int64_t now()
{
    timespec time{};
    clock_gettime(CLOCK_MONOTONIC, &time);
    return std::int64_t(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
}

std::atomic<std::int64_t> first_interrupt{0};  // when a signal came that ends the program if it comes again; ns
static_assert(std::atomic<std::int64_t>::is_always_lock_free);

void on_interrupt(int signal)
{
    if (interrupt_signal == 0) interrupt_signal = signal;
    if (!ends_at_second(signal)) return;
    std::int64_t first = 0;
    const std::int64_t time = now();
    if (first_interrupt.compare_exchange_strong(first, time) || time - first < same_interrupt) return;
    std::signal(signal, SIG_DFL);
    std::raise(signal);
}

void end_with_a_sentence(int signal)
{
    constexpr std::string_view sentence = "\nhalfulp: interrupted.\n";
    static_cast<void>(::write(STDERR_FILENO, sentence.data(), sentence.size()) == 0);
    _exit(code_of(signal));
}

void set_handler(void (*handler)(int))
{
    struct sigaction action {};
    action.sa_handler = handler;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    for (std::size_t k = 0; k < signals.size(); ++k) {
        sigaction(signals[k], nullptr, &before[k]);
        const bool asked_for = signals[k] == SIGINT || signals[k] == SIGTERM;
        // Neither what is ignored from the start nor what a library that was loaded with the program uses.
        const bool free = before[k].sa_handler == SIG_DFL || before[k].sa_handler == end_with_a_sentence;
        if (free || asked_for) sigaction(signals[k], &action, nullptr);
    }
    caught = true;
}

}  // namespace

void catch_interrupts() { set_handler(on_interrupt); }

void release_interrupts()
{
    if (!caught) return;
    caught = false;
    for (std::size_t k = 0; k < signals.size(); ++k) sigaction(signals[k], &before[k], nullptr);
}

void end_at_interrupts() { set_handler(end_with_a_sentence); }

void ignore_interrupts()
{
    for (const int signal : signals) std::signal(signal, SIG_IGN);
}

bool interrupted() { return interrupt_signal != 0; }

bool reader_is_gone() { return interrupt_signal == SIGPIPE; }

void look_for_reader()
{
    pollfd out{.fd = STDOUT_FILENO, .events = 0, .revents = 0};
    if (!interrupted() && ::poll(&out, 1, 0) == 1 && (out.revents & POLLERR) != 0) std::raise(SIGPIPE);
}

void discard_output_without_reader()
{
    if (reader_is_gone()) static_cast<void>(std::freopen("/dev/null", "w", stdout) == nullptr);
}

ExitCode code_of_interrupt() { return static_cast<ExitCode>(code_of(interrupt_signal)); }

}  // namespace halfulp
