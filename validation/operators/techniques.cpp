#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "core/setup/policy_table.hpp"
#include "validation/experiment.hpp"
#include "validation/operators/measure.hpp"
#include "validation/operators/sections.hpp"
#include "validation/study.hpp"

namespace halfulp {

namespace {

constexpr double claimed_absolute = 1e-7;  // Hérault, Bilotta and Dalrymple 2014, as cited by Bilotta et al. 2018, 5.5
constexpr double claimed_centred = 1e-11;
// Three roundings of s in each of two terms, 2^-24 each, are 1e-11 at |s| = 3e-5.
constexpr double least_reach = 3e-5;

// What the sweep says about the claim, in the scale in which the absolute density's error is the claimed one.
void judge_pressure(Page& page, const std::vector<double>& deviations, const std::vector<PressureErrors>& absolute,
                    const std::vector<PressureErrors>& centred)
{
    double least = std::numeric_limits<double>::infinity();
    double most = 0;
    double reach = 0;  // the largest |s| up to which the centred density's error is the claimed one
    double reach_of_share = 0;
    bool sums_hold = true;
    bool shares_hold = true;
    for (std::size_t k = 0; k < deviations.size(); ++k) {
        least = std::min(least, absolute[k].rms);
        most = std::max(most, absolute[k].rms);
        sums_hold = sums_hold && centred[k].rms <= claimed_centred;
        shares_hold = shares_hold && centred[k].contribution <= claimed_centred;
        if (sums_hold) reach = deviations[k];
        if (shares_hold) reach_of_share = deviations[k];
    }
    page.paragraph(
        "In units of c0^2 the absolute density leaves an error of {:.1e} to {:.1e} in the sum of the two pressure terms, whatever "
        "|s|: the rounding of the density, the claimed {:g}. With centred storage and evaluation the error is in proportion to "
        "|s|, so the claimed {:g} holds up to |s| = {:g} and not beyond: at {:g} it is {:.1e}. (Times the gradient, in c0^2/h, "
        "both are about a tenth of that, and {:g} holds up to |s| = {:g}.) What is gained is a factor of about 1/|s|, not a fixed "
        "number of digits.",
        least, most, claimed_absolute, claimed_centred, reach, deviations.back(), centred.back().rms, claimed_centred,
        reach_of_share);
    page.verdict(least > claimed_absolute / 10 && most < claimed_absolute * 10,
                 "absolute density: a pair's pressure errs by {:g} of c0^2 within a factor of ten, at every |s|",
                 claimed_absolute);
    page.verdict(reach >= least_reach,
                 "centred density: it errs by at most {:g} up to |s| = {:g} at least; measured: up to {:g}",
                 claimed_centred, least_reach, reach);
}

}  // namespace

void compare_pressure_pairs(Page& page, const StudyOptions& options)
{
    page.heading("The pressure term of a pair");
    page.paragraph(
        "Hérault, Bilotta and Dalrymple (2014), as Bilotta et al. (2018, section 5.5) cite them: a centred density brings the "
        "absolute error of a neighbour's contribution to the pressure part of the momentum equation from {:g} down to {:g}. "
        "Neither the scale nor the densities are given there. Here the sum rho0 (P_a/rho_a^2 + P_b/rho_b^2) is taken over c0^2, "
        "and the pair's share of du/dt, V |grad W| times that, over c0^2/h. Gradients are exact; |s| lies between half of the "
        "given number and it.",
        claimed_absolute, claimed_centred);
    std::vector<double> deviations;
    for (int k = -14; k <= -2; ++k)
        deviations.push_back(k % 2 == 0 ? std::pow(10, k / 2) : 3 * std::pow(10, (k - 1) / 2));
    const int pairs = options.choose(2000, 20000, 100000);
    const auto ways = pressure_ways();
    std::vector<Job> jobs;
    for (const PressureWay& way : ways) {
        for (const double deviation : deviations)
            jobs.push_back(
                {parameter_key("pressure-pair",
                               {fmt::format("storage={}", way.storage), fmt::format("evaluation={}", way.evaluation),
                                fmt::format("deviation={}", deviation), fmt::format("pairs={}", pairs)}),
                 [way, deviation, pairs]() -> Results { return {row_of(pressure_errors(way, deviation, pairs))}; }});
    }
    Table table(
        options.folder, "operators-pressure",
        "storage,evaluation,deviation[1],rms_sum[c0^2],largest_sum[c0^2],rms_contribution[c0^2/h],relative_term[1]");
    std::vector<std::vector<PressureErrors>> errors(ways.size());
    Study("operators", options).run(jobs, [&](std::size_t k, const Results& rows) {
        const std::size_t w = k / deviations.size();
        const auto& e = errors[w].emplace_back(record_of<PressureErrors>(rows.at(0)));
        table.row(ways[w].storage, ways[w].evaluation, deviations[k % deviations.size()], row_of(e));
    });
    std::vector<std::string> header{"density stored", "evaluation"};
    for (std::size_t k = 0; k < deviations.size(); k += 2) header.push_back(fmt::format("{:g}", deviations[k]));
    struct Quantity {
        const char* caption;
        double PressureErrors::*value;
    };
    for (const Quantity& quantity :
         {Quantity{"rms absolute error of rho0 (P_a/rho_a^2 + P_b/rho_b^2) / c0^2, by |s|", &PressureErrors::rms},
          Quantity{"rms absolute error of the pair's share of du/dt in units of c0^2/h, by |s|",
                   &PressureErrors::contribution},
          Quantity{"rms relative error of one particle's rho0 P/rho^2, by |s|", &PressureErrors::relative}}) {
        page.table(header, quantity.caption);
        for (std::size_t w = 0; w < ways.size(); ++w) {
            std::vector<std::string> cells{ways[w].storage, ways[w].evaluation};
            for (std::size_t k = 0; k < deviations.size(); k += 2)
                cells.push_back(fmt::format("{:.1e}", errors[w][k].*quantity.value));
            page.row(cells);
        }
    }
    page.draw(
        table.path(), "operators",
        "Absolute error of a pair's contribution (left) and relative error of the pressure term (right) over |s|.");

    const auto errors_of_way = [&](const char* storage, const char* evaluation) {
        const auto found = std::ranges::find(ways, PressureWay{storage, evaluation});
        return errors.at(static_cast<std::size_t>(found - ways.begin()));
    };
    judge_pressure(page, deviations, errors_of_way("absolute", "powers"), errors_of_way("centred", "horner"));
}

namespace {

// One technique alone and with the other, from a policy that has neither or, taken away, from one that has both.
struct Combination {
    const char* techniques;
    bool density_rate;  // which of the errors shows it
    bool drifts;        // after many drifts, instead of one evaluation at the start
    const char* base;
    const char* neither;  // empty where it is not compiled
    const char* first;
    const char* second;
    const char* both;
    // Of both over the better of one alone: a quarter to a half of what is measured. The other parts of naive, above
    // all its expanded kernel, leave an error that no pair of techniques takes away.
    double least_gain;
};

constexpr std::array combinations{
    Combination{"centred storage, centred evaluation", false, false, "naive", "naive", "naive/density=centred",
                "naive/pressure=horner", "naive/density=centred/pressure=horner", 10},
    Combination{"centred storage, centred evaluation", false, false, "robust", "", "robust/pressure=powers",
                "robust/density=absolute", "robust", 60},
    Combination{"local positions, compensated updates", true, true, "naive", "naive", "naive/position=cell-offset",
                "naive/update=compensated", "naive/position=cell-offset/update=compensated", 3},
    Combination{"local positions, compensated updates", true, true, "robust", "", "robust/update=plain",
                "robust/position=global", "robust", 20},
};

}  // namespace

void show_techniques_together(Page& page, const StudyOptions& options)
{
    const int drifts = options.choose(1000, 10000, 100000);
    const Block near{.edge = options.choose(14, 16, 20), .displacement = 1, .deviation = 1e-3};
    Block far = near;
    far.displacement = 100;
    page.heading("Techniques that work only together");
    page.paragraph(
        "Storage and evaluation of the density show in one acceleration, {} cell from the origin, |s| up to {:g}. Positions and updates show only after "
        "steps: all particles drift by up to a hundredth of a cell in {} steps with the velocities that they have, {} cells from "
        "the origin, then ds/dt is evaluated. Against quadruple precision that did the same.",
        near.displacement, near.deviation, drifts, far.displacement);
    std::vector<Job> jobs;
    std::map<std::string, std::size_t> job_of;
    const auto ask = [&](const Combination& c, const std::string& policy) {
        if (policy.empty() || find_policy(policy) == nullptr) return;
        const int moves = c.drifts ? drifts : 0;
        const Block block = c.drifts ? far : near;
        const auto key = job_key("operators-together", case_of(block, policy),
                                 {fmt::format("deviation={}", block.deviation), fmt::format("drifts={}", moves)});
        if (!job_of.try_emplace(fmt::format("{} {}", policy, moves), jobs.size()).second) return;
        jobs.push_back({key, [block, policy, moves]() -> Results {
                            if (moves == 0) {
                                const auto e = operator_errors(measure_operators(block, policy, false));
                                return {{e.acceleration.rms_start, e.density_rate.rms_start}};
                            }
                            const auto e = errors_after_drifts(block, policy, moves);
                            return {{e[0], e[1]}};
                        }});
    };
    for (const Combination& c : combinations)
        for (const char* policy : {c.neither, c.first, c.second, c.both}) ask(c, policy);
    const auto results = Study("operators", options).run(jobs);
    page.table({"techniques", "other parts", "shown by", "neither", "first alone", "second alone", "both",
                "both over the better of one"},
               "rms error in ulps");
    bool passed = true;
    bool complete = true;
    std::string gains;
    for (const Combination& c : combinations) {
        const auto error = [&](const std::string& policy) -> std::optional<double> {
            const auto found = job_of.find(fmt::format("{} {}", policy, c.drifts ? drifts : 0));
            if (found == job_of.end()) return {};
            return results[found->second].at(0).at(c.density_rate ? 1 : 0);
        };
        const auto text = [&](const std::string& policy) {
            const auto e = error(policy);
            return e ? fmt::format("{:.3g}", in_ulps(*e)) : std::string("not compiled");
        };
        const auto first = error(c.first);
        const auto second = error(c.second);
        const auto both = error(c.both);
        const bool known = first && second && both;
        complete = complete && known;
        const double gain = known ? std::min(*first, *second) / *both : 0;
        gains += fmt::format("{}{:.3g} (at least {}) from {}", gains.empty() ? "" : ", ", gain, c.least_gain, c.base);
        passed = passed && known && gain >= c.least_gain;
        page.row({c.techniques, c.base, c.drifts ? "density rate, after drifts" : "acceleration", text(c.neither),
                  text(c.first), text(c.second), text(c.both),
                  known ? fmt::format("{:.3g} times better", gain) : "not compiled"});
    }
    if (!complete) {
        page.paragraph("Some of these policies are not compiled, so there is no verdict.");
        return;
    }
    page.verdict(passed, "both techniques of a pair together gain over the better of one alone: {}", gains);
}

}  // namespace halfulp
