// halfulp validate equivalence: loads of an impact. Ensembles of runs that start a little apart are compared by their
// loads on the wall, each precision's with double's run by run, by a test that can show equivalence: its margin is
// stated beforehand.
#include <numeric>
#include <random>

#include "core/app/side_by_side.hpp"
#include "core/backends/batches.hpp"
#include "core/output/probe_series.hpp"
#include "validation/experiment.hpp"
#include "validation/statistics.hpp"

namespace halfulp {

namespace {

constexpr const char* case_name = "collapse-column-2d";
constexpr double column = 0.146;           // m; L, its width
constexpr double far_wall = 8 * column;    // m; x of its surface
constexpr int sensors = 12;                // of pressure on the far wall, L/10 apart
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
    for (InitialParticle& particle : problem.particles.stored()) {
        if (particle.kind != Kind::fluid) continue;
        for (std::size_t axis = 0; axis < 2; ++axis) {
            particle.offset[axis] += (random() >> 63U) != 0 ? distance : -distance;
            carry(particle.cell[axis], particle.offset[axis]);
        }
    }
}

// The loads on the far wall, as a user of the case would measure them: probes of the pressure and of the force.
class LoadsOnWall {
public:
    void look(const Simulation& now)
    {
        const std::vector<std::vector<double>> sampled = now.sample(probes());
        for (int k = 0; k < sensors; ++k)
            loads_.peak_pressure =
                std::max(loads_.peak_pressure, sampled[static_cast<std::size_t>(k)][pressure_column()]);
        const double force = sampled.back().front();
        loads_.peak_force = std::max(loads_.peak_force, force);
        loads_.impulse += 0.5 * (force + force_before_) * (now.time() - before_);
        before_ = now.time();
        force_before_ = force;
    }
    [[nodiscard]] Loads loads(bool broke) const
    {
        Loads loads = loads_;
        loads.broke = broke;
        return loads;
    }

private:
    static const std::vector<std::size_t>& probes()
    {
        static const std::vector<std::size_t> all = [] {
            std::vector<std::size_t> places(sensors + 1);
            std::iota(places.begin(), places.end(), std::size_t{0});
            return places;
        }();
        return all;
    }
    static std::size_t pressure_column()
    {
        static const std::size_t place = [] {
            const std::vector<ProbeColumn> columns = probe_columns(Probe::Measure::pressure, 2);
            return static_cast<std::size_t>(std::ranges::find(columns, "pressure_fluid_shepard", &ProbeColumn::name) -
                                            columns.begin());
        }();
        return place;
    }

