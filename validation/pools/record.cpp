#include "validation/pools/record.hpp"

#include <bit>

#include "core/error.hpp"
#include "core/results/state_hash.hpp"
#include "core/setup/policy_table.hpp"
#include "precision/position.hpp"
#include "precision/real.hpp"
#include "validation/arithmetic.hpp"
#include "validation/columns.hpp"
#include "validation/experiment.hpp"

namespace halfulp {

namespace {

// After so many steps a run in which nothing has moved is checked for whether anything can.
constexpr std::uint64_t steps_to_move = 10;
// How many times smaller than half an ulp a drift must be, so that pressures, too, cannot make up for it.
constexpr double far_below = 30;

// Half the distance of neighbouring coordinates at the fluid particle and axis where it is smallest, m: an update by
// less than this changes nothing. 0 where the resolution does not depend on the place, or is that of double.
double half_ulp_of_coordinates(const Problem& problem)
{
    const PolicyInfo& policy = *find_policy(problem.source.numerics.precision);
    if (policy.number != "float" || policy.position != GlobalCoordinate::name || policy.update != "plain") return 0;
    double smallest = std::numeric_limits<double>::infinity();
    for (const InitialParticle& particle : problem.particles) {
        if (particle.kind != Kind::fluid) continue;
        for (std::size_t k = 0; k < static_cast<std::size_t>(problem.source.dimensions); ++k) {
            const double x = (particle.cell[k] + static_cast<double>(particle.offset[k])) *
                             static_cast<double>(problem.parameters.cell_side);
            smallest = std::min(smallest, ulp_of(static_cast<float>(x)) / 2);
        }
    }
    return smallest * problem.units.state;
}

class Follower {
public:
    Follower(const Case& c, const std::vector<Cells>& places)
        : each_(prepare(c)), problem_(with_copies(each_, places)), places_(places),
          simulation_(problem_, make_cpu_backend(problem_, one_thread))
    {
        for (Cells& place : places_)
            for (std::size_t k = 0; k < 3; ++k) place[k] += c.origin.cells[k];
        start_ = states(simulation_.snapshot());
        record_.half_ulp = half_ulp_of_coordinates(problem_);
    }

    Record run()
    {
        const Case& c = problem_.source;
        const auto every = std::max<std::uint64_t>(
            1, static_cast<std::uint64_t>(std::llround(c.output.interval / problem_.fixed_step)));
        const auto last = every * static_cast<std::uint64_t>(std::llround(c.time.end / c.output.interval));
        add_output();
        try {
            while (simulation_.steps() < last && record_.ending == Record::Ending::completed) {
                simulation_.step();
                if (simulation_.steps() == steps_to_move && is_frozen()) record_.ending = Record::Ending::frozen;
                if (simulation_.steps() % every == 0 || record_.ending == Record::Ending::frozen) add_output();
            }
        } catch (const SimulationBroke& broke) {
            record_.ending = Record::Ending::broke;
            record_.reason = broke.breakdown.what;
            record_.broken_copy = broke.breakdown.id / each_.particles.size();
            add_output();
        }
        record_.time = simulation_.time();
        return record_;
    }

private:
    [[nodiscard]] std::vector<CopyState> states(const Snapshot& snapshot) const
    {
        std::vector<CopyState> all;
        const std::size_t count = each_.particles.size();
        for (std::size_t k = 0; k < places_.size(); ++k)
            all.push_back(state_of_copy(problem_, snapshot, k * count, count, places_[k]));
        return all;
    }

    // Nothing has moved yet, and the speed of now with a free fall until the end does not suffice either.
    [[nodiscard]] bool is_frozen() const
    {
        if (record_.half_ulp == 0) return false;
        const std::vector<CopyState> now = states(simulation_.snapshot());
        for (std::size_t k = 0; k < now.size(); ++k)
            if (!std::ranges::equal(now[k], start_[k], {}, &CopyParticle::position, &CopyParticle::position))
                return false;
        const Case& c = problem_.source;
        const double fall = std::hypot(c.gravity[0], c.gravity[1], c.gravity[2]) * c.time.end;
        const double farthest =
            (simulation_.ledger_row().max_speed + fall) * problem_.fixed_step / 2;  // of half a drift
        return farthest * far_below < record_.half_ulp;
    }

