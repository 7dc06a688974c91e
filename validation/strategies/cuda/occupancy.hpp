// Occupancy of a multiprocessor by the arithmetic of figure 6 of Dominguez, Crespo and Gomez-Gesteira (2013).
#pragma once

namespace halfulp::strategies {

struct Multiprocessor {
    int registers;   // of all its threads
    int warps;       // resident at most
    int blocks;      // resident at most
    int allocation;  // registers of a block are a multiple of this
};
inline constexpr Multiprocessor capability_1_3{.registers = 16384, .warps = 32, .blocks = 8, .allocation = 512};

// Resident warps over the most, of blocks of so many threads with so many registers each.
double occupancy_of(const Multiprocessor& on, int registers, int threads);

}  // namespace halfulp::strategies
