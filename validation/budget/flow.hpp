// The error budget of a flow, measured at a few moments of a run in robust, and its part of the page.
#pragma once

#include "validation/budget/condition.hpp"
#include "validation/budget/loss.hpp"
#include "validation/experiment.hpp"

namespace halfulp {

// Equal parts of the run; the last moment is its end.
inline constexpr int budget_moments = 4;

// Calls `look` with the number of each moment; a run that breaks down has fewer.
void at_moments(const Case& c, const std::function<void(int, const Problem&, const Simulation&)>& look);

// Of one particle of the fluid.
struct ParticleBudget {
    std::array<double, 3> position{};   // m
    std::array<double, 3> condition{};  // of the forces, of the acceleration, of the density rate
    double neighbours = 0;
    // Lost of a change of the coordinate, of the velocity, of rho: at the run's own step, means over components.
    std::array<double, 3> bits{};
};

struct FlowMoment {
    double time = 0;        // s
    double term_error = 0;  // largest difference of the run's du/dt from double's, in u of the terms' sizes
    std::vector<ParticleBudget> particles;
    std::vector<Tally> losses;           // of each Holding, at each of the CFL numbers
    std::array<Residuals, 3> residuals;  // of each Quantity
    static auto members(auto& r) { return std::tie(r.time, r.term_error, r.particles, r.losses, r.residuals); }
};
using FlowBudget = std::vector<FlowMoment>;
FlowBudget examine_flow(const Case& c, const std::vector<double>& cfls);

// Each writes its tables into the page's folder. Returns the path of the main one.
std::filesystem::path report_conditions(Page& page, const FlowBudget& flow);
// cfls: those of examine_flow, descending.
void report_losses(Page& page, const FlowBudget& flow, const std::vector<double>& cfls);
void report_residuals(Page& page, const FlowBudget& flow);

}  // namespace halfulp
