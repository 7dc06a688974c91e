// Blocks of fluid on a jittered lattice, with velocities and densities drawn from each particle's number: the particles
// on which right-hand sides are evaluated and steps are timed.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/backends/cpu/cpu_backend.hpp"
#include "core/setup/problem.hpp"

namespace halfulp {

struct Block {
    int dimensions = 2;
    int edge = 24;                                 // particles along it
    std::int32_t displacement = 0;                 // of the origin from zero along every axis, cells
    double deviation = 1e-3;                       // s = rho/rho0 - 1 is drawn from [-deviation, deviation)
    std::uint64_t seed = std::uint64_t{1} << 32U;  // of the first number drawn
    double jitter = 0.2;                           // largest displacement from the lattice, spacings
    double speed = 2;                              // largest in each component, m/s
};

// Without gravity, viscosity and walls; Wendland's kernel; a sound speed of 20 m/s and a fixed step. 3D: h = sqrt(3)
// spacings, 174 neighbours inside; 2D: h = 2 spacings, 50.
Case case_of(const Block& block, const std::string& precision);

// Cells, offsets, velocities and densities are the same numbers of
// single precision for every policy, whatever its units and wherever the block is.
Problem problem_of(const Block& block, const std::string& precision);
// The same of a case like case_of's.
Problem problem_of(const Block& block, const Case& c);

// The ids of the particles that have their whole support inside the block.
std::vector<std::size_t> interior_of(const Problem& problem, const Block& block);

// edge^dimensions particles of a Block, with artificial viscosity and a variable step; speeds up to a tenth of the
// sound speed, as in a dam break, so that neighbours are found as often.
Problem timed_block(int dimensions, int edge, const std::string& precision);

struct Timing {
    double nanoseconds = 0;         // a particle and step
    double processor = 0;           // the same of the calling thread's own time: others' turns on the core do not count
    std::vector<StageTime> stages;  // in nanoseconds a particle and step
    double rebuilds_per_step = 0;
    double bytes = 0;  // a particle, with neighbour lists
    std::string backend;

    [[nodiscard]] std::vector<double> of_stages() const;
    // "1.23 ns | 4.56 ns", for a row of a table.
    [[nodiscard]] std::string stages_text(int digits, const char* unit = " ns") const;
};
// The columns of tables in which timings stand.
inline constexpr const char* stage_columns = "step[ns],neighbours[ns],density_rate[ns],forces[ns],update[ns]";

// The fastest of the intervals from one rebuild of the neighbours to the next, for at least `seconds`: so the share of
// the rebuild is neither missed nor counted too often, and what else the machine does counts least. 0: one interval.
Timing time_steps(const Problem& problem, const CpuOptions& cpu, double seconds);
// after: s of simulated time before the first interval.
Timing time_steps(const Problem& problem, std::unique_ptr<Backend> on, double seconds, double after = 0);

}  // namespace halfulp
