// Ctrl-C and SIGTERM, for what should end tidily.
#pragma once

namespace halfulp {

// From now on the first Ctrl-C or SIGTERM is only noted; a second one ends the program at once.
void catch_interrupts();

// They end the program at once again. For the time after the work that asks interrupted() now and then.
void release_interrupts();

// Has one been noted?
bool interrupted();

}  // namespace halfulp
