// Simulations one bit of which is changed at random, and what becomes of it under an audit.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/evolution/audit.hpp"
#include "tests/core/evolution/audit_check.hpp"
#include "tests/core/evolution/faulty_backend.hpp"
#include "tests/precision/reference.hpp"

namespace halfulp::test {

// The bytes of a field of one particle, by id.
inline std::span<const std::byte> element_of(const SimulationState& state, const std::string& name, std::int32_t id)
{
    const auto& buffers = state.particles.buffers;
    const auto ids = buffers.front().take();
    const std::size_t count = ids.size() / sizeof(Four<std::int32_t>);
    std::size_t place = 0;
    for (; place < count; ++place) {
        Four<std::int32_t> cell{};
        std::memcpy(&cell, ids.data() + place * sizeof cell, sizeof cell);
        if (cell.w == id) break;
    }
    const auto field = std::ranges::find(buffers, name, &SavedBuffer::name);
    if (place == count || field == buffers.end()) throw std::out_of_range("no such particle or field");
    const std::size_t width = field->size / count;
    return field->take().subspan(place * width, width);
}

// The same of a name like "velocity.x".
inline std::span<const std::byte> number_of(const SimulationState& state, const std::string& name, std::int32_t id)
{
    const std::size_t point = name.find('.');
    const auto element = element_of(state, name.substr(0, point), id);
    if (point == std::string::npos) return element;
    const std::size_t size = element.size() / 4;
    return element.subspan(std::string("xyzw").find(name[point + 1]) * size, size);
}

// A bit of a number of a particle, changed in the memory of a back end.
struct Flip {
    std::string field;  // e.g. "velocity.x"
    std::int32_t id = -1;
    int bit = 0;
};

// Which numbers may be changed.
struct Choice {
    const char* field;
    int first = 0;  // of its numbers, where it has four
    int last = 3;
    bool any = false;  // also those that are zero, and of walls
    int highest = 63;  // bit
};

// Changes a bit of one of them, drawn at random.
inline Flip flip_one(Random& random, const SavedParticles& particles, const std::vector<Choice>& choices)
{
    const auto& buffers = particles.buffers;
    const auto at = [&](const char* name) { return std::ranges::find(buffers, std::string(name), &SavedBuffer::name); };
    const auto ids = buffers.front().take();
    const auto kinds = at("kind")->take();
    const int count = static_cast<int>(kinds.size());
    while (true) {
        const Choice& choice =
            choices[static_cast<std::size_t>(random.integer(0, static_cast<int>(choices.size()) - 1))];
        const auto found = at(choice.field);
        if (found == buffers.end()) continue;
        const auto place = static_cast<std::size_t>(random.integer(0, count - 1));
        if (!choice.any && static_cast<Kind>(kinds[place]) != Kind::fluid) continue;
        const std::size_t width = found->size / static_cast<std::size_t>(count);
        const std::size_t size = width < 16 ? width : width / 4;
        const int component = width < 16 ? 0 : random.integer(choice.first, choice.last);
        auto* const number =
            const_cast<std::byte*>(found->take().data()) + place * width + static_cast<std::size_t>(component) * size;
        std::uint64_t bits = 0;
        std::memcpy(&bits, number, size);
        if (bits == 0 && !choice.any) continue;
        const int bit = random.integer(0, std::min(choice.highest, 8 * static_cast<int>(size) - 1));
        bits ^= std::uint64_t{1} << static_cast<unsigned>(bit);
        std::memcpy(number, &bits, size);
        Four<std::int32_t> cell{};
        std::memcpy(&cell, ids.data() + place * sizeof cell, sizeof cell);
        std::string name = choice.field;
        if (width >= 16) name += std::string(".") + "xyzw"[component];
        return {name, cell.w, bit};
    }
}

// What became of a changed bit.
enum class Fate { found, without_trace };

// Where a run is, where it is repeated, and a run without a fault.
struct Machines {
    MakeBackend run;
    MakeBackend repetition;
    MakeBackend whole;
    bool own_memory = true;  // whether the run's memory is the host's
};

// Runs with a changed bit, audited, until the audit finds it; checks what it says against a run without.
inline Fate fate_of(const Problem& problem, const Machines& on, std::uint64_t seed, const TimeOfDamage& when,
                    const std::vector<Choice>& choices, bool beside)
{
    constexpr std::uint64_t every = 12;
    Random random(seed);
    std::optional<Flip> flip;
    Simulation simulation(problem,
                          std::make_unique<FaultyBackend>(
                              on.run(), when, [&](const SavedParticles& all) { flip = flip_one(random, all, choices); },
                              &problem, on.own_memory ? MakeBackend() : on.run));
    const auto audit = std::make_unique<Audit>(problem, on.repetition, nullptr, beside);
    Simulation whole(problem, on.whole());
    const std::uint64_t last = (when.step / every + 3) * every;
    audit->compare(simulation);
    const auto said = [&] {
        return fmt::format("seed {}: bit {} of {} of {}", seed, flip->bit, flip->field, flip->id);
    };
    try {
        while (simulation.steps() < last) {
            try {
                simulation.step();
            } catch (const SimulationBroke& broke) {
                audit->compare_breakdown(simulation, broke.breakdown);
                ADD_FAILURE() << said() << ": a breakdown that was not found";
            }
            whole.step();
            audit->follow(simulation);
            if (simulation.steps() % every == 0) audit->compare(simulation);
        }
    } catch (const AuditFailed& failed) {
        EXPECT_TRUE(flip);
        if (!flip) return Fate::found;
        EXPECT_GE(simulation.steps() + 1, when.step) << said();
        EXPECT_EQ(audit->audited_step() % every, 0U);
        EXPECT_GE(audit->audited_step() + every, simulation.steps()) << "found later than at the next audit";
        if (!failed.difference()) return Fate::found;  // one of the two broke down
        const StateDifference& found = *failed.difference();
        EXPECT_NE(std::string(failed.what()).find(found.sentence), std::string::npos);
        EXPECT_GE(found.particles, 1U) << said();
        const auto here = number_of(simulation.state(), found.field, found.id);
        const auto there = number_of(whole.state(), found.field, found.id);
        EXPECT_FALSE(std::ranges::equal(here, there)) << said() << ": " << failed.what();
        if (!when.after && when.step == simulation.steps()) {  // nothing has come of it yet
            EXPECT_EQ(found.field, flip->field) << said();
            EXPECT_EQ(found.id, flip->id) << said();
            EXPECT_EQ(found.particles, 1U) << said();
        }
        return Fate::found;
    }
    // Found by nobody: it must have been without consequence.
    EXPECT_TRUE(flip);
    EXPECT_EQ(simulation.snapshot().hash, whole.snapshot().hash) << said();
    for (const LedgerColumn& number : ledger_columns)
        EXPECT_EQ(bits_of(simulation.ledger_row().*number.member), bits_of(whole.ledger_row().*number.member))
            << said();
    return Fate::without_trace;
}

}  // namespace halfulp::test
