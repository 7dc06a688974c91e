// Whole time steps by the clock, for measurements of cost: a block of fluid, and how long the stages of its steps take.
#pragma once

#include <string>
#include <vector>

#include "core/backends/cpu/cpu_backend.hpp"

namespace halfulp {

// edge^dimensions particles: 3D, h = sqrt(3) spacings, 174 neighbours inside; 2D, h = 2 spacings, 50. Positions are
// jittered, velocities and densities drawn from each particle's number; speeds up to a tenth of the sound speed, as in
// a dam break, so that neighbours are found as often. Artificial viscosity and a variable step.
Problem block(int dimensions, int edge, const std::string& precision);

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

// The fastest of the intervals from one rebuild of the neighbours to the next, for at least `seconds`: so the share of
// the rebuild is neither missed nor counted too often, and what else the machine does counts least. 0: one interval.
Timing time_steps(const Problem& problem, const CpuOptions& cpu, double seconds);
// after: s of simulated time before the first interval.
Timing time_steps(const Problem& problem, std::unique_ptr<Backend> on, double seconds, double after = 0);

}  // namespace halfulp
