// The pair loops of the CPU back end as a table of functions, one table for each number of lanes and instruction set.
//
// The functions take and return plain numbers and pointers only. They are compiled for instruction sets that not every
// processor has, so nothing that other parts of the program also use (a vector's growth, say) may be compiled with
// them: the linker keeps one copy of such a function, and it could be the one that this processor cannot run.
#pragma once

#include <cstdint>

#include "core/neighbours/groups.hpp"
#include "core/particles/buffers.hpp"
#include "core/setup/problem.hpp"
#include "kernels/parameters.hpp"
#include "kernels/physics.hpp"
#include "kernels/smoothing.hpp"

namespace halfulp {

template <class Real>
struct PairData {
    const Four<std::int32_t>* cell;
    const Kind* kind;
    const Four<Real>* offset;           // x, y, z; pressure term
    const Four<Real>* offset_residual;  // where pairs read it
    const Four<Real>* velocity;         // u, v, w; density
    const Four<Real>* shifts;           // ShiftTable
    Four<Real>* smoothing;              // buffers that the physics does not use are null
    Four<Real>* rate;
    Four<Real>* artificial_rate;
    Four<Real>* laminar_rate;
    Four<Real>* tensile_rate;
    double* diffusion_rate;
    Four<Real>* density_gradient;
    Parameters<3, float> parameters;
    Physics physics;
    SmoothingKernel kernel;
    bool signal_speed;
    Real reach_squared;   // candidates are closer than this to a lane, length units squared
    CellPosition centre;  // of the central force
};

struct GroupList {
    const Group* groups;
    std::size_t count;
    const Candidate* candidates;
};

// Every one of D and the policy's number type Real.
template <class Policy, int D>
struct PairLoops {
    using Real = typename Policy::Real;
    int lanes;
    // Appends to `out` the candidates among particles range.begin .. range.end - 1, which lie in one row; first_shift
    // is the code of that row's cell at the x of the group's first particle. Returns how many; `out` has room for all
    // of the range.
    std::size_t (*find_candidates)(const PairData<Real>& data, const Group& group, IndexRange range,
                                   std::uint16_t first_shift, Candidate* out);
    // XSPH's addition to the fluid's velocity into smoothing; 0.
    Real (*smooth_velocity)(const PairData<Real>& data, GroupList list);
    // The renormalised gradient of s into density_gradient; 0.
    Real (*density_gradient)(const PairData<Real>& data, GroupList list);
    // ds/dt into rate.w, the share of diffusion into diffusion_rate; the largest signal speed, or 0 where it is not
    // wanted.
    Real (*density_rate)(const PairData<Real>& data, GroupList list);
    // du/dt of the fluid, and of the walls where they move, into rate, the shares of booked forces beside it; the
    // fluid's largest |du/dt|^2.
    Real (*forces)(const PairData<Real>& data, GroupList list);
};

// The table for a number of lanes, or null if there is none for this policy or this processor cannot run it.
template <class Policy, int D>
const PairLoops<Policy, D>* pair_loops(int lanes);

// For the processors that have AVX-512; 16 single or 8 double precision lanes. Null where it was not compiled.
template <class Policy, int D>
const PairLoops<Policy, D>* pair_loops_avx512();

// Can this processor run them?
bool processor_has_avx512();

}  // namespace halfulp