    void add_output()
    {
        const Snapshot snapshot = simulation_.snapshot();
        const LedgerRow row = simulation_.ledger_row();
        RecordedOutput& output = record_.outputs.emplace_back();
        output.time = simulation_.time();
        output.hash = snapshot.hash;
        output.energy_error = row.residual / problem_.available_energy;
        output.max_speed = row.max_speed;
        const std::vector<CopyState> now = states(snapshot);
        for (std::size_t k = 0; k < now.size(); ++k) {
            CopyRecord& copy = output.copies.emplace_back();
            copy.differing = differing_particles(now[k], now[0]);
            copy.hash = hash_of_copy(now[k]);
            for (std::size_t i = 0; i < now[k].size(); ++i) {
                const auto& [x, u, density, kind, cell, words] = now[k][i];
                if (kind != Kind::fluid) continue;
                for (std::size_t axis = 0; axis < 2; ++axis)
                    copy.moved[axis] += x[axis] != start_[k][i].position[axis] ? 1 : 0;
                copy.crossed += cell != start_[k][i].cell ? 1 : 0;
                copy.fluid.push_back({.x = x[0], .y = x[1], .u = u[0], .v = u[1], .density = density});
            }
        }
    }

    Problem each_;     // one copy
    Problem problem_;  // all of them
    std::vector<Cells> places_;
    Simulation simulation_;
    std::vector<CopyState> start_;
    Record record_;
};

}  // namespace

Record follow(const Case& c, const std::vector<Cells>& places) { return Follower(c, places).run(); }

const char* Record::ending_at(std::size_t output) const
{
    return output < regular() ? "" : ending == Ending::frozen ? "frozen" : "broke";
}

std::string Record::ending_in_words() const
{
    if (ending == Ending::broke) return fmt::format("broke at t = {:.3g} s: a particle, {}", time, reason);
    if (ending == Ending::frozen)
        return fmt::format("frozen: nothing moved in {:.2g} s, and nothing can: half an ulp is {:.3g} m", time,
                           half_ulp);
    const auto& last = outputs.back().copies;
    const bool still = std::ranges::any_of(last, [](const CopyRecord& copy) { return copy.moved_along_both() == 0; });
    return still ? "ran to its end, but along an axis nothing moved" : "ran to its end";
}

std::size_t outputs_with_the_same_bits(const Record& a, const Record& b)
{
    std::size_t same = 0;
    for (std::size_t k = 0; k < std::min(a.regular(), b.regular()); ++k)
        same += a.outputs[k].copies[0].hash == b.outputs[k].copies[0].hash ? 1 : 0;
    return same;
}

double largest_difference(const CopyRecord& a, const CopyRecord& b)
{
    double largest = 0;
    for (std::size_t i = 0; i < a.fluid.size(); ++i) {
        const double distance = std::hypot(a.fluid[i].x - b.fluid[i].x, a.fluid[i].y - b.fluid[i].y);
        if (!std::isfinite(distance)) return std::numeric_limits<double>::infinity();
        largest = std::max(largest, distance);
    }
    return largest;
}

Problem with_copies(const Problem& problem, const std::vector<Cells>& places)
{
    Problem copies = problem;
    copies.particles.stored().clear();
    copies.particles.stored().reserve(problem.particles.size() * places.size());
    for (const Cells& place : places) {
        for (InitialParticle particle : problem.particles) {
            for (std::size_t k = 0; k < 3; ++k) {
                const std::int64_t cell = std::int64_t(particle.cell[k]) + place[k];
                if (cell > std::numeric_limits<std::int32_t>::max() || cell < std::numeric_limits<std::int32_t>::min())
                    throw input_error(fmt::format(
                        "a copy {} cells away would have a particle in cell {}, outside of the 32-bit range of cells "
                        "(+-2147483647); take a smaller distance or a larger resolution.spacing",
                        place[k], cell));
                particle.cell[k] = static_cast<std::int32_t>(cell);
            }
            copies.particles.stored().push_back(particle);
        }
    }
    copies.fluid *= places.size();
    copies.wall *= places.size();
    copies.available_energy *= static_cast<double>(places.size());
    // The particles no longer stand in the order of the shapes.
    copies.of_shape.clear();
    return copies;
}

CopyState state_of_copy(const Problem& problem, const Snapshot& snapshot, std::size_t first, std::size_t count,
                        const Cells& place)
{
    const PolicyInfo& policy = *find_policy(problem.source.numerics.precision);
    const Column& velocity = column_of(snapshot, "velocity");
    const Column& density = column_of(snapshot, "density_deviation");
    const Column& kind = column_of(snapshot, "kind");
    const Column& cell = column_of(snapshot, "cell");
    const Column& offset = column_of(snapshot, "offset");
    const Column* const coordinate = find_column(snapshot, "coordinate");
    const Column* const residual = find_column(snapshot, "offset_residual");
    const bool by_cell = policy.relative_to_cell && coordinate == nullptr;
    const auto side = static_cast<double>(problem.parameters.cell_side);

    CopyState state(count);
    for (std::size_t i = first; i < first + count; ++i) {
        CopyParticle& particle = state[i - first];
        for (std::size_t k = 0; k < 3; ++k) {
            double& x = particle.position[k];
            const auto origin = static_cast<double>(place[k]);
            const auto number = static_cast<std::int64_t>(number_at(cell, 3 * i + k)) - place[k];
            particle.cell[k] = static_cast<std::int32_t>(number);
            const double rest = residual != nullptr ? number_at(*residual, 3 * i + k) : 0;
            // The subtraction rounds once, however far away the place is.
            if (by_cell) x = static_cast<double>(number) * side + (number_at(offset, 3 * i + k) + rest);
            else x = fma(-origin, side, number_at(coordinate != nullptr ? *coordinate : offset, 3 * i + k)) + rest;
            x *= problem.units.state;
            particle.velocity[k] = number_at(velocity, 3 * i + k);
            particle.words.push_back(by_cell ? static_cast<std::uint32_t>(particle.cell[k])
                                             : std::bit_cast<std::uint64_t>(x));
        }
        for (const Column& column : snapshot.columns) {
            // What a global coordinate has of its place is in the position already.
            const bool global = !by_cell && (column.name == "offset" || column.name == "coordinate");
            if (!column.state || column.name == "cell" || global) continue;
            const auto components = static_cast<std::size_t>(column.components);
            for (std::size_t k = 0; k < components; ++k) particle.words.push_back(bits_at(column, i * components + k));
        }
        particle.density = number_at(density, i);
        particle.kind = number_at(kind, i) == 0 ? Kind::fluid : Kind::wall;
    }
    return state;
}

std::size_t differing_particles(const CopyState& a, const CopyState& b)
{
    std::size_t differing = 0;
    for (std::size_t i = 0; i < a.size(); ++i) differing += a[i].words == b.at(i).words ? 0 : 1;
    return differing;
}

StateHash hash_of_copy(const CopyState& state)
{
    StateHash hash;
    for (std::size_t i = 0; i < state.size(); ++i) {
        ParticleDigest digest;
        digest.absorb(static_cast<std::uint32_t>(i));
        for (const std::uint64_t word : state[i].words) {
            digest.absorb(static_cast<std::uint32_t>(word));
            digest.absorb(static_cast<std::uint32_t>(word >> 32U));
        }
        add(hash, digest.finish());
    }
    return hash;
}

}  // namespace halfulp
