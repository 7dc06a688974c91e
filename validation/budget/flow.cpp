#include "validation/budget/flow.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <string>

#include <fmt/format.h>

#include "validation/budget/loss.hpp"
#include "validation/experiment.hpp"

namespace halfulp {

namespace {

using Numbers = std::vector<double>;

// Roundings of a term: the difference, its square, the root, q, the kernel, two equations of state, the products.
constexpr double allowed_term_error = 32;

double quantile(Numbers values, double share)
{
    std::ranges::sort(values);
    return values.at(static_cast<std::size_t>(share * static_cast<double>(values.size() - 1)));
}

std::string percent(double share) { return share >= 0.995 ? "100" : fmt::format("{:.2g}", 100 * share); }

Numbers column(const std::vector<Numbers>& rows, std::size_t k)
{
    Numbers values;
    for (const Numbers& row : rows) values.push_back(row.at(k));
    return values;
}

Tally tally_of(const FlowRows& rows, Holding holding, double cfl)
{
    Tally sum;
    for (const Numbers& row : rows.of(FlowRow::loss)) {
        if (static_cast<int>(row.at(1)) != static_cast<int>(holding) || row.at(2) != cfl) continue;
        sum.changes += row.at(3);
        sum.lost += row.at(4);
        sum.bits += row.at(5);
    }
    return sum;
}

}  // namespace

FlowRows::FlowRows(const Results& results)
{
    for (const Numbers& row : results)
        kinds_[static_cast<std::size_t>(row.at(0))].emplace_back(row.begin() + 1, row.end());
}

const Results& FlowRows::of(FlowRow kind) const { return kinds_[static_cast<std::size_t>(kind)]; }

Results FlowRows::at(FlowRow kind, double moment) const
{
    Results found;
    for (const Numbers& row : of(kind))
        if (row.at(0) == moment) found.push_back(row);
    return found;
}

std::filesystem::path say_conditions(Page& page, const std::filesystem::path& folder, const FlowRows& rows)
{
    page.heading("Cancellation in the sums over neighbours");
    page.table({"time [s]", "sum", "median", "9 in 10 below", "99 in 100 below", "largest"},
               "condition numbers sum|a|/|sum a| of the particles of the fluid; vectors by their lengths");
    Table table(folder, "budget", "time[s],sum,median[1],p90[1],p99[1],largest[1]");
    Table particles(folder, "budget-particles",
                    "time[s],x[m],y[m],z[m],forces[1],acceleration[1],density_rate[1],neighbours,"
                    "position_bits,velocity_bits,density_bits");
    double worst = 0;
    for (const Numbers& moment : rows.of(FlowRow::moment)) {
        const auto own = rows.at(FlowRow::particle, moment.at(0));
        worst = std::max(worst, moment.at(2));
        constexpr std::array sums{"forces", "acceleration, with gravity", "density rate"};
        for (std::size_t k = 0; k < sums.size(); ++k) {
            const Numbers values = column(own, 4 + k);
            const Numbers q{quantile(values, 0.5), quantile(values, 0.9), quantile(values, 0.99), quantile(values, 1)};
            page.row("{:.3g} | {} | {:.3g} | {:.3g} | {:.3g} | {:.3g}", moment.at(1), sums[k], q[0], q[1], q[2], q[3]);
            table.row(moment.at(1), sums[k], q);
        }
        for (const Numbers& row : own) particles.row(moment.at(1), std::span(row).subspan(1));
    }
    const auto last = rows.at(FlowRow::particle, budget_moments - 1);
    if (!last.empty()) {
        const double forces = quantile(column(last, 4), 0.5);
        const double rate = quantile(column(last, 6), 0.5);
        page.paragraph(
            "At the last moment half of the particles lose more than {:.1f} bits of the 24 to cancellation in the forces and "
            "{:.1f} in the density rate: terms with an error of u make that much larger an error of the sum, however it "
            "is added up. The method of summation decides about the rest only, the error of adding up.",
            std::log2(forces), std::log2(rate));
    }
    page.verdict(worst <= allowed_term_error,
                 "the sums looked at are those of the run: its accelerations differ from double's by at most "
                 "{:.2f} u of the sum of its terms' sizes; allowed: {}",
                 worst, allowed_term_error);
    return table.path();
}

void say_losses(Page& page, const std::filesystem::path& folder, const FlowRows& rows, const std::vector<double>& cfls)
{
    const auto tally = [&](Holding holding, double cfl) { return tally_of(rows, holding, cfl); };
    page.heading("Changes of a step that plain float would lose");
    std::vector<std::string> header{"what is held"};
    for (const double cfl : cfls) header.push_back(fmt::format("CFL {}", cfl));
    page.table(header,
               "share of changes below half an ulp, which change nothing; in brackets the bits of a change "
               "that are below the last bit kept, of 24, on average; all moments");
    Table table(folder, "budget-losses", "held,cfl[1],share[1],bits[1],changes[1]");
    for (int k = 0; k < holding_count; ++k) {
        std::vector<std::string> row{holding_names[static_cast<std::size_t>(k)]};
        for (const double cfl : cfls) {
            const Tally one = tally(static_cast<Holding>(k), cfl);
            row.push_back(fmt::format("{} % ({:.1f})", percent(one.share()), one.mean_bits()));
            table.row(row[0], cfl, one.share(), one.mean_bits(), one.changes);
        }
        page.row(row);
    }
    bool less = true;
    for (const double cfl : cfls) {
        for (const Holding other : {coordinate_at_origin, coordinate_4000, coordinate_million})
            less = less && tally(offset_in_cell, cfl).mean_bits() <= tally(other, cfl).mean_bits();
        for (const Holding other : {density_relative, density_absolute})
            less = less && tally(density_centred, cfl).mean_bits() <= tally(other, cfl).mean_bits();
    }
    page.verdict(less,
                 "an offset in a cell loses fewer bits than a coordinate anywhere and a centred density fewer than "
                 "the others, at every CFL number");
    const double small = cfls.back();
    page.paragraph(
        "At CFL {} a plain update of an offset in a cell loses {} % of its changes whole and that of a velocity {} %: few, "
        "but of the 24 bits of an average change only {:.1f} and {:.1f} are kept. With cells the changes are not lost, "
        "they are rounded; that is what the residuals are for. Of the changes of a coordinate 10^6 cells away {} % are lost "
        "whole already at CFL {}, 4,000 cells away {} %. Of a change of the density rho/rho0 - 1 keeps {:.1f} bits, rho "
        "{:.1f}.",
        small, percent(tally(offset_in_cell, small).share()), percent(tally(velocity_held, small).share()),
        24 - tally(offset_in_cell, small).mean_bits(), 24 - tally(velocity_held, small).mean_bits(),
        percent(tally(coordinate_million, cfls.front()).share()), cfls.front(),
        percent(tally(coordinate_4000, cfls.front()).share()), 24 - tally(density_centred, small).mean_bits(),
        24 - tally(density_absolute, small).mean_bits());
}

void say_residuals(Page& page, const std::filesystem::path& folder, const FlowRows& rows)
{
    page.heading("What the compensated state carries");
    page.table(
        {"time [s]", "of", "mean", "largest", "root mean square"},
        "residuals over half an ulp of their numbers; root mean square in cell sides, of the unit of velocity, 1");
    Table table(folder, "budget-residuals", "time[s],of,bin[1],share[1]");
    constexpr std::array names{"position", "velocity", "density"};
    double largest = 0;
    for (const Numbers& row : rows.of(FlowRow::residual)) {
        const double time = rows.of(FlowRow::moment).at(static_cast<std::size_t>(row.at(0))).at(1);
        const char* const name = names.at(static_cast<std::size_t>(row.at(1)));
        page.row("{:.3g} | {} | {:.3f} | {:.3f} | {:.2g}", time, name, row.at(2), row.at(3), row.at(4));
        largest = std::max(largest, row.at(3));
        for (std::size_t k = 0; k < Residuals::bins; ++k)
            table.row(time, name, (static_cast<double>(k) + 0.5) / static_cast<double>(Residuals::bins), row.at(5 + k));
    }
    page.verdict(largest <= 1, "no residual exceeds half an ulp of its number: the largest has {} of it", largest);
}

}  // namespace halfulp
