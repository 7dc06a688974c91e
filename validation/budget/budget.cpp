// halfulp validate budget: the error budget of a flow's own numbers. How much cancels in the sums over neighbours, what
// plain float would lose of the changes of a step, whether pairs exchange momentum without loss, what the compensated
// state carries; and where in the flow.
#include <algorithm>
#include <cmath>
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "core/app/case_options.hpp"
#include "core/app/commands.hpp"
#include "core/setup/read_case.hpp"
#include "validation/budget/jobs.hpp"
#include "validation/budget/momentum.hpp"
#include "validation/experiment.hpp"
#include "validation/laboratory.hpp"
#include "validation/page.hpp"
#include "validation/study.hpp"

namespace halfulp {

namespace {

using Numbers = std::vector<double>;

struct Arguments {
    StudyOptions study;
    CaseOptions flow{"inviscid-tank-2d", {}};
    double spacing = 0.025;
    double end = 0;  // s; 0: that of the scale
    Numbers cfls{0.3, 0.1, 0.03, 0.01, 0.003};
    int pairs = 0;
    int drop_steps = 0;
};

// Roundings of a term: the difference, its square, the root, q, the kernel, two equations of state, the products.
constexpr double allowed_term_error = 32;

double quantile(Numbers values, double share)
{
    std::sort(values.begin(), values.end());
    return values.at(static_cast<std::size_t>(share * static_cast<double>(values.size() - 1)));
}

std::string percent(double share) { return share >= 0.995 ? "100" : fmt::format("{:.2g}", 100 * share); }

Numbers column(const std::vector<Numbers>& rows, std::size_t k)
{
    Numbers values;
    for (const Numbers& row : rows) values.push_back(row.at(k));
    return values;
}

class Budget {
public:
    explicit Budget(Arguments arguments)
        : arguments_(std::move(arguments)), page_(arguments_.study.folder, "budget", "The error budget of a flow")
    {
    }

