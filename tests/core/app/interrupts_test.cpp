// Signals that come twice: at once, as timeout(1) and batch systems send them, and later, from an impatient user.
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <thread>

#include <gtest/gtest.h>

#include "core/app/interrupts.hpp"

namespace halfulp {

namespace {

[[noreturn]] void end_after_two(int signal, std::chrono::milliseconds apart)
{
    catch_interrupts();
    std::raise(signal);
    std::this_thread::sleep_for(apart);
    std::raise(signal);
    std::_Exit(interrupted() && static_cast<int>(code_of_interrupt()) == 128 + signal ? 0 : 1);
}

TEST(Interrupts, SentToAProcessAndItsGroupAreOne)
{
    for (const int signal : {SIGINT, SIGTERM, SIGQUIT})
        EXPECT_EXIT(end_after_two(signal, std::chrono::milliseconds(1)), testing::ExitedWithCode(0), "");
}

TEST(Interrupts, ThatComeAgainLaterEndTheProgram)
{
    for (const int signal : {SIGINT, SIGTERM, SIGQUIT})
        EXPECT_EXIT(end_after_two(signal, std::chrono::milliseconds(600)), testing::KilledBySignal(signal), "");
    EXPECT_EXIT(end_after_two(SIGHUP, std::chrono::milliseconds(600)), testing::ExitedWithCode(0), "");
}

}  // namespace

}  // namespace halfulp
