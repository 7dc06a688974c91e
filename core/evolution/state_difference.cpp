#include "core/evolution/state_difference.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <span>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "core/particles/needed_numbers.hpp"

namespace halfulp {

namespace {

using CellAndId = Four<std::int32_t>;
using FieldBytes = std::span<const std::byte>;

constexpr std::string_view cell = "cell";
constexpr std::string_view kind_column = "kind";

template <class Element>
std::vector<Element> elements_of(const SavedParticles& particles, std::string_view name)
{
    const auto found = std::ranges::find(particles.buffers, name, &SavedBuffer::name);
    if (found == particles.buffers.end()) return {};
    std::vector<Element> elements(found->size / sizeof(Element));
    if (!elements.empty()) std::memcpy(elements.data(), found->take().data(), elements.size() * sizeof(Element));
    return elements;
}

std::size_t bytes_of(const NeededNumbers& needed, std::size_t width)
{
    return width < sizeof(Four<float>) && needed.numbers > 0 ? width
                                                             : width / 4 * static_cast<std::size_t>(needed.numbers);
}

// One number of a field: a field is one number or four.
struct Number {
    std::string name;
    std::size_t at = 0;  // bytes from the element's begin
    std::size_t size = 0;
};

// The first number in which two elements differ.
Number first_number(std::string_view name, const std::byte* a, const std::byte* b, std::size_t width)
{
    if (width < sizeof(Four<float>)) return {std::string(name), 0, width};
    const std::size_t size = width / 4;
    std::size_t c = 0;
    while (c < 3 && std::memcmp(a + c * size, b + c * size, size) == 0) ++c;
    if (name == cell && c == 3) return {"id", 3 * size, size};
    return {fmt::format("{}.{}", name, "xyzw"[c]), c * size, size};
}

// Its bits, and for a person its value.
std::string text_of(const Number& number, const std::byte* element)
{
    const auto value = [&]<class T>(T one) {
        std::memcpy(&one, element + number.at, sizeof one);
        return one;
    };
    const bool whole = number.name == "body" || number.name == "id" || number.name.starts_with(cell);
    if (number.size == sizeof(std::uint8_t)) return fmt::format("{:#04x}", value(std::uint8_t{}));
    if (number.size == sizeof(float)) {
        return whole ? fmt::format("{}", value(std::int32_t{}))
                     : fmt::format("{:#010x} ({:.9g})", value(std::uint32_t{}), value(float{}));
    }
    return fmt::format("{:#018x} ({:.17g})", value(std::uint64_t{}), value(double{}));
}

// The places of the same particle in both states.
struct MatchedParticle {
    std::uint32_t here;
    std::uint32_t there;
    std::int32_t id;
    bool differs = false;
};

// Unlike places_by_id for ids of any kind: they may be what was damaged.
std::vector<std::uint32_t> by_id(const std::vector<CellAndId>& cells)
{
    std::vector<std::uint32_t> places(cells.size());
    std::iota(places.begin(), places.end(), 0U);
    std::ranges::stable_sort(places, {}, [&](std::uint32_t i) { return cells[i].w; });
    return places;
}

// The particles by id, and the ids that one of the two alone has.
struct MatchedParticles {
    std::vector<MatchedParticle> both;
    std::vector<std::int32_t> alone;

