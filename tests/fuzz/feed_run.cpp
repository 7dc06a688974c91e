// Crafted runs, to the commands that read them.
#include "crafted_commands.hpp"

namespace halfulp::fuzzing {

void feed_run(Bytes input) { read_crafted(input); }

}  // namespace halfulp::fuzzing
