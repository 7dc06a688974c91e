#include "validation/operators/measure.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/backends/cpu/cpu_backend.hpp"
#include "core/error.hpp"
#include "core/evolution/scheme.hpp"
#include "core/setup/policy_table.hpp"
#include "validation/laboratory.hpp"
#include "validation/study.hpp"

namespace halfulp {

namespace {

struct Evaluated {
    Rates rates;  // of the particles of the ids, in their order
    Snapshot held;
    std::array<double, 4> digest{};
};

Rates those_of(const Rates& all, const std::vector<std::size_t>& ids)
{
    Rates rates;
    for (const std::size_t id : ids) {
        rates.leading.push_back(all.leading[id]);
        rates.remainder.push_back(all.remainder[id]);
    }
    return rates;
}

std::array<double, 4> digest_of(const Rates& rates)
{
    std::string bytes;
    for (const auto& rate : rates.leading) {
        const auto* const begin = reinterpret_cast<const char*>(rate.data());
        bytes.append(begin, sizeof rate);
    }
    const std::string digits = digest_text(bytes);
    std::array<double, 4> digest{};
    for (std::size_t k = 0; k < 4; ++k)
        digest[k] = static_cast<double>(std::stoul(digits.substr(8 * k, 8), nullptr, 16));
    return digest;
}

// The passes of a scheme's start.
Evaluated evaluate_on_back_end(const Problem& problem, const std::vector<std::size_t>& ids)
{
    const auto backend = make_cpu_backend(problem, one_thread);
    for (const Operation& operation : operations_of(scheme_of(Integrator::kick_drift_kick, problem.physics).start))
        backend->execute(operation, 0);
    const Rates all = backend->rates();
    return {those_of(all, ids), backend->snapshot(), digest_of(all)};
}

// The components of du/dt, or ds/dt.
struct Components {
    std::size_t first;
    std::size_t last;
};
Components components_of(bool density, int dimensions)
{
    return density ? Components{3, 4} : Components{0, static_cast<std::size_t>(dimensions)};
}

// Of a - b, or of a itself.
struct Norms {
    double rms = 0;
    double largest = 0;
};
Norms norms_of(const Rates& a, const Rates* b, Components components)
{
    Norms norms;
    for (std::size_t k = 0; k < a.leading.size(); ++k) {
        double square = 0;
        for (std::size_t c = components.first; c < components.last; ++c) {
            double value = a.leading[k][c];
            if (b != nullptr) value = (value - b->leading[k][c]) + (a.remainder[k][c] - b->remainder[k][c]);
            square += value * value;
        }
        norms.rms += square;
        norms.largest = std::max(norms.largest, std::sqrt(square));
    }
    norms.rms = std::sqrt(norms.rms / static_cast<double>(a.leading.size()));
    return norms;
}

double median_in_own_ulps(const Rates& rates, const Rates& exact, Components components)
{
    std::vector<double> ulps;
    for (std::size_t k = 0; k < rates.leading.size(); ++k) {
        for (std::size_t c = components.first; c < components.last; ++c) {
            const double reference = exact.leading[k][c];
            const double error = (rates.leading[k][c] - reference) + (rates.remainder[k][c] - exact.remainder[k][c]);
            if (reference != 0) ulps.push_back(std::abs(std::ldexp(error, 23 - std::ilogb(reference))));
        }
    }
    if (ulps.empty()) return 0;
    const auto middle = ulps.begin() + static_cast<std::ptrdiff_t>(ulps.size() / 2);
    std::nth_element(ulps.begin(), middle, ulps.end());
    return *middle;
}

}  // namespace

Results measure_operators(const Block& block, const std::string& precision, bool split)
{
    const Problem problem = problem_of(block, precision);
    const auto ids = interior_of(problem, block);
    if (ids.empty()) throw input_error("a block of particles is too small: none has its whole support inside");
    const Evaluated measured = evaluate_on_back_end(problem, ids);
    // With 0, 1, ... of the sources in the policy's arithmetic; only the two references and the whole where nothing is
    // to be split.
    std::vector<Rates> stages(source_count + 1);
    for (std::size_t k = 0; k <= source_count; ++k) {
        if (split || k == 0 || k == stored_sources || k == source_count)
            stages[k] = evaluate(problem, measured.held, ids, k);
    }
    OperatorErrors errors;
    for (const bool density : {false, true}) {
        const Components components = components_of(density, block.dimensions);
        const double scale = norms_of(stages[0], nullptr, components).rms;
        const Norms from_start = norms_of(measured.rates, &stages[0], components);
        const Norms from_held = norms_of(measured.rates, &stages[stored_sources], components);
        ErrorOfRate& error = density ? errors.density_rate : errors.acceleration;
        error = {.scale = scale,
                 .rms_start = from_start.rms / scale,
                 .largest_start = from_start.largest / scale,
                 .rms_held = from_held.rms / scale,
                 .largest_held = from_held.largest / scale,
                 .own_ulps = median_in_own_ulps(measured.rates, stages[stored_sources], components),
                 .share = {}};
        for (std::size_t k = 0; split && k < source_count; ++k)
            error.share[k] = norms_of(stages[k + 1], &stages[k], components).rms / scale;
    }
    for (std::size_t k = 0; k < ids.size(); ++k)
        errors.differing += stages[source_count].leading[k] == measured.rates.leading[k] ? 0 : 1;
    errors.digest = measured.digest;
    return {row_of(errors)};
}

OperatorErrors operator_errors(const Results& rows) { return record_of<OperatorErrors>(rows.at(0)); }

double difference_of_quads(const Block& block, const std::string& quad)
{
    const PolicyInfo* const info = find_policy(quad);
    if (info == nullptr) throw input_error("there is no precision \"" + quad + "\" in this build");
    const Problem problem = problem_of(block, quad);
    const auto ids = interior_of(problem, block);
    const Evaluated measured = evaluate_on_back_end(problem, ids);
    // The float policy that holds the very particles that quad does: in SI units both round offsets to single
    // precision.
    const Problem same = problem_of(block, info->cell_is_one ? "robust" : "robust/units=si");
    const Evaluated held = evaluate_on_back_end(same, ids);
    const Rates exact = evaluate(same, held.held, ids, stored_sources);
    double largest = 0;
    for (const bool density : {false, true}) {
        const Components components = components_of(density, block.dimensions);
        largest = std::max(
            largest, norms_of(measured.rates, &exact, components).largest / norms_of(exact, nullptr, components).rms);
    }
    return largest;
}

std::array<double, 2> errors_after_drifts(const Block& block, const std::string& precision, int drifts)
{
    const PolicyInfo* const info = find_policy(precision);
    if (info == nullptr) throw input_error("there is no precision \"" + precision + "\" in this build");
    const auto moved = [&](const std::string& name) {
        const Problem problem = problem_of(block, name);
        const auto backend = make_cpu_backend(problem, one_thread);
        // Speeds are up to 2 m/s. In single precision, so that every policy takes the same step.
        const double step = 0.01 * problem.units.length / 2 / drifts / problem.units.time();
        const auto rounded = static_cast<double>(static_cast<float>(step));
        for (int k = 0; k < drifts; ++k) backend->execute({kind_of<Drift>}, rounded);
        for (const OperationKind kind : {kind_of<RebuildNeighbours>, kind_of<FindDensityRate>, kind_of<FindForces>})
            backend->execute({kind}, 0);
        return those_of(backend->rates(), interior_of(problem, block));
    };
    const Rates rates = moved(precision);
    const Rates exact = moved(quad_reference(*info));
    std::array<double, 2> errors{};
    for (const bool density : {false, true}) {
        const Components components = components_of(density, block.dimensions);
        errors[density ? 1 : 0] = norms_of(rates, &exact, components).rms / norms_of(exact, nullptr, components).rms;
    }
    return errors;
}

}  // namespace halfulp
