// Loops over many particles, or other things, on all threads.
#pragma once

#include <algorithm>
#include <cstddef>
#include <exception>

#include "core/parallel_failure.hpp"

namespace halfulp {

// Fewer are dealt with sooner by one thread.
inline constexpr std::size_t worth_threads = 16384;

// Calls act(i) for each i < count, in blocks of some on all threads if `worth`. What it throws for the least i is
// thrown; for that it may be called twice for an i.
template <class Action>
void for_each_in_blocks(std::size_t count, std::size_t block, bool worth, const Action& act)
{
    if (worth) {
        ParallelFailure failure;
#pragma omp parallel for schedule(dynamic)
        for (std::size_t first = 0; first < count; first += block) {
            failure.guard([&] {
                for (std::size_t i = first; i < std::min(count, first + block); ++i) act(i);
            });
        }
        try {
            return failure.rethrow();
        } catch (const std::exception&) {  // anew, in order
        }
    }
    for (std::size_t i = 0; i < count; ++i) act(i);
}

template <class Action>
void for_each_particle(std::size_t count, const Action& act)
{
    constexpr std::size_t block = 2048;
    for_each_in_blocks(count, block, count >= worth_threads, act);
}

// Of the runs of so many particles.
template <class Action>
void for_each_run(std::size_t count, std::size_t particles, const Action& act)
{
    constexpr std::size_t block = 32;
    for_each_in_blocks(count, block, particles >= worth_threads, act);
}

}  // namespace halfulp
