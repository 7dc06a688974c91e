// Loops over many particles, or other things, on all threads; also for files that are compiled without OpenMP.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

namespace halfulp {

// The number of items from which several threads are faster than one.
inline constexpr std::size_t worth_threads = 16384;

// Calls act(begin, end) for blocks of [0, count), on all threads if `worth`. If a call throws, the blocks are repeated
// in order, so that the exception is always that of the first failing block.
void for_each_block(std::size_t count, std::size_t block, bool worth,
                    const std::function<void(std::size_t begin, std::size_t end)>& act);

// Calls act(i) for each i < count.
template <class Action>
void for_each_in_blocks(std::size_t count, std::size_t block, bool worth, const Action& act)
{
    for_each_block(count, block, worth, [&act](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) act(i);
    });
}

template <class Action>
void for_each_particle(std::size_t count, const Action& act)
{
    constexpr std::size_t block = 2048;
    for_each_in_blocks(count, block, count >= worth_threads, act);
}

// Folds all i < count, block by block, and joins the blocks in order: fold(value, i), join(value, value of the next
// block). none: the initial value of a block.
template <class Value, class Fold, class Join>
Value fold_particles(std::size_t count, const Value& none, const Fold& fold, const Join& join)
{
    constexpr std::size_t block = 65536;
    std::vector<Value> parts((count + block - 1) / block, none);
    for_each_in_blocks(parts.size(), 1, count >= worth_threads, [&](std::size_t k) {
        Value value = none;
        for (std::size_t i = k * block; i < std::min(count, (k + 1) * block); ++i) fold(value, i);
        parts[k] = std::move(value);
    });
    Value whole = none;
    for (const Value& part : parts) join(whole, part);
    return whole;
}

// Calls act(i) for each of `count` runs of sites, which contain `particles` particles in all.
template <class Action>
void for_each_run(std::size_t count, std::size_t particles, const Action& act)
{
    constexpr std::size_t block = 32;
    for_each_in_blocks(count, block, particles >= worth_threads, act);
}

}  // namespace halfulp
