#include "validation/reversal/there_and_back.hpp"

#include <cstring>

#include "validation/arithmetic.hpp"
#include "validation/columns.hpp"
#include "validation/experiment.hpp"
#include "validation/laboratory.hpp"

namespace halfulp {

namespace {

// Everything that defines the particles, in order of id.
std::vector<std::byte> state_of(const Snapshot& snapshot)
{
    std::vector<std::byte> state;
    for (const Column& column : snapshot.columns) {
        if (column.state) state.insert(state.end(), column.data.begin(), column.data.end());
    }
    return state;
}

double length(const std::array<double, 3>& a, const std::array<double, 3>& b)
{
    return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

double coarsest_half_ulp(const Column& column)
{
    double coarsest = 0;
    const bool single = column.type == ColumnType::float32;
    for (std::size_t k = 0; k < column.data.size() / size_of(column.type); ++k) {
        const double value = number_at(column, k);
        coarsest = std::max(coarsest, (single ? ulp_of(static_cast<float>(value)) : ulp_of(value)) / 2);
    }
    return coarsest;
}

// Of the positions as they are kept, m, where no residual resolves far more, and as snapshots give them.
double resolution_of(const Problem& problem, const Snapshot& snapshot)
{
    const double given = coarsest_half_ulp(column_of(snapshot, "position"));
    if (find_column(snapshot, "offset_residual") != nullptr) return given;
    const Column* const coordinate = find_column(snapshot, "coordinate");
    const Column& kept = coordinate != nullptr ? *coordinate : column_of(snapshot, "offset");
    return std::max(given, coarsest_half_ulp(kept) * problem.units.state);
}

}  // namespace

double farthest(const Points& a, const Points& b)
{
    if (a.size() != b.size()) return INFINITY;
    double largest = 0;
    for (std::size_t i = 0; i < a.size(); ++i) raise(largest, length(a[i], b[i]));
    return largest;
}

Return there_and_back(const Case& c, int steps, bool film)
{
    const Problem problem = prepare(c);
    if (!(problem.fixed_step > 0))
        throw input_error(
            fmt::format("{}: has a variable step, which cannot be run backwards; set time.step=fixed", c.name));
    if (c.numerics.integrator != Integrator::kick_drift_kick) {
        throw input_error(
            fmt::format("{}: only kick-drift-kick is run backwards here; set "
                        "numerics.integrator=kick-drift-kick",
                        c.name));
    }
    const auto backend = make_cpu_backend(problem, one_thread);
    const Scheme scheme = scheme_of(problem);
    const auto step = static_cast<double>(static_cast<float>(problem.fixed_step / problem.units.time()));
    for (const Operation& operation : operations_of(scheme.start)) backend->execute(operation, 0);
    const Snapshot start = backend->snapshot();
    const FluidState from = fluid_of(problem, start);

    Return result;
    result.resolution = resolution_of(problem, start);
    const auto record = [&] {
        if (!film) return;
        const FluidState now = fluid_of(problem, backend->snapshot());
        auto& picture = result.film.emplace_back();
        for (std::size_t i = 0; i < now.position.size(); ++i)
            picture.push_back({now.position[i][0], now.position[i][1], from.position[i][1]});
    };
    int taken = 0;
    const auto go = [&](int count, double interval) {
        for (int k = 0; k < count; ++k, ++taken)
            for (const Operation& operation : operations_of(scheme.step)) backend->execute(operation, interval);
        record();
    };
    const bool broke = breaks_down([&] {
        record();
        go(steps / 2, step);
        go(steps - steps / 2, step);
        result.turn = fluid_of(problem, backend->snapshot()).position;
        result.moved = farthest(result.turn, from.position);
        go(steps - steps / 2, -step);
        go(steps / 2, -step);
    });
    if (broke) result.broke_at = taken;
    const Snapshot end = backend->snapshot();
    const FluidState to = fluid_of(problem, end);
    result.distance = farthest(to.position, from.position);
    result.speed = farthest(to.velocity, from.velocity);
    const auto before = state_of(start);
    const auto after = state_of(end);
    result.words = static_cast<double>(before.size() / 4);
    for (std::size_t k = 0; k + 4 <= before.size(); k += 4)
        result.changed += std::memcmp(&before[k], &after[k], 4) != 0 ? 1 : 0;
    return result;
}

// A policy that no longer moves returns without error. It counts where it moved as far as double, to this share.
constexpr double moved_share = 0.1;

const Return& reference(const Returns& all, const std::string& policy)
{
    const auto found = all.find(double_reference(*find_policy(policy)));
    return found != all.end() ? found->second : all.at("double");
}

bool counts(const Returns& all, const std::string& policy)
{
    const double moved = reference(all, policy).moved;
    const Return& r = all.at(policy);
    return r.broke_at < 0 && std::abs(r.moved - moved) <= moved_share * moved;
}

double measurable_distance(const Return& r) { return std::max(r.distance, r.resolution); }

double error_at_turn(const Returns& all, const std::string& policy)
{
    const Return& r = all.at(policy);
    return std::max(farthest(r.turn, reference(all, policy).turn), r.resolution);
}

std::string return_text(const Returns& all, const std::string& policy)
{
    const Return& r = all.at(policy);
    if (r.broke_at >= 0) return fmt::format("stopped after {} steps", r.broke_at);
    if (!counts(all, policy)) return fmt::format("{:.2g} of double's way only", r.moved / reference(all, policy).moved);
    if (r.changed == 0) return "0";
    return r.distance <= r.resolution ? fmt::format("below {:.1e}", r.resolution) : fmt::format("{:.1e}", r.distance);
}

std::string turn_text(const Returns& all, const std::string& policy)
{
    if (&reference(all, policy) == &all.at(policy)) return "";
    const double error = error_at_turn(all, policy);
    return std::isfinite(error) ? fmt::format("{:.1e}", error) : "stopped";
}

}  // namespace halfulp
