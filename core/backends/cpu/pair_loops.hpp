// The pair loops of the CPU back end as a table of functions, one table for each number of lanes and instruction set.
//
// The functions take and return plain numbers and pointers only. They are compiled for instruction sets that not every
// processor has, so nothing that other parts of the program also use (a vector's growth, say) may be compiled with
// them: the linker keeps one copy of such a function, and it could be the one that this processor cannot run.
#pragma once

#include <cstdint>

#include "core/neighbours/groups.hpp"
#include "core/particles/buffers.hpp"
#include "kernels/parameters.hpp"

namespace halfulp {

enum class KernelChoice { wendland_c2, cubic_spline };

template <class Real>
struct PairData {
    const Four<std::int32_t>* cell;
    const Kind* kind;
    const Four<Real>* offset;    // x, y, z; pressure term
    const Four<Real>* velocity;  // u, v, w; density
    const Four<Real>* shifts;    // ShiftTable
    Four<Real>* rate;
    Four<Real>* viscous_rate;
    Parameters<3, float> parameters;
    KernelChoice kernel;
    bool viscous;
    bool signal_speed;
    Real reach_squared;  // candidates are closer than this to a lane, cell sides squared
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
    // ds/dt into rate.w; the largest signal speed, or 0 where it is not wanted.
    Real (*density_rate)(const PairData<Real>& data, GroupList list);
    // du/dt of the fluid into rate, its viscous share into viscous_rate; the largest |du/dt|^2.
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
