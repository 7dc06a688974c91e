// Crafted runs, to the commands that run a case after it.
#include "crafted_commands.hpp"

namespace halfulp::fuzzing {

void feed_resume(Bytes input) { go_on_with_crafted(input); }

}  // namespace halfulp::fuzzing
