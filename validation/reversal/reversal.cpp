// halfulp validate reversal: a collapse run forwards and then backwards, with the same steps of the other sign. The
// integrator is time-symmetric and nothing dissipates, so what differs from the start is rounding: a gauge of all of it
// together, for every policy, at any step. In the fixed-point policy nothing differs.
#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <tuple>

#include <fmt/format.h>

#include "core/app/commands.hpp"
#include "core/setup/read_case.hpp"
#include "validation/experiment.hpp"
#include "validation/laboratory.hpp"
#include "validation/option.hpp"
#include "validation/page.hpp"
#include "validation/reversal/ranking.hpp"
#include "validation/study.hpp"

namespace halfulp {

namespace {

struct Arguments : StudyOptions {
    std::string case_name = "inviscid-tank-2d";
    double spacing = 0;        // 0: that of the scale
    std::vector<double> cfls;  // empty: those of the scale
    std::vector<int> steps;
    double latest = 0.25;  // s
    double exact_spacing = 0.025;
    double exact_cfl = 0.1;
    int exact_steps = 0;
};

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
        : arguments_(std::move(arguments)), page_(arguments_.folder, "reversal", "A collapse run forwards and back")
    {
    }

    ExitCode run()
    {
        choose();
        page_.paragraph(
            "{} runs forwards, then as many steps backwards. Nothing dissipates and the step is symmetric in time, so "
            "whatever is left is rounding, amplified by the flow. The turn is before {} s, when the flow has not hit a "
            "wall yet: afterwards it is chaotic, and the distance tells about the flow and no longer about rounding.",
            arguments_.case_name, arguments_.latest);
        measure();
        tell_ranks(page_, turned_);
        judge_robust(page_, turned_);
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
        const StudyOptions& options = arguments_;
        using Numbers = std::vector<double>;
        using Steps = std::vector<int>;
        if (arguments_.spacing == 0) arguments_.spacing = options.choose(0.05, 0.05, 0.025);
        if (arguments_.cfls.empty())
            arguments_.cfls = options.choose<Numbers>({0.3, 0.1}, {0.3, 0.1, 0.03}, {0.3, 0.1, 0.03, 0.01});
        if (arguments_.steps.empty())
            arguments_.steps = options.choose<Steps>({30, 200}, {10, 30, 100, 200, 700, 2000},
                                                     {10, 30, 100, 200, 700, 2000, 7000, 20000});
        if (arguments_.exact_steps == 0) arguments_.exact_steps = options.choose(1000, 10'000, 100'000);
        auto& policies = turned_.policies;
        policies = laboratory_policies(options.scale);
        for (std::size_t k = 0; k < policies.size(); ++k) {
            // Of the few of --quick some have a reference that is not among them.
            const PolicyInfo* const reference = find_policy(double_reference(policies[k]));
            const auto is_it = [&](const PolicyInfo& one) { return one.name == reference->name; };
            if (reference != nullptr && std::ranges::none_of(policies, is_it)) policies.push_back(*reference);
        }
        turned_.cfls = arguments_.cfls;
        turned_.spacing = arguments_.spacing;
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
                cfl, *std::ranges::min_element(arguments_.steps), step, arguments_.latest));
        return chosen;
    }

    void measure()
    {
        std::vector<Measurement> measurements;
        std::vector<Job> jobs;
        for (const double cfl : arguments_.cfls) {
            const std::vector<int> steps = steps_at(cfl);
            turned_.steps[cfl] = *std::ranges::max_element(steps);
            for (const std::int32_t cells : {0, Turned::far_away}) {
                for (const PolicyInfo& policy : turned_.policies) {
                    for (const int count : steps) {
                        measurements.push_back({policy, cells, cfl, count});
                        jobs.push_back(
                            job_of(case_for(arguments_, policy.name, cells, cfl, arguments_.spacing), count, false));
                    }
                }
            }
        }
        const std::vector<Results> results = Study("reversal", arguments_).run(jobs);
        std::map<std::tuple<std::int32_t, double, int>, Returns> all;
        for (std::size_t k = 0; k < results.size(); ++k) {
            const Measurement& m = measurements[k];
            all[{m.cells, m.cfl, m.steps}][m.policy.name] = return_of(results[k]);
        }
        Table table(arguments_.folder, "reversal",
                    "precision,bundle,double_parts,origin[cells],cfl[1],steps[1],moved[m],resolution[m],distance[m],"
                    "speed[m/s],changed[1],words[1],error_at_turn[m],broke_at[steps]");
        for (const Measurement& m : measurements) {
            const Returns& beside = all.at({m.cells, m.cfl, m.steps});
            const Return& r = beside.at(m.policy.name);
            const bool is_reference = &reference(beside, m.policy.name) == &r;
            table.row(m.policy.name, m.policy.bundle, has_double_parts(m.policy), m.cells, m.cfl, m.steps, r.moved,
                      r.resolution, r.distance, r.speed, r.changed, r.words,
                      is_reference ? 0 : error_at_turn(beside, m.policy.name), r.broke_at);
            if (m.steps == turned_.steps[m.cfl]) turned_.returns[{m.cells, m.cfl}][m.policy.name] = r;
        }
        table_path_ = table.path();
    }

    void return_exactly()
    {
        page_.heading("Far beyond the first impact");
        const int steps = arguments_.exact_steps;
        page_.table({"precision", "place", "steps there", "farthest moved [m]", "distance [m]",
                     "32-bit words of the state changed"},
                    "at a spacing of {} m, CFL {}", arguments_.exact_spacing, arguments_.exact_cfl);
        Table film(arguments_.folder, "reversal-film", "run,moment,x[m],y[m],first_y[m]");
        struct Run {
            std::string precision;
            std::int32_t cells;
        };
        const std::vector<Run> runs{{"robust", 0}, {"naive", Turned::far_away}, {"double", 0}, {"reversible", 0}};
        std::vector<Job> jobs;
        for (const Run& run : runs)
            jobs.push_back(
                job_of(case_for(arguments_, run.precision, run.cells, arguments_.exact_cfl, arguments_.exact_spacing),
                       steps, true));
        bool exact = false;
        Study("reversal", arguments_).run(jobs, [&](std::size_t k, const Results& rows) {
            const Run& run = runs[k];
            const Return r = return_of(rows);
            const char* const place = run.cells == 0 ? "the origin" : "4,000 cells away";
            page_.row("{} | {} | {} | {:.3g} | {:.2e} | {} of {}{}", run.precision, place, steps, r.moved, r.distance,
                      r.changed, r.words, r.broke_at >= 0 ? fmt::format(" (stopped after {} steps)", r.broke_at) : "");
            for (std::size_t i = film_row(rows); i < rows.size(); ++i)
                film.row(fmt::format("{}{}", run.precision, run.cells == 0 ? "" : " far away"),
                         film_moments.at(static_cast<std::size_t>(rows[i].at(0))), rows[i].at(1), rows[i].at(2),
                         rows[i].at(3));
            if (run.precision == "reversible") exact = r.changed == 0 && r.distance == 0 && r.broke_at < 0;
        });
        page_.verdict(exact,
                      "not one bit of the reversible state differs from the start after {} steps there and {} back",
                      steps, steps);
    }

    Arguments arguments_;
    Page page_;
    Turned turned_;
    std::filesystem::path table_path_;
};

