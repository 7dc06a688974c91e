#include "validation/budget/flow.hpp"

#include <cmath>

#include <fmt/format.h>

#include "validation/experiment.hpp"

namespace halfulp {

namespace {

// A sum is rounded once and its product with the particle's volume once more, u each of the result; the third u is for
// what is of second order.
constexpr double allowed_net_force = 3;
constexpr double unit_roundoff = 0x1p-24;
// Of the pairs taken; in the others, some four in a thousand at the end of the support, both forces are zero. Fewer
// would show that forces vanish.
constexpr double least_share = 0.95;

}  // namespace

void say_pairs(Page& page, const std::vector<PolicyInfo>& policies, const Results& all)
{
    page.table({"precision", "pairs", "F_ab + F_ba not zero", "largest |F_ab + F_ba| / |F_ab|"},
               "pairs of the fluid at the last moment, alone, in each policy's own arithmetic");
    Table table(page.folder(), "budget-pairs", "precision,pairs[1],asymmetric[1],largest[1],taken[1]");
    std::size_t symmetric = 0;
    for (std::size_t k = 0; k < all.size(); ++k) {
        const bool other_order = k == policies.size();
        const std::string name = other_order ? "(x_a + cells) - x_b" : policies[k].name;
        const std::vector<double>& row = all[k];
        page.row("{} | {} of {} | {} | {:.2g}", name, row.at(0), row.at(3), row.at(1), row.at(2));
        table.row(name, row);
        if (!other_order && row.at(1) == 0 && row.at(0) >= least_share * row.at(3)) ++symmetric;
    }
    page.verdict(
        symmetric == policies.size(),
        "in {} of {} policies F_ab + F_ba is zero to the bit for every pair that exerts a force, which at least "
        "{:.0f} % of those taken do",
        symmetric, policies.size(), 100 * least_share);
    if (all.size() > policies.size())
        page.paragraph(
            "A difference of positions that changes nothing but its sign, and products that "
            "a swap leaves alone, are all it takes. Last line: float with cells in the other order, (x_a + cells) - x_b, "
            "where {:.0f} % of the pairs are not antisymmetric.",
            100 * all.back().at(1) / all.back().at(0));
}

void say_drop(Page& page, const std::vector<PolicyInfo>& policies, const std::vector<Results>& drops, int steps)
{
    page.table({"precision", "largest |sum F| / sum |F|", "of a step", "gained in all", "steps"},
               "a drop without walls and gravity, {} steps: net force; net momentum over the momentum exchanged",
               steps);
    Table table(page.folder(), "budget-momentum", "precision,net_force[1],step[1],gained[1],steps[1],broke");
    double robust = NAN;
    double naive = NAN;
    double robust_force = INFINITY;
    for (std::size_t k = 0; k < policies.size(); ++k) {
        const std::vector<double>& row = drops[k].at(0);
        page.row("{} | {:.2e} | {:.2e} | {:.2e} | {}{}", policies[k].name, row.at(0), row.at(1), row.at(2), row.at(3),
                 row.at(4) != 0 ? " (stopped)" : "");
        table.row(policies[k].name, row);
        if (policies[k].name == "robust") robust = row.at(2), robust_force = row.at(0);
        if (policies[k].name == "naive") naive = row.at(2);
    }
    page.verdict(robust_force <= allowed_net_force * unit_roundoff,
                 "the net force of the drop in robust is at most {:.2f} u of the sum of the forces' sizes; allowed: "
                 "{}, the rounding of each particle's sum",
                 robust_force / unit_roundoff, allowed_net_force);
    page.paragraph(
        "In {} steps robust gains {:.2g} of the momentum exchanged, naive {:.2g}: {:.1f} times as "
        "much. Pairs are antisymmetric in both; sums and updates make the difference.",
        steps, robust, naive, naive / robust);
}

}  // namespace halfulp
