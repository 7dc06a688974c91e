// halfulp validate energy: what each technique of single precision is worth. Inviscid water in a closed tank conserves
// its total energy in continuous time, so what changes it is the integrator and rounding. Every policy runs beside a
// reference in double from the same start with the same steps; the largest difference of the two energies over time is
// its rounding error, and the reference's own change what the integrator does.
#include "validation/energy/energy_runs.hpp"

namespace halfulp {

namespace {

struct Arguments : StudyOptions {
    std::vector<double> cfls;  // empty: those of the scale
    std::vector<std::string> policies;
    std::vector<std::string> flows;  // empty: those of the scale
    double spacing = 0;              // 0: the cases' own
};

constexpr std::int64_t far_away = 1'000'000'000;

std::string energy_text(const EnergyError& e)
{
    if (e.failed) return fmt::format("failed at {:.3g} s ({:.1e})", e.failed_at, e.deviation);
    if (e.frozen) return fmt::format("frozen ({:.1e})", e.deviation);
    if (e.flow > another_flow) return fmt::format("{:.1e}, another flow", e.deviation);
    return fmt::format("{:.2e}", e.deviation);
}

class Experiment {
public:
    explicit Experiment(const Arguments& arguments)
        : arguments_(arguments), page_(arguments.folder, "energy", "Energy error of every policy"),
          study_("energy", arguments)
    {
        if (arguments_.cfls.empty())
            arguments_.cfls = arguments.choose<std::vector<double>>({0.1, 0.03, 0.01}, {0.3, 0.1, 0.03, 0.01},
                                                                    {0.3, 0.1, 0.03, 0.01, 0.003});
        // From the largest on, each once: the crossover is looked for in this order.
        std::ranges::sort(arguments_.cfls, std::greater<>());
        arguments_.cfls.erase(std::unique(arguments_.cfls.begin(), arguments_.cfls.end()), arguments_.cfls.end());
        policies_ =
            arguments.policies.empty() ? laboratory_policies(arguments.scale) : laboratory_policies(arguments.policies);
    }

    ExitCode run()
    {
        const std::vector<EnergyFlow> to_run = settings(arguments_.scale);
        page_.paragraph(
            "Largest difference over time between the change of a policy's total energy and that of a run in double from the same "
            "start, as the policy holds it, with the same steps; over the available potential energy. No viscosity, no diffusion, no "
            "filter. Steps are fixed: CFL counts the sound speed at rest.");
        for (const EnergyFlow& setting : to_run) over_steps(setting);
        conclude_steps(page_, policies_, all_);
        for (const EnergyFlow& setting : settings(std::min(arguments_.scale, Scale::usual))) over_distance(setting);
        conclude_distance(page_, distance_);
        return page_.close();
    }

private:
    [[nodiscard]] std::vector<EnergyFlow> settings(Scale scale) const
    {
        std::vector<EnergyFlow> settings{{"collapse", "inviscid-tank-2d", 0.05}};
        if (scale != Scale::quick) {
            settings.push_back({"sloshing", "sloshing-tank-2d", 0.05});
            settings.push_back({"rolling", "rolling-tank-2d", 0.05});
        }
        if (scale == Scale::full) {
            settings.push_back({"fine collapse", "inviscid-tank-2d", 0.02});
            settings.push_back({"sloshing for twenty periods", "sloshing-tank-2d", 0.05, 26.4, 0.03});
            settings.push_back({"rolling for twenty periods", "rolling-tank-2d", 0.05, 40, 0.03});
        }
        for (EnergyFlow& setting : settings)
            if (arguments_.spacing > 0) setting.spacing = arguments_.spacing;
        std::erase_if(settings, [&](const EnergyFlow& setting) {
            return !arguments_.flows.empty() &&
                   std::ranges::find(arguments_.flows, setting.title) == arguments_.flows.end();
        });
        if (settings.empty())
            throw input_error(
                fmt::format("--flow is \"{}\", but --quick has \"collapse\" only", arguments_.flows.front()));
        return settings;
    }

    // A table with a row for each policy, and a column for each of the variants of its runs. `write` has the results of
    // a row, for what follows them.
    void table_of_runs(const std::string& case_name, const std::vector<PolicyInfo>& policies,
                       const std::vector<Variant>& variants,
                       const std::function<void(const MeasuredEnergy&)>& write_csv,
                       const std::function<void(const std::vector<MeasuredEnergy>&, std::vector<std::string>&)>& finish)
    {
        // Walls that move do not run backwards.
        const bool moving = !case_with(case_name).motions.empty();
        std::vector<EnergyRun> runs;
        for (const PolicyInfo& policy : policies) {
            if (policy.reversible && moving) continue;
            for (const Variant& variant : variants) runs.push_back({case_name, variant, policy});
        }
        std::vector<MeasuredEnergy> row;
        measure_energies(runs, study_, [&](std::size_t k, const EnergyError& error) {
            write_csv(row.emplace_back(MeasuredEnergy{runs[k], error}));
            if (row.size() < variants.size()) return;
            std::vector<std::string> cells{runs[k].policy.name};
            for (const MeasuredEnergy& m : row) cells.push_back(energy_text(m.error));
            finish(row, cells);
            page_.row(cells);
            row.clear();
        });
    }

