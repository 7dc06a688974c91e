// The pair loops of the CPU back end as a table of functions, one table for each number of lanes and instruction set.
//
// The functions take and return plain numbers and pointers only. They are compiled for instruction sets that some
// processors lack, so nothing that other parts of the program also use (a vector's growth, say) may be compiled with
// them: the linker keeps one copy of such a function, possibly the one that this processor cannot run.
#pragma once

#include <cstdint>

#include "core/neighbours/groups.hpp"
#include "core/operations/operation.hpp"
#include "core/operations/pair_data.hpp"
#include "core/schemes/operation_list.hpp"

namespace halfulp {

template <class Real>
struct GroupList {
    const Group* groups;
    std::size_t count;
    const Candidate* candidates;
    const Four<Real>* shifts;  // ShiftTable
};

template <class Policy, int D>
struct PairLoops {
    using Real = typename Policy::Real;
    int lanes;
    // Appends to `out` the candidates among particles range.begin .. range.end - 1, which lie in one row; first_shift
    // is the code of that row's cell at the x of the group's first particle. Returns their number; `out` has room for
    // the whole range. moves: null or, of particles on a course (core/neighbours/course.hpp), until its horizon.
    std::size_t (*find_candidates)(const PairData<Real>& data, const Four<Real>* moves, const Four<Real>* shifts,
                                   const Group& group, IndexRange range, std::uint16_t first_shift, Candidate* out);
    // The pass of each operation over pairs, at its index in the list of operations; null for other operations and
    // those not compiled for the policy. Returns the maxima that its descriptor names, over the targets of the list.
    Largest<Real> (*passes[operation_count])(const PairData<Real>& data, GroupList<Real> list);
};

// The table for a number of lanes, or null if there is none for this policy or this processor cannot run it.
template <class Policy, int D>
const PairLoops<Policy, D>* pair_loops(int lanes);

// For processors with AVX-512; 16 single or 8 double precision lanes. Null if not compiled.
template <class Policy, int D>
const PairLoops<Policy, D>* pair_loops_avx512();

// Whether this processor can run them.
bool processor_has_avx512();

}  // namespace halfulp
