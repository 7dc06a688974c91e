// The list of steps of kick-drift-kick, and how a Simulation has it carried out: every operation once a step with the
// same rounded step, which the clock then adds.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <stdexcept>
#include <string>

#include "core/evolution/scheme.hpp"
#include "core/evolution/simulation.hpp"
#include "core/operations/operations.hpp"
#include "core/schemes/operation_list.hpp"
#include "kernels/time_step.hpp"
#include "tests/core/backends/trajectory.hpp"

namespace halfulp::test {
namespace {

constexpr OperationKind kick = kind_of<Kick>;
constexpr OperationKind drift = kind_of<Drift>;
constexpr OperationKind move_walls = kind_of<MoveWalls>;
constexpr OperationKind refresh_neighbours = kind_of<RefreshNeighbours>;
constexpr OperationKind density_rate = kind_of<FindDensityRate>;
constexpr OperationKind update_density = kind_of<UpdateDensity>;
constexpr OperationKind forces = kind_of<FindForces>;
constexpr OperationKind density_gradient = kind_of<FindDensityGradient>;
constexpr OperationKind book_transport = kind_of<BookTransport>;
constexpr OperationKind find_xsph_velocity = kind_of<FindXsphVelocity>;
constexpr OperationKind shift_particles = kind_of<ShiftParticles>;
constexpr OperationKind filter_density = kind_of<FilterDensity>;
constexpr OperationKind set_filtered_density = kind_of<SetFilteredDensity>;
constexpr OperationKind extrapolate_walls = kind_of<ExtrapolateWalls>;
constexpr OperationKind mirror_walls = kind_of<MirrorWalls>;
constexpr OperationKind set_walls = kind_of<SetWalls>;
constexpr OperationKind renew_neighbours = kind_of<RenewNeighbours>;

// Its operations one after another, those together one by one.
struct Listed {
    std::vector<Operation> start;
    std::vector<Operation> step;
};
Listed kick_drift_kick(const Physics& physics)
{
    const Scheme scheme = scheme_of(Integrator::kick_drift_kick, physics);
    return {in_order(operations_of(scheme.start)), in_order(operations_of(scheme.step))};
}

template <class Integrator>
std::vector<SchemeBlock> whole_step()
{
    Sequence step({});
    Integrator::step(step);
    return step.take();
}

std::string contradiction(const IntegratorInfo& info, const std::vector<SchemeBlock>& step)
{
    try {
        check_declaration(info, step, Physics{});
    } catch (const std::logic_error& error) {
        return error.what();
    }
    return {};
}

// Computed as it stands, each of these would leave operations out and be another integrator.
TEST(Integrators, ThatContradictThemselvesAreRefused)
{
    IntegratorInfo info = info_of(Integrator::predictor_corrector);
    EXPECT_EQ(contradiction(info, whole_step<PredictorCorrector>()), "");
    info.previous_state = PreviousState::none;
    EXPECT_EQ(contradiction(info, whole_step<PredictorCorrector>()),
              "The integrator \"predictor-corrector\" contradicts itself: its step has keep_state, which its "
              "previous_state does not provide for.");
    info.previous_state = PreviousState::step_before;
    EXPECT_NE(contradiction(info, whole_step<PredictorCorrector>()).find("its step has restore_position"),
              std::string::npos);
    info = info_of(Integrator::predictor_corrector);
    info.corrects = true;
    EXPECT_NE(contradiction(info, whole_step<PredictorCorrector>()).find("its step has no filter_density"),
              std::string::npos);
    info = info_of(Integrator::kick_drift_kick);
    info.previous_state = PreviousState::start_of_step;
    EXPECT_NE(contradiction(info, whole_step<KickDriftKick>()).find("no operation of its step keeps or uses one"),
              std::string::npos);
    info = info_of(Integrator::implicit_midpoint);
    info.books_its_error = false;
    EXPECT_NE(contradiction(info, whole_step<ImplicitMidpoint>()).find("it does not say so (books_its_error)"),
              std::string::npos);
}

TEST(KickDriftKick, IsTheListOfItsFormula)
{
    const Listed scheme = kick_drift_kick({});
    std::map<OperationKind, double> fractions;
    std::vector<OperationKind> order;
    for (const Operation& operation : scheme.step) {
        fractions[operation.kind] += operation.fraction;
        if (operation.kind != refresh_neighbours) order.push_back(operation.kind);
    }
    EXPECT_EQ(order, (std::vector{kick, drift, density_rate, update_density, drift, forces, kick}));
    for (const OperationKind kind : {kick, drift, update_density}) EXPECT_EQ(fractions[kind], 1) << int(kind);
    // Time symmetry: the halves are halves.
    for (const Operation& operation : scheme.step) {
        if (operation.kind != kick && operation.kind != drift) continue;
        EXPECT_EQ(operation.fraction, 0.5);
    }
}

// The lists are looked at once a step, before anything drifts, for all that will drift with the velocity as it is then.
TEST(KickDriftKick, LooksAtTheNeighboursBeforeDrifting)
{
    const Listed scheme = kick_drift_kick({});
    int refreshes = 0;
    bool drifted = false;
    double ahead = 0;
    for (const Operation& operation : scheme.step) {
        if (operation.kind == refresh_neighbours) {
            EXPECT_FALSE(drifted);
            ahead = operation.fraction;
            ++refreshes;
        }
        if (operation.kind == drift) drifted = true;
    }
    EXPECT_EQ(refreshes, 1);
    EXPECT_EQ(ahead, 1) << "both drifts";
    // The first kick needs an acceleration, and it has to come from lists that are there.
    ASSERT_GE(scheme.start.size(), 2U);
    EXPECT_EQ(scheme.start.front().kind, refresh_neighbours);
    EXPECT_EQ(scheme.start.back().kind, forces);
}

// Each physics adds its own operations and no others.
TEST(KickDriftKick, HasTheOperationsThatThePhysicsNeeds)
{
    const auto kinds = [](const std::vector<Operation>& operations) {
        std::vector<OperationKind> list;
        for (const Operation& operation : operations) list.push_back(operation.kind);
        return list;
    };
    const std::vector plain_start = {refresh_neighbours, density_rate, forces};
    const std::vector plain = {kick, refresh_neighbours, drift, density_rate, update_density, drift, forces, kick};
    for (const Physics& physics :
         {Physics{}, Physics{.state_equation = StateEquation::linear},
          Physics{.formulation = Formulation::volume_weighted}, Physics{.artificial_viscosity = true},
          Physics{.laminar_viscosity = LaminarViscosity::morris},
          Physics{.laminar_viscosity = LaminarViscosity::brookshaw}, Physics{.tensile_correction = true},
          Physics{.density_diffusion = DensityDiffusion::molteni_colagrossi},
          Physics{.density_diffusion = DensityDiffusion::fourtakas}, Physics{.central_force = true},
          Physics{.driven = true}, Physics{.moving_frame = true}, Physics{.wall_forces = true},
          Physics{.wall_slip = WallSlip::free_slip}}) {
        EXPECT_EQ(kinds(kick_drift_kick(physics).start), plain_start);
        EXPECT_EQ(kinds(kick_drift_kick(physics).step), plain);
    }
    // Moving walls are where and as fast as they are when something looks at them.
    const Listed walls = kick_drift_kick({.moving_walls = true, .wall_forces = true});
    EXPECT_EQ(kinds(walls.start), (std::vector{move_walls, refresh_neighbours, density_rate, forces}));
    EXPECT_EQ(kinds(walls.step), (std::vector{kick, refresh_neighbours, drift, move_walls, density_rate, update_density,
                                              drift, move_walls, forces, kick}));
    // Walls take over the fluid's pressure when it is known for the forces.
    const Listed extrapolated = kick_drift_kick({.walls = Walls::extrapolated});
    const Listed modified = kick_drift_kick({.walls = Walls::modified_dynamic});
    EXPECT_EQ(kinds(modified.step), (std::vector{kick, refresh_neighbours, drift, density_rate, update_density, drift,
                                                 mirror_walls, set_walls, forces, kick}));
    EXPECT_EQ(kinds(kick_drift_kick({.walls = Walls::pressure_cloning}).step), kinds(modified.step));
    const Listed pressed =
        kick_drift_kick({.density_diffusion = DensityDiffusion::fourtakas, .walls = Walls::modified_dynamic});
    EXPECT_EQ(kinds(pressed.step), (std::vector{kick, refresh_neighbours, drift, density_rate, update_density, drift,
                                                mirror_walls, kind_of<AddContactPressure>, set_walls, forces, kick}));
    EXPECT_EQ(kinds(extrapolated.start),
              (std::vector{refresh_neighbours, extrapolate_walls, set_walls, density_rate, forces}));
    EXPECT_EQ(kinds(extrapolated.step), (std::vector{kick, refresh_neighbours, drift, density_rate, update_density,
                                                     drift, extrapolate_walls, set_walls, forces, kick}));
    EXPECT_EQ(extrapolated.start[2].fraction, 0) << "no work is done before the first step";
    const Listed filtered = kick_drift_kick({.density_filter = DensityFilter::shepard});
    EXPECT_EQ(kinds(filtered.start), plain_start);
    EXPECT_EQ(kinds(filtered.step), (std::vector{kick, refresh_neighbours, drift, density_rate, update_density, drift,
                                                 filter_density, set_filtered_density, forces, kick}));
    // The gradient is that of the particles whose density rate it enters.
    const Listed antuono = kick_drift_kick({.density_diffusion = DensityDiffusion::antuono});
    EXPECT_EQ(kinds(antuono.start), (std::vector{refresh_neighbours, density_gradient, density_rate, forces}));
    EXPECT_EQ(kinds(antuono.step), (std::vector{kick, refresh_neighbours, drift, density_gradient, density_rate,
                                                update_density, drift, forces, kick}));
    // What XSPH and shifting add to the velocity is known before the lists are looked at, and its work is booked with
    // the forces at both ends.
    const auto with = [&](const std::vector<OperationKind>& passes) {
        std::vector list = {kick};
        list.insert(list.end(), passes.begin(), passes.end());
        for (const OperationKind kind : {book_transport, refresh_neighbours, drift, density_rate, update_density, drift,
                                         forces, book_transport, kick})
            list.push_back(kind);
        return list;
    };
    EXPECT_EQ(kinds(kick_drift_kick({.xsph = true}).step), with({find_xsph_velocity}));
    EXPECT_EQ(kinds(kick_drift_kick({.particle_shifting = true}).step), with({shift_particles}));
    const Listed both = kick_drift_kick({.xsph = true, .particle_shifting = true});
    EXPECT_EQ(kinds(both.step), with({find_xsph_velocity, shift_particles}));
    double booked = 0;
    for (const Operation& operation : both.step) booked += operation.kind == book_transport ? operation.fraction : 0;
    EXPECT_EQ(booked, 1);
}

// One pass for both rates of a state, unless the density rate reads of neighbours what their forces have left; two in
// the policies for which it is not compiled, and where the rates are of two states.
TEST(Schemes, FindBothRatesOfAStateInOnePass)
{
    const auto passes = [](const std::string& integrator, const Overrides& overrides) {
        std::vector<OperationKind> list;
        const Problem problem =
            problem_of("inviscid-tank-2d", Overrides{"numerics.integrator=" + integrator} + overrides);
        for (const SchemeBlock& block : scheme_of(problem).step) {
            for (const SchemeEntry& entry : block.entries) {
                if (info_of(entry.operation.kind).target == TargetOfOperation::pairs)
                    list.push_back(entry.operation.kind);
            }
        }
        return list;
    };
    constexpr OperationKind rates = kind_of<FindRates>;
    for (const char* integrator : {"verlet", "leap-frog"}) {
        EXPECT_EQ(passes(integrator, {}), std::vector{rates}) << integrator;
        EXPECT_EQ(passes(integrator, {"numerics.density_diffusion=antuono"}), (std::vector{density_gradient, rates}));
        EXPECT_EQ(passes(integrator, {"numerics.density_diffusion=balanced"}), (std::vector{forces, density_rate}));
    }
    for (const char* integrator : {"predictor-corrector", "symplectic"})
        EXPECT_EQ(passes(integrator, {}), (std::vector{rates, rates})) << integrator;
    for (const char* integrator : {"kick-drift-kick", "implicit-midpoint", "discrete-gradient"})
        EXPECT_EQ(passes(integrator, {}), (std::vector{density_rate, forces})) << integrator;
}

struct Executed {
    Operation operation;
    double step;
};

// Holds no particles and has nothing to tell.
class Idle : public Backend {
public:
    void prescribe(const CourseOfStep& /*course*/) override {}
    void complete() override {}
    [[nodiscard]] StepLimits limits() const override { return {}; }
    [[nodiscard]] LedgerTotals ledger_totals() const override { return {}; }
    [[nodiscard]] std::vector<ProbeTotals> sample(const std::vector<ProbePlace>& /*places*/) const override
    {
        return {};
    }
    [[nodiscard]] Rates rates() const override { return {}; }
    [[nodiscard]] SnapshotSource snapshot_source() const override { return {}; }
    [[nodiscard]] std::function<SnapshotSource()> begin_snapshot() override { return {}; }
    [[nodiscard]] SavedParticles save() const override { return {}; }
    void restore(const Problem& /*problem*/, const SavedParticles& /*saved*/) override {}
    [[nodiscard]] std::uint64_t rebuilds() const override { return 0; }
    [[nodiscard]] std::size_t bytes() const override { return 0; }
    [[nodiscard]] std::vector<StageTime> stage_times() const override { return {}; }
    [[nodiscard]] std::string description() const override { return {}; }
};

// Writes down what it is told, and gives limits that differ from step to step.
class Recorder final : public Idle {
public:
    explicit Recorder(std::vector<Executed>& log) : log_(log) {}
    void execute(const Operation& operation, double step) override
    {
        log_.push_back({operation, step});
        if (operation.kind == forces) limits_.max_acceleration += 0.3;
        if (operation.kind == density_rate) limits_.max_signal_speed = 1.1 + 1.0 / double(log_.size());
    }
    [[nodiscard]] StepLimits limits() const override { return limits_; }

private:
    std::vector<Executed>& log_;
    StepLimits limits_;
};

// Breaks as soon as anything is asked of it.
class Broken final : public Idle {
public:
    void execute(const Operation& /*operation*/, double /*step*/) override { throw SimulationBroke{Breakdown{}}; }
};

// So that the start is written out like any other state, and the run ends with its sentence.
TEST(Simulation, AStartThatBreaksDoesSoInTheFirstStep)
{
    Simulation simulation(problem_of("inviscid-tank-2d", {}), std::make_unique<Broken>());
    EXPECT_EQ(simulation.ledger_row().step, 0);
    EXPECT_THROW(simulation.step(), SimulationBroke);
    EXPECT_EQ(simulation.steps(), 0U);
}

TEST(Simulation, CarriesOutTheSchemeWithOneRoundedStep)
{
    const Problem problem = problem_of("inviscid-tank-2d", {"time.step=variable", "time.cfl=0.17"});
    std::vector<Executed> log;
    auto recorder = std::make_unique<Recorder>(log);
    const Backend& backend = *recorder;
    Simulation simulation(problem, std::move(recorder));
    const Scheme listed = scheme_of(Integrator::kick_drift_kick, {});
    const Listed scheme{operations_of(listed.start), operations_of(listed.step)};
    ASSERT_EQ(log.size(), scheme.start.size());
    for (const Executed& executed : log) EXPECT_EQ(executed.step, 0);

    const double h = static_cast<double>(problem.parameters.smoothing_length);
    long double sum = 0;
    for (std::uint64_t step = 1; step <= 1000; ++step) {
        const StepLimits limits = backend.limits();
        const auto expected =
            static_cast<float>(stable_step(0.17, h, limits.max_acceleration, limits.max_signal_speed));
        log.clear();
        simulation.step();
        ASSERT_EQ(log.size(), scheme.step.size());
        for (std::size_t k = 0; k < log.size(); ++k) {
            ASSERT_EQ(log[k].operation.kind, scheme.step[k].kind);
            ASSERT_EQ(log[k].operation.fraction, scheme.step[k].fraction);
            ASSERT_EQ(log[k].step, static_cast<double>(expected)) << "one rounding to single precision, of this step";
        }
        sum += static_cast<long double>(expected);
        ASSERT_EQ(simulation.steps(), step);
        // The clock is exact until it is read, the sum here to 64 bits; units bring two more roundings.
        ASSERT_NEAR(simulation.time() / (double(sum) * problem.units.time()), 1, 4 * 0x1p-53);
        ASSERT_EQ(simulation.ledger_row().time_step, static_cast<double>(expected) * problem.units.time());
    }
}

TEST(Simulation, FiltersInTheStepsThatTheCaseNames)
{
    const Problem problem =
        problem_of("inviscid-tank-2d", {"numerics.density_filter=shepard", "numerics.filter_every=7"});
    std::vector<Executed> log;
    Simulation simulation(problem, std::make_unique<Recorder>(log));
    for (int step = 1; step <= 30; ++step) {
        log.clear();
        simulation.step();
        const auto filters = std::count_if(
            log.begin(), log.end(), [](const Executed& executed) { return executed.operation.kind == filter_density; });
        EXPECT_EQ(filters, step % 7 == 0 ? 1 : 0) << step;
    }
}

// The lists of the start serve the first steps.
TEST(Simulation, RebuildsInTheStepsThatTheCaseNames)
{
    const Problem problem = problem_of("inviscid-tank-2d", {"numerics.rebuild_every=4"});
    std::vector<Executed> log;
    Simulation simulation(problem, std::make_unique<Recorder>(log));
    for (int step = 0; step < 13; ++step) {
        log.clear();
        simulation.step();
        const auto count = [&](OperationKind kind) {
            return std::count_if(log.begin(), log.end(),
                                 [&](const Executed& executed) { return executed.operation.kind == kind; });
        };
        const bool renews = step > 0 && step % 4 == 0;
        EXPECT_EQ(count(renew_neighbours), renews ? 1 : 0) << step;
        EXPECT_EQ(count(refresh_neighbours), renews ? 0 : 1) << step;
    }
}

TEST(Simulation, FixedStepStaysFixed)
{
    const Problem problem = problem_of("inviscid-tank-2d", {"time.size=1.3e-4"});
    std::vector<Executed> log;
    Simulation simulation(problem, std::make_unique<Recorder>(log));
    for (int step = 0; step < 100; ++step) {
        const double next = simulation.next_step();
        EXPECT_NEAR(next, 1.3e-4, 1.3e-4 * 0x1p-24);
        simulation.step();
        EXPECT_EQ(log.back().step, next / problem.units.time());
    }
    EXPECT_NEAR(simulation.time(), 100 * 1.3e-4, 100 * 1.3e-4 * 0x1p-24);
}

}  // namespace
}  // namespace halfulp::test