    void over_steps(const EnergyFlow& setting)
    {
        std::vector<Variant> variants;
        std::vector<std::string> header{"policy"};
        for (const double cfl : arguments_.cfls) {
            if (cfl < setting.least_cfl) continue;
            variants.push_back({.spacing = setting.spacing, .cfl = cfl, .end = setting.end});
            header.push_back(fmt::format("CFL {}", cfl));
        }
        if (variants.empty()) return;
        header.push_back("leaves double at CFL");
        page_.heading("Over the step: {}", setting.title);
        page_.table(header,
                    "{} at a spacing of {} m; the last column is the CFL number at which the "
                    "policy's rounding becomes larger than the integrator's own error",
                    setting.case_name, setting.spacing);
        Table table(arguments_.folder, fmt::format("energy-{}-{}", setting.case_name, ++tables_),
                    "policy,cfl[1],steps[1],deviation[1],deviation[J/m],own_change[1],double_change[1],failed_at[s]");
        std::vector<std::string> integrator{"(integrator, in double)"};
        table_of_runs(
            setting.case_name, policies_, variants,
            [&](const MeasuredEnergy& m) {
                const EnergyError& e = m.error;
                table.row(m.run.policy.name, m.run.variant.cfl, e.steps, e.deviation, e.deviation * e.available, e.own,
                          e.reference, e.failed_at);
            },
            [&](const std::vector<MeasuredEnergy>& row, std::vector<std::string>& cells) {
                cells.push_back(crossover(row));
                all_.insert(all_.end(), row.begin(), row.end());
                for (const MeasuredEnergy& m : row)
                    if (m.of("double")) integrator.push_back(fmt::format("{:.2e}", m.error.own));
            });
        // What the integrator itself does, for the eye.
        integrator.emplace_back("");
        if (integrator.size() == header.size()) page_.row(integrator);
        page_.draw(table.complete(), "energy_step",
                   "Rounding error of the energy over the step, for the bundles and for robust without one technique "
                   "each; the grey line is the integrator's error.");
    }

    void over_distance(const EnergyFlow& setting)
    {
        using List = std::vector<std::int64_t>;
        std::vector<Variant> variants;
        std::vector<std::string> header{"policy"};
        for (const std::int64_t cells : arguments_.choose<List>(
                 {0, still_moving, far_away}, {0, 64, still_moving, 262144, 16777216, far_away},
                 {0, 64, 512, still_moving, 32768, 262144, 2097152, 16777216, 134217728, far_away})) {
            variants.push_back({.spacing = setting.spacing, .cfl = asked_cfl, .end = setting.end, .cells = cells});
            header.push_back(fmt::format("{} cells", cells));
        }
        std::vector<PolicyInfo> policies = policies_;
        std::erase_if(policies, [](const PolicyInfo& policy) {
            return !policy.bundle && policy.name.find("position=") == std::string::npos;
        });
        if (policies.empty()) return;
        page_.heading("Over the distance from the origin: {}", setting.title);
        page_.table(header,
                    "{} at a spacing of {} m, CFL {}; another flow: the kinetic energy differs from the reference's by "
                    "more than {} of the available energy at some time, so that what is conserved is not this flow's",
                    setting.case_name, setting.spacing, asked_cfl, another_flow);
        Table table(
            arguments_.folder, fmt::format("energy-distance-{}", setting.case_name),
            "policy,distance[cells],steps[1],deviation[1],own_change[1],kinetic_deviation[1],failed_at[s],frozen,state_hash");
        table_of_runs(
            setting.case_name, policies, variants,
            [&](const MeasuredEnergy& m) {
                const EnergyError& e = m.error;
                table.row(m.run.policy.name, m.run.variant.cells, e.steps, e.deviation, e.own, e.flow, e.failed_at,
                          e.frozen, e.hash.text());
            },
            [&](const std::vector<MeasuredEnergy>& row, std::vector<std::string>&) {
                distance_.insert(distance_.end(), row.begin(), row.end());
            });
        page_.draw(table.complete(), "energy_distance",
                   "Rounding error of the energy over the distance from the origin.");
    }

    Arguments arguments_;
    Page page_;
    Study study_;
    std::vector<PolicyInfo> policies_;
    int tables_ = 0;                        // over the step
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
        add(command, "--flow", arguments.flows, "Only these flows: collapse, sloshing, rolling",
            CLI::IsMember({"collapse", "sloshing", "rolling"}));
    });

}  // namespace

}  // namespace halfulp
