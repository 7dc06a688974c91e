#include "validation/energy/energy_runs.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <string_view>

#include <fmt/format.h>

namespace halfulp {

namespace {

// At asked_cfl, at the spacings of the experiment: the largest deviation of robust from double over the error of the
// integrator, three to five times what was measured, and what has to exceed it, or the bound would show nothing.
struct Allowed {
    std::string_view case_name;
    double spacing;  // m
    double ratio;
};
constexpr std::array allowed{Allowed{"inviscid-tank-2d", 0.05, 0.05}, Allowed{"inviscid-tank-2d", 0.02, 0.015},
                             Allowed{"sloshing-tank-2d", 0.05, 1.5}, Allowed{"rolling-tank-2d", 0.05, 2}};
constexpr std::array<std::string_view, 4> beyond{"naive", "dualsphysics", "gpusph", "robust/update=plain"};
constexpr double asked_of_naive = 2e8;  // naive's error over robust's where it still moves

// Does the run show rounding, and not what the flow's sensitivity makes of it?
bool comparable(const EnergyError& e) { return !e.failed && !e.frozen && e.flow <= another_flow; }

std::optional<EnergyError> error_of(const std::vector<MeasuredEnergy>& where, const std::string& policy,
                                    const EnergyRun& like)
{
    for (const MeasuredEnergy& m : where) {
        if (m.run.policy.name == policy && m.run.case_name == like.case_name && m.run.spacing == like.spacing &&
            m.run.end == like.end && m.run.cfl == like.cfl && m.run.cells == like.cells)
            return m.error;
    }
    return std::nullopt;
}

// A run that broke, or that is another flow, does not follow double at all.
double over_integrator(const EnergyError& e)
{
    return e.failed || e.flow > another_flow ? HUGE_VAL : e.deviation / e.reference;
}

// Robust keeps the bound of each case, and the policies without its techniques do not.
void judge_deviations(Page& page, const std::vector<MeasuredEnergy>& all)
{
    for (const Allowed& bound : allowed) {
        std::string within, over;
        bool kept = true, told = true;
        for (const MeasuredEnergy& m : all) {
            if (m.run.case_name != bound.case_name || m.run.spacing != bound.spacing || m.run.cfl != asked_cfl)
                continue;
            const double ratio = over_integrator(m.error);
            const std::string text = fmt::format("{} {:.2g}", m.run.policy.name, ratio);
            if (m.run.policy.name == "robust") {
                kept = kept && ratio <= bound.ratio;
                within += (within.empty() ? "" : ", ") + text;
            } else if (std::ranges::find(beyond, m.run.policy.name) != beyond.end()) {
                told = told && ratio > bound.ratio;
                over += (over.empty() ? "" : ", ") + text;
            }
        }
        if (within.empty()) continue;
        page.verdict(kept, "{} at {} m, CFL {}: robust's deviation over the integrator's error is at most {} ({})",
                     bound.case_name, bound.spacing, asked_cfl, bound.ratio, within);
        if (!over.empty())
            page.verdict(told, "{} at {} m, CFL {}: and those of {} are larger", bound.case_name, bound.spacing,
                         asked_cfl, over);
    }
}

}  // namespace

// Interpolated on logarithmic axes: the deviation falls or rises slowly with the step, the error falls with its square.
std::string crossover(const std::vector<MeasuredEnergy>& series)
{
    if (series.front().run.policy.name == double_reference(series.front().run.policy)) return "is the reference";
    const auto excess = [](const MeasuredEnergy& m) { return std::log(m.error.deviation / m.error.reference); };
    if (excess(series.front()) >= 0) return fmt::format("above {}", series.front().run.cfl);
    for (std::size_t k = 1; k < series.size(); ++k) {
        if (excess(series[k]) < 0) continue;
        const double share = -excess(series[k - 1]) / (excess(series[k]) - excess(series[k - 1]));
        const double cfl =
            std::exp(std::log(series[k - 1].run.cfl) + share * std::log(series[k].run.cfl / series[k - 1].run.cfl));
        return fmt::format("{:.2g}", cfl);
    }
    return fmt::format("below {}", series.back().run.cfl);
}

void conclude_steps(Page& page, const std::vector<PolicyInfo>& policies, const std::vector<MeasuredEnergy>& all)
{
    const auto is_robust = [](const MeasuredEnergy& m) { return m.run.policy.name == "robust"; };
    if (std::ranges::none_of(all, is_robust)) return;
    page.heading("What each technique is worth at the origin");
    page.table(
        {"policy", "deviation over robust's", "least", "largest"},
        "Geometric mean over all cases and steps at the origin at which the flow is still the reference's; once it is "
        "another one the energies of single runs tell nothing (validate chaos compares ensembles). Below 1: better "
        "than robust there. A factor of two either way is chance: a deviation is the largest of one random walk");
    std::map<std::string, double> factors;
    for (const PolicyInfo& policy : policies) {
        if (policy.name == "robust" || policy.number == "double") continue;
        double sum = 0;
        double least = HUGE_VAL;
        double largest = 0;
        int count = 0;
        for (const MeasuredEnergy& m : all) {
            if (m.run.policy.name != policy.name) continue;
            const auto robust = error_of(all, "robust", m.run);
            if (!robust || !comparable(*robust) || !comparable(m.error)) continue;
            const double factor = m.error.deviation / robust->deviation;
            sum += std::log(factor);
            least = std::min(least, factor);
            largest = std::max(largest, factor);
            ++count;
        }
        if (count == 0) continue;
        factors[policy.name] = std::exp(sum / count);
        page.row("{} | {:.3g} | {:.2g} | {:.3g}", policy.name, factors[policy.name], least, largest);
    }
    judge_deviations(page, all);
    std::string best = "none";
    double best_factor = HUGE_VAL;
    for (const auto& [name, factor] : factors) {
        if (has_double_parts(*find_policy(name)) || factor >= best_factor) continue;
        best = name;
        best_factor = factor;
    }
    page.verdict(best_factor >= 0.5,
                 "no policy without parts in double is better than robust by more than chance (a factor "
                 "of 2 in the geometric mean); the nearest is {} with {:.2f} of robust's deviation",
                 best, best_factor);
}

void conclude_distance(Page& page, const std::vector<MeasuredEnergy>& distance)
{
    const auto robust_runs = [](const MeasuredEnergy& m) { return m.run.policy.name == "robust"; };
    if (std::ranges::none_of(distance, robust_runs)) return;
    double least = HUGE_VAL;
    bool same_bits = true;
    bool overtakes = false;
    std::int64_t overtaken_at = 0;
    for (const MeasuredEnergy& m : distance) {
        const auto robust = error_of(distance, "robust", m.run);
        if (!robust) continue;
        if (m.run.policy.name == "naive" && m.run.cells == still_moving)
            least = std::min(least, m.error.deviation / robust->deviation);
        if (m.run.policy.name == "robust") {
            EnergyRun at_origin = m.run;
            at_origin.cells = 0;
            const auto here = error_of(distance, "robust", at_origin);
            same_bits = same_bits && here && here->hash == m.error.hash && here->own == m.error.own;
        }
        if (m.run.policy.name == "double/position=global" && m.error.deviation > robust->deviation &&
            (!overtakes || m.run.cells < overtaken_at)) {
            overtakes = true;
            overtaken_at = m.run.cells;
        }
    }
    page.heading("Far away");
    page.verdict(same_bits, "robust has the same bits of state and energy at every distance");
    if (least < HUGE_VAL) {
        page.verdict(least >= asked_of_naive,
                     "{} cells away, where an ulp of naive's positions is at most a thousandth of a spacing "
                     "and it still moves, its error at CFL {} is {:.2g} times robust's (asked: {:.0e})",
                     still_moving, asked_cfl, least, asked_of_naive);
    }
    const bool measured = std::ranges::any_of(
        distance, [](const MeasuredEnergy& m) { return m.run.policy.name == "double/position=global"; });
    if (!measured) return;
    page.paragraph(
        overtakes
            ? fmt::format("double with global positions is worse than robust single precision from {} "
                          "cells on, of the distances that were run.",
                          overtaken_at)
            : "double with global positions is better than robust single precision at every distance that was run.");
}

}  // namespace halfulp
