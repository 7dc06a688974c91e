#include "validation/chaos/ensemble.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "precision/position.hpp"
#include "validation/arithmetic.hpp"
#include "validation/columns.hpp"
#include "validation/experiment.hpp"

namespace halfulp {

namespace {

// Between two pressures the impulse is summed by the trapezoidal rule; sound takes some 30 steps at CFL 0.2 to cross a
// smoothing length and back, so every fourth step sees it.
constexpr std::int64_t probe_every = 4;
constexpr std::size_t most_positions = 100;

// The mean pressure on the lower half of the wall at the far end.
class FarWall {
public:
    explicit FarWall(const Problem& problem)
    {
        const double spacing = problem.source.resolution.spacing;
        double x_fluid = 0;
        double y_fluid = 0;
        const auto coordinate = [&](const InitialParticle& p, std::size_t axis) {
            const std::int64_t cell = std::int64_t(p.cell[axis]) - problem.source.origin.cells[axis];
            return (static_cast<double>(cell) + static_cast<double>(p.offset[axis])) * problem.units.length;
        };
        for (const InitialParticle& p : problem.particles) {
            if (p.kind == Kind::fluid) {
                x_fluid = std::max(x_fluid, coordinate(p, 0));
                y_fluid = std::max(y_fluid, coordinate(p, 1));
            }
        }
        // The first layer to the right of the fluid and as low as half of the column.
        const auto candidate = [&](const InitialParticle& p) {
            const double y = coordinate(p, 1);
            return p.kind == Kind::wall && coordinate(p, 0) > x_fluid && y > 0 && y < 0.5 * y_fluid + spacing / 4;
        };
        double nearest = std::numeric_limits<double>::infinity();
        for (const InitialParticle& p : problem.particles)
            if (candidate(p)) nearest = std::min(nearest, coordinate(p, 0));
        for (std::size_t i = 0; i < problem.particles.size(); ++i) {
            const InitialParticle& p = problem.particles[i];
            if (candidate(p) && coordinate(p, 0) < nearest + spacing / 2) ids_.push_back(i);
        }
    }

