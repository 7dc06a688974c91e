#include "validation/chaos/plan.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace halfulp {

namespace {

std::string with_spread(const Sample& sample)
{
    return fmt::format("{:.3f} ± {:.3f}", mean(sample), std::sqrt(variance(sample)));
}

}  // namespace

void tell_divergence(Page& page, const std::vector<Row>& rows)
{
    // Rates are those of one stretch of time for all: the collapse and the impact amplify differently.
    const Divergence& own = row_of(rows, "double").apart;
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
    for (const Row& row : rows) {
        const std::string against =
            row.ensemble->relative_to_reference ? row.ensemble->reference : "its own next member";
        const double here = typical_at(row.apart, before_impact);
        page.row("{} | {} | {} | {} | {:.2e} | {:.3g} | {:.1f} | {} of {}", row.ensemble->name, against,
                 with_spread(row.apart.first), with_spread(row.apart.second), here,
                 here / typical_at(own, before_impact), growth_rate(row.apart, from, to), row.ensemble->stopped(),
                 row.ensemble->members.size());
    }
    const double robust = typical_at(row_of(rows, "robust").apart, before_impact) / typical_at(own, before_impact);
    page.paragraph(
        "All that robust rounds in {} s weighs as much as {:.3g} float ulps of the start: the "
        "flow amplifies both alike, and neither can be told from the other.",
        before_impact, robust);
}

void tell_distinction(Page& page, const std::vector<Row>& rows)
{
    for (const Quantity quantity : quantities) {
        std::vector<std::string> header{"ensemble"};
        for (const std::size_t record : compared_records(*rows[0].ensemble)) {
            const double time = rows[0].ensemble->members[0].records[record].time;
            header.push_back(fmt::format("mean at {:.2f} s", time));
            header.emplace_back("spread");
            header.emplace_back("from double [standard errors]");
            header.emplace_back("D");
        }
        page.table(header,
                   "{} [{}]: mean and standard deviation of the ensemble, difference of its mean from double's over "
                   "its standard error (Welch), and the distance D of the distributions (Kolmogorov and Smirnov)",
                   name_of(quantity), unit_of(quantity));
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
    page.table({"ensemble", "against", "smallest p of all tests, times their number", "at", "p, repeated", "at 1 %",
                "energy error, rms", "spread"},
               "Whether an ensemble can be told from double's, where that is so again with as many other members, and "
               "the energy error of its members over the whole run");
    for (const Row& row : rows) {
        const bool tested = row.ensemble->relative_to_reference;
        page.row("{} | {} | {} | {} | {} | {} | {:.3e} | {:.1e}", row.ensemble->name,
                 tested ? row.ensemble->reference : "", tested ? fmt::format("{:.2g}", row.distinction.smallest_p) : "",
                 tested ? row.distinction.where : "", row.found() ? fmt::format("{:.2g}", row.confirmed) : "",
                 !tested            ? "the reference"
                 : row.told_apart() ? "another distribution"
                                    : "cannot be told apart",
                 mean(row.errors), std::sqrt(variance(row.errors)));
    }
}

void tell_control(Page& page, const std::vector<Row>& rows)
{
    if (!has_row(rows, "double/units=si")) return;
    const Ensemble& scaled = *row_of(rows, "double").ensemble;
    const Ensemble& si = *row_of(rows, "double/units=si").ensemble;
    const Distinction control = distinguish(si, scaled, compared_records(scaled));
    page.paragraph(
        "For comparison: between double in scaled and in SI units, which solve the same problem, "
        "the smallest p times the number of tests is {:.2g} ({}).",
        control.smallest_p, control.where);
}

void write_tables(Table& growth, Table& bands, const std::vector<Row>& rows)
{
    for (const Row& row : rows) {
        const std::string& name = row.ensemble->name;
        const Divergence& apart = row.apart;
        for (std::size_t k = 0; k < apart.times.size(); ++k)
            growth.row(name, row.ensemble->relative_to_reference ? 0 : 1, apart.times[k], apart.typical[k],
                       apart.smallest[k], apart.largest[k]);
        const auto& longest = *std::ranges::max_element(row.ensemble->members, [](const Member& a, const Member& b) {
            return a.records.size() < b.records.size();
        });
        for (const Quantity quantity : quantities) {
            for (std::size_t k = 0; k < longest.records.size(); ++k) {
                const Sample sample = row.ensemble->values(quantity, k);
                bands.row(name, name_of(quantity), unit_of(quantity), longest.records[k].time, mean(sample),
                          quantile(sample, 0.1), quantile(sample, 0.9), sample.size());
            }
        }
    }
}

}  // namespace halfulp
