// halfulp validate analytic: cases with an exact answer, scored and drawn with their convergence.
#include "validation/analytic/analytic.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "core/app/commands.hpp"
#include "core/setup/spelling.hpp"

namespace halfulp {

namespace {

const std::vector<AnalyticCase>& analytic_cases()
{
    static const std::vector<AnalyticCase> all{oscillating_drop(), elliptical_drop(), standing_wave(),
                                               taylor_green(),     poiseuille(),      couette(),
                                               hydrostatic_tank(), rotating_square()};
    return all;
}

struct Arguments {
    std::string folder = "out/validate-analytic";
    std::vector<std::string> names;
    std::vector<int> particles;
    bool quick = false;
};

const AnalyticCase& case_named(const std::string& name)
{
    std::vector<std::string_view> names;
    for (const AnalyticCase& one : analytic_cases()) {
        if (one.name == name) return one;
        names.push_back(one.name);
    }
    throw input_error(fmt::format("validate analytic: \"{}\" is unknown; there are {}.", name, enumerate_names(names)));
}

// The order p of error ~ (1/particles)^p between two resolutions.
std::string order_text(const AnalyticResult& coarse, const AnalyticResult& fine, std::size_t criterion, double ratio)
{
    const double order = std::log(coarse.errors[criterion] / fine.errors[criterion]) / std::log(ratio);
    return std::isfinite(order) ? fmt::format(" (order {:.1f})", order) : "";
}

bool score(const AnalyticCase& one, const Arguments& arguments)
{
    const bool own_resolutions = !arguments.particles.empty();
    const std::vector<int> resolutions = own_resolutions   ? arguments.particles
                                         : arguments.quick ? std::vector<int>{one.quick}
                                                           : one.particles;
    Table errors(arguments.folder, "analytic-" + one.name + "-errors", "particles,steps,criterion,error,tolerance");
    Table curve(arguments.folder, "analytic-" + one.name,
                fmt::format("particles,{},measured {},exact", one.x_label, one.y_label));
    fmt::print("{}: {} (case {})\n\n| {} | steps |", one.name, one.summary, one.case_file, one.resolution);
    for (const Criterion& criterion : one.criteria) fmt::print(" {} |", criterion.name);
    fmt::print("\n|---|---|");
    for (std::size_t i = 0; i < one.criteria.size(); ++i) fmt::print("---|");
    fmt::print("\n");

    bool passed = true;
    std::vector<AnalyticResult> results;
    for (std::size_t k = 0; k < resolutions.size(); ++k) {
        const AnalyticResult& result = results.emplace_back(one.run(resolutions[k]));
        fmt::print("| {} | {}{} |", resolutions[k], result.steps, result.broke ? " (STOPPED)" : "");
        passed = passed && !result.broke;
        for (const CurvePoint& point : result.curve)
            curve.row(fmt::format("{},{},{},{}", resolutions[k], point.x, point.measured, point.exact));
        for (std::size_t i = 0; i < one.criteria.size(); ++i) {
            const double tolerance = arguments.quick ? one.criteria[i].quick_tolerance : one.criteria[i].tolerance;
            const double ratio = k > 0 ? static_cast<double>(resolutions[k]) / resolutions[k - 1] : 0;
            fmt::print(" {:.2e}{} |", result.errors[i], k > 0 ? order_text(results[k - 1], result, i, ratio) : "");
            errors.row(fmt::format("{},{},\"{}\",{},{}", resolutions[k], result.steps, one.criteria[i].name,
                                   result.errors[i], tolerance));
            // The last resolution is the one that has to be good enough.
            if (k + 1 == resolutions.size()) passed = passed && result.errors[i] <= tolerance;
        }
        fmt::print("\n");
        std::fflush(stdout);
    }
    errors.close();
    curve.close();
    fmt::print("\n{} ({} {})", passed ? "passed" : "FAILED", resolutions.back(), one.resolution);
    for (const Criterion& criterion : one.criteria) {
        fmt::print("{} {} at most {}", &criterion == &one.criteria.front() ? ":" : ",", criterion.name,
                   arguments.quick ? criterion.quick_tolerance : criterion.tolerance);
    }
    fmt::print("\n");
    draw_table(curve.path(), "analytic");
    fmt::print("\n");
    return passed;
}

ExitCode run_experiment(const Arguments& arguments)
{
    std::vector<const AnalyticCase*> chosen;
    for (const std::string& name : arguments.names) chosen.push_back(&case_named(name));
    if (chosen.empty()) {
        for (const AnalyticCase& one : analytic_cases()) chosen.push_back(&one);
    }
    std::vector<std::string_view> failed;
    for (const AnalyticCase* one : chosen) {
        if (!score(*one, arguments)) failed.push_back(one->name);
    }
    if (failed.empty()) return ExitCode::success;
    fmt::print("FAILED: {}\n", enumerate_names(failed));
    return ExitCode::differs;
}

const bool registered = register_experiment({
    .command = "validate",
    .name = "analytic",
    .summary = "Drops, waves, vortices, channels and tanks against their exact answers, over the spacing",
    .set_up =
        [](CLI::App& command) {
            auto arguments = std::make_shared<Arguments>();
            std::vector<std::string_view> names;
            for (const AnalyticCase& one : analytic_cases()) names.push_back(one.name);
            command.add_option("name", arguments->names, "Which (default: all): " + enumerate_names(names));
            command.add_option("-o,--output", arguments->folder, "Folder for the tables and the figures")
                ->capture_default_str();
            command
                .add_option("--particles", arguments->particles,
                            "Resolutions to run instead of the case's own, coarsest first, counted as its table says")
                ->check(CLI::Range(5, 2000));
            command.add_flag("--quick", arguments->quick,
                             "One coarse resolution each, with wider tolerances (seconds)");
            return [arguments] { return run_experiment(*arguments); };
        },
});

}  // namespace

}  // namespace halfulp
