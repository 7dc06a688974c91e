// halfulp validate budget: the error budget of a flow. Cancellation in the sums over neighbours, changes of a step that
// plain float would lose, momentum that pairs exchange, residuals of the compensated state; and where in the flow.
#include "core/app/case_options.hpp"
#include "validation/budget/exchange.hpp"
#include "validation/budget/flow.hpp"
#include "validation/columns.hpp"
#include "validation/laboratory.hpp"

namespace halfulp {

namespace {

using Numbers = std::vector<double>;

// A sum is rounded once and its product with the particle's volume once more, u each of the result; the third u is for
// what is of second order.
constexpr double allowed_net_force = 3;
constexpr double unit_roundoff = 0x1p-24;
// Of the pairs taken; in the others, some four in a thousand at the end of the support, both forces are zero. Fewer
// would show that forces vanish.
constexpr double least_share = 0.99;

struct Arguments : StudyOptions {
    CaseOptions flow{"inviscid-tank-2d", {}};
    double spacing = 0.025;
    double end = 0;  // s; 0: that of the scale
    Numbers cfls{0.3, 0.1, 0.03, 0.01, 0.003};
    int pairs = 0;
    int drop_steps = 0;
};

// Of every policy, then of the order of terms that robust avoids.
std::vector<Asymmetry> examine_pairs(const Case& c, std::size_t most, const std::vector<std::string>& policies)
{
    std::vector<Asymmetry> all;
    at_moments(c, [&](int moment, const Problem& problem, const Simulation& simulation) {
        if (moment + 1 < budget_moments) return;
        const auto particles = held_particles(problem, simulation.backend());
        const auto pairs = fluid_pairs(problem, particles, most);
        for (const std::string& policy : policies) all.push_back(asymmetry_of(problem, particles, pairs, policy));
        all.push_back(asymmetry_of_other_order(problem, particles, pairs));
    });
    return all;
}

struct StateAt {
    double time = 0;  // s
    FluidState fluid;
    static auto members(auto& self) { return std::tie(self.time, self.fluid); }
};
using States = std::vector<StateAt>;

States states_at_moments(const Case& c)
{
    States states;
    at_moments(c, [&](int, const Problem& problem, const Simulation& simulation) {
        states.push_back({simulation.time(), fluid_of(problem, simulation.snapshot())});
    });
    return states;
}

using Vectors = std::vector<std::array<double, 3>>;

double rms_distance(const Vectors& a, const Vectors& b)
{
    if (a.size() != b.size()) return NAN;
    double squares = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        for (std::size_t c = 0; c < 3; ++c) squares += std::pow(b[i][c] - a[i][c], 2);
    return std::sqrt(squares / static_cast<double>(a.size()));
}

class Budget {
public:
    explicit Budget(Arguments arguments)
        : arguments_(std::move(arguments)), page_(arguments_.folder, "budget", "The error budget of a flow")
    {
    }

