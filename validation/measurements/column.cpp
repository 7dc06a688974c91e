// The collapse of a column against Koshizuka and Oka 1996 and Martin and Moyce 1952: `halfulp validate front`, the
// front over the particle spacing; and a case of `halfulp validate experiment`, with the height at the wall behind.
#include "core/output/front.hpp"
#include "core/setup/read_case.hpp"
#include "validation/experiment.hpp"
#include "validation/measurements/measurements.hpp"

namespace halfulp {

namespace {

double gravity_of(const Case& c) { return std::hypot(c.gravity[0], c.gravity[1], c.gravity[2]); }

// Of times in s to t sqrt(2g/L).
double time_scale(const Case& c) { return std::sqrt(2 * gravity_of(c) / c.front->length); }

struct Arguments : StudyOptions {
    std::string case_name = "collapse-column-2d";
    std::vector<int> particles;  // across the column's width; empty: those of the scale
};

struct Run {
    std::uint64_t steps = 0;
    bool broke = false;
    std::vector<std::array<double, 2>> history;  // time (s) and front (m)
    static auto members(auto& self) { return std::tie(self.steps, self.broke, self.history); }
};

Run follow_front(const Case& c)
{
    Run run;
    const auto simulated = simulate(prepare(c), 10, [&](const Problem&, const Simulation& simulation) {
        const LedgerRow row = simulation.ledger_row();
        run.history.push_back({row.time, row.front});
    });
    run.steps = simulated.steps;
    run.broke = simulated.broke;
    return run;
}

ExitCode run_experiment(const Arguments& arguments)
{
    using List = std::vector<int>;
    const List resolutions = arguments.particles.empty()
                                 ? arguments.choose<List>({20}, {20, 40, 80}, {20, 30, 40, 60, 80})
                                 : arguments.particles;
    const Case base = case_with(arguments.case_name);
    if (!base.front) {
        throw input_error(
            fmt::format("{}: has no [front] to compare with; choose a case that has one", base.path.string()));
    }
    const Front& front = *base.front;
    const double to_scaled_time = time_scale(base);
    Page page(arguments.folder, "front", "Front of a collapsing column");
    Table table(arguments.folder, "front", "source,scaled_time[1],scaled_front[1]");
    Table deviations(arguments.folder, "front-scores",
                     "particles,steps,reference,lag[1],mean_deviation[1],largest_deviation[1],"
                     "mean_deviation_as_published[1],speed[1]");
    Measurements<int, Run> measurements;
    for (const int particles : resolutions) {
        const Case c = read_case(base.path, {fmt::format("resolution.spacing={}", front.length / particles)});
        measurements.add(particles, job_key("front", c), [c] { return follow_front(c); });
    }

    std::vector<std::string> header{"L / spacing", "steps"};
    for (const auto& reference : front.references) header.push_back(reference.name);
    page.table(header,
               "deviation of the front x/L from published tables, mean and largest, with the lag of their gates in "
               "t sqrt(2g/L) fitted, and its speed beside theirs; as published: with their own times; case {}",
               arguments.case_name);
    bool passed = true;
    std::vector<double> lags;  // of the finest
    Study("front", arguments).run(measurements, [&](int particles, const Run& run) {
        for (const auto& [time, x] : run.history)
            table.row(fmt::format("L/{}", particles), time * to_scaled_time, (x - front.start) / front.length);
        std::vector<std::string> cells{std::to_string(particles), std::to_string(run.steps)};
        const auto scores = score_front(front, gravity_of(base), run.history);
        lags.clear();
        for (const auto& score : scores) {
            cells.push_back(fmt::format("{:.1f} %, {:.1f} %; lag {:.2f}; speed {:+.1f} % (as published {:.1f} %)",
                                        100 * score.mean_deviation, 100 * score.largest_deviation, score.lag,
                                        100 * (score.speed - 1), 100 * score.mean_deviation_as_published));
            lags.push_back(score.lag);
            deviations.row(particles, run.steps, score.reference, score.lag, score.mean_deviation,
                           score.largest_deviation, score.mean_deviation_as_published, score.speed);
        }
        page.row(cells);
        passed = passed && accepted(front, scores) && !run.broke;
    });
    for (std::size_t k = 0; k < front.references.size(); ++k) {
        for (const auto& [t, x] : front.references[k].points) table.row(front.references[k].name, t - lags[k], x);
    }
    page.verdict(passed,
                 "mean deviations within {:.0f} %, not faster than every table by more than {:.0f} %, nor slower",
                 100 * front.tolerance, 100 * speed_tolerance);
    page.draw(
        table.complete(), "front",
        "The front over time at several spacings, beside the points of the experiments less the lags fitted at the finest.");
    return page.close();
}

const bool registered = register_study<Arguments>(
    "front", "Front of a collapsing column against Koshizuka and Oka and Martin and Moyce, over the spacing",
    run_experiment, [](CLI::App& command, Arguments& arguments) {
        add(command, "--case", arguments.case_name, "A case with a [front]");
        add(command, "--particles", arguments.particles,
            "Particles across the column's width (default: 20 40 80; --quick: 20)", CLI::Range(1, 10'000));
    });

constexpr double width = 0.146;  // m, L of the case; the column is 2L high

Comparison compare(const MeasuredRun& run, MeasuredData& data)
{
    Comparison result;
    const Front& front = run.source.front.value();
    const double to_scaled_time = time_scale(run.source);
    std::vector<std::array<double, 2>> history;
    Series computed;
    for (std::size_t i = 0; i < run.front.time.size(); ++i) {
        history.push_back({run.front.time[i], run.front.value[i]});
        computed.add(run.front.time[i] * to_scaled_time, (run.front.value[i] - front.start) / front.length);
    }
    const std::string panel = "front, x/L";
    const auto scores = score_front(front, gravity_of(run.source), history);
    const bool passed = accepted(front, scores);
    for (std::size_t k = 0; k < scores.size(); ++k) {
        const FrontScore& score = scores[k];
        result.scores.push_back(
            {fmt::format("front, mean deviation from {}, with a lag of {:.2f} t sqrt(2g/L)", score.reference,
                         score.lag),
             fmt::format("{} points", score.points),
             fmt::format("within {:.0f} %, and not faster than every table by more than {:.0f} %, nor slower",
                         100 * front.tolerance, 100 * speed_tolerance),
             fmt::format("{:.1f} %, largest {:.1f} %; speed {:+.1f} %", 100 * score.mean_deviation,
                         100 * score.largest_deviation, 100 * (score.speed - 1)),
             passed, "1", std::nullopt, score.mean_deviation});
        Series points;
        for (const auto& [t, x] : front.references[k].points) points.add(t - score.lag, x);
        result.add_measured(panel, score.reference, Curve::Look::points, points);
    }
    result.add_computed(panel, computed);

    // At the wall behind the column; the height that is left of 2L.
    const std::string height_panel = "height at the wall behind, h/2L";
    Series height = run.probe("height", "level");
    for (double& t : height.time) t *= to_scaled_time;
    for (double& h : height.value) h /= 2 * front.length;
    if (const auto table =
            data.table("martin_moyce1952_height_n2_2_a57mm.csv", "the height of the column is left out")) {
        Series measured{table->ascending_column("tau_t_sqrt_g_over_a"), table->column("h_over_h0")};
        for (double& t : measured.time) t *= std::sqrt(2.0);  // tau has g, the front's time 2g
        result.add_deviation("height at the wall behind, mean deviation from Martin and Moyce 1952",
                             fmt::format("{} points", measured.time.size()),
                             mean_deviation(height, measured, 0, computed.time.back()));
        result.add_measured(height_panel, "Martin and Moyce 1952", Curve::Look::points, measured);
    }
    result.add_computed(height_panel, height);
    return result;
}

}  // namespace

MeasuredCase column()
{
    return {.name = "column",
            .summary = "a column twice as high as wide collapses, 2D",
            .citation =
                "Koshizuka and Oka, Nucl. Sci. Eng. 123 (1996) 421; Martin and Moyce, Phil. Trans. A 244 (1952) 312",
            .case_file = "collapse-column-2d",
            .resolution = "particles across the column's width",
            .length = width,
            .abscissa = "time t sqrt(2g/L)",
            .resolutions = {.from = Scale::usual, .quick = 20, .usual = 40, .full = {20, 40, 80}},
            .prepare = {},
            .compare = compare};
}

}  // namespace halfulp
