// halfulp validate analytic: cases with an exact answer, scored and drawn with their convergence.
#include "validation/analytic/analytic.hpp"
#include "validation/option.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "core/app/commands.hpp"
#include "core/setup/read_case.hpp"
#include "core/setup/spelling.hpp"
#include "validation/page.hpp"

namespace halfulp {

namespace {

const std::vector<AnalyticCase>& analytic_cases()
{
    static const std::vector<AnalyticCase> all{oscillating_drop(), elliptical_drop(), standing_wave(),
                                               taylor_green(),     poiseuille(),      couette(),
                                               hydrostatic_tank(), rotating_square()};
    return all;
}

struct Arguments : StudyOptions {
    std::vector<std::string> names;
    std::vector<int> particles;
};

// The order p of error ~ (1/particles)^p between two resolutions.
double order_between(const AnalyticResult& coarse, const AnalyticResult& fine, std::size_t criterion, double ratio)
{
    return std::log(coarse.errors[criterion] / fine.errors[criterion]) / std::log(ratio);
}

std::string order_text(double order) { return std::isfinite(order) ? fmt::format(" (order {:.1f})", order) : ""; }

// A row of steps and whether it broke, one of the errors, then the curve's points.
Results rows_of(const AnalyticResult& result)
{
    Results rows{{static_cast<double>(result.steps), result.broke ? 1.0 : 0.0}, result.errors};
    for (const CurvePoint& point : result.curve) rows.push_back(row_of(point));
    return rows;
}

AnalyticResult result_of(const Results& rows)
{
    AnalyticResult result;
    result.steps = static_cast<std::uint64_t>(rows.at(0).at(0));
    result.broke = rows.at(0).at(1) != 0;
    result.errors = rows.at(1);
    for (std::size_t k = 2; k < rows.size(); ++k) result.curve.push_back(record_of<CurvePoint>(rows[k]));
    return result;
}

std::vector<int> resolutions_of(const AnalyticCase& one, const Arguments& arguments)
{
    if (!arguments.particles.empty()) return arguments.particles;
    std::vector<int> full = one.particles;
    full.push_back(one.particles.back() * 3 / 2);
    return arguments.choose<std::vector<int>>({one.quick}, one.particles, full);
}

// One case on the page: results come in from the coarsest to the finest.
class Score {
public:
    Score(Page& page, const AnalyticCase& one, const Arguments& arguments)
        : page_(page), one_(one), quick_(arguments.scale == Scale::quick),
          errors_(arguments.folder, "analytic-" + one.name + "-errors", "particles,steps,criterion,error,tolerance"),
          curve_(arguments.folder, "analytic-" + one.name,
                 fmt::format("particles,{},measured {},exact", one.x_label, one.y_label))
    {
        page.heading("{}: {}", one.name, one.summary);
        std::vector<std::string> header{one.resolution, "steps"};
        for (const Criterion& criterion : one.criteria) header.push_back(criterion.name);
        page.table(header, "case " + one.case_file);
    }

    void add(int particles, AnalyticResult result)
    {
        std::vector<std::string> cells{fmt::format("{}", particles),
                                       fmt::format("{}{}", result.steps, result.broke ? " (STOPPED)" : "")};
        broke_ = broke_ || result.broke;
        for (const CurvePoint& point : result.curve) curve_.row(particles, row_of(point));
        within_ = true;
        for (std::size_t i = 0; i < one_.criteria.size(); ++i) {
            cells.push_back(fmt::format(
                "{:.2e}{}", result.errors[i],
                particles_ > 0 ? order_text(order_between(last_, result, i, ratio(particles_, particles))) : ""));
            errors_.row(particles, result.steps, one_.criteria[i].name, result.errors[i], tolerance(i));
            within_ = within_ && result.errors[i] <= tolerance(i);
        }
        page_.row(cells);
        if (particles_ == 0) first_ = result, first_particles_ = particles;
        particles_ = particles;
        last_ = std::move(result);
    }

