// halfulp validate analytic: flows with an analytic solution, scored and drawn with their convergence.
#include "validation/analytic/analytic.hpp"

namespace halfulp {

namespace {

const std::vector<AnalyticCase>& analytic_cases()
{
    static const std::vector<AnalyticCase> all = [] {
        std::vector<AnalyticCase> cases = drops();
        std::ranges::move(flows(), std::back_inserter(cases));
        return cases;
    }();
    return all;
}

struct Arguments : StudyOptions {
    std::vector<std::string> names;
    std::vector<int> particles;
};

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
        results_.emplace_back(particles, std::move(result));
        const AnalyticResult& now = results_.back().second;
        std::vector<std::string> cells{std::to_string(particles),
                                       fmt::format("{}{}", now.steps, now.broke ? " (STOPPED)" : "")};
        for (const CurvePoint& point : now.curve) curve_.row(particles, point.x, point.measured, point.exact);
        for (std::size_t i = 0; i < one_.criteria.size(); ++i) {
            const double order = results_.size() > 1 ? order_from(results_.size() - 2, i) : NAN;
            cells.push_back(fmt::format("{:.2e}{}", now.errors[i],
                                        std::isfinite(order) ? fmt::format(" (order {:.1f})", order) : ""));
            errors_.row(particles, now.steps, one_.criteria[i].name, now.errors[i], tolerance(i));
        }
        page_.row(cells);
    }

    // The last resolution is the one that has to be good enough.
    void close()
    {
        const auto& [particles, last] = results_.back();
        bool within = std::ranges::none_of(results_, [](const auto& one) { return one.second.broke; });
        std::vector<std::string> limits;
        for (std::size_t i = 0; i < one_.criteria.size(); ++i) {
            within = within && last.errors[i] <= tolerance(i);
            limits.push_back(fmt::format("{} at most {}", one_.criteria[i].name, tolerance(i)));
        }
        page_.verdict(within, "{} ({} {}): {}", one_.name, particles, one_.resolution, fmt::join(limits, ", "));
        for (std::size_t i = 0; i < one_.criteria.size(); ++i) {
            const Criterion& criterion = one_.criteria[i];
            // One resolution has no order.
            if (criterion.least_order == 0 || results_.front().first == particles) continue;
            const double order = order_from(0, i);
            page_.verdict(order >= criterion.least_order,
                          "{}: {} falls from {} to {} {} with the order {:.2f}, at least {}", one_.name, criterion.name,
                          results_.front().first, particles, one_.resolution, order, criterion.least_order);
        }
        errors_.complete();  // it is drawn, too
        page_.draw(curve_.complete(), "analytic",
                   "{}: {}; left: what was measured, and exact; right: errors over the resolution.", one_.name,
                   one_.summary);
    }

private:
    // The order p of error ~ (1/particles)^p from a resolution to the last.
    [[nodiscard]] double order_from(std::size_t k, std::size_t criterion) const
    {
        const auto& [coarse, before] = results_[k];
        const auto& [fine, now] = results_.back();
        return std::log(before.errors[criterion] / now.errors[criterion]) /
               std::log(static_cast<double>(fine) / coarse);
    }

    [[nodiscard]] double tolerance(std::size_t i) const
    {
        return quick_ ? one_.criteria[i].quick_tolerance : one_.criteria[i].tolerance;
    }

    Page& page_;
    const AnalyticCase& one_;
    bool quick_;
    Table errors_;
    Table curve_;
    std::vector<std::pair<int, AnalyticResult>> results_;  // of each number of particles
};

ExitCode run_experiment(const Arguments& arguments)
{
    struct Measurement {
        const AnalyticCase* one;
        int particles;
        bool last;  // of its case
    };
    Measurements<Measurement, AnalyticResult> measurements;
    for (const AnalyticCase* one : cases_named(analytic_cases(), arguments.names, "validate analytic")) {
        const Case c = case_with(one->case_file);
        const std::vector<int> resolutions = resolutions_of(*one, arguments);
        for (const int particles : resolutions)
            measurements.add({one, particles, particles == resolutions.back()},
                             job_key("analytic " + one->name, c, {fmt::format("particles={}", particles)}),
                             [one, particles] { return one->run(particles); });
    }
    Page page(arguments.folder, "analytic", "Cases with an exact answer");
    std::optional<Score> score;
    Study("analytic", arguments).run(measurements, [&](const Measurement& m, const AnalyticResult& result) {
        if (!score) score.emplace(page, *m.one, arguments);
        score->add(m.particles, result);
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

void AnalyticResult::raise(std::size_t criterion, double error)
{
    errors.resize(std::max(errors.size(), criterion + 1));
    halfulp::raise(errors[criterion], error);
}

AnalyticResult follow(const std::string& case_name, const std::vector<std::string>& overrides, std::uint64_t every,
                      const std::function<void(AnalyticResult&, const Problem&, const Simulation&)>& look)
{
    AnalyticResult result;
    const auto simulated = simulate(prepare(case_with(case_name, overrides)), every,
                                    [&](const Problem& problem, const Simulation& now) { look(result, problem, now); });
    result.steps = simulated.steps;
    result.broke = simulated.broke;
    return result;
}

}  // namespace halfulp
