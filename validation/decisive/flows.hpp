// The flows of the decisive study: their cases, the runs that each is followed by, and what is measured of them.
#pragma once

#include "validation/columns.hpp"
#include "validation/decisive/oscillation.hpp"
#include "validation/experiment.hpp"

namespace halfulp {

// A run of a flow: what it differs in from the others.
struct Arm {
    std::string name;
    std::string precision;
    double step = 1;         // over the flow's
    std::int64_t cells = 0;  // from the origin
    unsigned ulp_seed = 0;   // not 0: the start is off by one ulp of single precision, up or down as this seed has it
    double displaced = 0;    // spacings, root mean square along each axis; the start is off by that instead of an ulp
    double part = 1;         // of the flow's time that it is followed for
};

// What is recorded of a run; signals as the flow has them.
struct Recorded {
    bool broke = false;
    std::uint64_t steps = 0;
    double particles = 0;
    std::vector<double> times;                 // s
    std::vector<std::uint64_t> velocity_bits;  // of the fluid at each time and before, combined
    std::vector<std::vector<double>> signals;  // of each time
    static auto members(auto& self)
    {
        return std::tie(self.broke, self.steps, self.particles, self.times, self.velocity_bits, self.signals);
    }
};

// Signals are numbers that a state has, such as the projection of its velocities on a mode. An oscillating one is
// compared by the oscillation fitted to it in a window of time, a steady one by its mean there over `scale`; the two
// components of a force by their means and harmonics.
struct Flow {
    std::string name;
    std::string title;
    std::string text;  // what it is and how it is measured
    std::string case_name;
    std::vector<std::string> overrides;  // without precision, step and origin
    double cfl = 0.2;
    std::uint64_t sample_every = 1;              // steps
    std::vector<Arm> arms;                       // the first is the reference
    std::vector<std::array<double, 2>> windows;  // s; the last ends with the run
    double frequency = 0;                        // rad/s, of linear theory or forced; 0: the signals are steady
    int harmonics = 0;                           // of the frequency, in both signals: a force's; 0: one oscillation
    double exact_mean = 0;                       // of the second signal, with harmonics
    double scale = 0;                            // of steady ones
    bool large = false;                          // 10^6 particles: on a CUDA device, where there is one
    double settle = 0;  // s that the water has to come to rest before the start (settled_start.hpp)
    // The velocity that it gets then, m/s, at a place relative to the case's origin, m.
    std::function<std::array<double, 3>(const std::array<double, 3>& place)> added;
    // first: the state at the start.
    std::function<std::vector<double>(const Simulation& now, const FluidState& fluid, const FluidState& first)> measure;
    // The exact value of the first signal; empty if there is none.
    std::function<double(double time)> exact;
};

Case case_of(const Flow& flow, const Arm& arm);
// That of the arm with the flow's velocities, on the lattice also where the water comes to rest before the start.
Problem problem_on_lattice(const Flow& flow, const Arm& arm);
// on_devices: on a CUDA device where one can run it, which changes no bit; a large flow always is.
Recorded follow(const Flow& flow, const Arm& arm, bool on_devices = false);
// Whether two runs of a flow had the same bits at all times at which both were looked at: of runs that ended at
// different times not the last of the shorter, which its end chose.
bool have_same_bits(const Recorded& one, const Recorded& other);
std::vector<Flow> decisive_flows(Scale scale);

// The first mode of a tank 1 m long.
struct Seiche {
    std::string name;
    double height = 0;          // m; of the wave at the wall
    double spacing = 0.025;     // m
    double end = 0;             // s
    bool defaults = false;      // the default walls, diffusion and viscosity
    bool every_term = false;    // with that, XSPH, shifting, a density filter, laminar viscosity, tensile correction
    double depth = 0.5;         // m
    double sound_speed = 22.2;  // m/s
    double cfl = 0.2;
    bool parts = true;                // robust with each of its parts switched off, too
    double settle = 0;                // s before the wave, in which the water comes to rest
    std::vector<std::string> more{};  // overrides of the case beside these
};
Flow seiche(const Seiche& wave, Scale scale);

// A square body in a swayed tank; the force on it. Particles: along a side of the body.
Flow body_in_waves(int particles, int periods, Scale scale);

// The first diagonal mode of a square tank 1 m wide in three dimensions, with that many spacings along a side.
Flow seiche_3d(int particles, double height, double end, Scale scale);

}  // namespace halfulp
