// halfulp validate operators: one evaluation of each right-hand side on the same particles, against quadruple
// precision.
#include "core/setup/policy_table.hpp"
#include "validation/operators/measure.hpp"

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
    const auto& ways = pressure_ways();
    std::vector<Job> jobs;
    for (const PressureWay& way : ways) {
        for (const double deviation : deviations)
            jobs.push_back(
                {parameter_key("pressure-pair",
                               {fmt::format("storage={}", way.storage), fmt::format("evaluation={}", way.evaluation),
                                fmt::format("deviation={}", deviation), fmt::format("pairs={}", pairs)}),
                 [way, deviation, pairs] { return way.errors(deviation, pairs); }});
    }
    Table table(
        options.folder, "operators-pressure",
        "storage,evaluation,deviation[1],rms_sum[c0^2],largest_sum[c0^2],rms_contribution[c0^2/h],relative_term[1]");
    std::vector<std::vector<PressureErrors>> errors(ways.size());
    Study("operators", options).run(jobs, [&](std::size_t k, const Result& result) {
        const std::size_t w = k / deviations.size();
        const auto& e = errors[w].emplace_back(result.as<PressureErrors>());
        table.row(ways[w].storage, ways[w].evaluation, deviations[k % deviations.size()], e.rms, e.largest,
                  e.contribution, e.relative);
    });
    std::vector<std::string> header{"density stored", "evaluation"};
    for (std::size_t k = 0; k < deviations.size(); k += 2) header.push_back(fmt::format("{:g}", deviations[k]));
    const auto errors_table = [&](const char* caption, double PressureErrors::*value) {
        page.table(header, caption);
        for (std::size_t w = 0; w < ways.size(); ++w) {
            std::vector<std::string> cells{ways[w].storage, ways[w].evaluation};
            for (std::size_t k = 0; k < deviations.size(); k += 2)
                cells.push_back(fmt::format("{:.1e}", errors[w][k].*value));
            page.row(cells);
        }
    };
    errors_table("rms absolute error of rho0 (P_a/rho_a^2 + P_b/rho_b^2) / c0^2, by |s|", &PressureErrors::rms);
    errors_table("rms absolute error of the pair's share of du/dt in units of c0^2/h, by |s|",
                 &PressureErrors::contribution);
    errors_table("rms relative error of one particle's rho0 P/rho^2, by |s|", &PressureErrors::relative);
    page.draw(
        table.complete(), "operators",
        "Absolute error of a pair's contribution (left) and relative error of the pressure term (right) over |s|.");

    const auto errors_of_way = [&](const char* storage, const char* evaluation) {
        const auto found = std::ranges::find_if(
            ways, [&](const PressureWay& way) { return way.storage == storage && way.evaluation == evaluation; });
        return errors.at(static_cast<std::size_t>(found - ways.begin()));
    };
    judge_pressure(page, deviations, errors_of_way("absolute", "powers"), errors_of_way("centred", "horner"));
}

void combine_techniques(Page& page, const StudyOptions& options)
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
    std::map<std::pair<std::string, int>, std::size_t> job_of;  // of a policy and a number of drifts
    for (const Combination& c : combinations) {
        for (const std::string policy : {c.neither, c.first, c.second, c.both}) {
            const int moves = c.drifts ? drifts : 0;
            const Block block = c.drifts ? far : near;
            if (policy.empty() || find_policy(policy) == nullptr) continue;
            if (!job_of.try_emplace({policy, moves}, jobs.size()).second) continue;
            jobs.push_back({job_key("operators-together", case_of(block, policy),
                                    {fmt::format("deviation={}", block.deviation), fmt::format("drifts={}", moves)}),
                            [block, policy, moves] {
                                if (moves > 0) return errors_after_drifts(block, policy, moves);
                                const auto e = measure_operators(block, policy, false);
                                return std::array{e.acceleration.rms_start, e.density_rate.rms_start};
                            }});
        }
    }
    const auto results = Study("operators", options).run(jobs);
    page.table({"techniques", "other parts", "shown by", "neither", "first alone", "second alone", "both",
                "both over the better of one"},
               "rms error in ulps");
    bool passed = true;
    bool complete = true;
    std::vector<std::string> gains;
    for (const Combination& c : combinations) {
        // Of what is not compiled not a number.
        const auto error = [&](const char* policy) {
            const auto found = job_of.find({policy, c.drifts ? drifts : 0});
            return found == job_of.end() ? NAN : results[found->second].as<std::array<double, 2>>()[c.density_rate];
        };
        const auto text = [&](const char* policy) {
            return std::isnan(error(policy)) ? "not compiled" : fmt::format("{:.3g}", in_ulps(error(policy)));
        };
        const bool known = !std::isnan(error(c.first) + error(c.second) + error(c.both));
        complete = complete && known;
        const double gain = known ? std::min(error(c.first), error(c.second)) / error(c.both) : 0;
        gains.push_back(fmt::format("{:.3g} (at least {}) from {}", gain, c.least_gain, c.base));
        passed = passed && gain >= c.least_gain;
        page.row({c.techniques, c.base, c.drifts ? "density rate, after drifts" : "acceleration", text(c.neither),
                  text(c.first), text(c.second), text(c.both),
                  known ? fmt::format("{:.3g} times better", gain) : "not compiled"});
    }
    if (!complete) {
        page.paragraph("Some of these policies are not compiled, so there is no verdict.");
        return;
    }
    page.verdict(passed, "both techniques of a pair together gain over the better of one alone: {}",
                 fmt::join(gains, ", "));
}

ExitCode run_experiment(const StudyOptions& options)
{
    Page page(options.folder, "operators", "Right-hand sides against quadruple precision");
    page.paragraph(
        "A block of fluid on a jittered lattice; velocities of up to a tenth of the sound speed and densities rho = rho0 (1 + s) "
        "are drawn for every particle. No gravity, viscosity or walls; Wendland's kernel, Tait's equation, pair (i). Each "
        "policy starts from the same numbers of single precision, evaluates du/dt and ds/dt once, and is compared with the "
        "same formulas in 113 bits, over the particles that have their whole support inside the block. Errors are root "
        "mean squares over the root mean square of the exact rate; an ulp is 2^-23 of that.");
    page.paragraph(
        "Two references: the exact start, against which a policy also answers for what it cannot store (a coordinate far from the "
        "origin, a density near rest), and the start as the policy holds it, against which only its evaluation counts.");
    sweep_operators(page, options, 2);
    if (options.scale == Scale::full) sweep_operators(page, options, 3);
    compare_pressure_pairs(page, options);
    combine_techniques(page, options);
    return page.close();
}

const bool registered = register_study<StudyOptions>(
    "operators",
    "One evaluation of du/dt and ds/dt against quadruple precision, over the displacement from the origin and the "
    "density's deviation, split by source of error",
    run_experiment);

}  // namespace

}  // namespace halfulp
