// The files of a run, edited through the HDF5 library as the input says and sealed again: what looks at them is the
// reading of halfulp, not the library, which no seal of a crafted file keeps from anything. Then a command of the
// program with that run: what it prints must be fit to be shown, and what it writes stays where it belongs.
//
// Input: a byte for the command, one for the length of the edits of an output, these, then the edits of run.h5.
#pragma once

#include "feeds.hpp"

namespace halfulp::fuzzing {

void read_crafted(Bytes input);        // info --case, info --verify, compare
void go_on_with_crafted(Bytes input);  // resume, rerun, a run that replaces it

}  // namespace halfulp::fuzzing
