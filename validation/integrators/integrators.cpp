// halfulp validate integrators: every time integrator on the same inviscid flows: what it adds to the energy, its order
// in the step, how far single precision is from double, and what it costs; and on a sound wave beside its closed form.
#include "core/operations/operations.hpp"
#include "validation/block.hpp"
#include "validation/energy/energy_runs.hpp"
#include "validation/integrators/sound_wave.hpp"

namespace halfulp {

namespace {

constexpr int corrector_every = 40;  // of Verlet's scheme: the default
constexpr double gain = 0.01;        // of the available energy
constexpr double rounding = 1e-13;   // changes below have no order

struct Arguments : StudyOptions {
    std::vector<std::string> integrators;
};

struct Named {
    Integrator integrator;
    std::string name;
};

#define HALFULP_NAMED(enumerator, Model, ...) {Integrator::enumerator, Model::name},

const std::vector<Named>& all_integrators()
{
    static const std::vector<Named> all{HALFULP_INTEGRATORS(HALFULP_NAMED)};
    return all;
}

// The step, counted from 1, after which the energy has changed by `gain`, and the change there; or that at the end.
struct Gained {
    std::uint64_t at = 0;  // 0: not in the run
    double change = 0;     // over the available energy
    bool broke = false;
};

Gained follow_until_gain(const Case& c, std::uint64_t most_steps)
{
    const Problem problem = prepare(c);
    Simulation simulation(problem, make_cpu_backend(problem, one_thread));
    Gained gained;
    const double start = simulation.ledger_row().residual;
    gained.broke = breaks_down([&] {
        while (gained.at == 0 && simulation.steps() < most_steps) {
            simulation.step();
            if (simulation.steps() % 10 != 0) continue;
            gained.change = (simulation.ledger_row().residual - start) / problem.available_energy;
            if (!(std::abs(gained.change) < gain)) gained.at = simulation.steps();
        }
    });
    if (gained.broke) gained.at = simulation.steps();
    return gained;
}

// Passes over pairs in a step, or in a round of an implicit one.
struct Passes {
    int count = 0;
    bool per_round = false;
};

Passes passes_of(const Problem& problem)
{
    Passes passes;
    for (const SchemeBlock& block : scheme_of(problem).step) {
        for (const SchemeEntry& entry : block.entries) {
            with_operation(entry.operation.kind, [&]<class Op>() {
                if (Op::info.target != TargetOfOperation::pairs) return;
                ++passes.count;
                passes.per_round = passes.per_round || block.loop;
            });
        }
    }
    return passes;
}

std::string change_text(const EnergyError& e, double change)
{
    if (e.failed) return fmt::format("failed at {:.3g} s", e.failed_at);
    return e.flow > another_flow ? fmt::format("{:.1e} *", change) : fmt::format("{:.1e}", change);
}

class Experiment {
public:
    explicit Experiment(const Arguments& arguments)
        : arguments_(arguments), page_(arguments.folder, "integrators", "Time integrators"),
          study_("integrators", arguments),
          flows_(arguments.folder, "integrators",
                 "case,integrator,precision,cfl[1],steps[1],change[1],order[1],deviation[1],kinetic_deviation[1],"
                 "failed_at[s]"),
          waves_(arguments.folder, "integrators-waves",
                 "integrator,cfl[1],waves,angle[rad],growth[1],growth_by_theory[1],phase[1],phase_by_theory[1]"),
          gains_(arguments.folder, "integrators-gain", "integrator,cfl[1],step[1],change[1],broke"),
          costs_(arguments.folder, "integrators-cost", "integrator,passes[1],per_round,step[ns],to_default[1]")
    {
        for (const Named* one : cases_named(all_integrators(), arguments.integrators, "--integrator"))
            integrators_.push_back(*one);
    }

    ExitCode run()
    {
        page_.paragraph(
            "Inviscid flows without diffusion conserve their energy in continuous time; steps are fixed, CFL counts the sound speed "
            "at rest.");
        sound_waves();
        for (const EnergyFlow& setting : settings()) flow(setting);
        page_.draw(
            flows_.complete(), "integrators",
            "Largest change of the energy over the available energy, in double, over the step; thin: how far robust "
            "is from it.");
        until_a_hundredth();
        costs();
        return page_.close();
    }

private:
    [[nodiscard]] std::vector<EnergyFlow> settings() const
    {
        std::vector<EnergyFlow> all{{"collapse", "inviscid-tank-2d", 0.05, 0}};
        if (arguments_.scale == Scale::quick) return all;
        all.push_back({"sloshing, half a period", "sloshing-tank-2d", 0.05, 0.66});
        all.push_back({"oscillating drop, a quarter of a period", "oscillating-drop-2d", 0.1, 1.207});
        if (arguments_.scale != Scale::full) return all;
        all[1] = {"sloshing, two periods", "sloshing-tank-2d", 0.05, 0};
        all[2] = {"oscillating drop, a period", "oscillating-drop-2d", 0.1, 0};
        return all;
    }