    Loads loads_;
    double before_ = 0;
    double force_before_ = 0;
};

Problem problem_of(const Case& c, std::uint64_t member, double spacings)
{
    Problem problem = prepare(c);
    move_apart(problem, member, spacings);
    return problem;
}

Loads loads_of(const Case& c, std::uint64_t member, double spacings)
{
    LoadsOnWall wall;
    const Simulated run = simulate(problem_of(c, member, spacings), sample_every,
                                   [&](const Problem&, const Simulation& now) { wall.look(now); });
    return wall.loads(run.broke);
}

// The same of several members as batches on the device.
std::vector<Loads> loads_together(const Case& c, const std::vector<std::uint64_t>& members, double spacings)
{
    std::vector<Problem> problems(members.size());
    side_by_side(members.size(), [&](std::size_t k) { problems[k] = problem_of(c, members[k], spacings); });
    std::vector<const Problem*> all;
    for (const Problem& problem : problems) all.push_back(&problem);
    std::vector<Loads> loads(members.size());
    for (const std::vector<std::size_t>& batch : batches_of(all, {}, members.size())) {
        std::vector<const Problem*> some;
        for (const std::size_t k : batch) some.push_back(all[k]);
        std::vector<LoadsOnWall> walls(batch.size());
        const std::vector<bool> broke =
            simulate_together(some, make_cuda_batch(some, {}), sample_every, "equivalence",
                              [&](std::size_t k, const Simulation& now) { walls[k].look(now); });
        for (std::size_t k = 0; k < batch.size(); ++k) loads[batch[k]] = walls[k].loads(broke[k]);
    }
    return loads;
}

// The case with a body of its own for the far wall, and probes on it alone.
Case case_of(const Arm& arm, double spacing)
{
    const double height = 3 * column;
    std::string probes;
    for (int k = 0; k < sensors; ++k)
        probes +=
            fmt::format(R"({{name="p{}",measures="pressure",at=[{},{}]}},)", k, far_wall, (k + 0.5) * column / 10);
    Case c = case_with(
        case_name, {fmt::format("resolution.spacing={}", spacing), "time.end=0.8",
                    std::string("numerics.precision=") + arm.precision,
                    fmt::format(R"(shapes=[{{name="far-wall",kind="wall",box={{from=[{0},0],to=[{1},{2}]}}}},)"
                                R"({{name="tank",kind="wall",hollow_box={{from=[0,0],to=[{0},{2}]}}}},)"
                                R"({{name="column",kind="fluid",box={{from=[0,0],to=[{3},{4}]}},hydrostatic=true}}])",
                                far_wall, far_wall + 4 * spacing, height, column, 2 * column),
                    fmt::format(R"(probes=[{}{{name="force",measures="force",bodies=["far-wall"]}}])", probes)});
    c.origin.cells[0] = std::llround(arm.away / units_of(c).length);
    return c;
}

struct Arguments : StudyOptions {
    int members = 0;  // 0: those of the scale
    bool devices = false;
};

// The members of an arm from a start, among the jobs.
struct Group {
    const Arm* arm;
    const Start* start;
    Case c;
    std::size_t first;  // job
};

// Those that a CUDA device can run, each group as one batch on it.
void take_on_device(Study& study, const std::vector<Job>& jobs, const std::vector<Group>& groups, std::size_t members)
{
    for (const Group& group : groups) {
        const Problem problem = prepare(group.c);
        const std::string obstacle = why_no_cuda(problem, {});
        if (!obstacle.empty()) {
            if (group.start == starts) complain(fmt::format("equivalence: {} on CPUs: {}", group.arm->name, obstacle));
            continue;
        }
        study.take_together(jobs, group.first, members, [&](const std::vector<std::size_t>& of_group) {
            return loads_together(group.c, {of_group.begin(), of_group.end()}, group.start->spacings);
        });
    }
}

// Of the runs that have come to their end, as have those of the same number among others.
Sample sample_of(const Quantity& quantity, const std::vector<Loads>& runs, const std::vector<Loads>& others)
{
    Sample sample;
    for (std::size_t k = 0; k < runs.size(); ++k)
        if (!runs[k].broke && !others[k].broke) sample.push_back(runs[k].*quantity.member);
    return sample;
}

// Each precision against double, in one quantity.
void report(Page& page, const Quantity& quantity, const std::vector<std::vector<Loads>>& of_arm, double margin,
            const char* start)
{
    const std::vector<Loads>& in_double = of_arm.front();
    double of_robust = 1;
    std::size_t pairs_of_robust = 0;
    page.table({"precision", "runs", "mean", "standard deviation", "5 %", "95 %", "difference over double's deviation",
                "correlation with double", "p of difference", "D", "equivalent"},
               "{}", quantity.name);
    for (std::size_t a = 0; a < of_arm.size(); ++a) {
        const Sample sample = sample_of(quantity, of_arm[a], of_arm[a]);
        const Sample own = sample_of(quantity, of_arm[a], in_double);
        if (own.size() < 3) {
            page.row("{} | {} | – | – | – | – | – | – | – | – | no: {} broke down", arms[a].name, sample.size(),
                     sample.size() < 3 ? "the others" : "those of double");
            continue;
        }
        std::string compared = "– | – | – | – | –";
        if (a > 0) {
            const Sample reference = sample_of(quantity, in_double, of_arm[a]);
            const double deviation = std::sqrt(variance(reference));
            const DifferenceOfMeans test = paired_test(own, reference);
            const double p = equivalence_p(test, margin * deviation);
            compared = fmt::format("{:+.2g} | {:.4f} | {:.2g} | {:.3f} | {}", test.difference / deviation,
                                   correlation(own, reference), test.p, kolmogorov_smirnov_distance(own, reference),
                                   p < significance ? "yes" : "not shown");
            if (std::string_view(arms[a].name) == "robust") {
                of_robust = p;
                pairs_of_robust = own.size();
            }
        }
        page.row("{} | {} | {:.5g} | {:.3g} | {:.5g} | {:.5g} | {}", arms[a].name, sample.size(), mean(sample),
                 std::sqrt(variance(sample)), quantile(sample, 0.05), quantile(sample, 0.95), compared);
    }
    page.verdict(of_robust < significance && pairs_of_robust == in_double.size(),
                 "starts apart by {}: robust's {} is equivalent to double's (p {:.2g}, {} of {} pairs of runs)", start,
                 quantity.name, of_robust, pairs_of_robust, in_double.size());
}

ExitCode run_experiment(const Arguments& arguments)
{
    const int members = arguments.members > 0 ? arguments.members : arguments.choose(8, 200, 200);
    const double spacing = arguments.choose(0.146 / 8, 0.146 / 10, 0.146 / 20);
    // Of double's standard deviation. Of 200 independent runs two equal ensembles pass a third in nine of ten cases.
    const double margin = members < 200 ? 2 : 1.0 / 3;
    Page page(arguments.folder, "equivalence", "Loads of an impact: is a precision equivalent to double?");
    page.paragraph(
        "{} with particles of {:.3g} mm to 0.8 s: the column strikes the far wall, on which there are {} sensors of pressure "
        "L/10 apart. {} runs of each precision from each start; "
        "each particle is moved along each axis by an amount whose sign is random, the same numbers for all precisions: "
        "runs of one number are pairs, and tests are of their differences. "
        "Equivalent: the difference of means is shown to be within {:.2g} of double's standard deviation (stated "
        "beforehand; two one-sided tests, 5 % each). Not equivalent by that test does not mean different: then the "
        "test of difference (Student's, of pairs) and the distance of the distributions (Kolmogorov and Smirnov) speak.",
        case_name, 1000 * spacing, sensors, members, margin);

    std::vector<Job> jobs;
    std::vector<Group> groups;
    for (const Start& start : starts) {
        for (const Arm& arm : arms) {
            const Case c = case_of(arm, spacing);
            groups.push_back({&arm, &start, c, jobs.size()});
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
    Study study("equivalence", arguments);
    if (arguments.devices) take_on_device(study, jobs, groups, static_cast<std::size_t>(members));
    const std::vector<Result> results = study.run(jobs);
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
            report(page, quantity, of_arm, margin, start.name);
        }
    }
    return page.close();
}

const bool registered = register_study<Arguments>(
    "equivalence", "Impact loads from 200 runs in each precision: test of equivalence with double", run_experiment,
    [](CLI::App& command, Arguments& arguments) {
        add(command, "--members", arguments.members, "Runs of each precision from each start", CLI::Range(3, 10'000));
        command.add_flag(
            "--devices", arguments.devices,
            "The runs of a precision from each start as one batch on a CUDA device, if it has the precision "
            "(docs/building.md: HALFULP_LABORATORY_CUDA_POLICIES); changes no bit");
    });

}  // namespace

}  // namespace halfulp
