#include "precision/multiprecision.hpp"

#include "validation/operators/measure.hpp"

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "kernels/momentum.hpp"
#include "kernels/state_equation.hpp"
#include "validation/arithmetic.hpp"

namespace halfulp {

namespace {

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

using ErrorsOf = PressureErrors (*)(double, int);
struct Entry {
    PressureWay way;
    ErrorsOf errors;
};

template <class Storage, class Evaluation>
Entry entry()
{
    return {{Storage::name, Evaluation::name}, &errors_of<Way<Storage, Evaluation>>};
}

const std::vector<Entry>& entries()
{
    static const std::vector<Entry> all{
        entry<AbsoluteStorage, RatioEvaluation>(), entry<AbsoluteStorage, CentredEvaluation>(),
        entry<RelativeStorage, RatioEvaluation>(), entry<RelativeStorage, CentredEvaluation>(),
        entry<CentredStorage, RatioEvaluation>(),  entry<CentredStorage, CentredEvaluation>()};
    return all;
}

}  // namespace

std::vector<PressureWay> pressure_ways()
{
    std::vector<PressureWay> ways;
    for (const Entry& one : entries()) ways.push_back(one.way);
    return ways;
}

PressureErrors pressure_errors(const PressureWay& way, double deviation, int pairs)
{
    for (const Entry& one : entries()) {
        if (one.way == way) return one.errors(deviation, pairs);
    }
    throw input_error("no density is stored as \"" + way.storage + "\" and evaluated by \"" + way.evaluation + "\"");
}

}  // namespace halfulp
