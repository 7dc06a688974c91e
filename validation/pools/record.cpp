#include "validation/pools/record.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/setup/policy_table.hpp"
#include "precision/position.hpp"
#include "validation/arithmetic.hpp"
#include "validation/experiment.hpp"
#include "validation/study.hpp"

namespace halfulp {

namespace {

// After so many steps a run in which nothing has moved is looked at.
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
        look();
        try {
            while (simulation_.steps() < last) {
                simulation_.step();
                if (simulation_.steps() == steps_to_move && is_frozen()) {
                    record_.ending = Record::Ending::frozen;
                    look();
                    break;
                }
                if (simulation_.steps() % every == 0) look();
            }
        } catch (const SimulationBroke& broke) {
            record_.ending = Record::Ending::broke;
            record_.reason = broke.breakdown.what;
            record_.broken_copy = broke.breakdown.id / each_.particles.size();
            look();
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
            if (now[k].position != start_[k].position) return false;
        const Case& c = problem_.source;
        const double fall = std::hypot(c.gravity[0], c.gravity[1], c.gravity[2]) * c.time.end;
        const double farthest =
            (simulation_.ledger_row().max_speed + fall) * problem_.fixed_step / 2;  // of half a drift
        return farthest * far_below < record_.half_ulp;
    }

    void look()
    {
        const Snapshot snapshot = simulation_.snapshot();
        const LedgerRow row = simulation_.ledger_row();
        RecordedOutput output{.time = simulation_.time(),
                              .hash = snapshot.hash,
                              .energy_error = row.residual / problem_.available_energy,
                              .max_speed = row.max_speed,
                              .copies = {}};
        const std::vector<CopyState> now = states(snapshot);
        for (std::size_t k = 0; k < now.size(); ++k) {
            CopyRecord copy{.differing = differing_particles(now[k], now[0]),
                            .hash = hash_of_copy(now[k]),
                            .moved = {},
                            .crossed = 0,
                            .fluid = {}};
            for (std::size_t i = 0; i < now[k].kind.size(); ++i) {
                if (now[k].kind[i] != Kind::fluid) continue;
                for (std::size_t axis = 0; axis < 2; ++axis)
                    copy.moved[axis] += now[k].position[i][axis] != start_[k].position[i][axis] ? 1 : 0;
                copy.crossed += now[k].cell[i] != start_[k].cell[i] ? 1 : 0;
                copy.fluid.push_back({.x = now[k].position[i][0],
                                      .y = now[k].position[i][1],
                                      .u = now[k].velocity[i][0],
                                      .v = now[k].velocity[i][1],
                                      .density = now[k].density[i]});
            }
            output.copies.push_back(std::move(copy));
        }
        record_.outputs.push_back(std::move(output));
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

// A row of the run, one of its reason, letter by letter, then for each output a row of it and one for each copy.
Results encode(const Record& record)
{
    Results rows;
    rows.push_back({static_cast<double>(record.ending), record.time, record.half_ulp,
                    static_cast<double>(record.broken_copy), static_cast<double>(record.outputs.size())});
    rows.emplace_back(record.reason.begin(), record.reason.end());
    for (const RecordedOutput& output : record.outputs) {
        const auto hash = numbers_of(output.hash);
        rows.push_back({output.time, hash[0], hash[1], hash[2], hash[3], output.energy_error, output.max_speed,
                        static_cast<double>(output.copies.size())});
        for (const CopyRecord& copy : output.copies) {
            auto& row = rows.emplace_back();
            const auto own = numbers_of(copy.hash);
            row = {static_cast<double>(copy.differing),
                   static_cast<double>(copy.moved[0]),
                   static_cast<double>(copy.moved[1]),
                   static_cast<double>(copy.crossed),
                   own[0],
                   own[1],
                   own[2],
                   own[3]};
            for (const FluidParticle& p : copy.fluid) row.insert(row.end(), {p.x, p.y, p.u, p.v, p.density});
        }
    }
    return rows;
}

Record decode(const Results& rows)
{
    Record record;
    const auto& run = rows.at(0);
    record.ending = static_cast<Record::Ending>(static_cast<int>(run.at(0)));
    record.time = run.at(1);
    record.half_ulp = run.at(2);
    record.broken_copy = static_cast<std::size_t>(run.at(3));
    for (const double letter : rows.at(1)) record.reason += static_cast<char>(letter);
    std::size_t next = 2;
    for (std::size_t k = 0; k < static_cast<std::size_t>(run.at(4)); ++k) {
        const auto& row = rows.at(next++);
        RecordedOutput output{.time = row.at(0),
                              .hash = hash_of({row.at(1), row.at(2), row.at(3), row.at(4)}),
                              .energy_error = row.at(5),
                              .max_speed = row.at(6),
                              .copies = {}};
        for (std::size_t copy = 0; copy < static_cast<std::size_t>(row.at(7)); ++copy) {
            const auto& values = rows.at(next++);
            CopyRecord read{.differing = static_cast<std::size_t>(values.at(0)),
                            .hash = hash_of({values.at(4), values.at(5), values.at(6), values.at(7)}),
                            .moved = {static_cast<std::size_t>(values.at(1)), static_cast<std::size_t>(values.at(2))},
                            .crossed = static_cast<std::size_t>(values.at(3)),
                            .fluid = {}};
            for (std::size_t i = 8; i + 5 <= values.size(); i += 5)
                read.fluid.push_back({values[i], values[i + 1], values[i + 2], values[i + 3], values[i + 4]});
            output.copies.push_back(std::move(read));
        }
        record.outputs.push_back(std::move(output));
    }
    return record;
}

}  // namespace halfulp
