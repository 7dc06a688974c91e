// halfulp validate reversal: a collapse run forwards and then backwards, with the same steps of the other sign. The
// integrator is time-symmetric and nothing dissipates, so what differs from the start is rounding: a gauge of all of it
// together, for every policy, at any step. In the fixed-point policy nothing differs.
#include "validation/experiment.hpp"
#include "validation/laboratory.hpp"
#include "validation/reversal/there_and_back.hpp"

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
        report_ranks(page_, turned_);
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
        using Numbers = std::vector<double>;
        using Steps = std::vector<int>;
        if (arguments_.spacing == 0) arguments_.spacing = arguments_.choose(0.05, 0.05, 0.025);
        if (arguments_.cfls.empty())
            arguments_.cfls = arguments_.choose<Numbers>({0.3, 0.1}, {0.3, 0.1, 0.03}, {0.3, 0.1, 0.03, 0.01});
        if (arguments_.steps.empty())
            arguments_.steps = arguments_.choose<Steps>({30, 200}, {10, 30, 100, 200, 700, 2000},
                                                        {10, 30, 100, 200, 700, 2000, 7000, 20000});
        if (arguments_.exact_steps == 0) arguments_.exact_steps = arguments_.choose(1000, 10'000, 100'000);
        auto& policies = turned_.policies;
        policies = laboratory_policies(arguments_.scale);
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
        const double step =
            prepare(case_for({.spacing = arguments_.spacing, .cfl = cfl, .precision = "double"})).fixed_step;
        std::vector<int> chosen;
        for (const int steps : arguments_.steps)
            if (steps * step <= arguments_.latest) chosen.push_back(steps);
        if (chosen.empty())
            throw input_error(fmt::format(
                "--steps: at a CFL number of {} even {} steps of {:.3g} s turn after --latest {} s; give fewer steps",
                cfl, *std::ranges::min_element(arguments_.steps), step, arguments_.latest));
        return chosen;
    }

    [[nodiscard]] Case case_for(const Variant& variant) const { return case_with(arguments_.case_name, variant); }

    void measure()
    {
        std::vector<Measurement> measurements;
        std::vector<Job> jobs;
        for (const double cfl : arguments_.cfls) {
            const std::vector<int> steps = steps_at(cfl);
            turned_.steps[cfl] = *std::ranges::max_element(steps);
            for (const std::int32_t cells : {0, Turned::far_away}) {
                for (const PolicyInfo& policy : turned_.policies) {
                    const Variant variant{
                        .spacing = arguments_.spacing, .cfl = cfl, .cells = cells, .precision = policy.name};
                    for (const int count : steps) {
                        measurements.push_back({policy, cells, cfl, count});
                        jobs.push_back(job_of(case_for(variant), count, false));
                    }
                }
            }
        }
        const std::vector<Result> results = Study("reversal", arguments_).run(jobs);
        std::map<std::tuple<std::int32_t, double, int>, Returns> all;
        for (std::size_t k = 0; k < results.size(); ++k) {
            const Measurement& m = measurements[k];
            all[{m.cells, m.cfl, m.steps}][m.policy.name] = results[k].as<Return>();
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
        table_path_ = table.complete();
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
        for (const auto& [precision, cells] : runs)
            jobs.push_back(job_of(case_for({.spacing = arguments_.exact_spacing,
                                            .cfl = arguments_.exact_cfl,
                                            .cells = cells,
                                            .precision = precision}),
                                  steps, true));
        bool exact = false;
        Study("reversal", arguments_).run(jobs, [&](std::size_t k, const Result& result) {
            const Run& run = runs[k];
            const auto r = result.as<Return>();
            const char* const place = run.cells == 0 ? "the origin" : "4,000 cells away";
            page_.row("{} | {} | {} | {:.3g} | {:.2e} | {} of {}{}", run.precision, place, steps, r.moved, r.distance,
                      r.changed, r.words, r.broke_at >= 0 ? fmt::format(" (stopped after {} steps)", r.broke_at) : "");
            for (std::size_t moment = 0; moment < r.film.size(); ++moment)
                for (const auto& shown : r.film[moment])
                    film.row(run.precision + (run.cells == 0 ? "" : " far away"), film_moments.at(moment), shown);
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
    "A collapse run forwards and backwards to its start, by every policy: distance from the start that rounding causes",
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
