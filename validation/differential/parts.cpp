#include "validation/differential/parts.hpp"

#include <algorithm>
#include <cmath>

#include "precision/multiprecision.hpp"

#include "kernels/differential_operators.hpp"
#include "precision/position.hpp"
#include "validation/differential/arrangement.hpp"

namespace halfulp::differential {

namespace {

constexpr int axes = 3;
constexpr int terms = QuadraticFit<axes, double, PlainSum<double>>::terms;
constexpr double cell = 4;  // spacings

template <class T>
using Point = Vec<axes, T>;

// The exact sum of numbers of another type.
template <class T>
struct QuadSum {
    Quad sum = Quad(0);

    void add(const T& term) { sum += Quad(term); }
    [[nodiscard]] Quad value() const { return sum; }
};

// 1 - 2 q + q^2, which cancels near the border of the domain.
struct ExpandedSphere {
    template <int D, class T>
    static T weight(const Vec<D, T>& r, const T& inverse_reach)
    {
        const T q = square_root(dot(r, r)) * inverse_reach;
        return fma(q, q, T(1) - (q + q));
    }
};

// In cell sides, of a type.
template <class T>
struct Constants {
    T inverse_reach;
    T gradient;
    T laplacian;
    T inverse_scale;
};
template <class T>
Constants<T> constants_of(const RoundingStart& start, double scale)
{
    const auto lattice = lattice_constants<axes, SphericalDomain>(Quad(start.reach));
    const Quad side(cell);
    return {static_cast<T>(side / Quad(start.reach)), static_cast<T>(Quad(axes) / lattice.number_density),
            static_cast<T>(Quad(2 * axes) / (lattice.spread * lattice.number_density) * side * side),
            static_cast<T>(side / Quad(scale))};
}

struct Particle {
    std::array<std::int64_t, axes> cell{};
    Point<float> offset{};
    double value = 0;
};

struct Particles {
    std::vector<Particle> all;
    std::vector<std::uint32_t> targets;  // inside
    std::vector<std::vector<std::uint32_t>> neighbours;
};

Particles particles_of(const RoundingStart& start)
{
    const Arrangement<axes> box = lattice_box<axes>(start.edge, start.disorder, start.reach);
    Particles particles;
    std::vector<Point<double>> places;
    const Field<axes> field = wave_field<axes>();
    for (std::size_t i = 0; i < box.places.size(); ++i) {
        Particle& one = particles.all.emplace_back();
        Point<double> place;
        for (int c = 0; c < axes; ++c) {
            const double in_cells = box.places[i][c] / cell;
            const double whole = std::round(in_cells);
            one.offset[c] = static_cast<float>(in_cells - whole);
            one.cell[static_cast<std::size_t>(c)] =
                static_cast<std::int64_t>(whole) + (c == 1 ? -start.displacement : start.displacement);
            place[c] = (whole + static_cast<double>(one.offset[c])) * cell;
        }
        places.push_back(place);
        one.value = field.value(place, start.wave_number);
        if (box.where[i] == Place::inside) particles.targets.push_back(static_cast<std::uint32_t>(i));
    }
    particles.neighbours = neighbours_of<SphericalDomain>(places, start.reach);
    return particles;
}

// A coordinate as a policy stores it, exactly: relative to cell `origin`, which changes nothing in 113 bits.
template <class Real>
struct Stored {
    std::array<std::int64_t, axes> cell{};
    Point<Real> offset{};
    Point<Real> low{};  // of double-float
    Real value{};
};

template <class Real>
Stored<Real> stored(const Particle& one, const PartsPolicy& policy, double reference)
{
    Stored<Real> result;
    for (int c = 0; c < axes; ++c) {
        const std::int64_t whole = one.cell[static_cast<std::size_t>(c)];
        const Quad exact = Quad(whole) + Quad(one.offset[c]);
        switch (policy.position) {
        case PositionPart::cell_offset:
            result.cell[static_cast<std::size_t>(c)] = whole;
            result.offset[c] = static_cast<Real>(one.offset[c]);
            break;
        case PositionPart::global: result.offset[c] = static_cast<Real>(exact); break;
        case PositionPart::global_double:
            result.cell[static_cast<std::size_t>(c)] = whole;
            result.offset[c] = static_cast<Real>(static_cast<double>(exact) - static_cast<double>(whole));
            break;
        case PositionPart::double_float:
            result.offset[c] = static_cast<Real>(exact);
            result.low[c] = static_cast<Real>(exact - Quad(result.offset[c]));
            break;
        }
    }
    const Quad shift = policy.value == ValuePart::absolute ? Quad(reference) : Quad(0);
    result.value = static_cast<Real>(shift + Quad(one.value));
    return result;
}

// From target to neighbour, by the policy's arithmetic and exactly.
template <class Real>
Point<Real> difference(const Stored<Real>& a, const Stored<Real>& b)
{
    Point<Real> r;
    for (int c = 0; c < axes; ++c) {
        const auto cells = static_cast<Real>(b.cell[static_cast<std::size_t>(c)] - a.cell[static_cast<std::size_t>(c)]);
        r[c] = position_difference(b.offset[c], a.offset[c], cells) + (b.low[c] - a.low[c]);
    }
    return r;
}
template <class Real>
Point<Quad> exact_difference(const Stored<Real>& a, const Stored<Real>& b)
{
    Point<Quad> r;
    for (int c = 0; c < axes; ++c) {
        r[c] = Quad(b.cell[static_cast<std::size_t>(c)] - a.cell[static_cast<std::size_t>(c)]) +
               (Quad(b.offset[c]) - Quad(a.offset[c])) + (Quad(b.low[c]) - Quad(a.low[c]));
    }
    return r;
}
Point<Quad> exact_difference(const Particle& a, const Particle& b)
{
    Point<Quad> r;
    for (int c = 0; c < axes; ++c)
        r[c] = Quad(b.cell[static_cast<std::size_t>(c)] - a.cell[static_cast<std::size_t>(c)]) +
               (Quad(b.offset[c]) - Quad(a.offset[c]));
    return r;
}

// All operators at one particle.
using Values = std::array<Quad, 2 * axes + 1 + axes + 1>;
constexpr std::array<std::size_t, quantity_count + 1> first_of{0,           axes, axes + 1, 2 * axes + 1, 3 * axes + 1,
                                                               3 * axes + 2};

template <class T, class Sum>
struct AllSums {
    MpsGradient<axes, T, Sum> gradient{};
    MpsLaplacian<T, Sum> laplacian{};
    LinearFit<axes, T, Sum> first{};
    QuadraticFit<axes, T, Sum> second{};