    ExitCode run()
    {
        if (arguments_.end == 0) arguments_.end = arguments_.choose(0.2, 0.8, 0.8);
        if (arguments_.pairs == 0) arguments_.pairs = arguments_.choose(500, 3000, 20'000);
        if (arguments_.drop_steps == 0) arguments_.drop_steps = arguments_.choose(30, 200, 2000);
        std::sort(arguments_.cfls.rbegin(), arguments_.cfls.rend());
        policies_ = laboratory_policies(arguments_.scale);
        const Case flow = flow_case("robust", arguments_.end);
        page_.paragraph(
            "{}, inviscid formulas, at a spacing of {} m: {} moments up to {} s of a run in robust. Everything below is "
            "computed in double from the numbers that this run holds.",
            flow.name, flow.resolution.spacing, budget_moments, arguments_.end);
        const std::vector<Result> results = Study("budget", arguments_).run(jobs(flow));
        const auto budget = results[0].as<FlowBudget>();
        page_.verdict(budget.size() == budget_moments, "the run reaches {} s", arguments_.end);
        const auto main_table = report_conditions(page_, budget);
        report_losses(page_, budget, arguments_.cfls);
        report_residuals(page_, budget);
        report_accumulated({results[2].as<States>(), results[3].as<States>(), results[4].as<States>()});
        page_.heading("Momentum that pairs exchange");
        report_pairs(results[1].as<std::vector<Asymmetry>>());
        report_drop({results.begin() + 2 + compared.size(), results.end()});
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

    // The flow, the pairs, the compared, then a drop for each policy.
    [[nodiscard]] std::vector<Job> jobs(const Case& flow) const
    {
        std::vector<std::string> names;
        for (const PolicyInfo& policy : policies_) names.push_back(policy.name);
        const Numbers cfls = arguments_.cfls;
        const int most = arguments_.pairs;
        const int steps = arguments_.drop_steps;
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
        for (const std::string& name : names) {
            // Off the lattice's axes: in a drop that is its own mirror image errors would cancel in pairs.
            const Case drop =
                case_with("elliptical-drop-2d", {"resolution.spacing=0.08", "shapes.drop.circle.centre=[0.013,0.027]",
                                                 fmt::format("numerics.precision={}", name)});
            jobs.push_back({job_key("budget-drop", drop, {fmt::format("steps={}", steps)}),
                            [drop, steps] { return net_momentum(drop, steps); }});
        }
        return jobs;
    }

    void report_accumulated(const std::array<States, 3>& states)
    {
        page_.table(
            {"time [s]", "robust [m]", "with plain updates [m]", "ratio", "robust [m/s]", "with plain updates [m/s]",
             "ratio"},
            "what they add up to: root mean square distance of the fluid's positions and velocities from double's, "
            "before the flow is chaotic");
        Table table(arguments_.folder, "budget-accumulated", "time[s],robust[m],plain[m],robust[m/s],plain[m/s]");
        const auto& [reference, robust, plain] = states;
        double ratio = 0;
        for (std::size_t k = 0; k < reference.size(); ++k) {
            const auto distance = [&](const States& other, Vectors FluidState::*member) {
                return k < other.size() ? rms_distance(reference[k].fluid.*member, other[k].fluid.*member) : NAN;
            };
            const Numbers x{distance(robust, &FluidState::position), distance(plain, &FluidState::position)};
            const Numbers u{distance(robust, &FluidState::velocity), distance(plain, &FluidState::velocity)};
            ratio = x[1] / x[0];
            page_.row("{:.3g} | {:.2e} | {:.2e} | {:.1f} | {:.2e} | {:.2e} | {:.1f}", reference[k].time, x[0], x[1],
                      ratio, u[0], u[1], u[1] / u[0]);
            table.row(reference[k].time, x, u);
        }
        page_.verdict(ratio > 1,
                      "without its residuals robust would be farther from double: at the last of these "
                      "moments {:.1f} times",
                      ratio);
    }

    // The verdict is robust's: zero to the bit.
    void report_pairs(const std::vector<Asymmetry>& all)
    {
        page_.table({"precision", "pairs", "F_ab + F_ba not zero", "largest |F_ab + F_ba| / |F_ab|"},
                    "pairs of the fluid at the last moment, alone, in each policy's own arithmetic");
        Table table(arguments_.folder, "budget-pairs", "precision,pairs[1],asymmetric[1],largest[1],taken[1]");
        std::size_t symmetric = 0;
        for (std::size_t k = 0; k < all.size(); ++k) {
            const bool other_order = k == policies_.size();
            const std::string name = other_order ? "(x_a + cells) - x_b" : policies_[k].name;
            const auto& [pairs, asymmetric, largest, taken] = all[k];
            page_.row("{} | {} of {} | {} | {:.2g}", name, pairs, taken, asymmetric, largest);
            table.row(name, pairs, asymmetric, largest, taken);
            if (!other_order && asymmetric == 0 && pairs >= least_share * taken) ++symmetric;
        }
        page_.verdict(
            symmetric == policies_.size(),
            "in {} of {} policies F_ab + F_ba is zero to the bit for every pair that exerts a force, which at least "
            "{:.0f} % of those taken do",
            symmetric, policies_.size(), 100 * least_share);
        if (all.size() > policies_.size())
            page_.paragraph(
                "A difference of positions that changes nothing but its sign, and products that "
                "a swap leaves alone, are all it takes. Last line: float with cells in the other order, (x_a + cells) - x_b, "
                "where {:.0f} % of the pairs are not antisymmetric.",
                100 * all.back().asymmetric / all.back().pairs);
    }

    // One drop for each policy. The verdict is about robust's net force.
    void report_drop(const std::vector<Result>& drops)
    {
        page_.table({"precision", "largest |sum F| / sum |F|", "of a step", "gained in all", "steps"},
                    "a drop without walls and gravity, {} steps: net force; net momentum over the momentum exchanged",
                    arguments_.drop_steps);
        Table table(arguments_.folder, "budget-momentum", "precision,net_force[1],step[1],gained[1],steps[1],broke");
        double robust = NAN;
        double naive = NAN;
        double robust_force = INFINITY;
        for (std::size_t k = 0; k < policies_.size(); ++k) {
            const std::string& name = policies_[k].name;
            const auto net = drops[k].as<NetMomentum>();
            page_.row("{} | {:.2e} | {:.2e} | {:.2e} | {}{}", name, net.largest_force, net.largest_step, net.gained,
                      net.steps, net.broke ? " (stopped)" : "");
            table.row(name, net.largest_force, net.largest_step, net.gained, net.steps, net.broke);
            if (name == "robust") robust = net.gained, robust_force = net.largest_force;
            if (name == "naive") naive = net.gained;
        }
        page_.verdict(
            robust_force <= allowed_net_force * unit_roundoff,
            "the net force of the drop in robust is at most {:.2f} u of the sum of the forces' sizes; allowed: "
            "{}, the rounding of each particle's sum",
            robust_force / unit_roundoff, allowed_net_force);
        page_.paragraph(
            "In {} steps robust gains {:.2g} of the momentum exchanged, naive {:.2g}: {:.1f} times as "
            "much. Pairs are antisymmetric in both; sums and updates make the difference.",
            arguments_.drop_steps, robust, naive, naive / robust);
    }

    static constexpr std::array compared{"double", "robust", "robust/update=plain"};

    Arguments arguments_;
    Page page_;
    std::vector<PolicyInfo> policies_;
};

const bool registered = register_study<Arguments>(
    "budget", "Error budget of a flow: cancellation in sums, increments lost by plain float, pairs, residuals, a map",
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