    MatchedParticles(const std::vector<CellAndId>& a, const std::vector<CellAndId>& b)
    {
        const std::vector<std::uint32_t> in_a = by_id(a);
        const std::vector<std::uint32_t> in_b = by_id(b);
        for (std::size_t i = 0, j = 0; i < in_a.size() || j < in_b.size();) {
            const bool past_a = i == in_a.size();
            const bool past_b = j == in_b.size();
            if (!past_a && !past_b && a[in_a[i]].w == b[in_b[j]].w) {
                both.push_back({in_a[i], in_b[j], a[in_a[i]].w});
                ++i, ++j;
            } else if (past_b || (!past_a && a[in_a[i]].w < b[in_b[j]].w)) {
                alone.push_back(a[in_a[i++]].w);
            } else {
                alone.push_back(b[in_b[j++]].w);
            }
        }
    }
};

// Whether the needed numbers of a field are the same in both, in the same order.
bool same_bytes(FieldBytes a, FieldBytes b, const NeededNumbers& needed, const std::vector<Kind>& kinds)
{
    if (a.size() != b.size()) return false;
    if (needed.walls || kinds.empty()) return std::memcmp(a.data(), b.data(), a.size()) == 0;
    const std::size_t width = a.size() / kinds.size();
    const std::size_t bytes = bytes_of(needed, width);
    for (std::size_t i = 0; i < kinds.size() && bytes > 0; ++i) {
        if (kinds[i] == Kind::fluid && std::memcmp(a.data() + i * width, b.data() + i * width, bytes) != 0)
            return false;
    }
    return true;
}

bool same_particles(const SavedParticles& run, const SavedParticles& repetition, int dimensions, const Physics& physics)
{
    const std::vector<Kind> kinds = elements_of<Kind>(run, kind_column);
    return std::ranges::equal(run.buffers, repetition.buffers, [&](const SavedBuffer& a, const SavedBuffer& b) {
        const NeededNumbers needed = needed_numbers(a.name, dimensions, physics);
        if (a.name != b.name || a.size != b.size) return false;
        return needed.numbers == 0 || same_bytes(a.take(), b.take(), needed, kinds);
    });
}

// Of states whose particles are known to differ.
StateDifference difference_of_particles(const SavedParticles& run, const SavedParticles& repetition, int dimensions,
                                        const Physics& physics)
{
    const std::vector<Kind> kinds = elements_of<Kind>(run, kind_column);
    MatchedParticles pairs(elements_of<CellAndId>(run, cell), elements_of<CellAndId>(repetition, cell));
    StateDifference first{.sentence = {}, .id = -1, .field = {}, .particles = pairs.alone.size()};
    if (!pairs.alone.empty()) {
        first.id = pairs.alone.front();
        first.field = "id";
        first.sentence = fmt::format("one of the two alone has a particle {}", first.id);
    }
    for (std::size_t k = 0; k < run.buffers.size(); ++k) {
        const SavedBuffer& here = run.buffers[k];
        const SavedBuffer& there = repetition.buffers.at(k);
        const NeededNumbers needed = needed_numbers(here.name, dimensions, physics);
        if (needed.numbers == 0) continue;
        const FieldBytes a = here.take();
        const FieldBytes b = there.take();
        const std::size_t width = a.size() / kinds.size();
        const std::size_t bytes = bytes_of(needed, width);
        for (MatchedParticle& pair : pairs.both) {
            const std::byte* const x = a.data() + pair.here * width;
            const std::byte* const y = b.data() + pair.there * width;
            const Kind of = kinds[pair.here];
            if ((of != Kind::fluid && !needed.walls) || std::memcmp(x, y, bytes) == 0) continue;
            first.particles += !pair.differs;
            pair.differs = true;
            if (first.id >= 0 && first.id <= pair.id) continue;
            const Number number = first_number(here.name, x, y, width);
            first.id = pair.id;
            first.field = number.name;
            first.sentence =
                fmt::format("{} of {} particle {} is {} in the run and {} in its repetition", number.name,
                            of == Kind::fluid ? "fluid" : "wall", pair.id, text_of(number, x), text_of(number, y));
        }
    }
    // The same particles, in another order.
    if (first.sentence.empty()) first.sentence = "the particles are in another order in the run than in its repetition";
    else if (first.particles > 1)
        first.sentence += fmt::format(", the first of {} particles of {} that differ", first.particles, kinds.size());
    return first;
}

}  // namespace

std::optional<StateDifference> difference_between(const SimulationState& run, const SimulationState& repetition,
                                                  int dimensions, const Physics& physics)
{
    if (!same_particles(run.particles, repetition.particles, dimensions, physics))
        return difference_of_particles(run.particles, repetition.particles, dimensions, physics);
    const auto differ = [](const char* what, const auto& here, const auto& there) {
        StateDifference difference;
        difference.sentence = fmt::format("{} is {} in the run and {} in its repetition", what, here, there);
        return difference;
    };
    const auto same = [](double a, double b) { return std::memcmp(&a, &b, sizeof a) == 0; };
    if (run.clock.steps() != repetition.clock.steps())
        return differ("the number of steps", run.clock.steps(), repetition.clock.steps());
    if (!same(run.clock.time(), repetition.clock.time()))
        return differ("the time in units of the state", run.clock.time(), repetition.clock.time());
    if (!same(run.next_step, repetition.next_step))
        return differ("the next step in units of the state", run.next_step, repetition.next_step);
    if (!same(run.last_step, repetition.last_step))
        return differ("the last step in units of the state", run.last_step, repetition.last_step);
    if (!same(run.initial_energy, repetition.initial_energy))
        return differ("the energy at the start", run.initial_energy, repetition.initial_energy);
    if (run.particles.rebuilds != repetition.particles.rebuilds)
        return differ("the number of rebuilds", run.particles.rebuilds, repetition.particles.rebuilds);
    return {};
}

}  // namespace halfulp
