// The strategies of Dominguez, Crespo and Gomez-Gesteira (2013) for a device, timed: each computes the rates of a
// state, a thread a particle, by searching the cells around it.
#pragma once

#include <array>
#include <vector>

#include "validation/strategies/arrangement.hpp"

namespace halfulp::strategies {

// The arrays of a particle, of which a pair reads those of the neighbour.
enum class Storage {
    six_arrays,  // position 12 B, velocity 12, density, sound speed, pressure term, tensile term: 40 B in six arrays
    two_arrays,  // position and pressure term 16 B, velocity and density 16; the others are computed of each neighbour
    with_cells,  // the same with positions relative to cells, and the cell's index, 16 B
};
// How a thread finds its candidates.
enum class Search {
    cells,   // (2n + 1)^3 cells one by one
    ranges,  // (2n + 1)^2 rows of 2n + 1 cells, whose ranges are stored by cell
    staged,  // the same by all threads of a block, one cell each, through shared memory
};

struct DeviceStrategy {
    Storage storage = Storage::six_arrays;
    Search search = Search::cells;
    int divisions = 1;         // cells of side r/divisions
    bool by_kind = false;      // fluid with fluid and walls in one kernel, walls with fluid in one for the density rate
    bool occupancy = false;    // the block that lets most threads be resident; else of 256 threads
    bool read_only = false;    // loads through the read-only cache, as __ldg
    bool compensated = false;  // sums by KbnSum; else plain
};

struct DeviceEvaluated {
    std::vector<std::array<double, 4>> rates;  // as Evaluated::rates
    double seconds = 0;                        // the fastest evaluation, without making the cells
    double arranging = 0;                      // s; making the cells, on the host
    int registers = 0;                         // of a thread of the kernel that visits fluid
    int block = 0;                             // its threads
    double occupancy = 0;                      // its resident threads over the most
    double bytes = 0;                          // of particles, cells and ranges on the device
};

// Throws an Error for a strategy that is not compiled.
DeviceEvaluated evaluate_on_device(const Problem& problem, const State& state, const DeviceStrategy& strategy,
                                   double seconds);

// Steps of which the device has the sums over pairs alone: cells, update and all else on one thread of the host,
// particles copied there and back. s a step.
struct PartialSteps {
    double cells = 0;
    double transfers = 0;
    double sums = 0;
    double update = 0;
    std::vector<std::array<double, 4>> rates;  // of the state at the start
};
PartialSteps steps_partly_on_device(const Problem& problem, const State& state, int steps);

}  // namespace halfulp::strategies