    void sound_waves()
    {
        page_.heading("A sound wave beside closed forms");
        page_.paragraph(
            "A wave of small amplitude along a periodic lattice of 20 x 20 particles is a linear oscillation of velocity and "
            "density, y' = i w y, whose frequency w is a sum over the lattice; what an integrator makes of it is known without "
            "simulating it (validation/integrators/sound_wave.cpp). Growth: the logarithm of the amplitude, over a thousand steps. Phase: the angle of a step over w dt.");
        page_.table(
            {"integrator", "CFL", "waves", "w dt", "growth, measured", "closed form", "phase, measured", "closed form"},
            "in double, after 400 steps");
        constexpr int steps = 10 * corrector_every;
        Measurements<std::pair<const Named*, SoundWave>, WaveAmplitudes> runs;
        for (const Named& one : integrators_) {
            for (const double cfl : {0.4, 0.2, 0.1}) {
                for (const int waves : {1, 3}) {
                    const SoundWave wave{.waves = waves, .cfl = cfl};
                    runs.add({&one, wave},
                             parameter_key("integrators-wave",
                                           {one.name, fmt::format("cfl={}", cfl), fmt::format("waves={}", waves),
                                            fmt::format("steps={}", steps)}),
                             [name = one.name, wave] { return amplitudes_of_run(name, wave, steps, corrector_every); });
                }
            }
        }
        double apart = 0;
        study_.run(runs, [&](const auto& run, const WaveAmplitudes& measured) {
            const auto& [one, wave] = run;
            const double angle = frequency_times_step(wave);
            const WaveAmplitudes expected = amplitudes_by_theory(one->name, angle, steps, corrector_every);
            apart = std::max(apart, std::hypot(measured[0] - expected[0], measured[1] - expected[1]) /
                                        std::hypot(expected[0], expected[1]));
            // The whole turns are those of the closed form, whose phase is less than half a turn off over few steps.
            const WaveAmplitudes early = amplitudes_by_theory(one->name, angle, corrector_every, corrector_every);
            const double turns = step_of(early, corrector_every, angle).angle;
            const WaveStep here = step_of(measured, steps, turns);
            const WaveStep there = step_of(expected, steps, turns);
            waves_.row(one->name, wave.cfl, wave.waves, angle, here.growth, there.growth, here.angle / angle,
                       there.angle / angle);
            page_.row("{} | {} | {} | {:.4f} | {:+.5f} | {:+.5f} | {:.6f} | {:.6f}", one->name, wave.cfl, wave.waves,
                      angle, 1000 * here.growth, 1000 * there.growth, here.angle / angle, there.angle / angle);
        });
        page_.verdict(apart < 1e-4,
                      "amplitudes of velocity and density after {} steps are those of the closed forms within 1e-4 "
                      "({:.1e})",
                      steps, apart);
        page_.draw(
            waves_.complete(), "integrators_waves",
            "Growth of the amplitude of a sound wave over the angle of a step: measured, and by the closed forms.");
    }

    void flow(const EnergyFlow& setting)
    {
        std::vector<double> cfls{0.2, 0.1};
        if (arguments_.scale != Scale::quick) cfls.push_back(0.03);
        if (arguments_.scale != Scale::quick) cfls.push_back(0.01);
        std::vector<std::string> names{"double", "robust"};
        if (arguments_.scale != Scale::quick) names.insert(names.end(), {"naive", "dualsphysics", "gpusph"});
        const std::vector<PolicyInfo> policies = laboratory_policies(names);
        std::vector<EnergyRun> runs;
        std::vector<std::string> names_of_runs;
        for (const Named& one : integrators_) {
            for (const double cfl : cfls) {
                for (const PolicyInfo& policy : policies) {
                    runs.push_back({setting.case_name,
                                    {.spacing = setting.spacing, .cfl = cfl, .end = setting.end},
                                    policy,
                                    one.integrator});
                    names_of_runs.push_back(one.name);
                }
            }
        }
        page_.heading("Energy: {}", setting.title);
        std::vector<std::string> header{"integrator", "CFL", "steps", "change, double", "order"};
        for (std::size_t p = 1; p < names.size(); ++p) header.push_back(names[p] + " from double");
        page_.table(
            header,
            "{} at a spacing of {} m; largest change of the energy over the available energy, of the drop over that at the start; order: between "
            "this step and the one above; *: the kinetic energy differs by more than 1 %",
            setting.case_name, setting.spacing);
        std::vector<EnergyError> row;
        double change_before = 0;
        measure_energies(runs, study_, [&](std::size_t k, const EnergyError& error) {
            row.push_back(error);
            if (row.size() < policies.size()) return;
            const EnergyRun& run = runs[k];
            const bool first = run.variant.cfl == cfls.front();
            const double cfl_before = first ? 0 : *(std::ranges::find(cfls, run.variant.cfl) - 1);
            const double order = first ? std::numeric_limits<double>::quiet_NaN()
                                       : std::log(change_before / row[0].own) / std::log(cfl_before / run.variant.cfl);
            change_before = row[0].own;
            for (std::size_t p = 0; p < row.size(); ++p) {
                const EnergyError& e = row[p];
                flows_.row(setting.case_name, names_of_runs[k], policies[p].name, run.variant.cfl, e.steps, e.own,
                           p == 0 ? order : std::numeric_limits<double>::quiet_NaN(), e.deviation, e.flow, e.failed_at);
            }
            std::vector<std::string> cells{names_of_runs[k], fmt::format("{}", run.variant.cfl),
                                           fmt::format("{}", row[0].steps), change_text(row[0], row[0].own),
                                           first || row[0].own < rounding ? "" : fmt::format("{:.2f}", order)};
            for (std::size_t p = 1; p < row.size(); ++p) cells.push_back(change_text(row[p], row[p].deviation));
            page_.row(cells);
            row.clear();
        });
    }

