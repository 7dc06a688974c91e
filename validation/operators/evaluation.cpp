#include "kernels/quad_policies.hpp"

#include "validation/operators/evaluation.hpp"

#include <map>

#include <fmt/format.h>

#include "core/error.hpp"
#include "core/particles/order.hpp"
#include "kernels/continuity.hpp"
#include "kernels/laboratory_policies.hpp"
#include "kernels/momentum.hpp"
#include "kernels/policies.hpp"
#include "validation/columns.hpp"

namespace halfulp {

namespace {

// A formula's part in the policy's number type inside of a formula in 113 bits: arguments are rounded on the way in.
template <class Kernel, class Real>
struct KernelIn {
    static Quad shape(const Quad& q) { return Quad(Kernel::shape(static_cast<Real>(q))); }
    static Quad gradient_shape(const Quad& q) { return Quad(Kernel::gradient_shape(static_cast<Real>(q))); }
};
template <class Distance, class Real>
struct DistanceIn {
    template <int D>
    static Quad length(const Vec<D, Quad>& r)
    {
        Vec<D, Real> rounded;
        for (int c = 0; c < D; ++c) rounded[c] = static_cast<Real>(r[c]);
        return Quad(Distance::length(rounded));
    }
};

// What a pair adds to the two sums.
template <int D, class T>
struct Terms {
    Vec<D, T> force;
    T rate;
};

template <class Kernel, class Distance, int D, class T>
HALFULP_INLINE Terms<D, T> terms_of(const Vec<D, T>& r, const MomentumState<D, T>& a, const MomentumState<D, T>& b,
                                    const Parameters<D, T>& p)
{
    constexpr Physics physics;
    const T along = momentum_pair<Kernel, Distance>(physics, r, a, b, p).along;
    const auto pair = continuity_pair<Kernel, Distance>(r, a.velocity - b.velocity, p.inverse_smoothing_length);
    Terms<D, T> terms;
    for (int c = 0; c < D; ++c) terms.force[c] = along * r[c];
    terms.rate = continuity_share(physics.formulation, pair.rate, b.density);
    return terms;
}

// Out of line: the formulas insist on being inlined, and in 113 bits they are long.
template <class Kernel, class Distance, int D>
__attribute__((noinline)) Terms<D, Quad> wide_terms(const Vec<D, Quad>& r, const MomentumState<D, Quad>& a,
                                                    const MomentumState<D, Quad>& b, const Parameters<D, Quad>& p)
{
    return terms_of<Kernel, Distance>(r, a, b, p);
}

template <class Sum, class T, int D>
struct Sums {
    Sum force[D];
    Sum rate;

    template <class Term>
    void add(const Terms<D, Term>& terms)
    {
        for (int c = 0; c < D; ++c) force[c].add(T(terms.force[c]));
        rate.add(T(terms.rate));
    }
    std::array<T, 4> total(const Parameters<D, T>& p, CentredDensity<T> s) const
    {
        std::array<T, 4> total{};
        for (int c = 0; c < D; ++c)
            total[static_cast<std::size_t>(c)] = fma(-p.pair_scale, force[c].value(), p.gravity[c]);
        total[3] = continuity_total(Formulation::mass_weighted, rate.value(), s, p.pair_scale);
        return total;
    }
};

template <class Policy, int D>
class Evaluation {
    using Real = typename Policy::Real;
    using Position = typename Policy::Position;
    using Storage = typename Policy::Density;
    using Form = typename Policy::Kernels::template Of<WendlandC2>;
    using Distance = typename Policy::Distance;

