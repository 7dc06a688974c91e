// halfulp validate reversal: a collapse run forwards and then backwards, with the same steps of the other sign. The
// integrator is time-symmetric and nothing dissipates, so what differs from the start is rounding: a gauge of all of it
// together, for every policy, at any step. In the fixed-point policy nothing differs.
#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <tuple>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "core/app/commands.hpp"
#include "core/setup/read_case.hpp"
#include "validation/experiment.hpp"
#include "validation/laboratory.hpp"
#include "validation/page.hpp"
#include "validation/reversal/returns.hpp"
#include "validation/study.hpp"

namespace halfulp {

namespace {

struct Arguments {
    StudyOptions study;
    std::string case_name = "inviscid-tank-2d";
    double spacing = 0;        // 0: that of the scale
    std::vector<double> cfls;  // empty: those of the scale
    std::vector<int> steps;
    double latest = 0.25;  // s
    double exact_spacing = 0.025;
    double exact_cfl = 0.1;
    int exact_steps = 0;
};

// Where naive's coordinates still resolve a step: at 10^9 cells it stands still.
constexpr std::int32_t far_away = 4000;

// Largest distances of a hundred particles scatter by factors of two between policies that round equally; those of the
// way back more, because a single particle that changes its cell at another moment decides.
constexpr double allowed_at_turn = 3;
constexpr double allowed_back = 5;
struct Measurement {
    PolicyInfo policy;
    std::int32_t cells;
    double cfl;
    int steps;
};

Case case_for(const Arguments& arguments, const std::string& precision, std::int32_t cells, double cfl, double spacing)
{
    return read_case(
        find_case(arguments.case_name),
        {fmt::format("resolution.spacing={}", spacing), fmt::format("time.cfl={}", cfl),
         fmt::format("origin.cells=[{},{}]", cells, -cells), fmt::format("numerics.precision={}", precision)});
}

Job job_of(const Case& c, int steps, bool film)
{
    return {job_key("reversal", c, {fmt::format("steps={}", steps), fmt::format("film={}", film)}),
            [c, steps, film] { return there_and_back(c, steps, film); }};
}

class Reversal {
public:
    explicit Reversal(Arguments arguments)
        : arguments_(std::move(arguments)),
          page_(arguments_.study.folder, "reversal", "A collapse run forwards and back")
    {
    }

    ExitCode run()
    {
        choose();
        page_.paragraph(fmt::format(
            "{} runs forwards, then as many steps backwards. Nothing dissipates and the step is symmetric in time, so "
            "whatever is left is rounding, amplified by the flow. The turn is before {} s, when the flow has not hit a "
            "wall yet: afterwards it is chaotic, and the distance tells about the flow and no longer about rounding.",
            arguments_.case_name, arguments_.latest));
        measure();
        rank();
        compare();
        return_exactly();
        page_.draw(
            table_path_, "reversal",
            "Above: the fluid on its way there and back, coloured by its first height. Below: how far from the "
            "start it comes back, and how far from double it is at the turn, over the steps before the turn; a position's own "
            "resolution counts; policies without a name in grey.");
        return page_.close();
    }

private:
    void choose()
    {
        const StudyOptions& options = arguments_.study;
        using Numbers = std::vector<double>;
        using Steps = std::vector<int>;
        if (arguments_.spacing == 0) arguments_.spacing = options.choose(0.05, 0.05, 0.025);
        if (arguments_.cfls.empty())
            arguments_.cfls = options.choose<Numbers>({0.3, 0.1}, {0.3, 0.1, 0.03}, {0.3, 0.1, 0.03, 0.01});
        if (arguments_.steps.empty())
            arguments_.steps = options.choose<Steps>({30, 200}, {10, 30, 100, 200, 700, 2000},
                                                     {10, 30, 100, 200, 700, 2000, 7000, 20000});
        if (arguments_.exact_steps == 0) arguments_.exact_steps = options.choose(1000, 10'000, 100'000);
        policies_ = laboratory_policies(options.scale);
        for (std::size_t k = 0; k < policies_.size(); ++k) {
            // Of the few of --quick some have a reference that is not among them.
            const PolicyInfo* const reference = find_policy(double_reference(policies_[k]));
            const auto is_it = [&](const PolicyInfo& one) { return one.name == reference->name; };
            if (reference != nullptr && std::none_of(policies_.begin(), policies_.end(), is_it))
                policies_.push_back(*reference);
        }
    }