    [[nodiscard]] double pressure(const Snapshot& snapshot) const
    {
        const Column& column = column_of(snapshot, "pressure");
        double sum = 0;
        for (const std::size_t id : ids_) sum += number_at(column, id);
        return sum / static_cast<double>(ids_.size());
    }

private:
    std::vector<std::size_t> ids_;
};

}  // namespace

double coordinate_ulp(const Problem& problem, bool with_origin)
{
    double largest = 0;
    for (const InitialParticle& p : problem.particles) {
        for (std::size_t c = 0; c < 2 && p.kind == Kind::fluid; ++c) {
            const std::int64_t cell = std::int64_t(p.cell[c]) - (with_origin ? 0 : problem.source.origin.cells[c]);
            const double x = (static_cast<double>(cell) + static_cast<double>(p.offset[c])) * problem.units.length;
            largest = std::max(largest, std::abs(x));
        }
    }
    return ulp_of(static_cast<float>(largest));
}

void perturb(Problem& problem, std::uint64_t member, double distance)
{
    std::mt19937_64 engine(member);
    const double cells = distance / problem.units.length;
    for (InitialParticle& particle : problem.particles) {
        if (particle.kind != Kind::fluid) continue;
        for (std::size_t c = 0; c < 2; ++c) {
            const double offset = static_cast<double>(particle.offset[c]);
            particle.offset[c] = static_cast<float>((engine() >> 63U) != 0 ? offset + cells : offset - cells);
            carry(particle.cell[c], particle.offset[c]);
        }
    }
}

Results run_member(const Case& c, const MemberOptions& options)
{
    Problem problem = prepare(c);
    perturb(problem, options.member, options.perturbation);
    const FarWall wall(problem);
    const auto steps = static_cast<std::int64_t>(std::ceil(c.time.end / problem.fixed_step));
    const std::int64_t record_every = std::max<std::int64_t>(1, steps / options.records / probe_every) * probe_every;
    Simulation simulation(problem, make_cpu_backend(problem, one_thread));
    Results rows(1);
    double impulse = 0;
    double before = wall.pressure(simulation.snapshot());
    double before_time = 0;
    bool broke = false;
    const auto record = [&](const Snapshot& snapshot) {
        const LedgerRow ledger = simulation.ledger_row();
        auto& row = rows.emplace_back(std::vector<double>{
            ledger.time, ledger.front, ledger.kinetic / problem.available_energy, ledger.relative_residual, impulse});
        if (!options.positions) return;
        const FluidState fluid = fluid_of(problem, snapshot);
        const std::size_t stride = (fluid.position.size() + most_positions - 1) / most_positions;
        for (std::size_t i = 0; i < fluid.position.size(); i += stride) {
            row.push_back(fluid.position[i][0]);
            row.push_back(fluid.position[i][1]);
        }
    };
    record(simulation.snapshot());
    try {
        for (std::int64_t step = 1; step <= steps; ++step) {
            simulation.step();
            if (step % probe_every != 0) continue;
            const Snapshot snapshot = simulation.snapshot();
            const double pressure = wall.pressure(snapshot);
            impulse += 0.5 * (before + pressure) * (simulation.time() - before_time);
            before = pressure;
            before_time = simulation.time();
            if (step % record_every == 0) record(snapshot);
        }
    } catch (const SimulationBroke&) {
        broke = true;
    }
    const auto hash = numbers_of(simulation.snapshot().hash);
    rows[0] = {broke ? 1.0 : 0.0, hash[0], hash[1], hash[2], hash[3]};
    return rows;
}

Member member_of(const Results& rows)
{
    const auto& head = rows.at(0);
    Member member{.records = {}, .broke = head.at(0) != 0, .hash = {head.at(1), head.at(2), head.at(3), head.at(4)}};
    for (std::size_t k = 1; k < rows.size(); ++k) {
        const auto& row = rows[k];
        auto& record = member.records.emplace_back();
        record.time = row.at(0);
        for (std::size_t q = 0; q < quantities.size(); ++q) record.values[q] = row.at(1 + q);
        record.positions.assign(row.begin() + 1 + quantities.size(), row.end());
    }
    return member;
}

Sample Ensemble::values(Quantity quantity, std::size_t record) const
{
    Sample sample;
    for (const Member& member : members) {
        if (record < member.records.size())
            sample.push_back(member.records[record].values[static_cast<std::size_t>(quantity)]);
    }
    return sample;
}

std::size_t Ensemble::stopped() const
{
    return static_cast<std::size_t>(std::ranges::count_if(members, &Member::broke));
}

std::vector<double> distances(const Member& a, const Member& b)
{
    std::vector<double> series;
    for (std::size_t k = 0; k < std::min(a.records.size(), b.records.size()); ++k) {
        const auto& x = a.records[k].positions;
        const auto& y = b.records[k].positions;
        if (x.empty() || x.size() != y.size()) break;
        double sum = 0;
        for (std::size_t i = 0; i < x.size(); ++i) sum += (x[i] - y[i]) * (x[i] - y[i]);
        series.push_back(std::sqrt(sum / (0.5 * static_cast<double>(x.size()))));
    }
    return series;
}

double time_beyond(const std::vector<double>& times, const std::vector<double>& series, double threshold)
{
    for (std::size_t k = 0; k < series.size(); ++k) {
        if (!(series[k] > threshold)) continue;
        if (k == 0 || !(series[k - 1] > 0)) return times[k];
        const double share = std::log(threshold / series[k - 1]) / std::log(series[k] / series[k - 1]);
        return times[k - 1] + share * (times[k] - times[k - 1]);
    }
    return series.empty() ? 0 : times[series.size() - 1];
}

}  // namespace halfulp
