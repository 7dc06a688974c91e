// Reference results of the pair engine from all pairs of particles and their images, in long double, from the
// formulas of the textbooks, each with a bound on the engine's rounding. No list, no cells, no shared code with the
// kernels.
#pragma once

#include <algorithm>
#include <array>

#include "core/backends/cpu/pair_engine.hpp"
#include "tests/core/neighbours/particle_cloud.hpp"
#include "tests/core/neighbours/textbook.hpp"

namespace halfulp::test {

template <class Real, int D>
struct Expected {
    using Number = Approximate<Real>;
    int neighbours = 0;
    Number density_rate;  // diffusion included
    Number diffusion;
    std::array<Number, D> smoothing;
    std::array<Number, D> shifting;
    std::array<Number, D> gradient;  // of s; an infinite bound where rounding decides whether the matrix is regular
    std::array<Number, D> force;
    std::array<Number, D> artificial;
    std::array<Number, D> laminar;
    std::array<Number, D> tensile;
    Number filtered;       // s; an infinite bound where rounding decides between fit and mean
    Number wall_pressure;  // over rho0; infinite bounds where rounding decides whether a wall has fluid beside it
    Number wall_contact;   // its part by the contact pressure of fluid
    std::array<Number, D> wall_velocity;
    Number contact_pressure;  // over rho0
    Long signal = 0;          // c + max |h u.r| / (r^2 + eta^2)
};

// Smoothing, density gradient and weight of the diffusion are taken from the buffers where other results depend on
// them.
template <class Policy, int D>
class BruteForce {
public:
    using Real = typename Policy::Real;
    using Number = Approximate<Real>;

    BruteForce(const Buffers<Policy>& buffers, const PairSettings& settings)
        : buffers_(buffers), settings_(settings), p_(settings.parameters), physics_(settings.physics)
    {
    }

    [[nodiscard]] Expected<Real, D> at(std::size_t a) const
    {
        Sums sums;
        sums.expected.signal = speed_of_sound(s(a)).value;
        if (buffers_.kind[a] == Kind::fluid) add_to_filter(a, {}, shape_of(settings_.kernel, exact(0)), sums);
        std::array<std::int64_t, 3> image{};
        for (std::size_t b = 0; b < buffers_.count(); ++b) {
            if (buffers_.kind[a] == Kind::wall && buffers_.kind[b] == Kind::wall) continue;
            for_images(0, image, [&] {
                if (a != b || image != std::array<std::int64_t, 3>{}) add_pair(a, b, image, sums);
            });
        }
        finish(a, sums);
        return sums.expected;
    }

private:
    struct Sums {
        Expected<Real, D> expected;
        Bounded rate, contacts, by_walls, diffusion, weights, pressures, wall_contacts, filter_weights,
            filter_densities, spread;
        std::array<Bounded, D> smoothing, crowding, difference, force, artificial, laminar, tensile, moments, mirrored,
            places, products;
        std::array<std::array<Bounded, D>, D> squares;
        std::array<std::array<Bounded, D>, D> matrix;
    };

    template <class Use>
    void for_images(std::size_t axis, std::array<std::int64_t, 3>& image, const Use& use) const
    {
        if (axis == 3) return use();
        for (const int k : {-1, 0, 1}) {
            if (k != 0 && settings_.period[axis] == 0) continue;
            image[axis] = k * std::int64_t(settings_.period[axis]);
            for_images(axis + 1, image, use);
        }
    }

    static Number exact(Long value) { return {value, 0}; }
    [[nodiscard]] Number s(std::size_t i) const { return exact(buffers_.velocity[i].w); }
    [[nodiscard]] Number ratio(std::size_t i) const { return exact(1) + s(i); }
    [[nodiscard]] Number speed_of_sound(const Number& density) const
    {
        if (physics_.state_equation == StateEquation::linear) return exact(p_.sound_speed);
        const Number r = exact(1) + density;
        return exact(p_.sound_speed) * (r * r * r);
    }

    // The velocity of particle i that viscosity sees.
    [[nodiscard]] Number seen(std::size_t i, int c) const
    {
        const bool mirrored = buffers_.kind[i] == Kind::wall && has_extrapolated_velocity(physics_);
        return exact(mirrored ? buffers_.wall_extrapolation[i][c] : buffers_.velocity[i][c]);
    }

