// halfulp validate chaos: rounding told apart from sensitivity. After an impact inviscid flow forgets its start, and a
// single run in another arithmetic is another run; ensembles that start one rounding apart are compared instead, each
// policy's with that of double.
#include <algorithm>
#include <cmath>
#include <memory>

#include <fmt/format.h>

#include "core/app/commands.hpp"
#include "core/error.hpp"
#include "validation/chaos/plan.hpp"
#include "validation/option.hpp"

namespace halfulp {

namespace {

struct Arguments : StudyOptions {
    int members = 0;  // 0: those of the scale
    std::uint64_t seed = 0;
    std::vector<std::string> policies;  // empty: those of the scale
};

// robust against every other policy without double parts, in two measures.
void judge_robust(Page& page, const std::vector<Row>& rows)
{
    const Row robust = row_of(rows, "robust");
    std::vector<const Row*> others;
    for (const Row& row : rows) {
        if (row.policy != nullptr && row.policy->name != "robust" && !has_double_parts(*row.policy))
            others.push_back(&row);
    }
    if (others.empty()) return;
    const auto tests = static_cast<double>(2 * others.size());
    page.table({"policy", "energy error over robust's", "difference [standard errors]",
                "parts from double later than robust by [s]", "difference [standard errors]"},
               "Policies without double parts against robust: above 1 and below 0, robust is better");
    std::string better;
    for (const Row* row : others) {
        const WelchTest energy = welch_test(row->errors, robust.errors);
        const WelchTest time = welch_test(row->apart.first, robust.apart.first);
        page.row("{} | {:.3f} | {:+.1f} | {:+.3f} | {:+.1f}", row->ensemble->name,
                 mean(row->errors) / mean(robust.errors), energy.t, time.difference, time.t);
        const bool smaller_error = energy.t < 0 && energy.p / 2 < significance / tests;
        const bool later = time.t > 0 && time.p / 2 < significance / tests;
        if (smaller_error) better += fmt::format(" {} (energy)", row->ensemble->name);
        if (later) better += fmt::format(" {} (divergence)", row->ensemble->name);
    }
    page.verdict(better.empty(),
                 "no policy without double parts has a smaller energy error than robust or parts later from double, "
                 "beyond the spread of the ensembles (Welch, one side, 1 % over all comparisons)" +
                     (better.empty() ? "" : "; better:" + better));
}

// What a repetition said, if there was one.
std::string repeated(const Row& row)
{
    return row.found() ? fmt::format("; p of {} with other members: {:.2g}", row.distinction.where, row.confirmed) : "";
}

void judge(Page& page, const std::vector<Row>& rows, const std::vector<Ensemble>& far_pairs,
           const std::vector<Ensemble>& ensembles)
{
    const Row robust = row_of(rows, "robust");
    page.verdict(robust.ensemble->stopped() == 0 && !robust.told_apart(),
                 "robust's ensemble cannot be told from double's at 1 %: the smallest p of {} tests times "
                 "their number (Bonferroni) is {:.2g}{}",
                 2 * robust.distinction.tests.size(), robust.distinction.smallest_p, repeated(robust));
    if (has_row(rows, far_name("naive"))) {
        const Row naive = row_of(rows, far_name("naive"));
        page.paragraph("naive {} cells from the origin {}: {:.2g}, {}{}.", far_away,
                       naive.told_apart() ? "can" : "cannot, once the flow has forgotten its start",
                       naive.distinction.smallest_p, naive.distinction.where, repeated(naive));
        // The comparison must be able to tell what is another flow: before the impact naive is one.
        const double ratio = typical_at(naive.apart, before_impact) / typical_at(robust.apart, before_impact);
        page.verdict(ratio > 10,
                     "before the impact, at {} s, naive there is {:.2g} times as far from "
                     "double as robust is (at least 10)",
                     before_impact, ratio);
    }
    judge_robust(page, rows);
    bool same = true;
    std::string names;
    for (const Ensemble& far_pair : far_pairs) {
        const Ensemble& here = ensemble_named(ensembles, far_pair.reference);
        names += (names.empty() ? "" : ", ") + far_pair.reference;
        for (std::size_t k = 0; k < far_pair.members.size(); ++k) {
            const Member& a = far_pair.members[k];
            const Member& b = here.members[k];
            bool equal = a.hash == b.hash && a.records.size() == b.records.size();
            for (std::size_t r = 0; equal && r < a.records.size(); ++r)
                equal = a.records[r].values == b.records[r].values;
            same = same && equal;
        }
    }
    page.verdict(same, "10^9 cells from the origin members have the same bits ({})", names);
}

Setup setup_of(const Arguments& arguments)
{
    const StudyOptions& options = arguments;
    Setup setup{.spacing = options.choose(0.05, 0.05, 0.025), .policies = {}};
    setup.members = static_cast<std::uint64_t>(arguments.members > 0 ? arguments.members : options.choose(16, 32, 64));
    setup.first = arguments.seed * 1'000'000;
    if (!arguments.policies.empty()) {
        setup.policies = laboratory_policies(arguments.policies);
        if (!setup.has("robust")) setup.policies.insert(setup.policies.begin(), *find_policy("robust"));
        return setup;
    }
    for (const PolicyInfo& policy : laboratory_policies(options.scale == Scale::full ? Scale::full : Scale::quick)) {
        if (options.scale != Scale::quick || policy.bundle) setup.policies.push_back(policy);
    }
    return setup;
}

void introduce(Page& page, const Setup& setup, double perturbation)
{
    const auto members = static_cast<std::size_t>(setup.members);
    const std::size_t tests = 2 * quantities.size() * compared_at.size();
    page.paragraph(
        "{} at a spacing of {} m to {} s: an inviscid column collapses, reaches the far wall at about 0.6 s and splashes "
        "for the rest. Ensembles of {} members{}; every fluid particle of a member starts {:.3g} m away from the "
        "lattice along each axis, one float ulp of its coordinate, its sign chosen at random by the member's number. "
        "Members of a policy and of double with the same number start the same.",
        chaos_case, setup.spacing, chaos_end, members, members < 32 ? " (32 are what a claim needs)" : "",
        perturbation);
    page.paragraph(
        "Two ensembles are told apart where one of {} tests, Welch's of the means and Kolmogorov and Smirnov's of the "
        "distributions at {} moments of {} quantities, has p below 1 % over {}, and the same test again below 1 % "
        "for as many other members of both. For {} members each the first is D of at least {:.3f}.",
        tests, compared_at.size(), quantities.size(), tests, members,
        kolmogorov_smirnov_critical(members, members, significance / static_cast<double>(tests)));
}

ExitCode run_experiment(const Arguments& arguments)
{
    const StudyOptions& options = arguments;
    const Setup setup = setup_of(arguments);
    Page page(options.folder, "chaos", "Rounding and sensitivity: ensembles after an impact");
    const std::vector<Wanted> wanted = wanted_ensembles(setup);
    introduce(page, setup, wanted[0].ensemble.perturbation);
    const std::vector<Ensemble> all = run_all(options, wanted, setup.first, most_pairs);
    std::vector<Row> rows;
    std::vector<Ensemble> far_pairs;
    for (const Ensemble& ensemble : all) {
        if (ensemble.name.find("10^9") != std::string::npos) {
            far_pairs.push_back(ensemble);
            continue;
        }
        const Ensemble& reference = ensemble_named(all, ensemble.reference);
        const auto policy = std::ranges::find(setup.policies, ensemble.name, &PolicyInfo::name);
        rows.push_back({.ensemble = &ensemble,
                        .policy = policy == setup.policies.end() ? nullptr : &*policy,
                        .apart = divergence(ensemble, reference, setup.spacing),
                        .distinction = distinguish(ensemble, reference, compared_records(reference)),
                        .errors = energy_errors(ensemble)});
    }
    confirm(options, setup, wanted, rows);
    Table growth(options.folder, "chaos",
                 "ensemble,own,time[s],distance[spacings],smallest[spacings],largest[spacings]");
    Table bands(options.folder, "chaos-bands", "ensemble,quantity,unit,time[s],mean,low,high,members");
    write_tables(growth, bands, rows);
    page.heading("When members part");
    tell_divergence(page, rows);
    page.draw(growth.path(), "chaos",
              "Distance between members that start the same in a policy and in double, geometric mean over the pairs; "
              "grey: between members of double that start one float ulp apart.");
    page.heading("What the ensembles do");
    tell_distinction(page, rows);
    page.draw(bands.path(), "chaos", "Mean of the ensembles and the middle 80 % of their members.");
    tell_control(page, rows);
    judge(page, rows, far_pairs, all);
    return page.close();
}

const bool registered = register_study<Arguments>(
    "chaos", "Ensembles that start one rounding apart, after an impact: is a policy's flow another than double's?",
    run_experiment, [](CLI::App& command, Arguments& arguments) {
        add(command, "--members", arguments.members, "Members of each ensemble (default: 32; --quick: 16; --full: 64)",
            CLI::Range(3, 10'000));
        add(command, "--seed", arguments.seed, "Another one gives other members", CLI::Range(0, 1'000'000));
        command.add_option("--policy", arguments.policies,
                           "Only these besides double and robust (default: those of the scale)");
    });

}  // namespace

}  // namespace halfulp
