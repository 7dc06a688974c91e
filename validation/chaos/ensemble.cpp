#include "validation/chaos/ensemble.hpp"

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

// The particles of the lower half of the wall at the far end: the first layer to the right of the fluid, as low as half
// of the column.
std::vector<std::size_t> far_wall(const Problem& problem)
{
    const double spacing = problem.source.resolution.spacing;
    std::array<double, 2> fluid{};  // its extent
    for (const InitialParticle& p : problem.particles) {
        for (std::size_t axis = 0; axis < 2 && p.kind == Kind::fluid; ++axis)
            fluid[axis] = std::max(fluid[axis], coordinate_of(problem, p, axis));
    }
    double nearest = std::numeric_limits<double>::infinity();
    std::vector<std::size_t> candidates;
    for (std::size_t i = 0; i < problem.particles.size(); ++i) {
        const InitialParticle& p = problem.particles[i];
        const double x = coordinate_of(problem, p, 0);
        const double y = coordinate_of(problem, p, 1);
        if (p.kind != Kind::wall || x <= fluid[0] || y <= 0 || y >= 0.5 * fluid[1] + spacing / 4) continue;
        candidates.push_back(i);
        nearest = std::min(nearest, x);
    }
    std::erase_if(candidates, [&](std::size_t i) {
        return coordinate_of(problem, problem.particles[i], 0) >= nearest + spacing / 2;
    });
    return candidates;
}

double mean_pressure(const Snapshot& snapshot, const std::vector<std::size_t>& ids)
{
    const Column& column = column_of(snapshot, "pressure");
    double sum = 0;
    for (const std::size_t id : ids) sum += number_at(column, id);
    return sum / static_cast<double>(ids.size());
}

}  // namespace

double coordinate_ulp(const Problem& problem, bool with_origin)
{
    double largest = 0;
    for (const InitialParticle& p : problem.particles) {
        for (std::size_t axis = 0; axis < 2 && p.kind == Kind::fluid; ++axis)
            largest = std::max(largest, std::abs(coordinate_of(problem, p, axis, with_origin)));
    }
    return ulp_of(static_cast<float>(largest));
}

void perturb(Problem& problem, std::uint64_t member, double distance)
{
    std::mt19937_64 engine(member);
    const double cells = distance / problem.units.length;
    for (InitialParticle& particle : problem.particles.stored()) {
        if (particle.kind != Kind::fluid) continue;
        for (std::size_t c = 0; c < 2; ++c) {
            const double offset = static_cast<double>(particle.offset[c]);
            particle.offset[c] = static_cast<float>((engine() >> 63U) != 0 ? offset + cells : offset - cells);
            carry(particle.cell[c], particle.offset[c]);
        }
    }
}

Member run_member(const Case& c, const MemberOptions& options)
{
    Problem problem = prepare(c);
    perturb(problem, options.member, options.perturbation);
    const std::vector<std::size_t> wall = far_wall(problem);
    const auto steps = static_cast<std::int64_t>(std::ceil(c.time.end / problem.fixed_step));
    const std::int64_t record_every = std::max<std::int64_t>(1, steps / options.records / probe_every) * probe_every;
    Simulation simulation(problem, make_cpu_backend(problem, one_thread));
    Member member;
    double impulse = 0;
    double before = mean_pressure(simulation.snapshot(), wall);
    double before_time = 0;
    const auto record = [&](const Snapshot& snapshot) {
        const LedgerRow ledger = simulation.ledger_row();
        Member::Record& now = member.records.emplace_back();
        now.time = ledger.time;
        now.values = {ledger.front, ledger.kinetic / problem.available_energy, ledger.relative_residual, impulse};
        if (!options.positions) return;
        const FluidState fluid = fluid_of(problem, snapshot);
        const std::size_t stride = (fluid.position.size() + most_positions - 1) / most_positions;
        for (std::size_t i = 0; i < fluid.position.size(); i += stride)
            now.positions.insert(now.positions.end(), {fluid.position[i][0], fluid.position[i][1]});
    };
    record(simulation.snapshot());
    member.broke = breaks_down([&] {
        for (std::int64_t step = 1; step <= steps; ++step) {
            simulation.step();
            if (step % probe_every != 0) continue;
            const Snapshot snapshot = simulation.snapshot();
            const double pressure = mean_pressure(snapshot, wall);
            impulse += 0.5 * (before + pressure) * (simulation.time() - before_time);
            before = pressure;
            before_time = simulation.time();
            if (step % record_every == 0) record(snapshot);
        }
    });
    member.hash = simulation.snapshot().hash;
    return member;
}