    ExitCode run()
    {
        const StudyOptions& options = arguments_.study;
        if (arguments_.end == 0) arguments_.end = options.choose(0.2, 0.8, 0.8);
        if (arguments_.pairs == 0) arguments_.pairs = options.choose(500, 3000, 20'000);
        if (arguments_.drop_steps == 0) arguments_.drop_steps = options.choose(30, 200, 2000);
        std::sort(arguments_.cfls.rbegin(), arguments_.cfls.rend());
        policies_ = laboratory_policies(options.scale);
        flow_ = flow_case("robust", arguments_.end);
        page_.paragraph(fmt::format(
            "{}, inviscid formulas, at a spacing of {} m: {} moments up to {} s of a run in robust. Everything below is "
            "computed in double from the numbers that this run holds.",
            flow_.name, flow_.resolution.spacing, budget_moments, arguments_.end));
        measure();
        say_conditions();
        say_losses();
        say_residuals();
        say_accumulated();
        page_.heading("Momentum that pairs exchange");
        say_pairs(page_, policies_, results_[1]);
        say_drop(page_, policies_, {results_.begin() + 2 + compared.size(), results_.end()}, arguments_.drop_steps);
        page_.draw(main_table_, "budget",
                   "Above: the flow at the last moment, coloured by the condition numbers of its sums and by the bits "
                   "that plain updates would lose. Below: distributions, shares lost over the step, and residuals.");
        return page_.close();
    }

private:
    Case flow_case(const std::string& precision, double end) const
    {
        CaseOptions options = arguments_.flow;
        options.overrides.insert(options.overrides.begin(), fmt::format("resolution.spacing={}", arguments_.spacing));
        options.overrides.push_back(fmt::format("time.end={}", end));
        options.overrides.push_back(fmt::format("numerics.precision={}", precision));
        return options.read();
    }

    void measure()
    {
        std::vector<std::string> names;
        for (const PolicyInfo& policy : policies_) names.push_back(policy.name);
        const Numbers cfls = arguments_.cfls;
        const Case flow = flow_;
        const int most = arguments_.pairs;
        std::vector<Job> jobs;
        jobs.push_back({job_key("budget", flow, {fmt::format("cfls={}", fmt::join(cfls, ","))}),
                        [flow, cfls] { return examine_flow(flow, cfls); }});
        jobs.push_back({job_key("budget-pairs", flow,
                                {fmt::format("most={}", most), fmt::format("policies={}", fmt::join(names, ","))}),
                        [flow, most, names] { return examine_pairs(flow, static_cast<std::size_t>(most), names); }});
        const double before_chaos = std::min(arguments_.end, 0.25);
        for (const char* precision : compared) {
            const Case c = flow_case(precision, before_chaos);
            jobs.push_back({job_key("budget-states", c), [c] { return states_at_moments(c); }});
        }
        const int steps = arguments_.drop_steps;
        for (const std::string& name : names) {
            // Off the lattice's axes: in a drop that is its own mirror image errors would cancel in pairs.
            const Case drop = read_case(find_case("elliptical-drop-2d"),
                                        {"resolution.spacing=0.08", "shapes.drop.circle.centre=[0.013,0.027]",
                                         fmt::format("numerics.precision={}", name)});
            jobs.push_back({job_key("budget-drop", drop, {fmt::format("steps={}", steps)}),
                            [drop, steps] { return examine_drop(drop, steps); }});
        }
        results_ = Study("budget", arguments_.study).run(jobs);
        for (const Numbers& row : results_[0])
            kinds_[static_cast<std::size_t>(row.at(0))].emplace_back(row.begin() + 1, row.end());
        const bool all = static_cast<int>(rows(FlowRow::moment).size()) == budget_moments;
        page_.verdict(all, fmt::format("the run reaches {} s", arguments_.end));
    }

    [[nodiscard]] const std::vector<Numbers>& rows(FlowRow kind) const
    {
        return kinds_[static_cast<std::size_t>(kind)];
    }

    // Rows of a kind at one moment.
    [[nodiscard]] std::vector<Numbers> rows_at(FlowRow kind, double moment) const
    {
        std::vector<Numbers> found;
        for (const Numbers& row : rows(kind))
            if (row.at(0) == moment) found.push_back(row);
        return found;
    }

    void say_conditions()
    {
        page_.heading("Cancellation in the sums over neighbours");
        page_.table({"time [s]", "sum", "median", "9 in 10 below", "99 in 100 below", "largest"},
                    "condition numbers sum|a|/|sum a| of the particles of the fluid; vectors by their lengths");
        Table table(arguments_.study.folder, "budget", "time[s],sum,median[1],p90[1],p99[1],largest[1]");
        Table particles(arguments_.study.folder, "budget-particles",
                        "time[s],x[m],y[m],z[m],forces[1],acceleration[1],density_rate[1],neighbours,"
                        "position_bits,velocity_bits,density_bits");
        double worst = 0;
        for (const Numbers& moment : rows(FlowRow::moment)) {
            const auto own = rows_at(FlowRow::particle, moment.at(0));
            worst = std::max(worst, moment.at(2));
            constexpr std::array sums{"forces", "acceleration, with gravity", "density rate"};
            for (std::size_t k = 0; k < sums.size(); ++k) {
                const Numbers values = column(own, 4 + k);
                const Numbers q{quantile(values, 0.5), quantile(values, 0.9), quantile(values, 0.99),
                                quantile(values, 1)};
                page_.row({fmt::format("{:.3g}", moment.at(1)), sums[k], fmt::format("{:.3g}", q[0]),
                           fmt::format("{:.3g}", q[1]), fmt::format("{:.3g}", q[2]), fmt::format("{:.3g}", q[3])});
                table.row(fmt::format("{},\"{}\",{}", moment.at(1), sums[k], fmt::join(q, ",")));
            }
            for (const Numbers& row : own)
                particles.row(fmt::format("{},{}", moment.at(1), fmt::join(row.begin() + 1, row.end(), ",")));
        }
        table.close();
        particles.close();
        main_table_ = table.path();
        const auto last = rows_at(FlowRow::particle, budget_moments - 1);
        if (!last.empty()) {
            const double forces = quantile(column(last, 4), 0.5);
            const double rate = quantile(column(last, 6), 0.5);
            page_.paragraph(fmt::format(
                "At the last moment half of the particles lose more than {:.1f} bits of the 24 to cancellation in the forces and "
                "{:.1f} in the density rate: terms with an error of u make that much larger an error of the sum, however it "
                "is added up. The method of summation decides about the rest only, the error of adding up.",
                std::log2(forces), std::log2(rate)));
        }
        page_.verdict(
            worst <= allowed_term_error,
            fmt::format("the sums looked at are those of the run: its accelerations differ from double's by at most "
                        "{:.2f} u of the sum of its terms' sizes; allowed: {}",
                        worst, allowed_term_error));
    }

    [[nodiscard]] Tally tally(Holding holding, double cfl) const
    {
        Tally sum;
        for (const Numbers& row : rows(FlowRow::loss)) {
            if (static_cast<int>(row.at(1)) != static_cast<int>(holding) || row.at(2) != cfl) continue;
            sum.changes += row.at(3);
            sum.lost += row.at(4);
            sum.bits += row.at(5);
        }
        return sum;
    }

    void say_losses()
    {
        page_.heading("Changes of a step that plain float would lose");
        std::vector<std::string> header{"what is held"};
        for (const double cfl : arguments_.cfls) header.push_back(fmt::format("CFL {}", cfl));
        page_.table(header,
                    "share of changes below half an ulp, which change nothing; in brackets the bits of a change "
                    "that are below the last bit kept, of 24, on average; all moments");
        Table table(arguments_.study.folder, "budget-losses", "held,cfl[1],share[1],bits[1],changes[1]");
        for (int k = 0; k < holding_count; ++k) {
            std::vector<std::string> row{holding_names[static_cast<std::size_t>(k)]};
            for (const double cfl : arguments_.cfls) {
                const Tally one = tally(static_cast<Holding>(k), cfl);
                row.push_back(fmt::format("{} % ({:.1f})", percent(one.share()), one.mean_bits()));
                table.row(fmt::format("\"{}\",{},{},{},{}", row[0], cfl, one.share(), one.mean_bits(), one.changes));
            }
            page_.row(row);
        }
        table.close();
        bool less = true;
        for (const double cfl : arguments_.cfls) {
            for (const Holding other : {coordinate_at_origin, coordinate_4000, coordinate_million})
                less = less && tally(offset_in_cell, cfl).mean_bits() <= tally(other, cfl).mean_bits();
            for (const Holding other : {density_relative, density_absolute})
                less = less && tally(density_centred, cfl).mean_bits() <= tally(other, cfl).mean_bits();
        }
        page_.verdict(
            less,
            "an offset in a cell loses fewer bits than a coordinate anywhere and a centred density fewer than "
            "the others, at every CFL number");
        const double small = arguments_.cfls.back();
        page_.paragraph(fmt::format(
            "At CFL {} a plain update of an offset in a cell loses {} % of its changes whole and that of a velocity {} %: few, "
            "but of the 24 bits of an average change only {:.1f} and {:.1f} are kept. With cells the changes are not lost, "
            "they are rounded; that is what the residuals are for. Of the changes of a coordinate 10^6 cells away {} % are lost "
            "whole already at CFL {}, 4,000 cells away {} %. Of a change of the density rho/rho0 - 1 keeps {:.1f} bits, rho "
            "{:.1f}.",
            small, percent(tally(offset_in_cell, small).share()), percent(tally(velocity_held, small).share()),
            24 - tally(offset_in_cell, small).mean_bits(), 24 - tally(velocity_held, small).mean_bits(),
            percent(tally(coordinate_million, arguments_.cfls.front()).share()), arguments_.cfls.front(),
            percent(tally(coordinate_4000, arguments_.cfls.front()).share()),
            24 - tally(density_centred, small).mean_bits(), 24 - tally(density_absolute, small).mean_bits()));
    }

    void say_residuals()
    {
        page_.heading("What the compensated state carries");
        page_.table(
            {"time [s]", "of", "mean", "largest", "root mean square"},
            "residuals over half an ulp of their numbers; root mean square in cell sides, of the unit of velocity, 1");
        Table table(arguments_.study.folder, "budget-residuals", "time[s],of,bin[1],share[1]");
        constexpr std::array names{"position", "velocity", "density"};
        double largest = 0;
        for (const Numbers& row : rows(FlowRow::residual)) {
            const double time = rows(FlowRow::moment).at(static_cast<std::size_t>(row.at(0))).at(1);
            const char* const name = names.at(static_cast<std::size_t>(row.at(1)));
            page_.row({fmt::format("{:.3g}", time), name, fmt::format("{:.3f}", row.at(2)),
                       fmt::format("{:.3f}", row.at(3)), fmt::format("{:.2g}", row.at(4))});
            largest = std::max(largest, row.at(3));
            for (std::size_t k = 0; k < Residuals::bins; ++k)
                table.row(fmt::format("{},{},{},{}", time, name,
                                      (static_cast<double>(k) + 0.5) / static_cast<double>(Residuals::bins),
                                      row.at(5 + k)));
        }
        table.close();
        page_.verdict(largest <= 1,
                      fmt::format("no residual exceeds half an ulp of its number: the largest has {} of it", largest));
    }

    void say_accumulated()
    {
        page_.table(
            {"time [s]", "robust [m]", "with plain updates [m]", "ratio", "robust [m/s]", "with plain updates [m/s]",
             "ratio"},
            "what they add up to: root mean square distance of the fluid's positions and velocities from double's, "
            "before the flow is chaotic");
        Table table(arguments_.study.folder, "budget-accumulated", "time[s],robust[m],plain[m],robust[m/s],plain[m/s]");
        const Results& reference = results_[2];
        double ratio = 0;
        for (std::size_t k = 0; k < reference.size(); ++k) {
            const auto distance = [&](std::size_t result, std::size_t first) {
                const Results& other = results_[result];
                if (k >= other.size() || other[k].size() != reference[k].size()) return double(NAN);
                double squares = 0;
                double count = 0;
                for (std::size_t i = first; i < reference[k].size(); i += 6, ++count)
                    for (std::size_t c = i; c < i + 3; ++c) squares += std::pow(other[k][c] - reference[k][c], 2);
                return std::sqrt(squares / count);
            };
            const Numbers x{distance(3, 1), distance(4, 1)};
            const Numbers u{distance(3, 4), distance(4, 4)};
            ratio = x[1] / x[0];
            page_.row({fmt::format("{:.3g}", reference[k][0]), fmt::format("{:.2e}", x[0]), fmt::format("{:.2e}", x[1]),
                       fmt::format("{:.1f}", x[1] / x[0]), fmt::format("{:.2e}", u[0]), fmt::format("{:.2e}", u[1]),
                       fmt::format("{:.1f}", u[1] / u[0])});
            table.row(fmt::format("{},{},{},{},{}", reference[k][0], x[0], x[1], u[0], u[1]));
        }
        table.close();
        page_.verdict(ratio > 1,
                      fmt::format("without its residuals robust would be farther from double: at the last of these "
                                  "moments {:.1f} times",
                                  ratio));
    }

    static constexpr std::array compared{"double", "robust", "robust/update=plain"};

    Arguments arguments_;
    Page page_;
    std::vector<PolicyInfo> policies_;
    Case flow_;
    std::vector<Results> results_;  // flow, pairs, the compared, then a drop a policy
    std::array<std::vector<Numbers>, flow_row_kinds> kinds_;
    std::filesystem::path main_table_;
};

const bool registered = register_experiment({
    .command = "validate",
    .name = "budget",
    .summary =
        "The error budget of a flow: cancellation in its sums, changes lost by plain float, pairs, residuals, a map",
    .set_up =
        [](CLI::App& command) {
            auto arguments = std::make_shared<Arguments>();
            add_study_options(command, arguments->study);
            command.add_option("--case", arguments->flow.name_or_path, "A case without density diffusion and XSPH")
                ->capture_default_str();
            arguments->flow.add_overrides(command);
            command.add_option("--spacing", arguments->spacing, "Particle spacing, m")
                ->check(CLI::PositiveNumber)
                ->capture_default_str();
            command.add_option("--end", arguments->end, "Time of the last moment, s (default: 0.8; --quick: 0.2)")
                ->check(CLI::PositiveNumber);
            command.add_option("--cfl", arguments->cfls, "CFL numbers on c0 of the steps whose changes are looked at")
                ->check(CLI::PositiveNumber)
                ->capture_default_str();
            command.add_option("--pairs", arguments->pairs, "At most so many pairs (default: 3000; --quick: 500)")
                ->check(CLI::Range(1, 10'000'000));
            command.add_option("--drop-steps", arguments->drop_steps, "Steps of the drop (default: 200; --quick: 30)")
                ->check(CLI::Range(1, 1'000'000));
            return [arguments] { return Budget(*arguments).run(); };
        },
});

}  // namespace

}  // namespace halfulp