    struct Place {
        Vec<D, Quad> position;  // units of the state
        Vec<D, double> cells;   // the same relative to the case's origin, cell sides
        MomentumState<D, Quad> state;
    };
    struct Particle {
        Vec<D, std::int64_t> cell;
        Vec<D, Real> offset;
        Vec<D, Real> residual;
        MomentumState<D, Real> state;
        Real density;  // as stored
        Place start;   // as the problem has it
        Place held;    // as the policy holds it, residuals included
    };

public:
    Evaluation(const Problem& problem, const Snapshot& snapshot)
        : problem_(problem), p_(problem.parameters.as<D, Real>()), wide_(problem.parameters.as<D, Quad>())
    {
        const Column& cell = column_of(snapshot, "cell");
        const Column& offset = column_of(snapshot, "offset");
        const Column* const residual = find_column(snapshot, "offset_residual");
        const Column& velocity = column_of(snapshot, "velocity");
        const Column* const velocity_residual = find_column(snapshot, "velocity_residual");
        const bool centred = std::is_same_v<Storage, CentredStorage>;
        const Column& density = column_of(snapshot, centred ? "density_deviation" : "density");
        const Column* const density_residual = find_column(snapshot, "density_residual");
        // All in the policy's number type: nothing is rounded.
        const auto real = [](const Column& column, std::size_t k) { return static_cast<Real>(number_at(column, k)); };
        const auto rest = [&](const Column* column, std::size_t k) {
            return column != nullptr ? real(*column, k) : Real(0);
        };
        const auto cell_at = [&](std::size_t k) { return static_cast<std::int32_t>(number_at(cell, k)); };
        const auto to_velocity = static_cast<Real>(problem.units.velocity);  // a power of two

        const std::size_t count = problem.particles.size();
        std::vector<Four<std::int32_t>> cells(count);
        std::vector<Kind> kinds(count, Kind::fluid);
        std::vector<Particle> particles(count);
        for (std::size_t id = 0; id < count; ++id) {
            const InitialParticle& from = problem.particles[id];
            Particle& particle = particles[id];
            cells[id] = {cell_at(3 * id), cell_at(3 * id + 1), cell_at(3 * id + 2), id_of(problem.particles[id], id)};
            for (int c = 0; c < D; ++c) {
                const auto axis = static_cast<std::size_t>(c);
                const std::size_t k = 3 * id + axis;
                particle.cell[c] = cell_at(k);
                particle.offset[c] = real(offset, k);
                particle.residual[c] = rest(residual, k);
                particle.state.velocity[c] = real(velocity, k) / to_velocity;
                particle.start.position[c] = (Quad(from.cell[axis]) + Quad(from.offset[axis])) * wide_.cell_side;
                Quad held = Quad(particle.offset[c]) + Quad(particle.residual[c]);
                if constexpr (Position::in_double) held = Quad(number_at(column_of(snapshot, "coordinate"), k));
                else if constexpr (Position::relative_to_cell) held += Quad(particle.cell[c]) * wide_.cell_side;
                particle.held.position[c] = held;
                particle.start.state.velocity[c] = Quad(from.velocity[axis]);
                particle.held.state.velocity[c] =
                    (Quad(real(velocity, k)) + Quad(rest(velocity_residual, k))) / Quad(to_velocity);
                for (Place* place : {&particle.start, &particle.held}) {
                    const Quad relative = place->position[c] / wide_.cell_side;
                    place->cells[c] = static_cast<double>(Quad(relative - Quad(problem.source.origin.cells[axis])));
                }
            }
            particle.density = real(density, id);
            particle.state.density = Storage::centred(particle.density, p_.reference_density);
            particle.state.pressure_term =
                pressure_term_of<Policy>(problem.physics, particle.density, p_.reference_density, p_.stiffness);
            particle.start.state.density = {Quad(from.density)};
            particle.held.state.density = Storage::centred(
                Quad(Quad(particle.density) + Quad(rest(density_residual, id))), wide_.reference_density);
            for (Place* place : {&particle.start, &particle.held})
                place->state.pressure_term = pressure_term(problem.physics, place->state.density, wide_.stiffness);
        }
        place_of_id_.resize(count);
        for (const OrderKey& key : canonical_order(cells, kinds, std::vector<std::uint8_t>(count, 1))) {
            place_of_id_[key.index] = particles_.size();
            particles_.push_back(particles[key.index]);
        }
    }

    Rates rates(const std::vector<std::size_t>& ids, std::size_t in_policy) const
    {
        Rates rates;
        for (const std::size_t id : ids) {
            const auto total = total_of(place_of_id_[id], in_policy);
            auto& leading = rates.leading.emplace_back();
            auto& rest = rates.remainder.emplace_back();
            for (std::size_t c = 0; c < 4; ++c) {
                leading[c] = static_cast<double>(total[c]);
                rest[c] = static_cast<double>(Quad(total[c] - Quad(leading[c])));
            }
        }
        return rates;
    }

private:
    // As the pair loops have it (core/backends/cpu/pair_loops_body.hpp): cell differences are whole numbers until the
    // last.
    Vec<D, Real> difference(const Particle& a, const Particle& b) const
    {
        Vec<D, Real> r;
        for (int c = 0; c < D; ++c) {
            if constexpr (Position::relative_to_cell) {
                Real cells(static_cast<double>(a.cell[c] - b.cell[c]));
                if constexpr (!Policy::Units::cell_is_one) cells = cells * p_.cell_side;
                r[c] = position_difference(a.offset[c], b.offset[c], cells);
            } else if constexpr (Position::pairs_read_residual) {
                r[c] = position_difference(a.offset[c], b.offset[c], Real(a.residual[c] - b.residual[c]));
            } else {
                r[c] = a.offset[c] - b.offset[c];
            }
        }
        return r;
    }

