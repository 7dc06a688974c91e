// The strategies of the CPU, timed: each computes the rates of a state.
#pragma once

#include <array>
#include <vector>

#include "validation/strategies/arrangement.hpp"

namespace halfulp::strategies {

enum class Way {
    asymmetric,   // every pair from both sides; threads take blocks of cells
    symmetric,    // every pair once; each thread has sums of all particles, which are merged
    slices,       // a slice of columns a thread; every pair once inside, from both sides across
    fixed_point,  // symmetric, with sums of whole numbers: the same bits in any order
};

struct Strategy {
    Way way = Way::asymmetric;
    int divisions = 1;  // cells of side r/divisions
    int width = 1;      // pairs at a time: 1, 4 or 8
    int threads = 1;
    int block = 10;         // cells that a thread takes at a time
    bool separate = false;  // a sweep for each rate instead of one for both
    bool along_y = false;   // slices
};

struct Evaluated {
    std::vector<std::array<double, 4>>
        rates;               // du/dt and ds/dt in units of the state, in order of id; no du/dt of walls
    double seconds = 0;      // the fastest evaluation, without making the cells
    double arranging = 0;    // s; making the cells, on one thread
    double imbalance = 1;    // slices: time of the slowest over the mean
    double bytes = 0;        // of the sums
    std::uint64_t bits = 0;  // of the rates
};

// Throws an Error if the problem has other physics than the preset dominguez-2013.
void require_covered(const Problem& problem);

// Evaluates for at least `seconds` and at least three times.
Evaluated evaluate(const Problem& problem, const State& state, const Strategy& strategy, double seconds);

// Pairs inside the support: each counted from both sides, without those of two walls; and those that cells of side
// r/divisions look at.
struct PairNumbers {
    double inside = 0;
    double candidates = 0;
};
PairNumbers count_pairs(const Problem& problem, const State& state, int divisions);

}  // namespace halfulp::strategies
