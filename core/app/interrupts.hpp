// Signals that end a program, for work that should end cleanly: Ctrl-C, SIGTERM, a terminal or a reader that is gone, a
// used-up limit of processor time, and the others that can be caught.
#pragma once

#include "core/error.hpp"

namespace halfulp {

// From now on the first of them is only recorded. A second Ctrl-C, SIGTERM or SIGQUIT ends the program at once, unless
// it comes within half a second: then it is the same one, sent to the process and to its group (timeout). Those
// that the program was started to ignore (nohup) stay ignored, except Ctrl-C and SIGTERM.
void catch_interrupts();

// Signals act as before catch_interrupts() again, after the work that polls interrupted().
void release_interrupts();

// They are caught while this lives.
struct InterruptsCaught {
    InterruptsCaught() { catch_interrupts(); }
    ~InterruptsCaught() { release_interrupts(); }
    InterruptsCaught(const InterruptsCaught&) = delete;
    InterruptsCaught& operator=(const InterruptsCaught&) = delete;
};

// From now on they end the program at once, with a sentence: for work of which nothing is kept when it is cut off.
void end_at_interrupts();

// From now on they do nothing: in a process whose work another one ends.
void ignore_interrupts();

// Whether a signal was recorded, and whether it was that of a pipe without a reader.
bool interrupted();
bool reader_is_gone();

// 128 and the number of the recorded signal, as a shell gives for it.
ExitCode code_of_interrupt();

}  // namespace halfulp
