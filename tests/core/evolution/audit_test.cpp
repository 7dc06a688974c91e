// Promise: an audit finds every changed bit that leaves a trace in the state, and names a particle and a field that
// differ; and it finds nothing where nothing was changed, on any two machines.
#include <gtest/gtest.h>

#include <set>

#include "core/machine_error.hpp"
#include "core/particles/fields.hpp"
#include "tests/core/backends/same_bits_problems.hpp"
#include "tests/core/evolution/audit_faults.hpp"

namespace halfulp::test {
namespace {

std::vector<Problem> problems()
{
    std::vector<Problem> all;
    all.push_back(problem_of("inviscid-tank-2d", small_2d + variable + viscous));
    all.push_back(problem_of("dam-break-3d", small_3d));
    all.push_back(problem_from(rolling_tank));
    return all;
}

// Draws faults until `wanted` were found; returns how many were without a trace.
int draw(std::uint64_t seed, int wanted, const std::optional<OperationKind>& after, const std::vector<Choice>& choices)
{
    const std::vector<Problem> all = problems();
    Random random(seed);
    int found = 0;
    int without = 0;
    while (found < wanted && !testing::Test::HasFailure()) {
        const Problem& problem = all[random.bits() % all.size()];
        const auto on = [&](NeighbourStorage lists) {
            return [&, lists] { return make_cpu_backend(problem, {.threads = 1, .neighbours = lists}); };
        };
        const MakeBackend plain = on(NeighbourStorage::stored);
        const TimeOfDamage when{.step = 1 + random.bits() % 40, .after = after};
        const bool beside = random.bits() % 2 == 0;
        if (fate_of(problem, {plain, on(NeighbourStorage::none), plain}, random.bits(), when, choices, beside) ==
            Fate::found)
            ++found;
        else ++without;
    }
    testing::Test::RecordProperty("found", found);
    testing::Test::RecordProperty("without_trace", without);
    std::printf("%d found, %d without a trace\n", found, without);
    return without;
}

// Whatever bit of a position, velocity or density: it stays there, and all of them are found.
TEST(AuditFaults, InMemory)
{
    EXPECT_EQ(draw(1, 100, {}, {{"offset", 0, 1}, {"velocity", 0, 1}, {"velocity", 3, 3}}), 0);
}

// Of a force or a rate of the density, what rounding makes of it may be the same.
TEST(AuditFaults, InTheResultOfAKernel)
{
    EXPECT_LT(draw(2, 100, kind_of<FindForces>, {{"rate", 0, 1}}), 100);
    EXPECT_LT(draw(3, 100, kind_of<FindDensityRate>, {{"rate", 3, 3}}), 100);
}

// Of all that a checkpoint has: what is overwritten before it is read leaves no trace.
TEST(AuditFaults, AnywhereInTheState)
{
    const std::vector<Choice> any = {{"cell", 0, 2, true},
                                     {"offset", 0, 3, true},
                                     {"velocity", 0, 3, true},
                                     {"offset_residual", 0, 3, true},
                                     {"velocity_residual", 0, 3, true},
                                     {"reference", 0, 3, true},
                                     {"anchor", 0, 3, true},
                                     {"viscous_work", 0, 0, true},
                                     {"rate", 0, 3, true},
                                     {"artificial_rate", 0, 3, true},
                                     {"contact_pressure", 0, 0, true}};
    EXPECT_LT(draw(4, 100, {}, any), 400);
}

// For a repetition whose memory is damaged between two steps.
MakeBackend damaged_after(std::uint64_t step, const MakeBackend& plain, FaultyBackend::Damage damage)
{
    return [=] { return std::make_unique<FaultyBackend>(plain(), TimeOfDamage{.step = step}, damage); };
}

// Of what a state is made of every number is compared, of walls, too: what is kept to go on from is the repetition's,
// so that what later steps would show comes too late.
TEST(AuditFaults, OfAnyFieldOfTheStateInTheRepetition)
{
    const Problem problem = problem_of(
        "inviscid-tank-2d", small_2d + variable + viscous + Overrides{"numerics.density_diffusion=balanced"});
    const auto plain = [&] { return make_cpu_backend(problem, {.threads = 1}); };
    std::set<std::string> found_anew;
    for_each_field(AllFields{}, [&]<class F>() {
        if constexpr (!std::is_same_v<F, field::Works>) {
            const FieldInfo info = F::info(problem.physics);
            if (info.role != Role::shown && info.role != Role::state) found_anew.insert(info.name);
        }
    });
    std::vector<std::string> names;
    for (const SavedBuffer& buffer : plain()->save().buffers) {
        if (!found_anew.contains(buffer.name) && buffer.name != "kind") names.push_back(buffer.name);
    }
    EXPECT_TRUE(std::ranges::find(names, "density_gradient") != names.end()) << "the next step begins with it";
    for (const std::string& name : names) {
        for (std::uint64_t seed = 0; seed < 8; ++seed) {
            Random random(seed);
            Simulation simulation(problem, plain());
            const auto damage = [&](const SavedParticles& all) { flip_one(random, all, {{name.c_str(), 0, 3, true}}); };
            Audit audit(problem, damaged_after(3, plain, damage), nullptr, false);
            for (int step = 1; step <= 3; ++step) simulation.step();
            EXPECT_THROW(audit.compare(simulation), AuditFailed) << name << ", " << seed;
        }
    }
}

// It is no matter which of the two is right.
TEST(AuditFaults, InTheRepetition)
{
    const Problem problem = problem_of("inviscid-tank-2d", small_2d + variable + viscous);
    const auto plain = [&] { return make_cpu_backend(problem, {.threads = 1}); };
    for (const bool beside : {false, true}) {
        Random random(5);
        Flip flip;
        Simulation simulation(problem, plain());
        const auto damage = [&](const SavedParticles& all) { flip = flip_one(random, all, {{"velocity", 0, 1}}); };
        Audit audit(problem, damaged_after(20, plain, damage), nullptr, beside);
        for (int step = 1; step <= 20; ++step) {
            simulation.step();
            audit.follow(simulation);
        }
        try {
            audit.compare(simulation);
            ADD_FAILURE() << "nothing was found";
        } catch (const AuditFailed& failed) {
            EXPECT_EQ(failed.difference()->field, flip.field);
            EXPECT_EQ(failed.difference()->id, flip.id);
        }
    }
}

// A device that is lost is the audit's, not the run's; what made it impossible from the start is thrown at once.
TEST(AuditFaults, InTheMachineOfTheRepetition)
{
    const Problem problem = problem_of("inviscid-tank-2d", small_2d);
    const auto plain = [&] { return make_cpu_backend(problem, {.threads = 1}); };
    Simulation simulation(problem, plain());
    Audit audit(
        problem,
        [&] {
            return std::make_unique<FailingBackend>(
                plain(), after_steps(5, [] { throw MachineError("CUDA device 1 failed", "run it elsewhere"); }));
        },
        nullptr, true);
    for (int step = 1; step <= 10; ++step) {
        simulation.step();
        audit.follow(simulation);
    }
    try {
        audit.compare(simulation);
        ADD_FAILURE() << "nothing was said";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ExitCode::unsupported);
        EXPECT_EQ(error.what(), "the audit on " + audit.on() + " cannot go on: CUDA device 1 failed");
    }
    const auto fail = [] {
        return Audit::MakeBackend([]() -> std::unique_ptr<Backend> { throw input_error("none"); });
    };
    EXPECT_THROW(Audit(problem, fail(), nullptr, true), Error);
}

// Whose memory changes once: before the offsets of its state are read, after so many reads of them.
class ChangingBackend final : public FailingBackend {
public:
    ChangingBackend(std::unique_ptr<Backend> whole, int reads_before)
        : FailingBackend(std::move(whole), [](Request) {}), reads_before_(reads_before)
    {
    }
    [[nodiscard]] SavedParticles save() const override
    {
        const SavedParticles all = FailingBackend::save();
        SavedParticles changing = all;
        const auto offset = std::ranges::find(changing.buffers, std::string("offset"), &SavedBuffer::name);
        offset->read = [this, all, read = offset->read](std::uint64_t first, std::uint64_t count) {
            Random random(7);
            if (reads_before_-- == 0) flip_one(random, all, {{"offset", 0, 1}});
            return read(first, count);
        };
        return changing;
    }

private:
    mutable int reads_before_;
};

// Whenever it changes: it is found, or what is kept is what was compared.
TEST(AuditFaults, WhileTheAuditedStateIsCopied)
{
    const Problem problem = problem_of("inviscid-tank-2d", small_2d);
    const auto plain = [&] { return make_cpu_backend(problem, {.threads = 1}); };
    const auto offsets_of = [](const SimulationState& state) {
        const auto& buffers = state.particles.buffers;
        const auto bytes = std::ranges::find(buffers, std::string("offset"), &SavedBuffer::name)->take();
        return std::vector<std::byte>(bytes.begin(), bytes.end());
    };
    int found = 0;
    int kept = 0;
    for (int reads_before = 0; reads_before < 6; ++reads_before) {
        Simulation simulation(problem, plain());
        Audit audit(
            problem, [&] { return std::make_unique<ChangingBackend>(plain(), reads_before); }, nullptr, false);
        try {
            audit.compare(simulation);
            ++kept;
            EXPECT_TRUE(offsets_of(audit.audited()) == offsets_of(simulation.state())) << reads_before;
        } catch (const AuditFailed&) {
            ++found;
        }
    }
    EXPECT_GT(found, 0);
    EXPECT_GT(kept, 0);
}

// The state to go on from is checked before it is handed out.
TEST(AuditFaults, InTheCopyOfTheAuditedState)
{
    const Problem problem = problem_of("inviscid-tank-2d", small_2d);
    const auto plain = [&] { return make_cpu_backend(problem, {.threads = 1}); };
    Simulation simulation(problem, plain());
    Audit audit(problem, plain, nullptr, false);
    audit.compare(simulation);
    Random random(6);
    flip_one(random, audit.audited().particles, {{"offset", 0, 1}});
    try {
        static_cast<void>(audit.audited());
        ADD_FAILURE() << "it was handed out";
    } catch (const Error& error) {
        EXPECT_STREQ(
            error.what(),
            "the copy of the state of step 0 was changed in memory: its field \"offset\" is not what was copied");
    }
}

}  // namespace
}  // namespace halfulp::test