    void add_pair(std::size_t a, std::size_t b, const std::array<std::int64_t, 3>& image, Sums& sums) const
    {
        for (int c = 0; c < D; ++c) {  // far away, without looking closer
            if (std::abs(std::int64_t(buffers_.cell[a][c]) - buffers_.cell[b][c] - image[std::size_t(c)]) > 5) return;
        }
        std::array<Number, D> r, u, moved;
        Number r2, approach, transported;
        for (int c = 0; c < D; ++c) {
            const auto k = std::size_t(c);
            const auto cells = std::int64_t(buffers_.cell[a][c]) - buffers_.cell[b][c] - image[k];
            r[k] = (exact(buffers_.offset[a][c]) - exact(buffers_.offset[b][c])) + exact(Long(cells));
            const bool slips = physics_.wall_slip == WallSlip::free_slip && buffers_.kind[a] != buffers_.kind[b];
            u[k] = slips ? exact(0) : seen(a, c) - seen(b, c);
            moved[k] = exact(buffers_.velocity[a][c]) - exact(buffers_.velocity[b][c]);
            if (physics_.xsph) {
                moved[k] = (exact(buffers_.velocity[a][c]) + exact(buffers_.xsph_velocity[a][c])) -
                           (exact(buffers_.velocity[b][c]) + exact(buffers_.xsph_velocity[b][c]));
            }
            r2 = r2 + r[k] * r[k];
            approach = approach + u[k] * r[k];
            transported = transported + moved[k] * r[k];
        }
        const Number q = square_root_of(r2) * exact(p_.inverse_smoothing_length);
        // Rounding may take a particle at the very edge of the support into it or out of it.
        if (q.value >= support_of(settings_.kernel) + 1e-4L) return;
        if (q.value < support_of(settings_.kernel)) ++sums.expected.neighbours;
        const Number f = gradient_of(settings_.kernel, q);
        const Number w = shape_of(settings_.kernel, q);
        const Number softened = r2 + exact(p_.viscous_softening);
        const Number mean = exact(0.5L) * (s(a) + s(b)) + exact(1);
        const bool by_volume = physics_.formulation == Formulation::volume_weighted;

        const Number share = transported * f;
        sums.rate.add(by_volume ? share / ratio(b) : share);
        if (buffers_.kind[b] == Kind::wall) {
            sums.by_walls.add(share);
            const Number near = exact(1) - q * exact(p_.contact_reaches);
            if (near.value > -near.error) sums.contacts.add(near * near);
        }
        if (f.value != 0) {
            sums.expected.signal = std::max(
                sums.expected.signal,
                speed_of_sound(s(a)).value + Long(p_.smoothing_length) * std::fabs(transported.value) / softened.value);
        }
        if (physics_.density_diffusion != DensityDiffusion::none)
            sums.diffusion.add(-(diffused(a, b, r) * f * (r2 / softened)));
        if (physics_.density_diffusion == DensityDiffusion::antuono) {
            for (std::size_t i = 0; i < D; ++i) {
                sums.difference[i].add((s(b) - s(a)) * (f * r[i]));
                for (std::size_t j = 0; j < D; ++j) sums.matrix[i][j].add(f * r[i] * r[j]);
            }
        }
        if (physics_.xsph && buffers_.kind[a] == Kind::fluid && buffers_.kind[b] == Kind::fluid) {
            for (std::size_t i = 0; i < D; ++i) sums.smoothing[i].add(w / mean * u[i]);
        }
        sums.spread.add(r2 * f / ratio(b));
        for (std::size_t i = 0; i < D; ++i) sums.crowding[i].add(f / ratio(b) * r[i]);
        if (buffers_.kind[b] == Kind::fluid) add_to_filter(b, r, w, sums);
        if (buffers_.kind[a] == Kind::wall) add_to_wall(a, b, r, w, sums);
        add_forces(a, b, r, u, r2, approach, softened, mean, f, w, sums);
    }

    // What fluid b adds to the sums of a filter.
    void add_to_filter(std::size_t b, const std::array<Number, D>& r, const Number& w, Sums& sums) const
    {
        const Number weight = Number{std::max(w.value, 0.0L), w.error} / ratio(b);
        sums.filter_weights.add(weight);
        sums.filter_densities.add(weight * s(b));
        for (std::size_t i = 0; i < D; ++i) {
            sums.places[i].add(weight * r[i]);
            sums.products[i].add(weight * s(b) * r[i]);
            for (std::size_t j = 0; j < D; ++j) sums.squares[i][j].add(weight * r[i] * r[j]);
        }
    }