std::size_t Member::record_at(double time) const
{
    const auto nearest =
        std::ranges::min_element(records, {}, [&](const Record& r) { return std::abs(r.time - time); });
    return static_cast<std::size_t>(nearest - records.begin());
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

Divergence divergence(const Ensemble& ensemble, const Ensemble& reference, double spacing)
{
    Divergence result;
    std::vector<std::vector<double>> all;
    const std::size_t count = std::min(ensemble.members.size(), reference.members.size());
    for (std::size_t k = 0; k < count; ++k) {
        const Member& other = reference.members[ensemble.is_reference() ? (k + 1) % count : k];
        std::vector<double> series = distances(ensemble.members[k], other);
        if (series.empty()) continue;
        for (double& d : series) d /= spacing;
        std::vector<double> times;
        for (const auto& record : ensemble.members[k].records) times.push_back(record.time);
        result.first.push_back(time_beyond(times, series, 1e-3));
        result.second.push_back(time_beyond(times, series, 1e-1));
        if (times.size() > result.times.size()) result.times = times;
        all.push_back(std::move(series));
    }
    for (std::size_t r = 0; r < result.times.size(); ++r) {
        Sample here;
        for (const auto& series : all)
            if (r < series.size()) here.push_back(series[r]);
        if (here.empty()) {
            result.times.resize(r);
            break;
        }
        const auto [low, high] = std::ranges::minmax_element(here);
        double sum = 0;
        for (const double d : here) sum += *low > 0 ? std::log(d) : 0;
        const double typical = *low > 0 ? std::exp(sum / static_cast<double>(here.size())) : 0;
        result.typical.push_back(typical);
        result.smallest.push_back(*low);
        result.largest.push_back(*high);
    }
    return result;
}

double growth_rate(const Divergence& apart, double from, double to)
{
    Sample times;
    Sample logarithms;
    for (std::size_t k = 0; k < apart.times.size(); ++k) {
        if (apart.times[k] < from || apart.times[k] > to || !(apart.typical[k] > 0)) continue;
        times.push_back(apart.times[k]);
        logarithms.push_back(std::log(apart.typical[k]));
    }
    return times.size() > 2 ? fitted_line(times, logarithms).slope : 0;
}

double typical_at(const Divergence& apart, double time)
{
    std::size_t nearest = 0;
    for (std::size_t k = 0; k < apart.times.size(); ++k)
        if (std::abs(apart.times[k] - time) < std::abs(apart.times[nearest] - time)) nearest = k;
    return apart.typical.empty() ? 0 : apart.typical[nearest];
}

Distinction distinguish(const Ensemble& ensemble, const Ensemble& reference, const std::vector<std::size_t>& records)
{
    Distinction result;
    double smallest = 1;
    for (const Quantity quantity : quantities) {
        for (const std::size_t record : records) {
            const Sample a = ensemble.values(quantity, record);
            const Sample b = reference.values(quantity, record);
            if (a.size() < 2 || b.size() < 2) continue;
            const double distance = kolmogorov_smirnov_distance(a, b);
            const auto& test = result.tests.emplace_back(
                QuantityTest{.quantity = quantity,
                             .record = record,
                             .time = reference.members[0].records.at(record).time,
                             .welch = welch_test(a, b),
                             .distance = distance,
                             .distance_p = kolmogorov_smirnov_p(a.size(), b.size(), distance)});
            const auto note = [&](double p, bool of_means) {
                if (p >= smallest) return;
                smallest = p;
                result.quantity = quantity;
                result.record = record;
                result.of_means = of_means;
                result.where =
                    fmt::format("{} at {:.2f} s, {}", name_of(quantity), test.time, of_means ? "mean" : "distribution");
            };
            note(test.welch.p, true);
            note(test.distance_p, false);
        }
    }
    result.smallest_p = std::min(1.0, smallest * 2 * static_cast<double>(result.tests.size()));
    return result;
}

double confirmed_p(const Distinction& found, const Ensemble& ensemble, const Ensemble& reference)
{
    const Sample a = ensemble.values(found.quantity, found.record);
    const Sample b = reference.values(found.quantity, found.record);
    if (a.size() < 2 || b.size() < 2) return 1;
    if (found.of_means) return welch_test(a, b).p;
    return kolmogorov_smirnov_p(a.size(), b.size(), kolmogorov_smirnov_distance(a, b));
}

Sample energy_errors(const Ensemble& ensemble)
{
    Sample errors;
    for (const Member& member : ensemble.members) {
        double sum = 0;
        for (const auto& record : member.records) {
            const double error = record.values[static_cast<std::size_t>(Quantity::energy_error)];
            sum += error * error;
        }
        errors.push_back(std::sqrt(sum / static_cast<double>(member.records.size())));
    }
    return errors;
}

}  // namespace halfulp
