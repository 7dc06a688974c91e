// The limit on the size of this process's files (ulimit -f).
#pragma once

namespace halfulp {

// Exceeding the limit raises a fatal signal. From now on the signal is ignored, unless the program handles it, so that
// exceeding the limit is an ordinary error.
void turn_file_limit_into_an_error();

}  // namespace halfulp