    // Steps of a CFL number whose turn comes in time.
    std::vector<int> steps_at(double cfl)
    {
        const double step = fixed_step_of(case_for(arguments_, "double", 0, cfl, arguments_.spacing));
        std::vector<int> chosen;
        for (const int steps : arguments_.steps)
            if (steps * step <= arguments_.latest) chosen.push_back(steps);
        if (chosen.empty())
            throw input_error(fmt::format(
                "--steps: at a CFL number of {} even {} steps of {:.3g} s turn after --latest {} s; give fewer steps",
                cfl, *std::min_element(arguments_.steps.begin(), arguments_.steps.end()), step, arguments_.latest));
        return chosen;
    }

    void measure()
    {
        std::vector<Measurement> measurements;
        std::vector<Job> jobs;
        for (const double cfl : arguments_.cfls) {
            const std::vector<int> steps = steps_at(cfl);
            longest_[cfl] = *std::max_element(steps.begin(), steps.end());
            for (const std::int32_t cells : {0, far_away}) {
                for (const PolicyInfo& policy : policies_) {
                    for (const int count : steps) {
                        measurements.push_back({policy, cells, cfl, count});
                        jobs.push_back(
                            job_of(case_for(arguments_, policy.name, cells, cfl, arguments_.spacing), count, false));
                    }
                }
            }
        }
        const std::vector<Results> results = Study("reversal", arguments_.study).run(jobs);
        std::map<std::tuple<std::int32_t, double, int>, Returns> all;
        for (std::size_t k = 0; k < results.size(); ++k) {
            const Measurement& m = measurements[k];
            all[{m.cells, m.cfl, m.steps}][m.policy.name] = return_of(results[k]);
        }
        Table table(arguments_.study.folder, "reversal",
                    "precision,bundle,double_parts,origin[cells],cfl[1],steps[1],moved[m],resolution[m],distance[m],"
                    "speed[m/s],changed[1],words[1],error_at_turn[m],broke_at[steps]");
        for (const Measurement& m : measurements) {
            const Returns& beside = all.at({m.cells, m.cfl, m.steps});
            const Return& r = beside.at(m.policy.name);
            const bool is_reference = &reference(beside, m.policy.name) == &r;
            table.row(fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{}", m.policy.name, m.policy.bundle ? 1 : 0,
                                  has_double_parts(m.policy) ? 1 : 0, m.cells, m.cfl, m.steps, r.moved, r.resolution,
                                  r.distance, r.speed, r.changed, r.words,
                                  is_reference ? 0 : error_at_turn(beside, m.policy.name), r.broke_at));
            if (m.steps == longest_[m.cfl]) returns_[{m.cells, m.cfl}][m.policy.name] = r;
        }
        table.close();
        table_path_ = table.path();
    }

