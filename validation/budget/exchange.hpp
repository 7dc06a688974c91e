// Momentum that particles exchange: is F_ab + F_ba zero in the arithmetic of a policy, and what does a whole fluid
// without walls and forces from outside gain?
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
};

// By the back end itself: two particles alone, without gravity, in the policy's own arithmetic. Inviscid cases: the
// viscous force between walls and fluid is the same, but velocities would have to be those of the pass.
Asymmetry asymmetry_of(const Problem& problem, const std::vector<HeldParticle>& particles,
                       const std::vector<std::array<std::uint32_t, 2>>& pairs, const std::string& precision);

// What it would be if r_ab were (x_a + cells) - x_b, in single precision and the order that robust does not take.
Asymmetry asymmetry_of_other_order(const Problem& problem, const std::vector<HeldParticle>& particles,
                                   const std::vector<std::array<std::uint32_t, 2>>& pairs);

struct NetMomentum {
    double largest_force = 0;  // |sum du/dt| / sum |du/dt|, the largest of all steps
    double gained = 0;         // |momentum(end) - momentum(start)| / sum over steps of dt sum |du/dt|
    double largest_step = 0;   // the same of a single step, the largest
    double steps = 0;
    bool broke = false;
};
NetMomentum net_momentum(const Case& c, int steps);

}  // namespace halfulp
