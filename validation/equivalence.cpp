// halfulp validate equivalence: impacts, after which a single run in another arithmetic is another run. Ensembles of
// runs that start a little apart are compared by their loads on the wall, each precision's with double's, by a test
// that can show equivalence: its margin is stated beforehand.
#include <cmath>
#include <random>

#include <CLI/CLI.hpp>

#include "validation/columns.hpp"
#include "validation/experiment.hpp"
#include "validation/option.hpp"
#include "validation/statistics.hpp"

namespace halfulp {

namespace {

constexpr const char* case_name = "collapse-column-2d";
constexpr double far_wall = 1.168;         // m; x of its surface
constexpr std::uint64_t sample_every = 4;  // steps: sound takes some thirty across a smoothing length and back
constexpr double significance = 0.05;

struct Arm {
    const char* name;
    const char* precision;
    double away = 0;  // of the origin along x, m
};
constexpr Arm arms[] = {{"double", "double"},
                        {"robust", "robust"},
                        {"robust, 1 km away", "robust", 1000},
                        {"gpusph", "gpusph"},
                        {"dualsphysics", "dualsphysics"},
                        {"naive", "naive"},
                        {"naive, 1 km away", "naive", 1000}};

// The same for every arm: representable in single precision, before any precision rounds it.
struct Start {
    const char* name;
    double spacings;  // by which each particle is moved along each axis, up or down
};
constexpr Start starts[] = {{"an ulp of a coordinate", 0x1p-21}, {"a hundredth of a spacing", 0.01}};

struct Loads {
    bool broke = false;
    double peak_pressure = 0;  // Pa
    double peak_force = 0;     // N/m
    double impulse = 0;        // N s/m
    static auto members(auto& self) { return std::tie(self.broke, self.peak_pressure, self.peak_force, self.impulse); }
};

struct Quantity {
    const char* name;
    double Loads::*member;
};
constexpr Quantity quantities[] = {{"peak pressure [Pa]", &Loads::peak_pressure},
                                   {"peak force [N/m]", &Loads::peak_force},
                                   {"impulse [N s/m]", &Loads::impulse}};

void move_apart(Problem& problem, std::uint64_t member, double spacings)
{
    std::mt19937_64 random(member);
    const auto distance = static_cast<float>(spacings * problem.source.resolution.spacing / problem.units.length);
    for (InitialParticle& particle : problem.particles) {
        if (particle.kind != Kind::fluid) continue;
        for (std::size_t axis = 0; axis < 2; ++axis) {
            particle.offset[axis] += (random() >> 63U) != 0 ? distance : -distance;
            carry(particle.cell[axis], particle.offset[axis]);
        }
    }
}

Loads loads_of(const Case& c, std::uint64_t member, double spacings)
{
    Problem problem = prepare(c);
    move_apart(problem, member, spacings);
    const double spacing = c.resolution.spacing;
    std::vector<std::size_t> wall;
    for (std::size_t i = 0; i < problem.particles.size(); ++i) {
        const InitialParticle& p = problem.particles[i];
        const double x = coordinate_of(problem, p, 0);
        if (p.kind == Kind::wall && x > far_wall && x < far_wall + spacing && coordinate_of(problem, p, 1) > 0)
            wall.push_back(i);
    }
    Loads loads;
    double before = 0;
    double force_before = 0;
    const Simulated run = simulate(std::move(problem), sample_every, [&](const Problem&, const Simulation& now) {
        const Snapshot snapshot = now.snapshot();
        const Column& pressure = column_of(snapshot, "pressure");
        double force = 0;
        for (const std::size_t i : wall) {
            const double here = number_at(pressure, i);
            loads.peak_pressure = std::max(loads.peak_pressure, here);
            force += here * spacing;
        }
        loads.peak_force = std::max(loads.peak_force, force);
        loads.impulse += 0.5 * (force + force_before) * (now.time() - before);
        before = now.time();
        force_before = force;
    });
    loads.broke = run.broke;
    return loads;
}

Case case_of(const Arm& arm, double spacing)
{
    std::vector<std::string> overrides{fmt::format("resolution.spacing={}", spacing), "time.end=0.8",
                                       std::string("numerics.precision=") + arm.precision};
    Case c = case_with(case_name, overrides);
    c.origin.cells[0] = std::llround(arm.away / units_of(c).length);
    return c;
}

struct Arguments : StudyOptions {
    int members = 0;  // 0: those of the scale
};

ExitCode run_experiment(const Arguments& arguments)
{
    const int members = arguments.members > 0 ? arguments.members : arguments.choose(8, 200, 200);
    const double spacing = arguments.choose(0.146 / 8, 0.146 / 10, 0.146 / 20);
    // Of double's standard deviation. With 200 members two equal ensembles pass a third in nine of ten cases.
    const double margin = members < 200 ? 2 : 1.0 / 3;
    Page page(arguments.folder, "equivalence", "Loads of an impact: is a precision equivalent to double?");
    page.paragraph(
        "{} with particles of {:.3g} mm to 0.8 s: the column strikes the far wall. {} runs of each precision from each start; "
        "each particle is moved along each axis by an amount whose sign is random, the same numbers for all precisions. "
        "Equivalent: the difference of means is shown to be within {:.2g} of double's standard deviation (stated "
        "beforehand; two one-sided tests, 5 % each). Not equivalent by that test does not mean different: then the "
        "test of difference (Welch) and the distance of the distributions (Kolmogorov and Smirnov) speak.",
        case_name, 1000 * spacing, members, margin);

    std::vector<Job> jobs;
    for (const Start& start : starts) {
        for (const Arm& arm : arms) {
            const Case c = case_of(arm, spacing);
            for (int member = 0; member < members; ++member) {
                const auto seed = static_cast<std::uint64_t>(member);
                jobs.push_back({job_key("equivalence", c,
                                        {fmt::format("member={}", member), fmt::format("start={}", start.spacings)}),
                                [c, seed, &start] { return loads_of(c, seed, start.spacings); }});
            }
        }
    }
    Table table(arguments.folder, "equivalence",
                "start,arm,member,broke,peak_pressure[Pa],peak_force[N/m],impulse[N s/m]");
    const std::vector<Result> results = Study("equivalence", arguments).run(jobs);
    std::size_t job = 0;
    for (const Start& start : starts) {
        std::vector<std::vector<Loads>> of_arm;
        for (const Arm& arm : arms) {
            std::vector<Loads>& runs = of_arm.emplace_back();
            for (int member = 0; member < members; ++member) {
                const Loads loads = results[job++].as<Loads>();
                table.row(start.name, arm.name, member, loads.broke, loads.peak_pressure, loads.peak_force,
                          loads.impulse);
                runs.push_back(loads);
            }
        }
        page.heading(fmt::format("Starts apart by {}", start.name));
        for (const Quantity& quantity : quantities) {
            const auto sample_of = [&](const std::vector<Loads>& runs) {
                Sample sample;
                for (const Loads& loads : runs)
                    if (!loads.broke) sample.push_back(loads.*quantity.member);
                return sample;
            };
            const Sample reference = sample_of(of_arm[0]);
            const double deviation = std::sqrt(variance(reference));
            double of_robust = 1;
            page.table({"precision", "runs", "mean", "standard deviation", "5 %", "95 %",
                        "difference over double's deviation", "p of difference", "D", "equivalent"},
                       "{}", quantity.name);
            for (std::size_t a = 0; a < of_arm.size(); ++a) {
                const Sample sample = sample_of(of_arm[a]);
                if (sample.size() < 3) {
                    page.row("{} | {} | | | | | | | | no", arms[a].name, sample.size());
                    continue;
                }
                const EquivalenceTest test = equivalence_test(sample, reference, margin * deviation);
                const bool equivalent = test.p < significance;
                page.row("{} | {} | {:.5g} | {:.3g} | {:.5g} | {:.5g} | {} | {} | {} | {}", arms[a].name, sample.size(),
                         mean(sample), std::sqrt(variance(sample)), quantile(sample, 0.05), quantile(sample, 0.95),
                         a == 0 ? "" : fmt::format("{:+.2f}", test.welch.difference / deviation),
                         a == 0 ? "" : fmt::format("{:.2g}", test.welch.p),
                         a == 0 ? "" : fmt::format("{:.3f}", kolmogorov_smirnov_distance(sample, reference)),
                         a == 0       ? ""
                         : equivalent ? "yes"
                                      : "not shown");
                if (std::string_view(arms[a].name) == "robust") of_robust = test.p;
            }
            page.verdict(of_robust < significance,
                         "starts apart by {}: robust's {} is equivalent to double's (p {:.2g})", start.name,
                         quantity.name, of_robust);
        }
    }
    return page.close();
}

const bool registered = register_study<Arguments>(
    "equivalence", "Impact loads from 200 runs in each precision: test of equivalence with double", run_experiment,
    [](CLI::App& command, Arguments& arguments) {
        add(command, "--members", arguments.members, "Runs of each precision from each start", CLI::Range(3, 10'000));
    });

}  // namespace

}  // namespace halfulp
