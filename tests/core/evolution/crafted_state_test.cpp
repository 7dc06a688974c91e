// States that no run came to, as a crafted checkpoint may hold them: each is refused with one sentence.
#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>

#include "core/particles/fields.hpp"
#include "core/particles/needed_numbers.hpp"
#include "core/particles/restored_particles.hpp"
#include "kernels/policies.hpp"
#include "tests/core/backends/cases.hpp"

namespace halfulp::test {
namespace {

// A state with memory of its own, to be edited.
class Crafted {
public:
    explicit Crafted(const Simulation& simulation) : state(simulation.state())
    {
        for (SavedBuffer& buffer : state.particles.buffers) {
            const auto bytes = buffer.take();
            memory_.emplace_back(bytes.begin(), bytes.end());
        }
        state.particles.file = "checkpoint.0";
        point();
    }
    Crafted(const Crafted& other) : state(other.state), memory_(other.memory_) { point(); }
    Crafted& operator=(const Crafted&) = delete;

    // The bytes of a buffer.
    std::vector<std::byte>& bytes(const std::string& name)
    {
        for (std::size_t k = 0; k < memory_.size(); ++k) {
            if (state.particles.buffers[k].name == name) return memory_[k];
        }
        throw std::out_of_range("no buffer " + name);
    }
    template <class T>
    T& at(const std::string& name, std::size_t i)
    {
        return reinterpret_cast<T*>(bytes(name).data())[i];
    }
    // The first particle of a kind.
    std::size_t first(Kind kind)
    {
        std::size_t i = 0;
        while (at<Kind>("kind", i) != kind) ++i;
        return i;
    }
    void point()
    {
        for (std::size_t k = 0; k < memory_.size(); ++k) {
            state.particles.buffers[k].size = memory_[k].size();
            state.particles.buffers[k].read = read_from(memory_[k]);
        }
    }

    SimulationState state;

private:
    std::vector<std::vector<std::byte>> memory_;
};

class CraftedState : public ::testing::Test {
protected:
    void take(const Problem& problem, int steps)
    {
        problem_ = problem;
        Simulation simulation = simulation_of(problem_);
        for (int k = 0; k < steps; ++k) simulation.step();
        whole_.emplace(simulation);
        ASSERT_NO_THROW(static_cast<void>(restored(*whole_)));
    }
    [[nodiscard]] Simulation restored(Crafted& crafted) const
    {
        crafted.point();
        return {problem_, make_cpu_backend(problem_, {.threads = 1, .lanes = 0}), crafted.state};
    }
    // Whatever edit(crafted) does is refused with a sentence that holds some words.
    template <class Edit>
    void refused(const std::string& what, const std::string& words, const Edit& edit)
    {
        Crafted crafted = *whole_;
        edit(crafted);
        try {
            static_cast<void>(restored(crafted));
            ADD_FAILURE() << what << ": is not refused";
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ExitCode::bad_input);
            const std::string sentence = error.what();
            EXPECT_EQ(sentence.find("checkpoint.0"), 0U) << sentence;
            EXPECT_NE(sentence.find(words), std::string::npos) << what << ": " << sentence;
            const bool in_pieces = of_particles_ && problem_.source.dimensions == 2 &&
                                   problem_.source.numerics.precision == std::string("robust");
            if (in_pieces) {
                EXPECT_EQ(refusal_in_pieces(crafted), sentence) << what;
            }
        } catch (const std::exception& other) {
            ADD_FAILURE() << what << ": " << other.what();
        }
    }
    // Of a state that is checked a few particles at a time.
    [[nodiscard]] std::string refusal_in_pieces(Crafted& crafted) const
    {
        try {
            check_saved<RobustPolicy, 2>(crafted.state.particles, problem_, constants_of<RobustPolicy, 2>(problem_), 7);
            return {};
        } catch (const Error& error) {
            return error.what();
        }
    }
    void refuses_every_field();
    // Whether a run that goes on from the state reads a number of a particle before it has computed it.
    [[nodiscard]] bool is_read(const std::string& field, std::size_t particle, std::size_t number)
    {
        bool derived = false;
        for_each_field(AllFields{}, [&]<class F>() {
            if constexpr (!std::is_same_v<F, field::Works>) {
                const FieldInfo info = F::info(problem_.physics);
                derived = derived || (field == info.name && info.role == Role::derived);
            }
        });
        if (!derived) return true;
        const NeededNumbers needed = needed_numbers(field, problem_.source.dimensions, problem_.physics);
        const bool concerned = needed.walls || whole_->at<Kind>("kind", particle) == Kind::fluid;
        return concerned && static_cast<int>(number) < needed.numbers;
    }
    // Devices leave any bits in numbers that a step computes before it reads them.
    void ignores_what_is_not_read();