    // From the sums: the mean, or the best line's value at the particle.
    [[nodiscard]] Number filtered(const Sums& sums, bool plain) const
    {
        const auto total = [&](const Bounded& sum) { return sum.template sum<Real>(plain); };
        const Number weights = total(sums.filter_weights);
        const Number mean = total(sums.filter_densities) / weights;
        if (physics_.density_filter != DensityFilter::moving_least_squares) return mean;
        std::array<Number, D> place, slope;
        std::array<std::array<Number, D>, D> covariance;
        for (std::size_t i = 0; i < D; ++i) place[i] = total(sums.places[i]) / weights;
        Number trace;
        for (std::size_t i = 0; i < D; ++i) {
            slope[i] = total(sums.products[i]) / weights - mean * place[i];
            for (std::size_t j = 0; j < D; ++j)
                covariance[i][j] = total(sums.squares[i][j]) / weights - place[i] * place[j];
            trace = trace + covariance[i][i];
        }
        if (trace.value <= 2 * trace.error) return {mean.value, std::numeric_limits<Long>::infinity()};
        const Number scale = exact(D) / trace;
        for (std::size_t i = 0; i < D; ++i) {
            slope[i] = slope[i] * scale;
            for (std::size_t j = 0; j < D; ++j) covariance[i][j] = covariance[i][j] * scale;
        }
        Number determinant;
        const std::array<Number, D> gradient = solved(covariance, slope, determinant);
        if (std::fabs(determinant.value - 0.01L) <= determinant.error)
            return {mean.value, std::numeric_limits<Long>::infinity()};
        if (determinant.value < 0.01L) return mean;
        Number value = mean;
        for (std::size_t i = 0; i < D; ++i) value = value - gradient[i] * place[i];
        return value;
    }

    // Skillen et al. 2013, less towards a free surface, never faster than the particle itself.
    [[nodiscard]] std::array<Number, D> shifted(std::size_t a, const Sums& sums, bool plain) const
    {
        const auto total = [&](const Bounded& sum) { return sum.template sum<Real>(plain); };
        const Long surface = D == 2 ? 1.5L : 2.75L;
        Number inside = (-(exact(p_.pair_scale) * total(sums.spread)) - exact(surface)) / exact(D - surface);
        inside.value = std::clamp(inside.value, 0.0L, 1.0L);
        std::array<Number, D> way;
        Number way2, speed2;
        for (int c = 0; c < D; ++c) {
            const auto i = std::size_t(c);
            way[i] = exact(p_.shifting_scale) * inside * (exact(p_.pair_scale) * total(sums.crowding[i]));
            way2 = way2 + way[i] * way[i];
            speed2 = speed2 + exact(buffers_.velocity[a][c]) * exact(buffers_.velocity[a][c]);
        }
        Number length = square_root_of(way2);
        length.value = std::max(length.value, 1.0L);
        for (Number& component : way) component = -(square_root_of(speed2) / length * component);
        return way;
    }

    // What a wall takes over from fluid b.
    void add_to_wall(std::size_t a, std::size_t b, const std::array<Number, D>& r, const Number& w, Sums& sums) const
    {
        const Number weight{std::max(w.value, 0.0L), w.error};
        Number pressure = exact(buffers_.offset[b].w);
        if (physics_.formulation == Formulation::mass_weighted) pressure = pressure * (ratio(b) * ratio(b));
        if (has_contact_pressure(physics_)) {
            pressure = pressure + exact(buffers_.contact_pressure[b]);
            sums.wall_contacts.add(weight * exact(buffers_.contact_pressure[b]));
        }
        sums.weights.add(weight);
        sums.pressures.add(weight * pressure);
        for (int c = 0; c < D; ++c) {
            const auto i = std::size_t(c);
            sums.moments[i].add(weight * ratio(b) * r[i]);
            sums.mirrored[i].add(weight * (exact(buffers_.velocity[b][c]) - exact(buffers_.velocity[a][c])));
        }
    }