    // Over all policies by the geometric mean of `value`, smallest first.
    template <class Value>
    std::vector<PolicyInfo> ranked(Value value) const
    {
        std::vector<std::pair<double, const PolicyInfo*>> keys;
        for (const PolicyInfo& policy : policies_) {
            double sum = 0;
            for (const double cfl : arguments_.cfls) {
                const Returns& all = returns_.at({0, cfl});
                const double one = value(all, policy.name);
                sum += counts(all, policy.name) && std::isfinite(one) ? std::log(std::max(one, 1e-30)) : 1e3;
            }
            keys.emplace_back(sum, &policy);
        }
        std::stable_sort(keys.begin(), keys.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
        std::vector<PolicyInfo> order;
        for (const auto& key : keys) order.push_back(*key.second);
        return order;
    }

    template <class Value, class Text>
    void rank(const std::string& caption, Value value, Text text)
    {
        std::vector<std::string> header{"precision", "parts in double"};
        for (const std::int32_t cells : {0, far_away})
            for (const double cfl : arguments_.cfls)
                header.push_back(
                    fmt::format("CFL {}, {} steps{}", cfl, longest_.at(cfl), cells == 0 ? "" : ", 4,000 cells away"));
        page_.table(header, fmt::format("{} [m], at a spacing of {} m; ranked by the geometric mean at the origin",
                                        caption, arguments_.spacing));
        for (const PolicyInfo& policy : ranked(value)) {
            std::vector<std::string> row{policy.name, has_double_parts(policy) ? "yes" : ""};
            for (const std::int32_t cells : {0, far_away})
                for (const double cfl : arguments_.cfls) row.push_back(text(returns_.at({cells, cfl}), policy.name));
            page_.row(row);
        }
    }

    void rank()
    {
        rank(
            "back: largest distance from the start",
            [](const Returns& all, const std::string& policy) { return told(all.at(policy)); },
            [](const Returns& all, const std::string& policy) { return return_text(all, policy); });
        rank(
            "at the turn: largest distance from where double is, in the same units",
            [](const Returns& all, const std::string& policy) { return error_at_turn(all, policy); },
            [](const Returns& all, const std::string& policy) { return turn_text(all, policy); });
    }

    // The smallest value among the policies that are allowed and went where double goes; empty if there is none.
    template <class Value, class Allowed>
    std::string best(const Returns& all, Value value, Allowed allowed) const
    {
        std::string found;
        for (const PolicyInfo& policy : policies_) {
            if (has_double_parts(policy) || policy.reversible || !allowed(policy) || !counts(all, policy.name))
                continue;
            if (found.empty() || value(policy.name) < value(found)) found = policy.name;
        }
        return found;
    }

    void compare()
    {
        for (const std::int32_t cells : {0, far_away}) {
            const char* const place = cells == 0 ? "" : "4,000 cells away, ";
            for (const double cfl : arguments_.cfls) {
                const Returns& all = returns_.at({cells, cfl});
                const auto back = [&](const std::string& policy) { return told(all.at(policy)); };
                const auto turn = [&](const std::string& policy) { return error_at_turn(all, policy); };
                const auto judge = [&](const auto& value, const std::string& rival, double allowed,
                                       const std::string& what) {
                    const bool comparable = counts(all, "robust") && !rival.empty();
                    const double ratio = comparable ? value("robust") / value(rival) : INFINITY;
                    page_.verdict(
                        ratio <= allowed,
                        fmt::format("{}CFL {}, {} steps: {}, robust has {:.2e} m, {:.2f} times that of the best, {}; "
                                    "allowed: {}",
                                    place, cfl, longest_.at(cfl), what, value("robust"), ratio,
                                    rival.empty() ? "of which there is none" : rival, allowed));
                };
                judge(turn, best(all, turn, [](const PolicyInfo&) { return true; }), allowed_at_turn,
                      "at the turn, of all policies without parts in double");
                judge(back, best(all, back, [](const PolicyInfo& policy) { return policy.relative_to_cell; }),
                      allowed_back, "back, of those with cell + offset");
            }
            explain(cells);
        }
    }

    // One number for each CFL number, in their order.
    template <class Number>
    std::string at_each_cfl(std::int32_t cells, Number number) const
    {
        std::string text;
        for (const double cfl : arguments_.cfls)
            text += fmt::format("{}{}", text.empty() ? "" : ", ", number(returns_.at({cells, cfl})));
        return text;
    }

    void explain(std::int32_t cells)
    {
        const auto times = [](double ratio) { return fmt::format("{:.2g}", ratio); };
        const std::string place = cells == 0 ? "At the origin" : "4,000 cells away";
        const auto of_naive = [&](const Returns& all) { return return_text(all, "naive"); };
        page_.paragraph(fmt::format(
            "{}, CFL {}: naive comes back to {} m, from turns {} times as far from double's as robust's are.", place,
            fmt::join(arguments_.cfls, ", "), at_each_cfl(cells, of_naive), at_each_cfl(cells, [&](const Returns& all) {
                return times(error_at_turn(all, "naive") / error_at_turn(all, "robust"));
            })));
        bool any = false;
        for (const PolicyInfo& policy : policies_) {
            if (has_double_parts(policy) || policy.reversible) continue;
            const auto closer = [&](double cfl) {
                const Returns& all = returns_.at({cells, cfl});
                return counts(all, policy.name) && told(all.at(policy.name)) * allowed_back < told(all.at("robust"));
            };
            if (std::none_of(arguments_.cfls.begin(), arguments_.cfls.end(), closer)) continue;
            any = true;
            page_.paragraph(fmt::format(
                "{} comes back closer than robust: {} times. At the turn it is {} times as far from double as robust is.",
                policy.name,
                at_each_cfl(
                    cells,
                    [&](const Returns& all) { return times(told(all.at("robust")) / told(all.at(policy.name))); }),
                at_each_cfl(cells, [&](const Returns& all) {
                    return times(error_at_turn(all, policy.name) / error_at_turn(all, "robust"));
                })));
        }
        if (any) {
            page_.paragraph(
                "Coming back measures only the rounding that the way back does not retrace. With a compensated state the "
                "force is what rounds, and the force of a global coordinate is the same there and back, wrong or not. "
                "With cell + offset it depends on the cell that a particle counts to as well, which changes when neighbours "
                "are rebuilt. The distance from double at the turn has all of the rounding in it.");
        }
        const auto has = [&](const char* name) { return returns_.at({cells, arguments_.cfls[0]}).count(name) != 0; };
        if (cells == 0 && has("robust/update=fixed-point"))
            page_.paragraph(fmt::format(
                "That the cells are what is left shows in fixed point, whose updates are undone to the bit: with the "
                "neighbours rebuilt where robust rebuilds them it comes back to {} m, robust to {} m; rebuilt before each "
                "pass (reversible) to {} m.",
                at_each_cfl(cells, [](const Returns& all) { return return_text(all, "robust/update=fixed-point"); }),
                at_each_cfl(cells, [](const Returns& all) { return return_text(all, "robust"); }),
                at_each_cfl(cells, [](const Returns& all) { return return_text(all, "reversible"); })));
    }

    void return_exactly()
    {
        page_.heading("Far beyond the first impact");
        const int steps = arguments_.exact_steps;
        page_.table({"precision", "place", "steps there", "farthest moved [m]", "distance [m]",
                     "32-bit words of the state changed"},
                    fmt::format("at a spacing of {} m, CFL {}", arguments_.exact_spacing, arguments_.exact_cfl));
        Table film(arguments_.study.folder, "reversal-film", "run,moment,x[m],y[m],first_y[m]");
        struct Run {
            std::string precision;
            std::int32_t cells;
        };
        const std::vector<Run> runs{{"robust", 0}, {"naive", far_away}, {"double", 0}, {"reversible", 0}};
        std::vector<Job> jobs;
        for (const Run& run : runs)
            jobs.push_back(
                job_of(case_for(arguments_, run.precision, run.cells, arguments_.exact_cfl, arguments_.exact_spacing),
                       steps, true));
        bool exact = false;
        Study("reversal", arguments_.study).run(jobs, [&](std::size_t k, const Results& rows) {
            const Run& run = runs[k];
            const Return r = return_of(rows);
            const char* const place = run.cells == 0 ? "the origin" : "4,000 cells away";
            page_.row({run.precision, place, fmt::format("{}", steps), fmt::format("{:.3g}", r.moved),
                       fmt::format("{:.2e}", r.distance),
                       fmt::format("{} of {}{}", r.changed, r.words,
                                   r.broke_at >= 0 ? fmt::format(" (stopped after {} steps)", r.broke_at) : "")});
            for (std::size_t i = film_row(rows); i < rows.size(); ++i)
                film.row(fmt::format("{}{},{},{},{},{}", run.precision, run.cells == 0 ? "" : " far away",
                                     film_moments.at(static_cast<std::size_t>(rows[i].at(0))), rows[i].at(1),
                                     rows[i].at(2), rows[i].at(3)));
            if (run.precision == "reversible") exact = r.changed == 0 && r.distance == 0 && r.broke_at < 0;
        });
        film.close();
        page_.verdict(exact,
                      fmt::format("not one bit of the reversible state differs from the start after {} steps there and "
                                  "{} back",
                                  steps, steps));
    }

    Arguments arguments_;
    Page page_;
    std::vector<PolicyInfo> policies_;
    std::map<double, int> longest_;                                // CFL number -> most steps before the turn
    std::map<std::tuple<std::int32_t, double>, Returns> returns_;  // (cells, CFL number), of the most steps
    std::filesystem::path table_path_;
};

const bool registered = register_experiment({
    .command = "validate",
    .name = "reversal",
    .summary =
        "A collapse run forwards and back to its start, by every policy: what rounding leaves, and one that leaves nothing",
    .set_up =
        [](CLI::App& command) {
            auto arguments = std::make_shared<Arguments>();
            add_study_options(command, arguments->study);
            command.add_option("--case", arguments->case_name, "An inviscid case with a fixed step")
                ->capture_default_str();
            command.add_option("--spacing", arguments->spacing, "Particle spacing, m (default: 0.05; --full: 0.025)")
                ->check(CLI::PositiveNumber);
            command.add_option("--cfl", arguments->cfls, "CFL numbers on c0 (default: 0.3 0.1 0.03; --full: to 0.01)")
                ->check(CLI::PositiveNumber);
            command
                .add_option("--steps", arguments->steps,
                            "Steps before the turn (default: 10 to 2000; those that turn after --latest are left out)")
                ->check(CLI::Range(2, 10'000'000));
            command.add_option("--latest", arguments->latest, "Last moment of a turn, s: before the flow is chaotic")
                ->check(CLI::PositiveNumber)
                ->capture_default_str();
            command
                .add_option("--exact-steps", arguments->exact_steps,
                            "Steps before the turn of the runs beyond impact (default: 10000; --quick: 1000; --full: "
                            "100000)")
                ->check(CLI::Range(2, 10'000'000));
            command.add_option("--exact-spacing", arguments->exact_spacing, "Particle spacing of those, m")
                ->check(CLI::PositiveNumber)
                ->capture_default_str();
            command.add_option("--exact-cfl", arguments->exact_cfl, "CFL number of those")
                ->check(CLI::PositiveNumber)
                ->capture_default_str();
            return [arguments] { return Reversal(*arguments).run(); };
        },
});

}  // namespace

}  // namespace halfulp
