// A thread that writes outputs beside the one that computes, with OpenMP threads of its own.
#pragma once

#include <future>

#include <omp.h>

namespace halfulp {

// For OpenMP in the thread that calls it: as many threads as the run has, or one if they cannot be created.
void use_threads(int threads);

// Runs an action that writes outputs in a thread of its own, with as many OpenMP threads as this one has; if no thread
// can be created, the action runs when its result is requested.
template <class Action>
auto in_output_thread(const Action& action)
{
    // A copy: a moved action would be lost if no thread can be created.
    const auto later = [action, threads = omp_get_max_threads()] {
        use_threads(threads);
        return action();
    };
    return std::async(std::launch::async | std::launch::deferred, later);
}

}  // namespace halfulp
