// How much cancels in the sums over neighbours, from the formulas of kernels/ in double.
#pragma once

#include <array>
#include <vector>

#include "validation/budget/particles.hpp"

namespace halfulp {

// Terms a_i of a sum: a relative error u of each may make one of condition() u in the sum.
struct SumSize {
    double terms = 0;  // sum |a_i|
    double sum = 0;    // |sum a_i|
    [[nodiscard]] double condition() const { return terms / sum; }
};

// Of one particle of the fluid; vectors count by their lengths. Units of the state.
struct Conditions {
    int neighbours = 0;             // inside the support
    SumSize forces;                 // the pairs' shares of du/dt
    SumSize acceleration;           // with gravity as one more term
    SumSize density_rate;           // ds/dt
    std::array<double, 3> value{};  // du/dt
    // What rounding of the forces is to be measured by: terms before the pressures of a pair cancel in their sum.
    double scale = 0;
};

// In order of id; of walls nothing is computed. Throws an Error for physics whose rates have more terms than these:
// density diffusion, XSPH, a central force.
std::vector<Conditions> conditions_of(const Problem& problem, const std::vector<HeldParticle>& particles);

}  // namespace halfulp