    void until_a_hundredth()
    {
        const std::uint64_t most = arguments_.choose<std::uint64_t>(1000, 20000, 200000);
        page_.heading("Steps until the energy has changed by 1 %");
        page_.table(
            {"integrator", "CFL", "steps", "change of the energy then"},
            "inviscid-tank-2d at 0.05 m in double, at most {} steps, the impact and what follows included; looked at "
            "every ten steps",
            most);
        Measurements<std::pair<std::string, double>, Gained> runs;  // integrator, CFL
        for (const Named& one : integrators_) {
            for (const double cfl : {0.4, 0.2, 0.1}) {
                Case c = case_with("inviscid-tank-2d", Variant{.cfl = cfl, .end = 1000, .precision = "double"});
                c.numerics.integrator = one.integrator;
                runs.add({one.name, cfl}, job_key("integrators-gain", c, {fmt::format("steps={}", most)}),
                         [c, most] { return follow_until_gain(c, most); });
            }
        }
        study_.run(runs, [&](const auto& run, const Gained& gained) {
            const auto& [name, cfl] = run;
            gains_.row(name, cfl, gained.at, gained.change, gained.broke);
            page_.row("{} | {} | {} | {:+.2e}{}", name, cfl,
                      gained.at == 0 ? fmt::format("more than {}", most) : fmt::format("{}", gained.at), gained.change,
                      gained.broke ? ", broke down" : "");
        });
    }

    void costs()
    {
        page_.heading("What a step costs");
        page_.table(
            {"integrator", "passes over pairs a step", "ns a particle and step", "over the default's"},
            "robust, a square of 3,600 particles with viscosity and a variable step, one thread; processor time, "
            "the smallest of five rounds in turns, taken anew each time");
        const auto timed = [](Integrator integrator) {
            const Block block{.edge = 60, .deviation = 0.01, .jitter = 0.1, .speed = 1.4};
            Case c = case_of(block, "robust");
            c.numerics.integrator = integrator;
            c.fluid.artificial_viscosity = 0.1;
            c.time.step = "variable";
            c.time.cfl = 0.2;
            return problem_of(block, c);
        };
        std::vector<Problem> problems;
        for (const Named& one : integrators_) problems.push_back(timed(one.integrator));
        const Problem usual = timed(Integrator::kick_drift_kick);
        std::vector<double> times(problems.size(), std::numeric_limits<double>::infinity());
        double of_usual = std::numeric_limits<double>::infinity();
        for (int round = 0; round < 5; ++round) {
            of_usual = std::min(of_usual, time_steps(usual, one_thread, 0.03).processor);
            for (std::size_t k = 0; k < problems.size(); ++k)
                times[k] = std::min(times[k], time_steps(problems[k], one_thread, 0.03).processor);
        }
        for (std::size_t k = 0; k < problems.size(); ++k) {
            const Passes passes = passes_of(problems[k]);
            costs_.row(integrators_[k].name, passes.count, passes.per_round, times[k], times[k] / of_usual);
            page_.row("{} | {}{} | {:.0f} | {:.2f}", integrators_[k].name, passes.count,
                      passes.per_round ? " a round" : "", times[k], times[k] / of_usual);
        }
    }

    Arguments arguments_;
    Page page_;
    Study study_;
    Table flows_;
    Table waves_;
    Table gains_;
    Table costs_;
    std::vector<Named> integrators_;
};

const bool registered = register_study<Arguments>(
    "integrators", "Energy, order, rounding and cost of every time integrator, and sound waves beside closed forms",
    [](const Arguments& arguments) { return Experiment(arguments).run(); },
    [](CLI::App& command, Arguments& arguments) {
        command
            .add_option("--integrator", arguments.integrators,
                        fmt::format("Only these integrators; there are {}", names_of(all_integrators())))
            ->expected(1)
            ->take_all();
    });

}  // namespace

}  // namespace halfulp
