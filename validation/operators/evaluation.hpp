// Evaluation of both right-hand sides on the host, over all pairs, in which the arithmetic of a policy takes the place
// of quadruple precision part after part. What each part adds to the error is its share, and the shares add up to the
// whole error exactly: with all parts in place the result has the bits of the back end.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "core/particles/report.hpp"
#include "core/results/snapshot.hpp"
#include "core/setup/problem.hpp"

namespace halfulp {

// Where an evaluation loses digits, in the order in which numbers pass through it. The first two are lost when the
// start is stored, the others when the right-hand side is evaluated.
inline constexpr std::array source_names{
    "positions as stored",      // a coordinate rounded to the policy's number type
    "densities as stored",      // a density rounded as the policy holds it; velocities too, where it rounds them
    "difference of positions",  // r_ab from what is stored
    "equation of state",        // the pressure term from the stored density
    "kernel",                   // |r_ab|, q and the gradient's shape f(q)
    "products",                 // f r_ab (R_a + R_b) and f u_ab . r_ab
    "sum",                      // over neighbours, and the constant that multiplies it
};
inline constexpr std::size_t source_count = source_names.size();
inline constexpr std::size_t stored_sources = 2;

// Which problems can be taken apart: Tait's equation, Wendland's kernel, pair (i), no force but pressure, no periods,
// no walls. What is left of Physics must be as it is by default.
//
// problem: of the policy that it names, in float or double; held: a snapshot of its start. The first `in_policy` of the
// sources are the policy's own, the others are in 113 bits: 0 gives the exact rates of the problem's particles,
// stored_sources those of the state as the policy holds it, source_count those of the back end. For the particles of
// these ids, in their order, in units of the state. Throws an Error for a policy that it cannot take apart.
Rates evaluate(const Problem& problem, const Snapshot& held, const std::vector<std::size_t>& ids,
               std::size_t in_policy);

}  // namespace halfulp