    // psi.
    [[nodiscard]] Number diffused(std::size_t a, std::size_t b, const std::array<Number, D>& r) const
    {
        Number psi = s(b) - s(a);
        if (physics_.density_diffusion == DensityDiffusion::fourtakas) {
            Number load;
            for (std::size_t i = 0; i < D; ++i) load = load - exact(p_.gravity[i]) * r[i];
            load = load / exact(p_.stiffness);
            if (physics_.state_equation == StateEquation::linear) return psi - load;
            // tests/kernels/density_diffusion_test.cpp bounds the error of the root.
            const Long root = std::expm1(std::log1p(load.value) / 7);
            psi = psi - Number{root, 0.2L * load.error + 6 * Number::u * std::fabs(root) +
                                         0.11L * std::pow(std::fabs(load.value), 9.0L)};
        }
        if (physics_.density_diffusion == DensityDiffusion::antuono) {
            const auto& g_a = buffers_.density_gradient[a];
            const auto& g_b = buffers_.density_gradient[b];
            Number change;  // along r_ba
            for (int i = 0; i < D; ++i) change = change - (exact(g_a[i]) + exact(g_b[i])) * r[std::size_t(i)];
            psi = psi - exact(0.5L) * change;
        }
        if (physics_.density_diffusion == DensityDiffusion::balanced) {
            // A wall has what the fluid of the pair has.
            const auto& g_a = buffers_.density_gradient[buffers_.kind[a] == Kind::wall ? b : a];
            const auto& g_b = buffers_.density_gradient[buffers_.kind[b] == Kind::wall ? a : b];
            Number change;
            for (int i = 0; i < D; ++i) change = change - (exact(g_a[i]) + exact(g_b[i])) * r[std::size_t(i)];
            psi = exact(std::max(Long(g_a.w), Long(g_b.w))) * (psi - exact(0.5L) * change);
        }
        return psi;
    }

    [[nodiscard]] Number tensile_share(std::size_t i) const
    {
        Number over_square = exact(buffers_.offset[i].w);
        if (physics_.formulation == Formulation::volume_weighted) over_square = over_square / (ratio(i) * ratio(i));
        return over_square * Number::rounded(over_square.value < 0 ? -0.2L : 0.01L, 0);
    }

    void add_forces(std::size_t a, std::size_t b, const std::array<Number, D>& r, const std::array<Number, D>& u,
                    const Number& r2, const Number& approach, const Number& softened, const Number& mean,
                    const Number& f, const Number& w, Sums& sums) const
    {
        Number along = exact(buffers_.offset[a].w) + exact(buffers_.offset[b].w);
        if (physics_.formulation == Formulation::volume_weighted) along = along / (ratio(a) * ratio(b));
        const auto add = [&](std::array<Bounded, D>& to, const Number& factor, const std::array<Number, D>& direction) {
            for (std::size_t i = 0; i < D; ++i) to[i].add(factor * f * direction[i]);
        };
        if (physics_.artificial_viscosity) {
            const Number strength = exact(p_.artificial_viscosity) * exact(p_.smoothing_length) *
                                    (exact(0.5L) * (speed_of_sound(s(a)) + speed_of_sound(s(b))));
            const Number closing{std::min(approach.value, 0.0L), approach.error};
            const Number pi = -(strength * closing) / (softened * mean);
            along = along + pi;
            add(sums.artificial, pi, r);
        }
        if (physics_.laminar_viscosity == LaminarViscosity::monaghan_gingold) {
            const Number pi = -(exact(2 * (D + 2)) * exact(p_.kinematic_viscosity) * approach) / (softened * mean);
            along = along + pi;
            add(sums.laminar, pi, r);
        }
        if (physics_.tensile_correction) {
            const Number ratio = w * exact(p_.inverse_shape_at_spacing);
            const Number extra = ratio * ratio * ratio * ratio * (tensile_share(a) + tensile_share(b));
            along = along + extra;
            add(sums.tensile, extra, r);
        }
        Number across;
        if (physics_.laminar_viscosity == LaminarViscosity::morris) {
            across = -(exact(2) * exact(p_.kinematic_viscosity) * r2) / (softened * mean);
            add(sums.laminar, across, u);
        }
        if (physics_.laminar_viscosity == LaminarViscosity::brookshaw) {
            across = -(exact(2) * exact(p_.kinematic_viscosity)) / mean;
            add(sums.laminar, across, u);
        }
        for (std::size_t i = 0; i < D; ++i) sums.force[i].add(along * f * r[i] + across * f * u[i]);
    }