    // The last resolution is the one that has to be good enough.
    void close()
    {
        std::string asked = fmt::format("{} ({} {})", one_.name, particles_, one_.resolution);
        for (std::size_t i = 0; i < one_.criteria.size(); ++i)
            asked += fmt::format("{} {} at most {}", i == 0 ? ":" : ",", one_.criteria[i].name, tolerance(i));
        page_.verdict(within_ && !broke_, asked);
        judge_orders();
        page_.draw(curve_.path(), "analytic",
                   "{}: {}; left: what was measured, and exact; right: errors over the resolution.", one_.name,
                   one_.summary);
    }

private:
    // One resolution has no order.
    void judge_orders()
    {
        if (first_particles_ == particles_) return;
        for (std::size_t i = 0; i < one_.criteria.size(); ++i) {
            const Criterion& criterion = one_.criteria[i];
            if (criterion.least_order == 0) continue;
            const double order = order_between(first_, last_, i, ratio(first_particles_, particles_));
            page_.verdict(order >= criterion.least_order,
                          "{}: {} falls from {} to {} {} with the order {:.2f}, at least {}", one_.name, criterion.name,
                          first_particles_, particles_, one_.resolution, order, criterion.least_order);
        }
    }

    static double ratio(int coarse, int fine) { return static_cast<double>(fine) / coarse; }

    [[nodiscard]] double tolerance(std::size_t i) const
    {
        return quick_ ? one_.criteria[i].quick_tolerance : one_.criteria[i].tolerance;
    }

    Page& page_;
    const AnalyticCase& one_;
    bool quick_;
    Table errors_;
    Table curve_;
    int particles_ = 0;  // of the result before
    AnalyticResult last_;
    int first_particles_ = 0;
    AnalyticResult first_;
    bool within_ = false;
    bool broke_ = false;
};

ExitCode run_experiment(const Arguments& arguments)
{
    const auto chosen = cases_named(analytic_cases(), arguments.names, "validate analytic");
    struct Measurement {
        const AnalyticCase* one;
        int particles;
        bool last;  // of its case
    };
    std::vector<Measurement> measurements;
    std::vector<Job> jobs;
    for (const AnalyticCase* one : chosen) {
        const Case c = case_with(one->case_file);
        for (const int particles : resolutions_of(*one, arguments)) {
            measurements.push_back({one, particles, false});
            jobs.push_back({job_key("analytic " + one->name, c, {fmt::format("particles={}", particles)}),
                            [one, particles] { return rows_of(one->run(particles)); }});
        }
        measurements.back().last = true;
    }
    Page page(arguments.folder, "analytic", "Cases with an exact answer");
    std::optional<Score> score;
    Study("analytic", arguments).run(jobs, [&](std::size_t k, const Results& rows) {
        const Measurement& m = measurements[k];
        if (!score) score.emplace(page, *m.one, arguments);
        score->add(m.particles, result_of(rows));
        if (!m.last) return;
        score->close();
        score.reset();
    });
    return page.close();
}

const bool registered = register_study<Arguments>(
    "analytic", "Drops, waves, vortices, channels and tanks against their exact answers, over the spacing",
    run_experiment, [](CLI::App& command, Arguments& arguments) {
        command.add_option("name", arguments.names, "Which (default: all): " + names_of(analytic_cases()));
        add(command, "--particles", arguments.particles,
            "Resolutions to run instead of the case's own, coarsest first, counted as its table says",
            CLI::Range(5, 2000));
    });

}  // namespace

void follow(AnalyticResult& result, const std::string& case_name, const std::vector<std::string>& overrides,
            std::uint64_t every, const Look& look)
{
    const auto simulated = simulate(prepare(case_with(case_name, overrides)), every, look);
    result.steps = simulated.steps;
    result.broke = simulated.broke;
}

}  // namespace halfulp
