// halfulp validate chaos: rounding told apart from sensitivity. After an impact inviscid flow forgets its start, and a
// single run in another arithmetic is another run; ensembles that start one rounding apart are compared instead, each
// policy's with that of double.
#include "validation/chaos/plan.hpp"
#include "validation/experiment.hpp"

namespace halfulp {

namespace {

constexpr std::uint64_t most_pairs = 16;  // whose positions are kept
// When distances from double are compared that are rounding's and not yet the impact's, s.
constexpr double before_impact = 0.4;

struct Arguments : StudyOptions {
    int members = 0;  // 0: those of the scale
    std::uint64_t seed = 0;
    std::vector<std::string> policies;  // empty: those of the scale
};

Setup setup_of(const Arguments& arguments)
{
    Setup setup{.spacing = arguments.choose(0.05, 0.05, 0.025), .policies = {}};
    setup.members =
        static_cast<std::uint64_t>(arguments.members > 0 ? arguments.members : arguments.choose(16, 32, 64));
    setup.first = arguments.seed * 1'000'000;
    if (!arguments.policies.empty()) {
        setup.policies = laboratory_policies(arguments.policies);
        if (!setup.has("robust")) setup.policies.insert(setup.policies.begin(), *find_policy("robust"));
        return setup;
    }
    setup.policies = laboratory_policies(arguments.scale == Scale::full ? Scale::full : Scale::quick);
    if (arguments.scale == Scale::quick) std::erase_if(setup.policies, [](const PolicyInfo& p) { return !p.bundle; });
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

// The distances, and the ensembles' means and middle 80 %, over time.
void write_tables(Table& growth, Table& bands, const std::vector<Row>& rows)
{
    for (const Row& row : rows) {
        const Ensemble& ensemble = *row.ensemble;
        const Divergence& apart = row.apart;
        for (std::size_t k = 0; k < apart.times.size(); ++k)
            growth.row(ensemble.name, ensemble.is_reference(), apart.times[k], apart.typical[k], apart.smallest[k],
                       apart.largest[k]);
        const auto& longest =
            *std::ranges::max_element(ensemble.members, {}, [](const Member& m) { return m.records.size(); });
        for (const Quantity quantity : quantities) {
            for (std::size_t k = 0; k < longest.records.size(); ++k) {
                const Sample sample = ensemble.values(quantity, k);
                bands.row(ensemble.name, name_of(quantity), unit_of(quantity), longest.records[k].time, mean(sample),
                          quantile(sample, 0.1), quantile(sample, 0.9), sample.size());
            }
        }
    }
}

// When members part, and how fast.
void report_divergence(Page& page, const std::vector<Row>& rows)
{
    const auto with_spread = [](const Sample& sample) {
        return fmt::format("{:.3f} ± {:.3f}", mean(sample), std::sqrt(variance(sample)));
    };
    // Rates are those of one stretch of time for all: the collapse and the impact amplify differently.
    const Divergence& own = find_row(rows, "double")->apart;
    const double from = time_beyond(own.times, own.typical, 1e-5);
    const double to = time_beyond(own.times, own.typical, 1e-2);
    page.table({"ensemble", "against", "beyond 1e-3 spacings [s]", "beyond 0.1 spacings [s]",
                fmt::format("distance at {} s [spacings]", before_impact), "over that of one ulp",
                fmt::format("growth from {:.2f} to {:.2f} s [1/s]", from, to), "stopped early"},
               "When the rms distance of particles exceeds a threshold, mean and standard deviation over "
               "the pairs; how far they are apart at {} s, before the impact, and that over what one float "
               "ulp at the start has become in double by then; and the rate of exponential growth while "
               "that grows from 1e-5 to 1e-2 spacings",
               before_impact);
    const double one_ulp = typical_at(own, before_impact);
    for (const Row& row : rows) {
        const Ensemble& ensemble = *row.ensemble;
        const double here = typical_at(row.apart, before_impact);
        page.row("{} | {} | {} | {} | {:.2e} | {:.3g} | {:.1f} | {} of {}", ensemble.name,
                 ensemble.is_reference() ? "its own next member" : ensemble.reference, with_spread(row.apart.first),
                 with_spread(row.apart.second), here, here / one_ulp, growth_rate(row.apart, from, to),
                 ensemble.stopped(), ensemble.members.size());
    }
    page.paragraph(
        "All that robust rounds in {} s weighs as much as {:.3g} float ulps of the start: the "
        "flow amplifies both alike, and neither can be told from the other.",
        before_impact, typical_at(find_row(rows, "robust")->apart, before_impact) / one_ulp);
}

// The statistics of the ensembles at the compared moments, and whether they can be told apart.
void report_distinction(Page& page, const std::vector<Row>& rows)
{
    for (const Quantity quantity : quantities) {
        std::vector<std::string> header{"ensemble"};
        for (const std::size_t record : compared_records(*rows[0].ensemble)) {
            const double time = rows[0].ensemble->members[0].records[record].time;
            header.insert(header.end(),
                          {fmt::format("mean at {:.2f} s", time), "spread", "from double [standard errors]", "D"});
        }
        page.table(header,
                   "{} [{}]: mean and standard deviation of the ensemble, difference of its mean from double's over "
                   "its standard error (Welch), and the distance D of the distributions (Kolmogorov and Smirnov)",
                   name_of(quantity), unit_of(quantity));
        for (const Row& row : rows) {
            std::vector<std::string> cells{row.ensemble->name};
            for (const std::size_t record : compared_records(*row.ensemble)) {
                const Sample sample = row.ensemble->values(quantity, record);
                cells.push_back(sample.empty() ? "none" : fmt::format("{:.4g}", mean(sample)));
                cells.push_back(sample.empty() ? "none" : fmt::format("{:.2g}", std::sqrt(variance(sample))));
                const auto& tests = row.distinction.tests;
                const auto test = std::ranges::find_if(
                    tests, [&](const QuantityTest& t) { return t.quantity == quantity && t.record == record; });
                const bool tested = !row.ensemble->is_reference() && test != tests.end();
                cells.push_back(tested ? fmt::format("{:+.1f}", test->welch.t) : "");
                cells.push_back(tested ? fmt::format("{:.2f}", test->distance) : "");
            }
            page.row(cells);
        }
    }
    page.table({"ensemble", "against", "smallest p of all tests, times their number", "at", "p, repeated", "at 1 %",
                "energy error, rms", "spread"},
               "Whether an ensemble can be told from double's, where that is so again with as many other members, and "
               "the energy error of its members over the whole run");
    for (const Row& row : rows) {
        const bool tested = !row.ensemble->is_reference();
        page.row("{} | {} | {} | {} | {} | {} | {:.3e} | {:.1e}", row.ensemble->name,
                 tested ? row.ensemble->reference : "", tested ? fmt::format("{:.2g}", row.distinction.smallest_p) : "",
                 tested ? row.distinction.where : "", row.found() ? fmt::format("{:.2g}", row.confirmed) : "",
                 !tested            ? "the reference"
                 : row.told_apart() ? "another distribution"
                                    : "cannot be told apart",
                 mean(row.errors), std::sqrt(variance(row.errors)));
    }
}

// Two ensembles of the same thing, for comparison.
void report_control(Page& page, const std::vector<Row>& rows)
{
    const Row* const si = find_row(rows, "double/units=si");
    if (si == nullptr) return;
    const Ensemble& scaled = *find_row(rows, "double")->ensemble;
    const Distinction control = distinguish(*si->ensemble, scaled, compared_records(scaled));
    page.paragraph(
        "For comparison: between double in scaled and in SI units, which solve the same problem, "
        "the smallest p times the number of tests is {:.2g} ({}).",
        control.smallest_p, control.where);
}

// robust against every other policy without double parts, in two measures.
void judge_robust(Page& page, const std::vector<Row>& rows, const Row& robust)
{
    std::vector<Row> others = rows;
    std::erase_if(others, [](const Row& row) {
        return row.policy == nullptr || row.policy->name == "robust" || has_double_parts(*row.policy);
    });
    if (others.empty()) return;
    const auto tests = static_cast<double>(2 * others.size());
    page.table({"policy", "energy error over robust's", "difference [standard errors]",
                "parts from double later than robust by [s]", "difference [standard errors]"},
               "Policies without double parts against robust: above 1 and below 0, robust is better");
    std::string better;
    for (const Row& row : others) {
        // Members of one number start the same, unless they are elsewhere.
        const bool same_starts = row.ensemble->reference == robust.ensemble->reference;
        const auto compare = [&](const Sample& a, const Sample& b) {
            return same_starts && a.size() == b.size() ? paired_test(a, b) : welch_test(a, b);
        };
        const DifferenceOfMeans energy = compare(row.errors, robust.errors);
        const DifferenceOfMeans time = compare(row.apart.first, robust.apart.first);
        page.row("{} | {:.3f} | {:+.1f} | {:+.3f} | {:+.1f}", row.ensemble->name,
                 mean(row.errors) / mean(robust.errors), energy.t, time.difference, time.t);
        if (energy.t < 0 && energy.p / 2 < significance / tests)
            better += fmt::format(" {} (energy)", row.ensemble->name);
        if (time.t > 0 && time.p / 2 < significance / tests)
            better += fmt::format(" {} (divergence)", row.ensemble->name);
    }
    page.verdict(better.empty(),
                 "no policy without double parts has a smaller energy error than robust or parts later from double, "
                 "beyond the spread of the ensembles (by pairs of one start, one side, 1 % over all comparisons)" +
                     (better.empty() ? "" : "; better:" + better));
}

void judge(Page& page, const std::vector<Row>& rows)
{
    const auto repeated = [](const Row& row) {
        return row.found() ? fmt::format("; p of {} with other members: {:.2g}", row.distinction.where, row.confirmed)
                           : "";
    };
    const Row& robust = *find_row(rows, "robust");
    page.verdict(robust.ensemble->stopped() == 0 && !robust.told_apart(),
                 "robust's ensemble cannot be told from double's at 1 %: the smallest p of {} tests times "
                 "their number (Bonferroni) is {:.2g}{}",
                 2 * robust.distinction.tests.size(), robust.distinction.smallest_p, repeated(robust));
    if (const Row* const naive = find_row(rows, far_name("naive"))) {
        page.paragraph("naive {} cells from the origin {}: {:.2g}, {}{}.", far_away,
                       naive->told_apart() ? "can" : "cannot, once the flow has forgotten its start",
                       naive->distinction.smallest_p, naive->distinction.where, repeated(*naive));
        // The comparison must be able to tell what is another flow: before the impact naive is one.
        const double ratio = typical_at(naive->apart, before_impact) / typical_at(robust.apart, before_impact);
        page.verdict(ratio > 10,
                     "before the impact, at {} s, naive there is {:.2g} times as far from "
                     "double as robust is (at least 10)",
                     before_impact, ratio);
    }
    judge_robust(page, rows, robust);
}

// Members 10^9 cells away against those of the same policy at the origin.
void judge_distance(Page& page, const std::vector<Wanted>& wanted, const std::vector<Ensemble>& all)
{
    bool same = true;
    std::vector<std::string> names;
    for (std::size_t e = 0; e < all.size(); ++e) {
        if (!wanted[e].farther) continue;
        const Ensemble& here = ensemble_named(all, all[e].reference);
        names.push_back(all[e].reference);
        for (std::size_t k = 0; k < all[e].members.size(); ++k) {
            const Member& a = all[e].members[k];
            const Member& b = here.members[k];
            same = same && a.hash == b.hash &&
                   std::ranges::equal(a.records, b.records, {}, &Member::Record::values, &Member::Record::values);
        }
    }
    page.verdict(same, "10^9 cells from the origin members have the same bits ({})", fmt::join(names, ", "));
}

ExitCode run_experiment(const Arguments& arguments)
{
    const Setup setup = setup_of(arguments);
    Page page(arguments.folder, "chaos", "Rounding and sensitivity: ensembles after an impact");
    const std::vector<Wanted> wanted = wanted_ensembles(setup);
    introduce(page, setup, wanted[0].ensemble.perturbation);
    const std::vector<Ensemble> all = run_all(arguments, wanted, setup.first, most_pairs);
    std::vector<Row> rows = compare_all(all, wanted, setup);
    confirm(arguments, setup, wanted, rows);
    Table growth(arguments.folder, "chaos",
                 "ensemble,own,time[s],distance[spacings],smallest[spacings],largest[spacings]");
    Table bands(arguments.folder, "chaos-bands", "ensemble,quantity,unit,time[s],mean,low,high,members");
    write_tables(growth, bands, rows);
    page.heading("When members part");
    report_divergence(page, rows);
    page.draw(growth.complete(), "chaos",
              "Distance between members that start the same in a policy and in double, geometric mean over the pairs; "
              "grey: between members of double that start one float ulp apart.");
    page.heading("What the ensembles do");
    report_distinction(page, rows);
    page.draw(bands.complete(), "chaos", "Mean of the ensembles and the middle 80 % of their members.");
    report_control(page, rows);
    judge(page, rows);
    judge_distance(page, wanted, all);
    return page.close();
}

const bool registered = register_study<Arguments>(
    "chaos",
    "Ensembles that start one rounding error apart, after an impact: does a policy's flow differ statistically from double's?",
    run_experiment, [](CLI::App& command, Arguments& arguments) {
        add(command, "--members", arguments.members, "Members of each ensemble (default: 32; --quick: 16; --full: 64)",
            CLI::Range(3, 10'000));
        add(command, "--seed", arguments.seed, "Another one gives other members", CLI::Range(0, 1'000'000));
        command.add_option("--policy", arguments.policies,
                           "Only these besides double and robust (default: those of the scale)");
    });

}  // namespace

}  // namespace halfulp
