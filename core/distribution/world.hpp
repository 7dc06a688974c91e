// The processes that mpirun has started together, if this is one of several.
#pragma once

#include <array>

#include "core/distribution/peers.hpp"

namespace halfulp {

// Adds the processes of a message-passing library to what a program may run on (core/registry.hpp).
struct WorldMaker {
    // The processes, or nothing if this one was started alone. Valid until leave.
    Peers* (*enter)();
    // To be called once, by all processes or by one that ends all others with its code.
    void (*leave)(int code);
};

// The processes, or nothing if this one is alone or has not entered.
Peers* world();

// To be called at the start of a program that divides its runs among processes; other programs that use the library may
// have been started together for purposes of their own. Throws an Error if there are several processes but no
// message-passing library is linked.
void enter_world();

// Before the program ends, with its exit code: ends all processes where one of them has failed.
void leave_world(int code);

// Rank 0's message to the other ranks: that a run begins, or that the program ends without one.
struct CallToRanks {
    bool begins = false;                     // the run, or the program has ended before
    std::array<std::uint64_t, 2> problem{};  // fingerprint of rank 0's
};
// Collective, once in a program. From then on a process that ends before all have finished together ends all of them.
CallToRanks call_ranks(CallToRanks mine);

}  // namespace halfulp
