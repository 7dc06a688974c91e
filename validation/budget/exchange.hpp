// Momentum exchanged by pairs: whether F_ab + F_ba is zero in the arithmetic of a policy, and what a whole fluid
// without walls and external forces gains.
#pragma once

#include <string>
#include <vector>

#include "core/setup/case.hpp"
#include "validation/budget/condition.hpp"

namespace halfulp {

// Particles a and b of the fluid within the support, a < b. At most `most` of them, evenly taken from all.
std::vector<std::array<std::uint32_t, 2>> fluid_pairs(const Problem& problem,
                                                      const std::vector<HeldParticle>& particles, std::size_t most);

struct Asymmetry {
    double pairs = 0;       // that exert a force
    double asymmetric = 0;  // F_ab + F_ba differs from zero in some bit
    double largest = 0;     // |F_ab + F_ba| / |F_ab|
    double taken = 0;       // all pairs, those at the end of the support included, whose forces are zero
};

// By the back end itself: two particles alone, without gravity, in the policy's own arithmetic. Inviscid cases: the
// viscous force between walls and fluid is the same, but velocities would have to be those of the pass.
Asymmetry asymmetry_of(const Problem& problem, const std::vector<HeldParticle>& particles,
                       const std::vector<std::array<std::uint32_t, 2>>& pairs, const std::string& precision);

// The same if r_ab were (x_a + cells) - x_b, in single precision: the order of the terms that robust avoids.
Asymmetry asymmetry_of_other_order(const Problem& problem, const std::vector<HeldParticle>& particles,
                                   const std::vector<std::array<std::uint32_t, 2>>& pairs);

struct NetMomentum {
    double largest_force = 0;  // |sum du/dt| / sum |du/dt|, the largest of all steps
    double largest_step = 0;   // the largest gain of a single step, as below
    double gained = 0;         // |momentum(end) - momentum(start)| / sum over steps of dt sum |du/dt|
    double steps = 0;
    bool broke = false;
};
NetMomentum net_momentum(const Case& c, int steps);

}  // namespace halfulp