    void add(const T& weight, const Point<T>& r, const T& f, const T& inverse_scale)
    {
        gradient.add(weight, r, f);
        laplacian.template add<axes>(weight, r, f);
        first.add(weight, r, f, inverse_scale);
        second.add(weight, r, f, inverse_scale);
    }
    // One: the type in which the systems are solved.
    template <class Products, class One>
    Values values(const Constants<One>& c) const
    {
        Values all;
        auto next = all.begin();
        for (int i = 0; i < axes; ++i) *next++ = Quad(c.gradient * static_cast<One>(gradient.sums[i].value()));
        *next++ = Quad(c.laplacian * static_cast<One>(laplacian.sum.value()));
        {
            One m[triangle<axes>];
            Point<One> b;
            for (int k = 0; k < triangle<axes>; ++k) m[k] = static_cast<One>(first.matrix[k].value());
            for (int k = 0; k < axes; ++k) b[k] = static_cast<One>(first.right[0][k].value());
            const auto solution = solve_symmetric<Products>(m, b, least_determinant<axes>(m));
            for (int i = 0; i < axes; ++i) *next++ = Quad(solution.x[i] * c.inverse_scale);
        }
        One m[triangle<terms>];
        One b[terms];
        One derivatives[terms];
        for (int k = 0; k < triangle<terms>; ++k) m[k] = static_cast<One>(second.matrix[k].value());
        for (int k = 0; k < terms; ++k) b[k] = static_cast<One>(second.right[k].value());
        const bool regular = QuadraticFit<axes, One, PlainSum<One>>::solve(m, b, c.inverse_scale, derivatives);
        Quad laplacian_of_fit(0);
        One sum = One(0);
        for (int i = 0; i < axes; ++i) {
            *next++ = regular ? Quad(derivatives[i]) : Quad(0);
            sum = sum + derivatives[axes + i];
        }
        if (regular) laplacian_of_fit = Quad(sum);
        *next = laplacian_of_fit;
        return all;
    }
};

// The first `in_policy` parts by the policy's arithmetic, the others exactly.
template <class Real, class Sum, class Products>
std::vector<Values> evaluate(const Particles& particles, const std::vector<Stored<Real>>& held,
                             const PartsPolicy& policy, const RoundingStart& start, std::size_t in_policy)
{
    const auto exact = constants_of<Quad>(start, policy.scale);
    const auto rounded = constants_of<Real>(start, policy.scale);
    std::vector<Values> all;
    for (const std::uint32_t i : particles.targets) {
        AllSums<Quad, PlainSum<Quad>> in_quad{};
        AllSums<Real, QuadSum<Real>> products{};
        AllSums<Real, Sum> sums{};
        for (const std::uint32_t j : particles.neighbours[i]) {
            const Point<Real> r = difference(held[i], held[j]);
            const Real f = held[j].value - held[i].value;
            const auto weight_of = [&] {
                return policy.weight == WeightPart::factored ? SphericalDomain::weight(r, rounded.inverse_reach)
                                                             : ExpandedSphere::weight(r, rounded.inverse_reach);
            };
            if (in_policy >= 6) {
                sums.add(weight_of(), r, f, rounded.inverse_scale);
            } else if (in_policy == 5) {
                products.add(weight_of(), r, f, rounded.inverse_scale);
            } else {
                Point<Quad> place = in_policy >= 1 ? exact_difference(held[i], held[j])
                                                   : exact_difference(particles.all[i], particles.all[j]);
                Quad value = in_policy >= 2 ? Quad(held[j].value) - Quad(held[i].value)
                                            : Quad(particles.all[j].value) - Quad(particles.all[i].value);
                if (in_policy >= 3) {
                    for (int c = 0; c < axes; ++c) place[c] = Quad(r[c]);
                    value = Quad(f);
                }
                const Quad weight =
                    in_policy >= 4 ? Quad(weight_of()) : SphericalDomain::weight(place, exact.inverse_reach);
                in_quad.add(weight, place, value, exact.inverse_scale);
            }
        }
        if (in_policy >= 7) all.push_back(sums.template values<Products>(rounded));
        else if (in_policy == 6) all.push_back(sums.template values<ExactProducts>(exact));
        else if (in_policy == 5) all.push_back(products.template values<ExactProducts>(exact));
        else all.push_back(in_quad.template values<ExactProducts>(exact));
    }
    return all;
}

std::array<double, quantity_count> distance(const std::vector<Values>& a, const std::vector<Values>& b,
                                            const std::vector<Values>& scale)
{
    std::array<double, quantity_count> result{};
    for (std::size_t q = 0; q < quantity_count; ++q) {
        Quad square(0);
        Quad whole(0);
        for (std::size_t i = 0; i < a.size(); ++i) {
            for (std::size_t k = first_of[q]; k < first_of[q + 1]; ++k) {
                square += (a[i][k] - b[i][k]) * (a[i][k] - b[i][k]);
                whole += scale[i][k] * scale[i][k];
            }
        }
        result[q] = std::sqrt(static_cast<double>(Quad(square / whole))) * 0x1p23;
    }
    return result;
}

template <class Real, class Sum, class Products>
RoundingErrors errors_of(const PartsPolicy& policy, const RoundingStart& start, bool with_shares)
{
    const Particles particles = particles_of(start);
    std::vector<Stored<Real>> held;
    for (const Particle& one : particles.all) held.push_back(stored<Real>(one, policy, start.reference));
    const auto at = [&](std::size_t in_policy) {
        return evaluate<Real, Sum, Products>(particles, held, policy, start, in_policy);
    };
    const std::vector<Values> exact = at(0);
    const std::vector<Values> whole = at(share_count);
    RoundingErrors errors;
    errors.whole = distance(whole, exact, exact);
    std::vector<Values> before = exact;
    for (std::size_t part = 0; part < share_count; ++part) {
        if (!with_shares && part + 1 != stored_shares) continue;
        std::vector<Values> with = part + 1 == share_count ? whole : at(part + 1);
        if (with_shares) {
            const auto share = distance(with, before, exact);
            for (std::size_t q = 0; q < quantity_count; ++q) errors.shares[q][part] = share[q];
        }
        if (part + 1 == stored_shares) errors.as_stored = distance(whole, with, exact);
        before = std::move(with);
    }
    return errors;
}

template <class Real, template <class> class Sum>
RoundingErrors with_solve(const PartsPolicy& policy, const RoundingStart& start, bool with_shares)
{
    if (policy.solve == SolvePart::adjugate)
        return errors_of<Real, Sum<Real>, FusedProducts>(policy, start, with_shares);
    return errors_of<Real, Sum<Real>, ExactProducts>(policy, start, with_shares);
}

}  // namespace

RoundingErrors rounding_errors(const PartsPolicy& policy, const RoundingStart& start, bool with_shares)
{
    if (policy.in_double) return with_solve<double, PlainSum>(policy, start, with_shares);
    switch (policy.sums) {
    case SumPart::plain: return with_solve<float, PlainSum>(policy, start, with_shares);
    case SumPart::kahan: return with_solve<float, KahanSum>(policy, start, with_shares);
    case SumPart::kbn: return with_solve<float, KbnSum>(policy, start, with_shares);
    case SumPart::double_float: return with_solve<float, DoubleFloatSum>(policy, start, with_shares);
    case SumPart::in_double: return with_solve<float, DoubleSum>(policy, start, with_shares);
    }
    __builtin_unreachable();
}

std::array<double, 3> cancellation(const RoundingStart& start)
{
    const Particles particles = particles_of(start);
    std::array<std::vector<double>, 3> of_particles;
    for (const std::uint32_t i : particles.targets) {
        double sums[3][axes]{};
        double magnitudes[3][axes]{};
        for (const std::uint32_t j : particles.neighbours[i]) {
            const Point<Quad> exact = exact_difference(particles.all[i], particles.all[j]);
            Point<double> r;
            for (int c = 0; c < axes; ++c) r[c] = static_cast<double>(exact[c]);
            const double f = particles.all[j].value - particles.all[i].value;
            const double weight = SphericalDomain::weight(r, cell / start.reach);
            for (int c = 0; c < axes; ++c) {
                const double term[3] = {weight * f * r[c] / dot(r, r), weight * f, weight * f * r[c]};
                for (int q = 0; q < 3; ++q) {
                    sums[q][c] += term[q];
                    magnitudes[q][c] += std::abs(term[q]);
                }
            }
        }
        for (int q = 0; q < 3; ++q) {
            int largest = 0;
            for (int c = 1; c < axes; ++c)
                if (std::abs(sums[q][c]) > std::abs(sums[q][largest])) largest = c;
            of_particles[static_cast<std::size_t>(q)].push_back(magnitudes[q][largest] / std::abs(sums[q][largest]));
        }
    }
    std::array<double, 3> medians{};
    for (std::size_t q = 0; q < 3; ++q) medians[q] = upper_median(std::move(of_particles[q]));
    return medians;
}

}  // namespace halfulp::differential
