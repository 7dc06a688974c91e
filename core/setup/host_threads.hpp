// Early creation of OpenMP's threads.
#pragma once

namespace halfulp {

// Creates that many threads, which then wait for the next parallel region. Throws an Error (unsupported) if the machine
// does not allow that: OpenMP's library would abort the program with a message of its own.
void make_threads(int threads);

}  // namespace halfulp
