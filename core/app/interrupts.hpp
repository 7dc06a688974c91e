// Ctrl-C and SIGTERM handling for work that should end cleanly.
#pragma once

namespace halfulp {

// From now on the first Ctrl-C or SIGTERM is only recorded; a second one ends the program at once.
void catch_interrupts();

// Signals end the program at once again, after the work that polls interrupted().
void release_interrupts();

// Whether a signal was recorded.
bool interrupted();

}  // namespace halfulp
