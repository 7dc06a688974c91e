// halfulp validate budget: the error budget of a flow's own numbers. How much cancels in the sums over neighbours, what
// plain float would lose of the changes of a step, whether pairs exchange momentum without loss, what the compensated
// state carries; and where in the flow.
#include <algorithm>
#include <cmath>
#include <memory>

#include <fmt/format.h>

#include "core/app/case_options.hpp"
#include "core/app/commands.hpp"
#include "core/setup/read_case.hpp"
#include "validation/budget/flow.hpp"
#include "validation/budget/jobs.hpp"
#include "validation/experiment.hpp"
#include "validation/laboratory.hpp"
#include "validation/option.hpp"
#include "validation/page.hpp"
#include "validation/study.hpp"

namespace halfulp {

namespace {

using Numbers = std::vector<double>;

struct Arguments : StudyOptions {
    CaseOptions flow{"inviscid-tank-2d", {}};
    double spacing = 0.025;
    double end = 0;  // s; 0: that of the scale
    Numbers cfls{0.3, 0.1, 0.03, 0.01, 0.003};
    int pairs = 0;
    int drop_steps = 0;
};

class Budget {
public:
    explicit Budget(Arguments arguments)
        : arguments_(std::move(arguments)), page_(arguments_.folder, "budget", "The error budget of a flow")
    {
    }

    ExitCode run()
    {
        const StudyOptions& options = arguments_;
        if (arguments_.end == 0) arguments_.end = options.choose(0.2, 0.8, 0.8);
        if (arguments_.pairs == 0) arguments_.pairs = options.choose(500, 3000, 20'000);
        if (arguments_.drop_steps == 0) arguments_.drop_steps = options.choose(30, 200, 2000);
        std::sort(arguments_.cfls.rbegin(), arguments_.cfls.rend());
        policies_ = laboratory_policies(options.scale);
        flow_ = flow_case("robust", arguments_.end);
        page_.paragraph(
            "{}, inviscid formulas, at a spacing of {} m: {} moments up to {} s of a run in robust. Everything below is "
            "computed in double from the numbers that this run holds.",
            flow_.name, flow_.resolution.spacing, budget_moments, arguments_.end);
        measure();
        const FlowRows rows(results_[0]);
        const bool all = static_cast<int>(rows.of(FlowRow::moment).size()) == budget_moments;
        page_.verdict(all, "the run reaches {} s", arguments_.end);
        const auto main_table = say_conditions(page_, options.folder, rows);
        say_losses(page_, options.folder, rows, arguments_.cfls);
        say_residuals(page_, options.folder, rows);
        say_accumulated();
        page_.heading("Momentum that pairs exchange");
        say_pairs(page_, policies_, results_[1]);
        say_drop(page_, policies_, {results_.begin() + 2 + compared.size(), results_.end()}, arguments_.drop_steps);
        page_.draw(main_table, "budget",
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
            const Case drop =
                case_with("elliptical-drop-2d", {"resolution.spacing=0.08", "shapes.drop.circle.centre=[0.013,0.027]",
                                                 fmt::format("numerics.precision={}", name)});
            jobs.push_back({job_key("budget-drop", drop, {fmt::format("steps={}", steps)}),
                            [drop, steps] { return examine_drop(drop, steps); }});
        }
        results_ = Study("budget", arguments_).run(jobs);
    }

    void say_accumulated()
    {
        page_.table(
            {"time [s]", "robust [m]", "with plain updates [m]", "ratio", "robust [m/s]", "with plain updates [m/s]",
             "ratio"},
            "what they add up to: root mean square distance of the fluid's positions and velocities from double's, "
            "before the flow is chaotic");
        Table table(arguments_.folder, "budget-accumulated", "time[s],robust[m],plain[m],robust[m/s],plain[m/s]");
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
            page_.row("{:.3g} | {:.2e} | {:.2e} | {:.1f} | {:.2e} | {:.2e} | {:.1f}", reference[k][0], x[0], x[1],
                      x[1] / x[0], u[0], u[1], u[1] / u[0]);
            table.row(reference[k][0], x[0], x[1], u[0], u[1]);
        }
        page_.verdict(ratio > 1,
                      "without its residuals robust would be farther from double: at the last of these "
                      "moments {:.1f} times",
                      ratio);
    }

    static constexpr std::array compared{"double", "robust", "robust/update=plain"};

    Arguments arguments_;
    Page page_;
    std::vector<PolicyInfo> policies_;
    Case flow_;
    std::vector<Results> results_;  // flow, pairs, the compared, then a drop a policy
};

const bool registered = register_study<Arguments>(
    "budget",
    "The error budget of a flow: cancellation in its sums, changes lost by plain float, pairs, residuals, a map",
    [](const Arguments& arguments) { return Budget(arguments).run(); },
    [](CLI::App& command, Arguments& arguments) {
        add(command, "--case", arguments.flow.name_or_path, "A case without density diffusion and XSPH");
        arguments.flow.add_overrides(command);
        add(command, "--spacing", arguments.spacing, "Particle spacing, m", CLI::PositiveNumber);
        add(command, "--end", arguments.end, "Time of the last moment, s (default: 0.8; --quick: 0.2)",
            CLI::PositiveNumber);
        add(command, "--cfl", arguments.cfls, "CFL numbers on c0 of the steps whose changes are looked at",
            CLI::PositiveNumber);
        add(command, "--pairs", arguments.pairs, "At most so many pairs (default: 3000; --quick: 500)",
            CLI::Range(1, 10'000'000));
        add(command, "--drop-steps", arguments.drop_steps, "Steps of the drop (default: 200; --quick: 30)",
            CLI::Range(1, 1'000'000));
    });

}  // namespace

}  // namespace halfulp
