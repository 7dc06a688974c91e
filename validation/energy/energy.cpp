// halfulp validate energy: what each technique of single precision is worth. Inviscid water in a closed tank conserves
// its total energy in continuous time, so what changes it is the integrator and rounding. Every policy runs beside a
// reference in double from the same start with the same steps; the largest difference of the two energies over time is
// its rounding error, and the reference's own change what the integrator does.
#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "core/app/commands.hpp"
#include "core/setup/read_case.hpp"
#include "validation/energy/energy_runs.hpp"
#include "validation/experiment.hpp"
#include "validation/option.hpp"
#include "validation/page.hpp"

namespace halfulp {

namespace {

struct Arguments : StudyOptions {
    std::vector<double> cfls;  // empty: those of the scale
    std::vector<std::string> policies;
    std::optional<double> spacing;  // instead of the cases' own
};

struct Setting {
    std::string title;
    std::string case_name;
    double spacing;
    double end;
    double least_cfl = 0;
};

constexpr std::int64_t far_away = 1'000'000'000;

std::vector<Setting> settings_of(Scale scale, std::optional<double> spacing)
{
    std::vector<Setting> settings{{"collapse", "inviscid-tank-2d", 0.05, 0}};
    if (scale != Scale::quick) {
        settings.push_back({"sloshing", "sloshing-tank-2d", 0.05, 0});
        settings.push_back({"rolling", "rolling-tank-2d", 0.05, 0});
    }
    if (scale == Scale::full) {
        settings.push_back({"fine collapse", "inviscid-tank-2d", 0.02, 0});
        settings.push_back({"sloshing for twenty periods", "sloshing-tank-2d", 0.05, 26.4, 0.03});
        settings.push_back({"rolling for twenty periods", "rolling-tank-2d", 0.05, 40, 0.03});
    }
    for (Setting& setting : settings) setting.spacing = spacing.value_or(setting.spacing);
    return settings;
}

// Walls that move do not run backwards.
bool takes(const Setting& setting, const PolicyInfo& policy)
{
    return !policy.reversible || case_with(setting.case_name).motions.empty();
}

std::string number(double value) { return fmt::format("{:.2e}", value); }

std::string told(const EnergyError& e)
{
    if (e.failed) return fmt::format("failed at {:.3g} s ({:.1e})", e.failed_at, e.deviation);
    if (e.frozen) return fmt::format("frozen ({:.1e})", e.deviation);
    if (e.flow > another_flow) return fmt::format("{:.1e}, another flow", e.deviation);
    return number(e.deviation);
}

class Experiment {
public:
    explicit Experiment(const Arguments& arguments)
        : options_(arguments), spacing_(arguments.spacing),
          page_(options_.folder, "energy", "Energy error of every policy"), study_("energy", options_)
    {
        cfls_ = arguments.cfls;
        if (cfls_.empty()) {
            using List = std::vector<double>;
            cfls_ = options_.choose<List>({0.1, 0.03, 0.01}, {0.3, 0.1, 0.03, 0.01}, {0.3, 0.1, 0.03, 0.01, 0.003});
        }
        // From the largest on, each once: the crossover is looked for in this order.
        std::ranges::sort(cfls_, std::greater<>());
        cfls_.erase(std::unique(cfls_.begin(), cfls_.end()), cfls_.end());
        policies_ =
            arguments.policies.empty() ? laboratory_policies(options_.scale) : laboratory_policies(arguments.policies);
    }

