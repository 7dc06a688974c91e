// The canonical order of all particles where each rank has its own in that order: which of them are whose, as runs of
// particles of one rank.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "core/distribution/peers.hpp"

namespace halfulp {

// Of a rank's own particles, in the canonical order.
struct OwnRange {
    std::uint64_t first = 0;
    std::uint64_t count = 0;
};

class OrderOfRanks {
public:
    // Of a range of each rank: cells with ids, and kinds.
    struct Keys {
        std::vector<Bytes> cells;
        std::vector<Bytes> kinds;
    };

    // counts: of each rank's own particles. Asks for their keys, at most `piece` of a rank at a time.
    OrderOfRanks(const std::vector<std::uint64_t>& counts, std::uint64_t piece,
                 const std::function<Keys(const std::vector<OwnRange>& ranges)>& keys);

    [[nodiscard]] std::uint64_t count() const { return count_; }
    // Where the ranks have the particles [begin, end) of all.
    [[nodiscard]] std::vector<OwnRange> ranges(std::uint64_t begin, std::uint64_t end) const;
    // Their values, of so many bytes each, from those of the ranges.
    void join(std::uint64_t begin, std::uint64_t end, const std::vector<Bytes>& values, std::size_t element,
              Bytes& all) const;

private:
    struct Run {
        std::uint64_t begin;  // among all particles
        std::uint64_t first;  // among the rank's own
        std::size_t rank;
    };
    // Calls act(rank, first, count) for the runs, or parts of them, that make up [begin, end).
    template <class Act>
    void for_each_run(std::uint64_t begin, std::uint64_t end, const Act& act) const;

    std::uint64_t count_ = 0;
    std::size_t ranks_;
    std::vector<Run> runs_;
};

}  // namespace halfulp
