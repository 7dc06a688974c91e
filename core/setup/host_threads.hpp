// Threads of OpenMP's.
#pragma once

namespace halfulp {

// Makes as many, which then wait for the next parallel region. Throws an Error (unsupported) where the machine does not
// let them be made: OpenMP's library would end the program with a sentence of its own.
void make_threads(int threads);

}  // namespace halfulp