    void finish(std::size_t a, Sums& sums) const
    {
        const bool plain = std::is_same_v<typename Policy::template Sum<Real>, PlainSum<Real>>;
        const auto total = [&](const Bounded& sum) { return sum.template sum<Real>(plain); };
        Expected<Real, D>& expected = sums.expected;
        const Number scale = exact(p_.pair_scale);
        expected.diffusion = scale * exact(p_.density_diffusion) * total(sums.diffusion);
        expected.density_rate = scale * total(sums.rate);
        if (physics_.formulation == Formulation::volume_weighted)
            expected.density_rate = expected.density_rate * ratio(a);
        if (physics_.density_diffusion != DensityDiffusion::none)
            expected.density_rate = expected.density_rate + expected.diffusion;
        if (physics_.density_diffusion == DensityDiffusion::antuono) {
            std::array<std::array<Number, D>, D> matrix;
            std::array<Number, D> difference;
            for (std::size_t i = 0; i < D; ++i) {
                difference[i] = scale * total(sums.difference[i]);
                for (std::size_t j = 0; j < D; ++j) matrix[i][j] = -(scale * total(sums.matrix[i][j]));
            }
            Number determinant;
            expected.gradient = solved(matrix, difference, determinant);
            for (Number& component : expected.gradient) {
                if (std::fabs(determinant.value - 0.01L) <= determinant.error)
                    component = {0, std::numeric_limits<Long>::infinity()};
                else if (determinant.value < 0.01L) component = exact(0);
            }
        }
        const bool fluid = buffers_.kind[a] == Kind::fluid;
        const Number weights = total(sums.weights);
        const bool certain = weights.value > 2 * weights.error;
        const Number unknown{0, sums.weights.count > 0 ? std::numeric_limits<Long>::infinity() : 0};
        Number weight_of_column = total(sums.pressures);
        for (int c = 0; c < D; ++c) {
            const auto i = std::size_t(c);
            const Number body = body_force(a, c);
            weight_of_column = weight_of_column + body * total(sums.moments[i]);
            expected.wall_velocity[i] = certain ? exact(buffers_.velocity[a][c]) - total(sums.mirrored[i]) / weights
                                        : unknown.error > 0 ? unknown
                                                            : exact(buffers_.velocity[a][c]);
            expected.smoothing[i] = -(exact(p_.xsph_scale) * total(sums.smoothing[i]));
            if (fluid || physics_.wall_forces)
                expected.force[i] = (fluid ? body : exact(0)) - scale * total(sums.force[i]);
            // The shares are plain sums in every policy.
            const auto share = [&](const Bounded& sum) { return -(scale * sum.template sum<Real>(true)); };
            if (!fluid && !physics_.wall_forces) continue;
            expected.artificial[i] = share(sums.artificial[i]);
            expected.laminar[i] = share(sums.laminar[i]);
            expected.tensile[i] = share(sums.tensile[i]);
        }
        if (physics_.particle_shifting && fluid) expected.shifting = shifted(a, sums, plain);
        if (physics_.density_filter != DensityFilter::none && fluid) expected.filtered = filtered(sums, plain);
        expected.wall_pressure = certain ? weight_of_column / weights : unknown;
        expected.wall_contact = certain ? total(sums.wall_contacts) / weights : unknown;
        if (fluid) {
            expected.contact_pressure = contact_pressure_of(sums.contacts.template sum<Real>(true),
                                                            scale * sums.by_walls.template sum<Real>(true));
        }
    }

    // 2 u c0 of the speed u = 4/3 h times the rate, where that is towards walls, as far as the contacts exceed 1/4. Its
    // error bounds that of the smaller and the larger of two.
    [[nodiscard]] Number contact_pressure_of(const Number& contacts, const Number& rate_by_walls) const
    {
        const Number excess = exact(50) * (contacts - exact(0.25L));
        const Number speed = exact(4.0L / 3) * exact(p_.smoothing_length) * rate_by_walls;
        const Number touch{std::clamp(excess.value, 0.0L, 1.0L), excess.error};
        return touch * (exact(2) * (Number{std::max(speed.value, 0.0L), speed.error} * exact(p_.sound_speed)));
    }

    // Component c of gravity and the central force on particle i.
    [[nodiscard]] Number body_force(std::size_t i, int c) const
    {
        const auto k = std::size_t(c);
        const Number gravity = exact(p_.gravity[c]);
        if (!physics_.central_force) return gravity;
        const auto cells = std::int64_t(buffers_.cell[i][c]) - settings_.centre.cell[k];
        const Number arm = (exact(buffers_.offset[i][c]) - exact(settings_.centre.offset[k])) + exact(Long(cells));
        return gravity - exact(p_.central_stiffness) * arm;
    }

    const Buffers<Policy>& buffers_;
    const PairSettings& settings_;
    const Parameters<3, float>& p_;
    const Physics& physics_;
};

}  // namespace halfulp::test
