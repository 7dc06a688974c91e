// halfulp validate chaos: rounding told apart from sensitivity. After an impact inviscid flow forgets its start, and a
// single run in another arithmetic is another run; ensembles that start one rounding apart are compared instead, each
// policy's with that of double.
#include <algorithm>
#include <cmath>
#include <map>
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "core/app/commands.hpp"
#include "core/setup/read_case.hpp"
#include "precision/position.hpp"
#include "validation/chaos/comparison.hpp"
#include "validation/experiment.hpp"
#include "validation/laboratory.hpp"
#include "validation/page.hpp"

namespace halfulp {

namespace {

constexpr const char* case_name = "inviscid-tank-2d";
constexpr double end = 1.6;                       // s: the front is at the far wall from about 0.6 s on
constexpr std::array compared_at{1.0, 1.3, 1.6};  // s
constexpr std::int64_t far_away = 4000;           // cells: a float coordinate there is 6e-4 spacings wide
constexpr std::int64_t farther = 1'000'000'000;   // cells
constexpr std::uint64_t most_pairs = 16;          // whose positions are kept
constexpr double level = 0.01;

struct Setup {
    double spacing;
    int members;
    std::vector<PolicyInfo> policies;
};

Case case_at(const Setup& setup, const std::string& precision, std::int64_t cells)
{
    return read_case(
        find_case(case_name),
        {fmt::format("numerics.precision={}", precision), fmt::format("resolution.spacing={}", setup.spacing),
         fmt::format("time.end={}", end), "time.cfl=0.2", fmt::format("origin.cells=[{},{}]", cells, -cells)});
}

struct Wanted {
    Ensemble ensemble;
    Case source;
    int members = 0;
};

std::string far_name(const std::string& policy) { return fmt::format("{}, {} cells away", policy, far_away); }

// The references first, then the policies, then what lies elsewhere.
std::vector<Wanted> wanted_ensembles(const Setup& setup)
{
    std::vector<Wanted> all;
    const double here = coordinate_ulp(prepare(case_at(setup, "robust", 0)), true);
    const double there = coordinate_ulp(prepare(case_at(setup, "robust", far_away)), true);
    const auto add = [&](const std::string& name, const std::string& reference, const std::string& precision,
                         std::int64_t cells, double perturbation, int members) {
        all.push_back({{.name = name,
                        .reference = reference,
                        .relative_to_reference = name != reference,
                        .perturbation = perturbation,
                        .members = {}},
                       case_at(setup, precision, cells),
                       members});
    };
    add("double", "double", "double", 0, here, setup.members);
    add("double/units=si", "double/units=si", "double/units=si", 0, here, setup.members);
    // What begins as far apart as coordinates far away are rounded.
    const std::string coarse = "double/units=si, perturbed as far away";
    add(coarse, coarse, "double/units=si", 0, there, setup.members);
    for (const PolicyInfo& policy : setup.policies) {
        if (policy.name == "double" || policy.name == "double/units=si") continue;
        add(policy.name, double_reference(policy), policy.name, 0, here, setup.members);
    }
    add(far_name("naive"), coarse, "naive", far_away, there, setup.members);
    for (const PolicyInfo& policy : setup.policies) {
        if (policy.position == CellOffset::name)
            add(fmt::format("{}, 10^9 cells away", policy.name), policy.name, policy.name, farther, here, 2);
    }
    return all;
}

std::vector<Ensemble> run_all(const StudyOptions& options, std::vector<Wanted> wanted)
{
    std::vector<Job> jobs;
    std::vector<std::pair<std::size_t, std::size_t>> places;  // ensemble, member
    for (std::size_t e = 0; e < wanted.size(); ++e) {
        wanted[e].ensemble.members.resize(static_cast<std::size_t>(wanted[e].members));
        for (std::uint64_t k = 0; k < wanted[e].ensemble.members.size(); ++k) {
            const MemberOptions member{
                .member = k, .perturbation = wanted[e].ensemble.perturbation, .positions = k < most_pairs};
            places.emplace_back(e, k);
            jobs.push_back({job_key("chaos", wanted[e].source,
                                    {fmt::format("member={} perturbation={} records={} positions={}", member.member,
                                                 member.perturbation, member.records, member.positions)}),
                            [c = wanted[e].source, member] { return run_member(c, member); }});
        }
    }
    Study("chaos", options).run(jobs, [&](std::size_t k, const Results& rows) {
        wanted[places[k].first].ensemble.members[places[k].second] = member_of(rows);
    });
    std::vector<Ensemble> ensembles;
    for (Wanted& w : wanted) ensembles.push_back(std::move(w.ensemble));
    return ensembles;
}

// What a policy's ensemble comes to.
struct Row {
    const Ensemble* ensemble;
    const PolicyInfo* policy;  // null for what lies elsewhere and for references
    Divergence apart;
    Distinction distinction;
    Sample errors;
};

const Row& row_of(const std::vector<Row>& rows, const std::string& name)
{
    return *std::find_if(rows.begin(), rows.end(), [&](const Row& row) { return row.ensemble->name == name; });
}

std::string with_spread(const Sample& sample)
{
    return fmt::format("{:.3f} ± {:.3f}", mean(sample), std::sqrt(variance(sample)));
}

std::vector<std::size_t> compared_records(const Ensemble& reference)
{
    std::vector<std::size_t> records;
    const auto& kept = reference.members[0].records;
    for (const double time : compared_at) {
        std::size_t nearest = 0;
        for (std::size_t k = 0; k < kept.size(); ++k)
            if (std::abs(kept[k].time - time) < std::abs(kept[nearest].time - time)) nearest = k;
        records.push_back(nearest);
    }
    return records;
}

// How far members of double have parted that started one float ulp apart, where a policy's are called apart by
// rounding.
constexpr double before_impact = 0.4;  // s

void tell_divergence(Page& page, const std::vector<Row>& rows)
{
    // Rates are those of one stretch of time for all: the collapse and the impact amplify differently.
    const Divergence& own = row_of(rows, "double").apart;
    const double from = time_beyond(own.times, own.typical, 1e-5);
    const double to = time_beyond(own.times, own.typical, 1e-2);
    page.table({"ensemble", "against", "beyond 1e-3 spacings [s]", "beyond 0.1 spacings [s]",
                fmt::format("distance at {} s [spacings]", before_impact), "over that of one ulp",
                fmt::format("growth from {:.2f} to {:.2f} s [1/s]", from, to), "stopped early"},
               fmt::format("When the rms distance of particles exceeds a threshold, mean and standard deviation over "
                           "the pairs; how far they are apart at {} s, before the impact, and that over what one float "
                           "ulp at the start has become in double by then; and the rate of exponential growth while "
                           "that grows from 1e-5 to 1e-2 spacings",
                           before_impact));
    for (const Row& row : rows) {
        const std::string against =
            row.ensemble->relative_to_reference ? row.ensemble->reference : "its own next member";
        const double here = typical_at(row.apart, before_impact);
        page.row({row.ensemble->name, against, with_spread(row.apart.first), with_spread(row.apart.second),
                  fmt::format("{:.2e}", here), fmt::format("{:.3g}", here / typical_at(own, before_impact)),
                  fmt::format("{:.1f}", growth_rate(row.apart, from, to)),
                  fmt::format("{} of {}", row.ensemble->stopped(), row.ensemble->members.size())});
    }
    const double robust = typical_at(row_of(rows, "robust").apart, before_impact) / typical_at(own, before_impact);
    page.paragraph(
        fmt::format("All that robust rounds in {} s weighs as much as {:.3g} float ulps of the start: the "
                    "flow amplifies both alike, and neither can be told from the other.",
                    before_impact, robust));
}

void tell_distinction(Page& page, const std::vector<Row>& rows)
{
    for (const Quantity quantity : quantities) {
        std::vector<std::string> header{"ensemble"};
        for (const double time : compared_at) {
            header.push_back(fmt::format("mean at {} s", time));
            header.emplace_back("spread");
            header.emplace_back("from double [standard errors]");
            header.emplace_back("D");
        }
        page.table(header, fmt::format("{} [{}]: mean and standard deviation of the ensemble, difference of its mean "
                                       "from double's over its standard error (Welch), and the distance D of the "
                                       "distributions (Kolmogorov and Smirnov)",
                                       name_of(quantity), unit_of(quantity)));
        for (const Row& row : rows) {
            std::vector<std::string> cells{row.ensemble->name};
            const auto records = compared_records(*row.ensemble);
            for (std::size_t k = 0; k < records.size(); ++k) {
                const Sample sample = row.ensemble->values(quantity, records[k]);
                cells.push_back(sample.empty() ? "none" : fmt::format("{:.4g}", mean(sample)));
                cells.push_back(sample.empty() ? "none" : fmt::format("{:.2g}", std::sqrt(variance(sample))));
                const auto test = std::find_if(
                    row.distinction.tests.begin(), row.distinction.tests.end(),
                    [&](const QuantityTest& t) { return t.quantity == quantity && t.record == records[k]; });
                const bool tested = row.ensemble->relative_to_reference && test != row.distinction.tests.end();
                cells.push_back(tested ? fmt::format("{:+.1f}", test->welch.t) : "");
                cells.push_back(tested ? fmt::format("{:.2f}", test->distance) : "");
            }
            page.row(cells);
        }
    }
    page.table({"ensemble", "against", "smallest p of all tests, times their number", "at", "at 1 %",
                "energy error, rms", "spread"},
               "Whether an ensemble can be told from double's, and the energy error of its members over the whole run");
    for (const Row& row : rows) {
        const bool tested = row.ensemble->relative_to_reference;
        page.row({row.ensemble->name, tested ? row.ensemble->reference : "",
                  tested ? fmt::format("{:.2g}", row.distinction.smallest_p) : "", tested ? row.distinction.where : "",
                  !tested                              ? "the reference"
                  : row.distinction.smallest_p < level ? "another distribution"
                                                       : "cannot be told apart",
                  fmt::format("{:.3e}", mean(row.errors)), fmt::format("{:.1e}", std::sqrt(variance(row.errors)))});
    }
}

// robust against every other policy without double parts, in two measures.
void judge_robust(Page& page, const std::vector<Row>& rows)
{
    const Row& robust = row_of(rows, "robust");
    std::vector<const Row*> others;
    for (const Row& row : rows) {
        if (row.policy != nullptr && row.policy->name != "robust" && !has_double_parts(*row.policy))
            others.push_back(&row);
    }
    const auto tests = static_cast<double>(2 * others.size());
    page.table({"policy", "energy error over robust's", "difference [standard errors]",
                "parts from double later than robust by [s]", "difference [standard errors]"},
               "Policies without double parts against robust: above 1 and below 0, robust is better");
    std::string better;
    for (const Row* row : others) {
        const WelchTest energy = welch_test(row->errors, robust.errors);
        const WelchTest time = welch_test(row->apart.first, robust.apart.first);
        page.row({row->ensemble->name, fmt::format("{:.3f}", mean(row->errors) / mean(robust.errors)),
                  fmt::format("{:+.1f}", energy.t), fmt::format("{:+.3f}", time.difference),
                  fmt::format("{:+.1f}", time.t)});
        const bool smaller_error = energy.t < 0 && energy.p / 2 < level / tests;
        const bool later = time.t > 0 && time.p / 2 < level / tests;
        if (smaller_error) better += fmt::format(" {} (energy)", row->ensemble->name);
        if (later) better += fmt::format(" {} (divergence)", row->ensemble->name);
    }
    page.verdict(better.empty(),
                 "no policy without double parts has a smaller energy error than robust or parts later "
                 "from double, beyond the spread of the ensembles (Welch, one side, 1 % over all "
                 "comparisons)" +
                     (better.empty() ? "" : "; better:" + better));
}

void judge(Page& page, const std::vector<Row>& rows, const std::vector<Ensemble>& far_pairs,
           const std::vector<Ensemble>& ensembles)
{
    const Ensemble& scaled = *row_of(rows, "double").ensemble;
    const Ensemble& si = *row_of(rows, "double/units=si").ensemble;
    const Distinction control = distinguish(si, scaled, compared_records(scaled));
    page.paragraph(
        fmt::format("For comparison: between double in scaled and in SI units, which solve the same problem, "
                    "the smallest p times the number of tests is {:.2g} ({}).",
                    control.smallest_p, control.where));
    const Row& robust = row_of(rows, "robust");
    page.verdict(robust.ensemble->stopped() == 0 && robust.distinction.smallest_p >= level,
                 fmt::format("robust's ensemble cannot be told from double's at 1 %: the smallest p of {} tests times "
                             "their number (Bonferroni) is {:.2g}",
                             2 * robust.distinction.tests.size(), robust.distinction.smallest_p));
    const Row& naive = row_of(rows, far_name("naive"));
    page.verdict(naive.ensemble->stopped() == naive.ensemble->members.size() || naive.distinction.smallest_p < level,
                 fmt::format("naive {} cells from the origin can: {:.2g}, {}", far_away, naive.distinction.smallest_p,
                             naive.distinction.where));
    judge_robust(page, rows);
    bool same = true;
    std::string names;
    for (const Ensemble& far_pair : far_pairs) {
        const auto here = std::find_if(ensembles.begin(), ensembles.end(),
                                       [&](const Ensemble& e) { return e.name == far_pair.reference; });
        names += (names.empty() ? "" : ", ") + far_pair.reference;
        for (std::size_t k = 0; k < far_pair.members.size(); ++k) {
            const Member& a = far_pair.members[k];
            const Member& b = here->members[k];
            bool equal = a.hash == b.hash && a.records.size() == b.records.size();
            for (std::size_t r = 0; equal && r < a.records.size(); ++r)
                equal = a.records[r].values == b.records[r].values;
            same = same && equal;
        }
    }
    page.verdict(same, fmt::format("10^9 cells from the origin members have the same bits ({})", names));
}

void write_tables(Table& growth, Table& bands, const std::vector<Row>& rows)
{
    for (const Row& row : rows) {
        const std::string& name = row.ensemble->name;
        const Divergence& apart = row.apart;
        for (std::size_t k = 0; k < apart.times.size(); ++k)
            growth.row(fmt::format("\"{}\",{},{},{},{},{}", name, row.ensemble->relative_to_reference ? 0 : 1,
                                   apart.times[k], apart.typical[k], apart.smallest[k], apart.largest[k]));
        const auto& longest =
            *std::max_element(row.ensemble->members.begin(), row.ensemble->members.end(),
                              [](const Member& a, const Member& b) { return a.records.size() < b.records.size(); });
        for (const Quantity quantity : quantities) {
            for (std::size_t k = 0; k < longest.records.size(); ++k) {
                const Sample sample = row.ensemble->values(quantity, k);
                bands.row(fmt::format("\"{}\",{},{},{},{},{},{},{}", name, name_of(quantity), unit_of(quantity),
                                      longest.records[k].time, mean(sample), quantile(sample, 0.1),
                                      quantile(sample, 0.9), sample.size()));
            }
        }
    }
}

Setup setup_of(const StudyOptions& options)
{
    Setup setup{.spacing = options.choose(0.05, 0.05, 0.025), .members = options.choose(16, 32, 64), .policies = {}};
    for (const PolicyInfo& policy : laboratory_policies(options.scale == Scale::full ? Scale::full : Scale::quick)) {
        if (options.scale != Scale::quick || policy.bundle) setup.policies.push_back(policy);
    }
    return setup;
}

ExitCode run_experiment(const StudyOptions& options)
{
    const Setup setup = setup_of(options);
    Page page(options.folder, "chaos", "Rounding and sensitivity: ensembles after an impact");
    const std::vector<Ensemble> all = run_all(options, wanted_ensembles(setup));
    std::vector<Row> rows;
    std::vector<Ensemble> far_pairs;
    for (const Ensemble& ensemble : all) {
        if (ensemble.name.find("10^9") != std::string::npos) {
            far_pairs.push_back(ensemble);
            continue;
        }
        const Ensemble& reference =
            *std::find_if(all.begin(), all.end(), [&](const Ensemble& e) { return e.name == ensemble.reference; });
        const auto policy = std::find_if(setup.policies.begin(), setup.policies.end(),
                                         [&](const PolicyInfo& p) { return p.name == ensemble.name; });
        rows.push_back({.ensemble = &ensemble,
                        .policy = policy == setup.policies.end() ? nullptr : &*policy,
                        .apart = divergence(ensemble, reference, setup.spacing),
                        .distinction = distinguish(ensemble, reference, compared_records(reference)),
                        .errors = energy_errors(ensemble)});
    }
    const auto members = static_cast<std::size_t>(setup.members);
    const std::size_t tests = 2 * quantities.size() * compared_at.size();
    page.paragraph(fmt::format(
        "{} at a spacing of {} m to {} s: an inviscid column collapses, reaches the far wall at about 0.6 s and splashes "
        "for the rest. Ensembles of {} members{}; every fluid particle of a member starts {:.3g} m away from the "
        "lattice along each axis, one float ulp of its coordinate, its sign chosen at random by the member's number. "
        "Members of a policy and of double with the same number start the same.",
        case_name, setup.spacing, end, members, members < 32 ? " (--quick; 32 are what a claim needs)" : "",
        all[0].perturbation));
    page.paragraph(fmt::format(
        "Two ensembles are told apart where one of {} tests, Welch's of the means and Kolmogorov and Smirnov's of the "
        "distributions at three moments of four quantities, has p below 1 % over {}. For {} members each that is D of "
        "at least {:.3f}.",
        tests, tests, members, kolmogorov_smirnov_critical(members, members, level / static_cast<double>(tests))));
    Table growth(options.folder, "chaos",
                 "ensemble,own,time[s],distance[spacings],smallest[spacings],largest[spacings]");
    Table bands(options.folder, "chaos-bands", "ensemble,quantity,unit,time[s],mean,low,high,members");
    write_tables(growth, bands, rows);
    growth.close();
    bands.close();
    page.heading("When members part");
    tell_divergence(page, rows);
    page.draw(growth.path(), "chaos",
              "Distance between members that start the same in a policy and in double, geometric mean over the pairs; "
              "grey: between members of double that start one float ulp apart.");
    page.heading("What the ensembles do");
    tell_distinction(page, rows);
    page.draw(bands.path(), "chaos", "Mean of the ensembles and the middle 80 % of their members.");
    judge(page, rows, far_pairs, all);
    return page.close();
}

const bool registered = register_experiment({
    .command = "validate",
    .name = "chaos",
    .summary = "Ensembles that start one rounding apart, after an impact: is a policy's flow another than double's?",
    .set_up =
        [](CLI::App& command) {
            auto options = std::make_shared<StudyOptions>();
            add_study_options(command, *options);
            return [options] { return run_experiment(*options); };
        },
});

}  // namespace

}  // namespace halfulp