    ExitCode run()
    {
        page_.paragraph(
            "Largest difference over time between the change of a policy's total energy and that of a run in double from the same "
            "start, as the policy holds it, with the same steps; over the available potential energy. No viscosity, no diffusion, no "
            "filter. Steps are fixed: CFL counts the sound speed at rest.");
        for (const Setting& setting : settings_of(options_.scale, spacing_)) over_steps(setting);
        conclude_steps(page_, policies_, all_);
        for (const Setting& setting :
             settings_of(options_.scale == Scale::full ? Scale::usual : options_.scale, spacing_))
            over_distance(setting);
        conclude_distance(page_, distance_);
        return page_.close();
    }

private:
    void over_steps(const Setting& setting)
    {
        const std::string name = "energy-" + setting.case_name + fmt::format("-{}", steps_.size() + 1);
        std::vector<double> cfls;
        std::copy_if(cfls_.begin(), cfls_.end(), std::back_inserter(cfls),
                     [&](double cfl) { return cfl >= setting.least_cfl; });
        if (cfls.empty()) return;
        std::vector<EnergyRun> runs;
        for (const PolicyInfo& policy : policies_) {
            if (!takes(setting, policy)) continue;
            for (const double cfl : cfls)
                runs.push_back({setting.case_name, setting.spacing, setting.end, cfl, 0, policy});
        }
        page_.heading("Over the step: {}", setting.title);
        std::vector<std::string> header{"policy"};
        for (const double cfl : cfls) header.push_back(fmt::format("CFL {}", cfl));
        header.push_back("leaves double at CFL");
        page_.table(header,
                    "{} at a spacing of {} m; the last column is the CFL number at which the "
                    "policy's rounding becomes larger than the integrator's own error",
                    setting.case_name, setting.spacing);
        Table table(options_.folder, name,
                    "policy,cfl[1],steps[1],deviation[1],deviation[J/m],own_change[1],double_change[1],failed_at[s]");
        std::vector<MeasuredEnergy> series;
        measure_energies(runs, study_, [&](std::size_t k, const EnergyError& e) {
            series.push_back({runs[k], e});
            table.row(runs[k].policy.name, runs[k].cfl, e.steps, e.deviation, e.deviation * e.available, e.own,
                      e.reference, e.failed ? e.failed_at : NAN);
            if (series.size() < cfls.size()) return;
            std::vector<std::string> cells{runs[k].policy.name};
            for (const MeasuredEnergy& m : series) cells.push_back(told(m.error));
            cells.push_back(crossover(series));
            page_.row(cells);
            for (const MeasuredEnergy& m : series) all_.push_back(m);
            series.clear();
        });
        // What the integrator itself does, for the eye.
        std::vector<std::string> cells{"(integrator, in double)"};
        for (const double cfl : cfls) {
            for (const MeasuredEnergy& m : all_) {
                if (m.run.policy.name != "double" || m.run.cfl != cfl || m.run.case_name != setting.case_name ||
                    m.run.spacing != setting.spacing || m.run.end != setting.end)
                    continue;
                cells.push_back(number(m.error.own));
            }
        }
        cells.emplace_back("");
        if (cells.size() == header.size()) page_.row(cells);
        page_.draw(table.path(), "energy_step",
                   "Rounding error of the energy over the step, for the bundles and for robust without one technique "
                   "each; the grey line is the integrator's error.");
        steps_.push_back(setting);
    }

    void over_distance(const Setting& setting)
    {
        using List = std::vector<std::int64_t>;
        const List distances =
            options_.choose<List>({0, still_moving, far_away}, {0, 64, still_moving, 262144, 16777216, far_away},
                                  {0, 64, 512, still_moving, 32768, 262144, 2097152, 16777216, 134217728, far_away});
        std::vector<EnergyRun> runs;
        for (const PolicyInfo& policy : policies_) {
            if (!policy.bundle && policy.name.find("position=") == std::string::npos) continue;
            if (!takes(setting, policy)) continue;
            for (const std::int64_t cells : distances)
                runs.push_back({setting.case_name, setting.spacing, setting.end, asked_cfl, cells, policy});
        }
        if (runs.empty()) return;
        page_.heading("Over the distance from the origin: {}", setting.title);
        std::vector<std::string> header{"policy"};
        for (const std::int64_t cells : distances) header.push_back(fmt::format("{} cells", cells));
        page_.table(header,
                    "{} at a spacing of {} m, CFL {}; another flow: the kinetic energy differs from the reference's by "
                    "more than {} of the available energy at some time, so that what is conserved is not this flow's",
                    setting.case_name, setting.spacing, asked_cfl, another_flow);
        Table table(
            options_.folder, fmt::format("energy-distance-{}", setting.case_name),
            "policy,distance[cells],steps[1],deviation[1],own_change[1],kinetic_deviation[1],failed_at[s],frozen,state_hash");
        std::vector<std::string> cells;
        measure_energies(runs, study_, [&](std::size_t k, const EnergyError& e) {
            if (cells.empty()) cells.push_back(runs[k].policy.name);
            distance_.push_back({runs[k], e});
            table.row(runs[k].policy.name, runs[k].cells, e.steps, e.deviation, e.own, e.flow,
                      e.failed ? e.failed_at : NAN, e.frozen, e.hash.text());
            cells.push_back(told(e));
            if (cells.size() < header.size()) return;
            page_.row(cells);
            cells.clear();
        });
        page_.draw(table.path(), "energy_distance", "Rounding error of the energy over the distance from the origin.");
    }

    StudyOptions options_;
    std::optional<double> spacing_;
    Page page_;
    Study study_;
    std::vector<double> cfls_;
    std::vector<PolicyInfo> policies_;
    std::vector<Setting> steps_;
    std::vector<MeasuredEnergy> all_;       // over the step
    std::vector<MeasuredEnergy> distance_;  // over the distance
};

const bool registered = register_study<Arguments>(
    "energy", "Energy error of every policy against double, over the step and over the distance from the origin",
    [](const Arguments& arguments) { return Experiment(arguments).run(); },
    [](CLI::App& command, Arguments& arguments) {
        command.add_option("--cfl", arguments.cfls, "CFL numbers on c0 (default: 0.3 to 0.01)");
        add(command, "--spacing", arguments.spacing, "Particle spacing, m (default: the cases')", CLI::PositiveNumber);
        command.add_option("--policy", arguments.policies, "Only these policies");
    });

}  // namespace

}  // namespace halfulp