    // May the pair be within the support, as it is, is held or is computed? Others add exact zeros.
    bool near(const Particle& a, const Particle& b, const Vec<D, Real>& r) const
    {
        const double reach = 1.01 * static_cast<double>(problem_.support);
        Vec<D, double> computed;
        for (int c = 0; c < D; ++c) computed[c] = static_cast<double>(r[c]) / static_cast<double>(p_.cell_side);
        const auto within = [reach](const Vec<D, double>& d) { return dot(d, d) < reach * reach; };
        return within(computed) || within(a.start.cells - b.start.cells) || within(a.held.cells - b.held.cells);
    }

    std::array<Quad, 4> total_of(std::size_t target, std::size_t in_policy) const
    {
        const auto in = [in_policy](std::size_t source) { return source < in_policy; };
        const Particle& a = particles_[target];
        Sums<PlainSum<Quad>, Quad, D> wide;
        Sums<typename Policy::template Sum<Real>, Real, D> own;
        const auto state_of = [&](const Particle& x) {
            MomentumState<D, Quad> state = in(1) ? x.held.state : x.start.state;
            if (in(3)) state.pressure_term = Quad(x.state.pressure_term);
            return state;
        };
        const MomentumState<D, Quad> state_a = state_of(a);
        for (std::size_t other = 0; other < particles_.size(); ++other) {
            const Particle& b = particles_[other];
            const Vec<D, Real> computed = difference(a, b);
            if (other == target || !near(a, b, computed)) continue;
            if (in(5)) {
                const auto terms = terms_of<Form, Distance>(computed, a.state, b.state, p_);
                if (in(6)) own.add(terms);
                else wide.add(terms);
                continue;
            }
            Vec<D, Quad> r = in(0) ? a.held.position - b.held.position : a.start.position - b.start.position;
            for (int c = 0; c < D && in(2); ++c) r[c] = Quad(computed[c]);
            wide.add(in(4)
                         ? wide_terms<KernelIn<Form, Real>, DistanceIn<Distance, Real>>(r, state_a, state_of(b), wide_)
                         : wide_terms<WendlandC2, PlainDistance>(r, state_a, state_of(b), wide_));
        }
        if (!in(6)) return wide.total(wide_, state_a.density);
        const std::array<Real, 4> total = own.total(p_, a.state.density);
        // The rate as the state takes it, and back, as Backend::rates() has it.
        const Real stored_rate = Storage::rate(total[3], p_.reference_density);
        const Real unit_rate = Storage::rate(Real(1), p_.reference_density);
        return {Quad(total[0]), Quad(total[1]), Quad(total[2]), Quad(Real(stored_rate / unit_rate))};
    }

    const Problem& problem_;
    Parameters<D, Real> p_;
    Parameters<D, Quad> wide_;
    std::vector<Particle> particles_;  // in canonical order
    std::vector<std::size_t> place_of_id_;
};

using Evaluate = Rates (*)(const Problem&, const Snapshot&, const std::vector<std::size_t>&, std::size_t);

template <class Policy>
Rates evaluate_as(const Problem& problem, const Snapshot& held, const std::vector<std::size_t>& ids,
                  std::size_t in_policy)
{
    if (problem.source.dimensions == 2) return Evaluation<Policy, 2>(problem, held).rates(ids, in_policy);
    return Evaluation<Policy, 3>(problem, held).rates(ids, in_policy);
}

}  // namespace

Rates evaluate(const Problem& problem, const Snapshot& held, const std::vector<std::size_t>& ids, std::size_t in_policy)
{
    static const std::map<std::string, Evaluate> evaluations{
#define HALFULP_ADD(Policy) {Policy::name, &evaluate_as<Policy>},
        HALFULP_FOR_EACH_PROGRAM_POLICY(HALFULP_ADD) HALFULP_FOR_EACH_LABORATORY_POLICY(HALFULP_ADD)
#undef HALFULP_ADD
    };
    const Case& c = problem.source;
    const auto found = evaluations.find(c.numerics.precision);
    if (found == evaluations.end())
        throw input_error(
            fmt::format("an evaluation cannot be taken apart in the precision \"{}\"; it must be in float or double",
                        c.numerics.precision));
    if (problem.physics != Physics{} || c.numerics.kernel != SmoothingKernel::wendland_c2 || problem.wall != 0 ||
        c.period != std::array<double, 3>{})
        throw input_error(
            "an evaluation can be taken apart only with Tait's equation, Wendland's kernel, pair (i) and no force but "
            "pressure, without walls and periods");
    return found->second(problem, held, ids, in_policy);
}

}  // namespace halfulp
