// Signals that end a program, for work that should end cleanly: Ctrl-C, SIGTERM, a terminal or a reader that is gone, a
// used-up limit of processor time, and the others that can be caught.
#pragma once

#include "core/error.hpp"

namespace halfulp {

// From now on the first of these signals is only recorded. A second Ctrl-C, SIGTERM or SIGQUIT ends the program at
// once, unless it comes within half a second: then it is the same interrupt, sent both to the process and to its group
// (timeout). Signals that the program was started to ignore (nohup) stay ignored, except Ctrl-C and SIGTERM.
void catch_interrupts();

// Restores the action of signals before catch_interrupts(), after the work that polls interrupted().
void release_interrupts();

// Catches these signals as long as the object exists.
struct InterruptsCaught {
    InterruptsCaught() { catch_interrupts(); }
    ~InterruptsCaught() { release_interrupts(); }
    InterruptsCaught(const InterruptsCaught&) = delete;
    InterruptsCaught& operator=(const InterruptsCaught&) = delete;
};

// From now on these signals end the program at once, with a message: for work of which nothing is kept when it is cut
// off.
void end_at_interrupts();

// From now on they do nothing: in a process whose work another one ends.
void ignore_interrupts();

// Whether a signal was recorded, and whether it was that of a pipe without a reader.
bool interrupted();
bool reader_is_gone();

// Takes standard output without a reader as the interrupt of which a program that writes would hear by SIGPIPE: for
// work that writes nothing before its end.
void look_for_reader();

// After such an interrupt: what follows is printed for nobody, and is no further one.
void discard_output_without_reader();

// 128 and the number of the recorded signal, as a shell gives for it.
ExitCode code_of_interrupt();

}  // namespace halfulp
