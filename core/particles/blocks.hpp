// Parallel compaction: selects the wanted ones of n elements in order, for loops whose result size is unknown
// beforehand.
#pragma once

#include <array>
#include <cstddef>

namespace halfulp {

inline constexpr std::size_t compaction_blocks = 64;

// count(begin, end) returns the number of elements of a block; reserve(total) allocates; write(begin, end, at) stores
// them from `at` on. Calls of count and write run in parallel.
template <class Count, class Reserve, class Write>
void compact(std::size_t n, Count count, Reserve reserve, Write write)
{
    const auto begin_of = [n](std::size_t block) { return n * block / compaction_blocks; };
    std::array<std::size_t, compaction_blocks + 1> first{};
#pragma omp parallel for schedule(static)
    for (std::size_t b = 0; b < compaction_blocks; ++b) first[b + 1] = count(begin_of(b), begin_of(b + 1));
    for (std::size_t b = 0; b < compaction_blocks; ++b) first[b + 1] += first[b];
    reserve(first[compaction_blocks]);
#pragma omp parallel for schedule(static)
    for (std::size_t b = 0; b < compaction_blocks; ++b) write(begin_of(b), begin_of(b + 1), first[b]);
}

}  // namespace halfulp
