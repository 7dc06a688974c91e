#include "validation/reversal/there_and_back.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "validation/laboratory.hpp"

namespace halfulp {

namespace {

// Largest distances of a hundred particles scatter by factors of two between policies that round equally; those of the
// way back more, because a single particle that changes its cell at another moment decides.
constexpr double allowed_at_turn = 3;
constexpr double allowed_back = 5;

// Over all policies by the geometric mean of `value`, smallest first.
template <class Value>
std::vector<PolicyInfo> ranked(const Turned& turned, Value value)
{
    std::vector<PolicyInfo> order = turned.policies;
    std::ranges::stable_sort(order, {}, [&](const PolicyInfo& policy) {
        double sum = 0;
        for (const double cfl : turned.cfls) {
            const Returns& all = turned.returns.at({0, cfl});
            const double one = value(all, policy.name);
            sum += counts(all, policy.name) && std::isfinite(one) ? std::log(std::max(one, 1e-30)) : 1e3;
        }
        return sum;
    });
    return order;
}

template <class Value, class Text>
void rank(Page& page, const Turned& turned, const std::string& caption, Value value, Text text)
{
    std::vector<std::string> header{"precision", "parts in double"};
    for (const std::int32_t cells : {0, Turned::far_away})
        for (const double cfl : turned.cfls)
            header.push_back(
                fmt::format("CFL {}, {} steps{}", cfl, turned.steps.at(cfl), cells == 0 ? "" : ", 4,000 cells away"));
    page.table(header, "{} [m], at a spacing of {} m; ranked by the geometric mean at the origin", caption,
               turned.spacing);
    for (const PolicyInfo& policy : ranked(turned, value)) {
        std::vector<std::string> row{policy.name, has_double_parts(policy) ? "yes" : ""};
        for (const std::int32_t cells : {0, Turned::far_away})
            for (const double cfl : turned.cfls) row.push_back(text(turned.returns.at({cells, cfl}), policy.name));
        page.row(row);
    }
}

// The smallest value among the policies that are allowed and went where double goes; empty if there is none.
template <class Value, class Allowed>
std::string best(const Turned& turned, const Returns& all, Value value, Allowed allowed)
{
    std::string found;
    for (const PolicyInfo& policy : turned.policies) {
        if (has_double_parts(policy) || policy.reversible || !allowed(policy) || !counts(all, policy.name)) continue;
        if (found.empty() || value(policy.name) < value(found)) found = policy.name;
    }
    return found;
}

// One number for each CFL number, in their order.
template <class Number>
std::string at_each_cfl(const Turned& turned, std::int32_t cells, Number number)
{
    std::string text;
    for (const double cfl : turned.cfls)
        text += fmt::format("{}{}", text.empty() ? "" : ", ", number(turned.returns.at({cells, cfl})));
    return text;
}

void explain(Page& page, const Turned& turned, std::int32_t cells)
{
    const auto times = [](double ratio) { return fmt::format("{:.2g}", ratio); };
    const std::string place = cells == 0 ? "At the origin" : "4,000 cells away";
    const auto of_naive = [&](const Returns& all) { return return_text(all, "naive"); };
    page.paragraph("{}, CFL {}: naive comes back to {} m, from turns {} times as far from double's as robust's are.",
                   place, fmt::join(turned.cfls, ", "), at_each_cfl(turned, cells, of_naive),
                   at_each_cfl(turned, cells, [&](const Returns& all) {
                       return times(error_at_turn(all, "naive") / error_at_turn(all, "robust"));
                   }));
    bool any = false;
    for (const PolicyInfo& policy : turned.policies) {
        if (has_double_parts(policy) || policy.reversible) continue;
        const auto closer = [&](double cfl) {
            const Returns& all = turned.returns.at({cells, cfl});
            return counts(all, policy.name) &&
                   measurable_distance(all.at(policy.name)) * allowed_back < measurable_distance(all.at("robust"));
        };
        if (std::ranges::none_of(turned.cfls, closer)) continue;
        any = true;
        page.paragraph(
            "{} comes back closer than robust: {} times. At the turn it is {} times as far from double as robust is.",
            policy.name,
            at_each_cfl(turned, cells,
                        [&](const Returns& all) {
                            return times(measurable_distance(all.at("robust")) /
                                         measurable_distance(all.at(policy.name)));
                        }),
            at_each_cfl(turned, cells, [&](const Returns& all) {
                return times(error_at_turn(all, policy.name) / error_at_turn(all, "robust"));
            }));
    }
    if (any) {
        page.paragraph(
            "Coming back measures only the rounding that the way back does not retrace. With a compensated state the "
            "force is what rounds, and the force of a global coordinate is the same there and back, wrong or not. "
            "With cell + offset it depends on the cell that a particle counts to as well, which changes when neighbours "
            "are rebuilt. The distance from double at the turn has all of the rounding in it.");
    }
    const auto has = [&](const char* name) { return turned.returns.at({cells, turned.cfls[0]}).count(name) != 0; };
    if (cells == 0 && has("robust/update=fixed-point"))
        page.paragraph(
            "That the cells are what is left shows in fixed point, whose updates are undone to the bit: with the "
            "neighbours rebuilt where robust rebuilds them it comes back to {} m, robust to {} m; rebuilt before each "
            "pass (reversible) to {} m.",
            at_each_cfl(turned, cells,
                        [](const Returns& all) { return return_text(all, "robust/update=fixed-point"); }),
            at_each_cfl(turned, cells, [](const Returns& all) { return return_text(all, "robust"); }),
            at_each_cfl(turned, cells, [](const Returns& all) { return return_text(all, "reversible"); }));
}

}  // namespace

void report_ranks(Page& page, const Turned& turned)
{
    rank(
        page, turned, "back: largest distance from the start",
        [](const Returns& all, const std::string& policy) { return measurable_distance(all.at(policy)); },
        [](const Returns& all, const std::string& policy) { return return_text(all, policy); });
    rank(
        page, turned, "at the turn: largest distance from where double is, in the same units",
        [](const Returns& all, const std::string& policy) { return error_at_turn(all, policy); },
        [](const Returns& all, const std::string& policy) { return turn_text(all, policy); });
}

void judge_robust(Page& page, const Turned& turned)
{
    for (const std::int32_t cells : {0, Turned::far_away}) {
        const char* const place = cells == 0 ? "" : "4,000 cells away, ";
        for (const double cfl : turned.cfls) {
            const Returns& all = turned.returns.at({cells, cfl});
            const auto back = [&](const std::string& policy) { return measurable_distance(all.at(policy)); };
            const auto turn = [&](const std::string& policy) { return error_at_turn(all, policy); };
            const auto judge = [&](const auto& value, const std::string& rival, double allowed,
                                   const std::string& what) {
                const bool comparable = counts(all, "robust") && !rival.empty();
                const double ratio = comparable ? value("robust") / value(rival) : INFINITY;
                page.verdict(ratio <= allowed,
                             "{}CFL {}, {} steps: {}, robust has {:.2e} m, {:.2f} times that of the best, {}; "
                             "allowed: {}",
                             place, cfl, turned.steps.at(cfl), what, value("robust"), ratio,
                             rival.empty() ? "of which there is none" : rival, allowed);
            };
            judge(turn, best(turned, all, turn, [](const PolicyInfo&) { return true; }), allowed_at_turn,
                  "at the turn, of all policies without parts in double");
            judge(back, best(turned, all, back, [](const PolicyInfo& policy) { return policy.relative_to_cell; }),
                  allowed_back, "back, of those with cell + offset");
        }
        explain(page, turned, cells);
    }
}

}  // namespace halfulp
