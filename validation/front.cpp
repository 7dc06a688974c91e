// halfulp validate front: the front of a collapsing column against published tables, over the particle spacing.
#include <cmath>
#include <memory>

#include <fmt/format.h>

#include "core/app/commands.hpp"
#include "core/output/front.hpp"
#include "core/setup/read_case.hpp"
#include "validation/experiment.hpp"
#include "validation/option.hpp"
#include "validation/page.hpp"
#include "validation/study.hpp"

namespace halfulp {

namespace {

struct Arguments : StudyOptions {
    std::string case_name = "collapse-column-2d";
    std::vector<int> particles;  // across the column's width; empty: those of the scale
};

// A row of steps and whether it broke, then the time (s) and the front (m) at every look.
Results follow_front(const Case& c)
{
    Results rows(1);
    const auto simulated = simulate(prepare(c), 10, [&](const Problem&, const Simulation& simulation) {
        const LedgerRow row = simulation.ledger_row();
        rows.push_back({row.time, row.front});
    });
    rows[0] = {static_cast<double>(simulated.steps), simulated.broke ? 1.0 : 0.0};
    return rows;
}

ExitCode run_experiment(const Arguments& arguments)
{
    using List = std::vector<int>;
    const StudyOptions& options = arguments;
    const List resolutions = arguments.particles.empty()
                                 ? arguments.choose<List>({20}, {20, 40, 80}, {20, 30, 40, 60, 80})
                                 : arguments.particles;
    const Case base = case_with(arguments.case_name);
    if (!base.front) {
        throw input_error(
            fmt::format("{}: has no [front] to compare with; choose a case that has one", base.path.string()));
    }
    const Front& front = *base.front;
    const double gravity = std::hypot(base.gravity[0], base.gravity[1], base.gravity[2]);
    const double to_scaled_time = std::sqrt(2 * gravity / front.length);
    Page page(options.folder, "front", "Front of a collapsing column");
    Table table(options.folder, "front", "source,scaled_time[1],scaled_front[1]");
    std::vector<Job> jobs;
    for (const int particles : resolutions) {
        const Case c = read_case(base.path, {fmt::format("resolution.spacing={}", front.length / particles)});
        jobs.push_back({job_key("front", c), [c] { return follow_front(c); }});
    }

    std::vector<std::string> header{"L / spacing", "steps"};
    for (const auto& reference : front.references) header.push_back(reference.name);
    page.table(header,
               "deviation of the front x/L from published tables, mean and largest, with the lag of their gates in "
               "t sqrt(2g/L) fitted, and its speed beside theirs; as published: with their own times; case {}",
               arguments.case_name);
    bool passed = true;
    std::vector<double> lags;  // of the finest
    Study("front", options).run(jobs, [&](std::size_t k, const Results& rows) {
        const int particles = resolutions[k];
        std::vector<std::array<double, 2>> history;
        for (std::size_t i = 1; i < rows.size(); ++i) {
            history.push_back({rows[i].at(0), rows[i].at(1)});
            table.row(fmt::format("L/{}", particles), rows[i].at(0) * to_scaled_time,
                      (rows[i].at(1) - front.start) / front.length);
        }
        std::vector<std::string> cells{fmt::format("{}", particles), fmt::format("{:.0f}", rows[0].at(0))};
        const auto scores = score_front(front, gravity, history);
        lags.clear();
        for (const auto& score : scores) {
            cells.push_back(fmt::format("{:.1f} %, {:.1f} %; lag {:.2f}; speed {:+.1f} % (as published {:.1f} %)",
                                        100 * score.mean_deviation, 100 * score.largest_deviation, score.lag,
                                        100 * (score.speed - 1), 100 * score.mean_deviation_as_published));
            lags.push_back(score.lag);
        }
        passed = passed && accepted(front, scores);
        page.row(cells);
        passed = passed && rows[0].at(1) == 0;
    });
    for (std::size_t k = 0; k < front.references.size(); ++k) {
        for (const auto& [t, x] : front.references[k].points) table.row(front.references[k].name, t - lags[k], x);
    }
    page.verdict(passed,
                 "mean deviations within {:.0f} %, not faster than every table by more than {:.0f} %, nor slower",
                 100 * front.tolerance, 100 * speed_tolerance);
    page.draw(
        table.path(), "front",
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

}  // namespace

}  // namespace halfulp
