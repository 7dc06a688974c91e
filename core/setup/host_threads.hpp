// Early creation of OpenMP's threads.
#pragma once

namespace halfulp {

// The largest number of threads that the program uses or accepts. OpenMP keeps a team of threads on the stack of the
// thread that creates it: more than some ten thousand crash the program.
inline constexpr int most_threads = 4096;

// The default number of OpenMP threads: that of OMP_NUM_THREADS or, if it is not set or exceeds `most_threads`, which
// cannot be meant, the number of processors. From then on the calling thread's parallel regions have that many.
int offered_threads();

// Creates that many threads, which then wait for the next parallel region. Throws an Error (unsupported) if the machine
// does not allow that: OpenMP's library would abort the program with a message of its own.
void make_threads(int threads);

// The same for the threads that set a case up, once for the program. Where the machine does not allow as many as are
// offered, the calling thread's parallel regions have one from then on; no result depends on it.
void make_offered_threads();

}  // namespace halfulp