    Problem problem_;
    std::optional<Crafted> whole_;
    bool of_particles_ = true;  // is what is refused
};

// Of every field: other sizes, and what neither a number nor a kind, id or body has for its bits.
void CraftedState::refuses_every_field()
{
    for (const SavedBuffer& buffer : std::vector(whole_->state.particles.buffers)) {
        const std::string& name = buffer.name;
        const std::size_t one = buffer.size / problem_.particles.size();
        refused(name + " cut off", name, [&](Crafted& c) { c.bytes(name).resize(buffer.size - one); });
        refused(name + " too long", name, [&](Crafted& c) { c.bytes(name).resize(2 * buffer.size); });
        refused(name + " empty", name, [&](Crafted& c) { c.bytes(name).clear(); });
        refused(name + " renamed", name, [&](Crafted& c) {
            for (SavedBuffer& other : c.state.particles.buffers) other.name += other.name == name ? "s" : "";
        });
        // All bits of a number set, and those of an infinity.
        const std::size_t width = one % 16 == 0 ? one / 4 : one;
        for (const std::size_t i : {std::size_t{0}, problem_.particles.size() - 1}) {
            for (std::size_t at = i * one; at < (i + 1) * one && name != "cell"; at += width) {
                if (!is_read(name, i, (at - i * one) / width)) continue;
                refused(name + " NaN", "", [&](Crafted& c) { std::memset(c.bytes(name).data() + at, 0xff, width); });
                refused(name + " infinite", "", [&](Crafted& c) {
                    std::byte* const number = c.bytes(name).data() + at;
                    std::memset(number, 0, width);
                    number[width - 1] = std::byte{0x7f};
                    if (width > 1) number[width - 2] = width == 8 ? std::byte{0xf0} : std::byte{0x80};
                });
            }
        }
    }
    refused("another buffer", "does not know", [](Crafted& c) {
        c.state.particles.buffers.push_back({"more", 0, read_from({})});
    });
}

void CraftedState::ignores_what_is_not_read()
{
    Crafted crafted = *whole_;
    std::size_t ignored = 0;
    for (const SavedBuffer& buffer : whole_->state.particles.buffers) {
        const std::size_t one = buffer.size / problem_.particles.size();
        const std::size_t width = one % 16 == 0 ? one / 4 : one;
        for (std::size_t at = 0; at < buffer.size; at += width) {
            if (is_read(buffer.name, at / one, at % one / width)) continue;
            std::memset(crafted.bytes(buffer.name).data() + at, 0xff, width);
            ++ignored;
        }
    }
    EXPECT_GT(ignored, problem_.particles.size());
    Simulation other = restored(crafted);
    Simulation same = restored(*whole_);
    // After each step: Verlet's are of two sequences, of which the ledger shows the latest.
    for (int k = 0; k < 20; ++k) {
        other.step();
        same.step();
        const LedgerRow row = other.ledger_row();
        const LedgerRow expected = same.ledger_row();
        for (const LedgerColumn& number : ledger_columns)
            ASSERT_EQ(std::bit_cast<std::uint64_t>(row.*number.member),
                      std::bit_cast<std::uint64_t>(expected.*number.member))
                << number.name;
    }
    EXPECT_EQ(other.snapshot().hash, same.snapshot().hash);
}

TEST_F(CraftedState, OfEveryFieldOfACaseByDefault)
{
    take(problem_of("inviscid-tank-2d", by_default), 20);
    refuses_every_field();
    ignores_what_is_not_read();
}

TEST_F(CraftedState, OfEveryFieldOfWallsThatMove)
{
    take(problem_from(rolling_tank, {"numerics.walls=modified-dynamic", "numerics.integrator=verlet",
                                     "numerics.particle_shifting=2", "numerics.velocity_smoothing=0.5"}),
         20);
    refuses_every_field();
    ignores_what_is_not_read();
}

// Its steps begin with the rates of the step before, of dynamic walls as well.
TEST_F(CraftedState, OfEveryFieldOfVerletWithDiffusion)
{
    const auto verlet = by_default + Overrides{"numerics.integrator=verlet", "numerics.density_diffusion=balanced"};
    take(problem_of("inviscid-tank-2d", verlet), 20);
    refuses_every_field();
    ignores_what_is_not_read();
    take(problem_of("inviscid-tank-2d", verlet + Overrides{"numerics.walls=dynamic"}), 20);
    refuses_every_field();
}

TEST_F(CraftedState, OfEveryFieldInThreeDimensionsAndDouble)
{
    take(problem_from(tumbling_tank, {"numerics.precision=double", "numerics.integrator=implicit-midpoint",
                                      "numerics.density_diffusion=antuono"}),
         5);
    refuses_every_field();
    ignores_what_is_not_read();
}

TEST_F(CraftedState, OfParticlesThatAreNotThoseOfTheCase)
{
    take(problem_of("inviscid-tank-2d", by_default), 20);
    using Cell = Four<std::int32_t>;
    using Number = Four<float>;
    const auto count = static_cast<std::int32_t>(problem_.particles.size());
    for (const std::int32_t id : {-1, count, std::numeric_limits<std::int32_t>::max()})
        refused("id", "other particles", [&](Crafted& c) { c.at<Cell>("cell", 3).w = id; });
    refused("id twice", "other particles", [](Crafted& c) { c.at<Cell>("cell", 3).w = c.at<Cell>("cell", 4).w; });
    refused("kind", "wrong kind", [](Crafted& c) { c.at<std::uint8_t>("kind", 0) = 2; });
    refused("a wall of water", "wrong kind", [](Crafted& c) { c.at<Kind>("kind", c.first(Kind::wall)) = Kind::fluid; });
    refused("order", "canonical order", [](Crafted& c) {
        const std::size_t i = c.first(Kind::fluid);
        for (const SavedBuffer& buffer : c.state.particles.buffers) {
            auto& bytes = c.bytes(buffer.name);
            const auto one = static_cast<std::ptrdiff_t>(bytes.size() / c.bytes("kind").size());
            const auto there = bytes.begin() + static_cast<std::ptrdiff_t>(i) * one;
            std::swap_ranges(there, there + one, there + one);
        }
    });
    for (const std::int32_t x : {std::numeric_limits<std::int32_t>::min(), 1 << 20})
        refused("far away", "can have come", [&](Crafted& c) { c.at<Cell>("cell", c.first(Kind::fluid)).x = x; });
    refused("another plane", "wrong cell", [](Crafted& c) { c.at<Cell>("cell", c.first(Kind::fluid)).z = 7; });
    refused("a wall that moves", "wrong offset",
            [](Crafted& c) { c.at<Number>("offset", c.first(Kind::wall)).y += 0.01F; });
    refused("speed of a wall", "wrong velocity",
            [](Crafted& c) { c.at<Number>("velocity", c.first(Kind::wall)).x = 1; });
    for (const float far : {0.7F, 100.F, 1e30F, -1e30F}) {
        refused("offset", "", [&](Crafted& c) { c.at<Number>("offset", c.first(Kind::fluid)).x += far; });
        refused("reference", "neighbour lists",
                [&](Crafted& c) { c.at<Number>("reference", c.first(Kind::fluid)).x += far; });
        refused("residual", "rounding",
                [&](Crafted& c) { c.at<Number>("offset_residual", c.first(Kind::fluid)).x = far; });
        refused("residual", "rounding",
                [&](Crafted& c) { c.at<Number>("velocity_residual", c.first(Kind::fluid)).w = far; });
    }
    for (const float density : {-1.F, -2.F, 1e30F, 0.5F})
        refused("density", "density", [&](Crafted& c) { c.at<Number>("velocity", c.first(Kind::fluid)).w = density; });
    refused("pressure", "pressure", [](Crafted& c) { c.at<Number>("offset", c.first(Kind::fluid)).w += 1; });
}

TEST_F(CraftedState, OutsideOfThePeriod)
{
    take(problem_from(periodic_box(3)), 5);
    refused("before", "period", [](Crafted& c) { c.at<Four<std::int32_t>>("cell", 0).x -= 1000; });
    refused("behind", "period", [&](Crafted& c) {
        c.at<Four<std::int32_t>>("cell", problem_.particles.size() - 1).x = std::numeric_limits<std::int32_t>::max();
    });
}

TEST_F(CraftedState, OfTimesAndStepsThatDoNotBelongTogether)
{
    of_particles_ = false;
    for (const char* step : {"time.step=variable", "time.step=fixed"}) {
        take(problem_of("inviscid-tank-2d", by_default + Overrides{step}), 20);
        const double infinity = std::numeric_limits<double>::infinity();
        for (const double wrong : {-1.0, infinity, -infinity, std::numeric_limits<double>::quiet_NaN(), 1e30, 1e-300}) {
            refused("next step", "next step", [&](Crafted& c) { c.state.next_step = wrong; });
            refused("last step", "last step", [&](Crafted& c) { c.state.last_step = wrong; });
        }
        refused("last step", "last step", [](Crafted& c) { c.state.last_step = 0; });
        for (const double wrong : {infinity, -infinity, std::numeric_limits<double>::quiet_NaN()})
            refused("energy", "energy", [&](Crafted& c) { c.state.initial_energy = wrong; });
        const auto clock = [&](double time, std::uint64_t steps) {
            ExactSum sum;
            sum.add(time);
            return Clock(sum, steps);
        };
        const double now = whole_->state.clock.time();
        for (const std::uint64_t steps : {std::uint64_t{0}, std::uint64_t{1}, ~std::uint64_t{0}})
            refused("steps", "", [&](Crafted& c) { c.state.clock = clock(now, steps); });
        for (const double time : {0.0, -1.0, 1e9 * now, 1e-9 * now})
            refused("time", "", [&](Crafted& c) { c.state.clock = clock(time, 20); });
        refused("rebuilds", "rebuilds", [](Crafted& c) { c.state.particles.rebuilds = 1000000; });
    }
}

}  // namespace
}  // namespace halfulp::test
