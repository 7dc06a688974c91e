#include "precision/multiprecision.hpp"

#include "validation/operators/measure.hpp"

#include "core/backends/cpu/cpu_backend.hpp"
#include "core/error.hpp"
#include "core/evolution/scheme.hpp"
#include "core/output/checksum.hpp"
#include "core/setup/policy_table.hpp"
#include "kernels/momentum.hpp"
#include "kernels/state_equation.hpp"
#include "validation/arithmetic.hpp"
#include "validation/laboratory.hpp"

namespace halfulp {

namespace {

struct Evaluated {
    Rates rates;  // of the particles of the ids, in their order
    Snapshot held;
    StateHash digest;  // of the leading parts of all particles' rates
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

// The passes of a scheme's start.
Evaluated evaluate_on_back_end(const Problem& problem, const std::vector<std::size_t>& ids)
{
    const auto backend = make_cpu_backend(problem, one_thread);
    for (const Operation& operation : operations_of(scheme_of(Integrator::kick_drift_kick, problem.physics).start))
        backend->execute(operation, 0);
    const Rates all = backend->rates();
    Checksum checksum;
    for (const auto& rate : all.leading) checksum.absorb(rate.data(), sizeof rate);
    return {those_of(all, ids), backend->snapshot(), checksum.value()};
}

// The components of du/dt, or ds/dt.
struct ComponentRange {
    std::size_t first;
    std::size_t last;
};
ComponentRange components_of(bool density, int dimensions)
{
    return density ? ComponentRange{3, 4} : ComponentRange{0, static_cast<std::size_t>(dimensions)};
}

// Of a - b, or of a itself.
struct Norms {
    double rms = 0;
    double largest = 0;
};
Norms norms_of(const Rates& a, const Rates* b, ComponentRange components)
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

double median_in_own_ulps(const Rates& rates, const Rates& exact, ComponentRange components)
{
    std::vector<double> ulps;
    for (std::size_t k = 0; k < rates.leading.size(); ++k) {
        for (std::size_t c = components.first; c < components.last; ++c) {
            const double reference = exact.leading[k][c];
            const double error = (rates.leading[k][c] - reference) + (rates.remainder[k][c] - exact.remainder[k][c]);
            if (reference != 0) ulps.push_back(std::abs(std::ldexp(error, 23 - std::ilogb(reference))));
        }
    }
    return ulps.empty() ? 0 : upper_median(std::move(ulps));
}

const PolicyInfo& policy_named(const std::string& name)
{
    const PolicyInfo* const info = find_policy(name);
    if (info == nullptr) throw input_error("there is no precision \"" + name + "\" in this build");
    return *info;
}

constexpr Physics physics;
constexpr float reference_density = 1000;

// As much of a precision policy as pressure_term_of asks for.
template <class Storage, class Evaluation>
struct Way {
    using Density = Storage;
    using Pressure = Evaluation;
};

float drawn_density(double deviation, std::uint64_t seed)
{
    const double u = drawn_either_way(seed);
    return static_cast<float>(deviation * 0.5 * (u < 0 ? u - 1 : u + 1));
}

template <class Way>
float term_of(float s, float stiffness)
{
    const float stored = Way::Density::stored(CentredDensity<float>{s}, reference_density);
    return pressure_term_of<Way>(physics, stored, reference_density, stiffness);
}

Quad exact_term(float s, float stiffness)
{
    return pressure_term(physics, CentredDensity<Quad>{Quad(s)}, Quad(stiffness));
}

template <class Way>
PressureErrors errors_of(double deviation, int pairs)
{
    const auto stiffness = static_cast<float>(stiffness_of(StateEquation::tait, 1));  // c0 = 1
    const double volume = 0.25 * WendlandC2::normalisation(2);                        // V alpha, h = 1
    PressureErrors errors;
    for (int k = 0; k < pairs; ++k) {
        const auto seed = static_cast<std::uint64_t>(3 * k);
        const float s_a = drawn_density(deviation, seed);
        const float s_b = drawn_density(deviation, seed + 1);
        const double q = 0.5 + 1.5 * drawn(seed + 2);
        const float term_a = term_of<Way>(s_a, stiffness);
        const float sum = pressure_of_pair(physics, term_a, term_of<Way>(s_b, stiffness), CentredDensity<float>{s_a},
                                           CentredDensity<float>{s_b});
        const Quad exact_a = exact_term(s_a, stiffness);
        const auto error = static_cast<double>(Quad(Quad(sum) - (exact_a + exact_term(s_b, stiffness))));
        const double share = error * volume * WendlandC2::gradient_shape(q) * q;
        const auto relative = static_cast<double>(Quad((Quad(term_a) - exact_a) / exact_a));
        errors.rms += error * error;
        errors.largest = std::max(errors.largest, std::abs(error));
        errors.contribution += share * share;
        errors.relative += relative * relative;
    }
    for (double* square : {&errors.rms, &errors.contribution, &errors.relative}) *square = std::sqrt(*square / pairs);
    return errors;
}

template <class Storage, class Evaluation>
PressureWay way()
{
    return {Storage::name, Evaluation::name, &errors_of<Way<Storage, Evaluation>>};
}

}  // namespace

OperatorErrors measure_operators(const Block& block, const std::string& precision, bool split)
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
        const ComponentRange components = components_of(density, block.dimensions);
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
    return errors;
}

double difference_of_quads(const Block& block, const std::string& quad)
{
    const PolicyInfo& info = policy_named(quad);
    const Problem problem = problem_of(block, quad);
    const auto ids = interior_of(problem, block);
    const Evaluated measured = evaluate_on_back_end(problem, ids);
    // The float policy that holds the very particles that quad does: in SI units both round offsets to single
    // precision.
    const Problem same = problem_of(block, info.cell_is_one ? "robust" : "robust/units=si");
    const Evaluated held = evaluate_on_back_end(same, ids);
    const Rates exact = evaluate(same, held.held, ids, stored_sources);
    double largest = 0;
    for (const bool density : {false, true}) {
        const ComponentRange components = components_of(density, block.dimensions);
        largest = std::max(
            largest, norms_of(measured.rates, &exact, components).largest / norms_of(exact, nullptr, components).rms);
    }
    return largest;
}

std::array<double, 2> errors_after_drifts(const Block& block, const std::string& precision, int drifts)
{
    const PolicyInfo& info = policy_named(precision);
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
    const Rates exact = moved(quad_reference(info));
    std::array<double, 2> errors{};
    for (const bool density : {false, true}) {
        const ComponentRange components = components_of(density, block.dimensions);
        errors[density ? 1 : 0] = norms_of(rates, &exact, components).rms / norms_of(exact, nullptr, components).rms;
    }
    return errors;
}

const std::vector<PressureWay>& pressure_ways()
{
    static const std::vector<PressureWay> all{
        way<AbsoluteStorage, RatioEvaluation>(), way<AbsoluteStorage, CentredEvaluation>(),
        way<RelativeStorage, RatioEvaluation>(), way<RelativeStorage, CentredEvaluation>(),
        way<CentredStorage, RatioEvaluation>(),  way<CentredStorage, CentredEvaluation>()};
    return all;
}

}  // namespace halfulp
