// Early creation of OpenMP's threads.
#pragma once

namespace halfulp {

// As many as the program offers or can be asked for. A team of OpenMP's threads lies on the stack of the one that makes
// it: more than some ten thousand end the program.
inline constexpr int most_threads = 4096;

// OpenMP's number of threads, of OMP_NUM_THREADS or of processors; that of processors, too, where the former is more
// than `most_threads`, which nobody means. From then on that is the number of the calling thread's parallel regions.
int offered_threads();

// Creates that many threads, which then wait for the next parallel region. Throws an Error (unsupported) if the machine
// does not allow that: OpenMP's library would abort the program with a message of its own.
void make_threads(int threads);

// The same for the threads that set a case up, once for the program. Where the machine does not allow as many as are
// offered, the calling thread's parallel regions have one from then on; no result depends on it.
void make_offered_threads();

}  // namespace halfulp
