#include "core/app/interrupts.hpp"

#include <csignal>

namespace halfulp {

namespace {

volatile std::sig_atomic_t interrupt_signal = 0;

void on_interrupt(int signal)
{
    interrupt_signal = signal;
    std::signal(signal, SIG_DFL);  // a second one ends the program at once
}

}  // namespace

void catch_interrupts()
{
    std::signal(SIGINT, on_interrupt);
    std::signal(SIGTERM, on_interrupt);
}

void release_interrupts()
{
    std::signal(SIGINT, SIG_DFL);
    std::signal(SIGTERM, SIG_DFL);
}

bool interrupted() { return interrupt_signal != 0; }

}  // namespace halfulp