const bool registered = register_study<Arguments>(
    "reversal",
    "A collapse run forwards and back to its start, by every policy: what rounding leaves, and one that leaves nothing",
    [](const Arguments& arguments) { return Reversal(arguments).run(); },
    [](CLI::App& command, Arguments& arguments) {
        add(command, "--case", arguments.case_name, "An inviscid case with a fixed step");
        add(command, "--spacing", arguments.spacing, "Particle spacing, m (default: 0.05; --full: 0.025)",
            CLI::PositiveNumber);
        add(command, "--cfl", arguments.cfls, "CFL numbers on c0 (default: 0.3 0.1 0.03; --full: to 0.01)",
            CLI::PositiveNumber);
        add(command, "--steps", arguments.steps,
            "Steps before the turn (default: 10 to 2000; those that turn after --latest are left out)",
            CLI::Range(2, 10'000'000));
        add(command, "--latest", arguments.latest, "Last moment of a turn, s: before the flow is chaotic",
            CLI::PositiveNumber);
        add(command, "--exact-steps", arguments.exact_steps,
            "Steps before the turn of the runs beyond impact (default: 10000; --quick: 1000; --full: 100000)",
            CLI::Range(2, 10'000'000));
        add(command, "--exact-spacing", arguments.exact_spacing, "Particle spacing of those, m", CLI::PositiveNumber);
        add(command, "--exact-cfl", arguments.exact_cfl, "CFL number of those", CLI::PositiveNumber);
    });

}  // namespace

}  // namespace halfulp
