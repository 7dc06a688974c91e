// A simulation that breaks down says which particle did it, where and why: the one of smallest id, on every machine.
#include "tests/core/backends/cases.hpp"

namespace halfulp::test {
namespace {

struct Broken {
    Breakdown breakdown;
    std::uint64_t steps = 0;  // whole steps before it
    double time = 0;
    Snapshot snapshot;  // as the failing operation left it
    std::uint32_t smallest_id = 0;
};

// Runs until it breaks. `is_broken(snapshot, id)` says by the state left behind which particles are at fault.
template <class IsBroken>
Broken broken_run(const Problem& problem, CpuOptions options, IsBroken is_broken, std::uint64_t most_steps = 5000)
{
    Simulation simulation = simulation_of(problem, options);
    Broken result;
    try {
        while (simulation.steps() < most_steps) simulation.step();
        ADD_FAILURE() << "nothing broke in " << most_steps << " steps";
    } catch (const SimulationBroke& broke) {
        result.breakdown = broke.breakdown;
    }
    result.steps = simulation.steps();
    result.time = simulation.time();
    result.snapshot = simulation.snapshot();
    while (result.smallest_id < result.snapshot.count && !is_broken(result.snapshot, result.smallest_id))
        ++result.smallest_id;
    return result;
}

float density_of(const Snapshot& snapshot, std::uint32_t id)
{
    return values_of<float>(column(snapshot, "density_deviation"))[id];
}

// The same particle, place and step for every number of lanes and threads; returns one of them.
template <class IsBroken>
Broken broken_everywhere(const Problem& problem, IsBroken is_broken)
{
    const Broken reference = broken_run(problem, {.threads = 1, .lanes = 1}, is_broken);
    std::vector<CpuOptions> all;
    for (const int lanes : lane_counts(problem)) all.push_back({.threads = 1, .lanes = lanes});
    all.push_back({.threads = 2, .lanes = 8});
    for (const CpuOptions options : all) {
        const Broken other = broken_run(problem, options, is_broken);
        EXPECT_EQ(other.breakdown.id, reference.breakdown.id);
        EXPECT_EQ(other.breakdown.what, reference.breakdown.what);
        for (std::size_t c = 0; c < 2; ++c) {
            const double x = reference.breakdown.position[c];
            EXPECT_TRUE(other.breakdown.position[c] == x || (std::isnan(x) && std::isnan(other.breakdown.position[c])));
        }
        EXPECT_EQ(other.steps, reference.steps);
        EXPECT_EQ(other.time, reference.time);
        EXPECT_EQ(other.snapshot.hash, reference.snapshot.hash);
    }
    EXPECT_EQ(reference.breakdown.id, reference.smallest_id);
    EXPECT_FALSE(reference.breakdown.likely_cause.empty());
    return reference;
}

TEST(Breakdown, DensityBeyondItsBound)
{
    const Problem problem = problem_of("inviscid-tank-2d", {"numerics.density_bound=0.004", "time.cfl=0.2"});
    const auto beyond = [](const Snapshot& s, std::uint32_t id) { return std::abs(density_of(s, id)) > 0.004F; };
    const Broken broken = broken_everywhere(problem, beyond);
    EXPECT_GT(broken.steps, 5U);
    EXPECT_NE(broken.breakdown.what.find("beyond numerics.density_bound = 0.004"), std::string::npos)
        << broken.breakdown.what;
    // Where it is: relative to the origin, which is zero here, so the output's global position.
    const auto position = values_of<double>(column(broken.snapshot, "position"));
    for (std::size_t c = 0; c < 2; ++c)
        EXPECT_NEAR(broken.breakdown.position[c], position[3 * broken.breakdown.id + c], 1e-12);
    EXPECT_EQ(broken.breakdown.kind == Kind::wall,
              values_of<std::uint8_t>(column(broken.snapshot, "kind"))[broken.breakdown.id] == 1);
}

// The advice is about the key that the case has.
TEST(Breakdown, AdvisesTheKeyOfTheStep)
{
    const auto advice = [](const std::string& step) {
        const Problem problem = problem_of("inviscid-tank-2d", {"numerics.density_bound=0.004", step});
        const auto any = [](const Snapshot&, std::uint32_t) { return true; };
        return broken_run(problem, {.threads = 1, .lanes = 8}, any).breakdown.likely_cause;
    };
    EXPECT_NE(advice("time.cfl=0.2").find("smaller time.cfl"), std::string::npos);
    EXPECT_NE(advice("time.size=0.001").find("smaller time.size"), std::string::npos);
}

// Position, id and step do not depend on where the case lies either.
TEST(Breakdown, SameFarAway)
{
    const Problem problem = problem_of("inviscid-tank-2d", {"numerics.density_bound=0.004", "time.cfl=0.2"});
    Problem far = problem;
    move(far, {1'000'000'000, -1'000'000'000, 0});
    const auto any = [](const Snapshot&, std::uint32_t) { return true; };
    const Broken here = broken_run(problem, {.threads = 1, .lanes = 8}, any);
    const Broken there = broken_run(far, {.threads = 1, .lanes = 8}, any);
    EXPECT_EQ(here.breakdown.id, there.breakdown.id);
    EXPECT_EQ(here.breakdown.position, there.breakdown.position);
    EXPECT_EQ(here.steps, there.steps);
}

// Fluid that starts at a hundred times the sound speed flies farther than the skin in one step.
TEST(Breakdown, FasterThanTheSkin)
{
    const Problem problem =
        problem_of("inviscid-tank-2d", {"shapes.water.velocity=[3000, 0]", "numerics.density_bound=0.9"});
    const auto fast = [](const Snapshot& s, std::uint32_t id) {
        return values_of<float>(column(s, "velocity"))[3 * id] > 1000;
    };
    const Broken broken = broken_everywhere(problem, fast);
    EXPECT_EQ(broken.steps, 0U);
    EXPECT_NE(broken.breakdown.what.find("half the skin"), std::string::npos) << broken.breakdown.what;
}

// A velocity that overflows is found in the kick, before positions take it over (but for Verlet's scheme, which moves
// particles by the forces first); it is told first where the density that is updated with it is out of its bound, too.
TEST(Breakdown, VelocityNotFinite)
{
    for (const char* integrator : {"kick-drift-kick", "verlet"}) {
        Problem problem = problem_of("inviscid-tank-2d", {std::string("numerics.integrator=") + integrator});
        // Squeezed without bounds: the forces overflow.
        for (InitialParticle& particle : problem.particles.stored())
            if (particle.kind == Kind::fluid) particle.density = 3e12F;
        const auto not_finite = [](const Snapshot& s, std::uint32_t id) {
            const auto u = values_of<float>(column(s, "velocity"));
            return !std::isfinite(u[3 * id]) || !std::isfinite(u[3 * id + 1]);
        };
        const Broken broken = broken_everywhere(problem, not_finite);
        EXPECT_NE(broken.breakdown.what.find("not a finite number"), std::string::npos) << broken.breakdown.what;
        EXPECT_FALSE(std::abs(density_of(broken.snapshot, broken.breakdown.id)) <= 0.3F);
    }
}

// A wall that is torn out of the fluid at a thousand g, in steps far too long for it: what it takes from the fluid has
// no density in the equation of state. It once was no number, which entered the sums of pairs beyond the support where
// those are in lists.
TEST(Breakdown, BesideAWallThatFollowsTheFluidTooFar)
{
    const char* const torn = R"(
dimensions = 2
gravity = [0, -8]
period = [2.4, 0]
resolution = { spacing = 0.05, smoothing_ratio = 1.6 }
fluid = { sound_speed = 20, artificial_viscosity = 0.01, laminar_viscosity = "morris", kinematic_viscosity = 0.001 }
time = { end = 1, step = "fixed", cfl = 0.05 }
output = { interval = 1 }
[numerics]
kernel = "cubic-spline"
integrator = "leap-frog"
skin = 0.25
rebuild_every = 11
wall_tension = true
walls = "extrapolated"
density_diffusion = "fourtakas"
density_bound = 0.6
[[shapes]]
name = "floor"
kind = "wall"
box = { from = [0, -0.2], to = [2.4, 0] }
[[shapes]]
name = "obstacle"
kind = "wall"
circle = { centre = [1.2, 0.72], radius = 0.288 }
[[shapes]]
name = "water"
kind = "fluid"
box = { from = [0, 0], to = [2.4, 1.75] }
without = ["obstacle"]
velocity = [1.9, -1.6]
[[motions]]
name = "shaken"
bodies = ["obstacle"]
translation = { direction = [1, 0], sine = { amplitude = 0.0159, period = 0.008 } }
)";
    const auto too_dense = [](const Snapshot& s, std::uint32_t id) { return !(std::abs(density_of(s, id)) <= 0.6F); };
    for (const char* equation : {"tait", "linear"}) {
        const Problem problem = problem_as_given(torn, {std::string("fluid.state_equation=") + equation});
        const Broken broken = broken_everywhere(problem, too_dense);
        EXPECT_NE(broken.breakdown.what.find("beyond numerics.density_bound = 0.6"), std::string::npos)
            << broken.breakdown.what;
        const Broken searched = broken_run(problem, {.threads = 1, .neighbours = NeighbourStorage::none}, too_dense);
        EXPECT_EQ(searched.breakdown.id, broken.breakdown.id);
        EXPECT_EQ(searched.snapshot.hash, broken.snapshot.hash);
        for (std::uint32_t id = 0; id < broken.snapshot.count; ++id)
            EXPECT_TRUE(std::isfinite(density_of(broken.snapshot, id))) << id;
    }
}

// Two particles at one point, which no case has: there is no direction between them, and no number that is not finite.
TEST(Breakdown, NotByTwoParticlesAtOnePoint)
{
    for (const char* kernel : {"wendland-c2", "cubic-spline", "gaussian"}) {
        for (const Overrides& more :
             {Overrides{}, every_force + Overrides{"fluid.laminar_viscosity=morris"},
              Overrides{"numerics.density_diffusion=antuono", "numerics.density_filter=mls", "numerics.filter_every=1"},
              Overrides{"numerics.density_diffusion=fourtakas", "numerics.particle_shifting=2",
                        "numerics.walls=modified-dynamic"},
              Overrides{"numerics.precision=double", "numerics.density_diffusion=balanced"}}) {
            Problem problem =
                problem_of("inviscid-tank-2d", more + Overrides{std::string("numerics.kernel=") + kernel});
            const auto fluid = std::ranges::find(problem.particles.stored(), Kind::fluid, &InitialParticle::kind);
            for (auto other = fluid + 1; other < fluid + 3; ++other) {
                other->cell = fluid->cell;
                other->offset = fluid->offset;
            }
            Simulation simulation = simulation_of(problem);
            for (int step = 0; step < 20; ++step) simulation.step();
            EXPECT_TRUE(std::isfinite(simulation.ledger_row().total))
                << kernel << " " << fmt::format("{}", fmt::join(more, " "));
        }
    }
}

// Fluid flies towards the end of the 32-bit range of cells, in either direction, and stops there instead of wrapping
// around to the other end.
TEST(Breakdown, LeavesTheRangeOfCells)
{
    for (const int direction : {1, -1}) {
        const std::string velocity = "shapes.water.velocity=[" + std::to_string(3 * direction) + ", 0]";
        Problem problem = problem_of("inviscid-tank-2d", {velocity, "gravity=[0, 0]"});
        std::erase_if(problem.particles.stored(),
                      [](const InitialParticle& particle) { return particle.kind == Kind::wall; });
        std::int64_t outermost = 0;
        for (const auto& particle : problem.particles)
            outermost = std::max<std::int64_t>(outermost, direction * std::int64_t(particle.cell[0]));
        // Two cells from the end.
        const std::int64_t end = direction > 0 ? std::numeric_limits<std::int32_t>::max()
                                               : -std::int64_t(std::numeric_limits<std::int32_t>::min());
        move(problem, {static_cast<std::int32_t>(direction * (end - outermost - 2)), 0, 0});
        const auto at_the_end = [&](const Snapshot& s, std::uint32_t id) {
            // It has left its cell, which is the last one; the failed carry changed nothing of it.
            const auto offset = values_of<float>(column(s, "offset"));
            const auto cell = values_of<std::int32_t>(column(s, "cell"));
            const bool outside = direction > 0 ? offset[3 * id] >= 0.5F : offset[3 * id] < -0.5F;
            return outside && direction * std::int64_t(cell[3 * id]) == end;
        };
        const Broken broken = broken_everywhere(problem, at_the_end);
        EXPECT_NE(broken.breakdown.what.find("32-bit range"), std::string::npos) << broken.breakdown.what;
        const double flown = 3 * broken.time / problem.units.length;
        EXPECT_GT(flown, 2);
        EXPECT_LT(flown, 4);
    }
}

// What no machine has is refused with the numbers there are.
TEST(CpuBackend, RefusesWhatThereIsNot)
{
    const Problem problem = problem_of("inviscid-tank-2d", {});
    const auto sentence = [&](CpuOptions options) -> std::string {
        try {
            make_cpu_backend(problem, options);
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ExitCode::bad_input);
            return error.what();
        }
        ADD_FAILURE() << "nothing was thrown";
        return {};
    };
    const std::string lanes = sentence({.threads = 1, .lanes = 3});
    EXPECT_NE(lanes.find("--lanes 3"), std::string::npos) << lanes;
    EXPECT_NE(lanes.find("in this program the precision \"robust\" runs with 1 and 8 lanes; halfulp-lab has 4 and 16"),
              std::string::npos)
        << lanes;
    EXPECT_NE(sentence({.threads = -1, .lanes = 0}).find("--threads -1: allowed are 1 to 4096"), std::string::npos);
    EXPECT_NE(sentence({.threads = 5000, .lanes = 0}).find("--threads 5000"), std::string::npos);
}

TEST(CpuBackend, SaysWhatItIs)
{
    const Problem problem = problem_of("inviscid-tank-2d", {});
    EXPECT_EQ(make_cpu_backend(problem, {.threads = 1, .lanes = 8})->description(), "cpu, 1 thread, 8 lanes");
    EXPECT_EQ(make_cpu_backend(problem, {.threads = 2, .lanes = 1})->description(), "cpu, 2 threads, 1 lane");
    const auto backend = make_cpu_backend(problem, {.threads = 1, .lanes = 0});
    EXPECT_GT(backend->bytes(), problem.particles.size() * 100);
    EXPECT_EQ(backend->rebuilds(), 1U) << "at the start";
}

}  // namespace
}  // namespace halfulp::test
