// The canonical order of all particles of a divided run, in which each rank has its own particles in that order: a
// sequence of runs of particles that belong to one rank.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "core/distribution/peers.hpp"

namespace halfulp {

// A range of a rank's own particles, in the canonical order.
struct OwnRange {
    std::uint64_t first = 0;
    std::uint64_t count = 0;
};

class OrderOfRanks {
public:
    // The keys of one range of each rank's particles: cells with ids, and kinds.
    struct Keys {
        std::vector<Bytes> cells;
        std::vector<Bytes> kinds;
    };

    // counts: of each rank's own particles. Asks for their keys, at most `piece` of a rank at a time.
    OrderOfRanks(const std::vector<std::uint64_t>& counts, std::uint64_t piece,
                 const std::function<Keys(const std::vector<OwnRange>& ranges)>& keys);

    [[nodiscard]] std::uint64_t count() const { return count_; }
    // For each rank, the range of its own particles that are among the particles [begin, end) of all.
    [[nodiscard]] std::vector<OwnRange> ranges(std::uint64_t begin, std::uint64_t end) const;
    // Joins the values of the particles [begin, end), of `element` bytes each, from those of the ranks' ranges.
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
