// The pair engine, lists, masks, cells and all, against all pairs in long double, for a cloud of particles; and the
// same bits from every number of lanes, with stored lists and without, and from both rates in one pass as in two. The
// bounds are tight: errors up to 0.7 of them were measured.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/backends/cpu/pair_engine.hpp"
#include "core/error.hpp"
#include "core/operations/add_contact_pressure.hpp"
#include "kernels/policy.hpp"
#include "tests/core/neighbours/brute_force.hpp"

namespace halfulp::test {

inline constexpr std::int64_t lowest = std::numeric_limits<std::int32_t>::min();
inline constexpr std::int64_t highest = std::numeric_limits<std::int32_t>::max();

// What a check is made of beside its particles.
struct Setting {
    SmoothingKernel kernel = SmoothingKernel::wendland_c2;
    Physics physics{.artificial_viscosity = true};
    int search_cells = 2;
    std::array<std::int32_t, 3> origin{};
    std::array<std::int32_t, 3> period{};
};

inline double support_in_h(SmoothingKernel kernel)
{
    return with_kernel(kernel, [](auto k) { return k.support; });
}

inline PairSettings settings_of(const Setting& setting)
{
    PairSettings settings{.parameters = cloud_parameters(setting.search_cells, support_in_h(setting.kernel)),
                          .physics = setting.physics,
                          .kernel = setting.kernel,
                          .signal_speed = true,
                          .search_cells = setting.search_cells,
                          .origin = setting.origin,
                          .period = setting.period,
                          .centre = {}};
    settings.support = static_cast<float>(support_in_h(setting.kernel)) * settings.parameters.smoothing_length;
    for (std::size_t c = 0; c < 3; ++c) settings.centre.cell[c] = setting.origin[c] + 3;
    settings.centre.offset = {0.25F, -0.4F, 0.1F};
    return settings;
}

// Everything that the engine works out, for the physics that it has.
template <class Policy, int D>
struct Results {
    using Real = typename Policy::Real;
    Real signal = 0;
    Real acceleration = 0;
    std::vector<Four<Real>> balance;  // what forces leave for the balanced density diffusion
    std::vector<Real> contacts;       // the contact pressures that the density rate leaves for walls

    static Results of(PairEngine<Policy, D>& engine, Buffers<Policy>& buffers)
    {
        for (auto* shares :
             {&buffers.rate, &buffers.xsph_velocity, &buffers.shifting, &buffers.artificial_rate, &buffers.laminar_rate,
              &buffers.tensile_rate, &buffers.density_gradient, &buffers.wall_extrapolation})
            shares->assign(shares->size(), {});
        if (buffers.physics.xsph) engine.pass(kind_of<FindXsphVelocity>, buffers);
        if (buffers.physics.particle_shifting) engine.pass(kind_of<ShiftParticles>, buffers);
        if (buffers.physics.density_diffusion == DensityDiffusion::antuono)
            engine.pass(kind_of<FindDensityGradient>, buffers);
        if (buffers.physics.density_filter != DensityFilter::none) engine.pass(kind_of<FilterDensity>, buffers);
        for (std::size_t i = 0; i < buffers.contact_pressure.size(); ++i) {
            Random random(static_cast<unsigned>(buffers.cell[i].w) + 1000);
            buffers.contact_pressure[i] = static_cast<Real>(random.uniform(0, 1));
        }
        const auto contacts_before = buffers.contact_pressure;
        if (buffers.physics.walls == Walls::extrapolated) engine.pass(kind_of<ExtrapolateWalls>, buffers);
        if (AddContactPressure::needed(buffers.physics)) {
            for (std::size_t i = 0; i < buffers.count(); ++i)
                buffers.wall_extrapolation[i].w = from_mirror_node(buffers.cell[i].w);
            engine.pass(kind_of<AddContactPressure>, buffers);
        }
        Results results;
        const bool balanced = buffers.physics.density_diffusion == DensityDiffusion::balanced;
        if (balanced) {
            // The density rate reads what forces have left, which a cloud is far too rough for: numbers of all kinds.
            engine.pass(kind_of<FindForces>, buffers);
            results.balance = buffers.density_gradient;
            for (std::size_t i = 0; i < buffers.count(); ++i) {
                Random random(static_cast<unsigned>(buffers.cell[i].w));
                for (int c = 0; c < 3; ++c)
                    buffers.density_gradient[i][c] = static_cast<Real>(random.uniform(-0.1, 0.1));
                buffers.density_gradient[i].w = static_cast<Real>(random.uniform(0, 1));
            }
        }
        const auto given = buffers.density_gradient;
        results.signal = engine.pass(kind_of<FindDensityRate>, buffers)[0];
        results.acceleration = square_root(engine.pass(kind_of<FindForces>, buffers)[0]);
        if (balanced) buffers.density_gradient = given;
        results.contacts = buffers.contact_pressure;
        buffers.contact_pressure = contacts_before;
        if (!balanced) results.expect_together(engine, buffers);
        return results;
    }

    // A pressure over rho0 for the particle of that id.
    static Real from_mirror_node(std::int32_t id)
    {
        return static_cast<Real>(Random(static_cast<unsigned>(id) + 2000).uniform(-1, 1));
    }

private:
    // Both rates in one pass have the bits of two.
    void expect_together(PairEngine<Policy, D>& engine, const Buffers<Policy>& apart) const;
};

// Every bit that the engine wrote about the particle at place i.
template <class Policy>
std::vector<std::uint64_t> bits_about(const Buffers<Policy>& buffers, std::size_t i)
{
    std::vector<std::uint64_t> bits;
    for (const auto* shares :
         {&buffers.rate, &buffers.xsph_velocity, &buffers.shifting, &buffers.artificial_rate, &buffers.laminar_rate,
          &buffers.tensile_rate, &buffers.density_gradient, &buffers.wall_extrapolation}) {
        for (int c = 0; c < 4 && !shares->empty(); ++c) bits.push_back(bits_of((*shares)[i][c]));
    }
    if (!buffers.filtered_density.empty()) bits.push_back(bits_of(buffers.filtered_density[i]));
    if (!buffers.diffusion_rate.empty()) bits.push_back(bits_of(buffers.diffusion_rate[i]));
    return bits;
}

template <class Policy, int D>
void Results<Policy, D>::expect_together(PairEngine<Policy, D>& engine, const Buffers<Policy>& apart) const
{
    Buffers<Policy> together = apart;
    for (auto* rates : {&together.rate, &together.artificial_rate, &together.laminar_rate, &together.tensile_rate})
        rates->assign(rates->size(), {});
    together.diffusion_rate.assign(together.diffusion_rate.size(), {});
    const Largest<Real> largest = engine.pass(kind_of<FindRates>, together);
    EXPECT_EQ(bits_of(square_root(largest[0])), bits_of(acceleration));
    EXPECT_EQ(bits_of(largest[1]), bits_of(signal));
    for (std::size_t i = 0; i < apart.count(); ++i) {
        ASSERT_EQ(bits_about(together, i), bits_about(apart, i)) << "both rates together, particle " << i;
        if (!contacts.empty()) {
            ASSERT_EQ(bits_of(together.contact_pressure[i]), bits_of(contacts[i])) << "particle " << i;
        }
    }
}

template <class Policy, int D>
class Check {
public:
    using Real = typename Policy::Real;

    Check(std::vector<Cell> cells, const Setting& setting, std::string where)
        : settings_(settings_of(setting)), where_(std::move(where)),
          random_(cells.size() + static_cast<std::size_t>(setting.search_cells)),
          buffers_(cloud_in<Policy, D>(std::move(cells), settings_.parameters, random_, 3, setting.physics))
    {
    }

    // Returns how many true neighbours all particles have together.
    int run()
    {
        make_engines();
        for (auto& engine : engines_) engine->rebuild(buffers_, {}, {engine->stored_reach_squared()});
        const std::vector<Four<Real>> start = buffers_.offset;
        const int neighbours = compare();
        // The same lists after motion of just less than half a skin, out of the cell too: 1/12 of the reach each.
        scatter_from(start);
        compare();
        // Lists for a course between two such states, in its middle and at its end.
        for (const double share : {0.5, 1.0}) {
            follow_course(start, share);
            compare();
        }
        return neighbours;
    }

private:
    void scatter_from(const std::vector<Four<Real>>& start)
    {
        const double most = 0.999 * settings_.search_cells / 12.0 / std::sqrt(double(D));
        for (std::size_t i = 0; i < buffers_.count(); ++i)
            for (int c = 0; c < D && buffers_.kind[i] == Kind::fluid; ++c)
                buffers_.offset[i][c] = start[i][c] + static_cast<Real>(random_.uniform(-most, most));
    }

    // Makes lists for courses that, after a share of their moves, are off the next state by less than a tolerance, and
    // goes on to that state.
    void follow_course(const std::vector<Four<Real>>& start, double share)
    {
        const double tolerance = 0.05 * static_cast<double>(settings_.support);
        const std::vector<Four<Real>> before = buffers_.offset;
        scatter_from(start);
        const std::vector<Four<Real>> after = buffers_.offset;
        std::vector<Four<Real>> moves(buffers_.count(), Four<Real>{});
        const double most = 0.999 * tolerance / std::sqrt(double(D));
        for (std::size_t i = 0; i < buffers_.count(); ++i) {
            for (int c = 0; c < D && buffers_.kind[i] == Kind::fluid; ++c) {
                const auto astray = static_cast<Real>(random_.uniform(-most, most));
                moves[i][c] = (after[i][c] - before[i][c] + astray) / static_cast<Real>(share);
            }
        }
        buffers_.offset = before;
        const auto reach = static_cast<Real>(static_cast<double>(settings_.support) + 2 * tolerance);
        for (auto& engine : engines_) engine->make_lists(buffers_, {reach * reach, moves.data()});
        buffers_.offset = after;
    }

    void make_engines()
    {
        for (const bool stored : {true, false}) {
            for (const int lanes : {1, 2, 4, 8, 16}) {
                PairSettings settings = settings_;
                settings.lanes = lanes;
                settings.stored = stored;
                try {
                    engines_.push_back(make_pair_engine<Policy, D>(settings));
                    names_.push_back(std::to_string(lanes) + (stored ? " lanes" : " lanes, none stored"));
                } catch (const Error&) {
                    continue;  // this program, processor or precision has no such number of lanes
                }
            }
        }
        EXPECT_GE(engines_.size(), 4U);
    }

    int compare()
    {
        using R = Results<Policy, D>;
        const R first = R::of(*engines_.front(), buffers_);
        const int neighbours = compare_with_all_pairs(first);
        const Buffers<Policy> reference = buffers_;
        for (std::size_t k = 1; k < engines_.size(); ++k) {
            const R other = R::of(*engines_[k], buffers_);
            EXPECT_EQ(bits_of(other.signal), bits_of(first.signal)) << where_ << ", " << names_[k];
            EXPECT_EQ(bits_of(other.acceleration), bits_of(first.acceleration)) << where_ << ", " << names_[k];
            for (std::size_t i = 0; i < first.contacts.size(); ++i)
                EXPECT_EQ(bits_of(other.contacts[i]), bits_of(first.contacts[i])) << where_ << ", " << names_[k];
            for (std::size_t i = 0; i < first.balance.size(); ++i) {
                for (int c = 0; c < 4; ++c)
                    EXPECT_EQ(bits_of(other.balance[i][c]), bits_of(first.balance[i][c]))
                        << where_ << ", " << names_[k];
            }
            for (std::size_t i = 0; i < buffers_.count(); ++i) {
                if (bits_about(buffers_, i) == bits_about(reference, i)) continue;
                ADD_FAILURE() << where_ << ": particle " << i << " differs with " << names_[k];
                return 0;
            }
        }
        return neighbours;
    }

    int compare_with_all_pairs(const Results<Policy, D>& results)
    {
        const Long u = unit_roundoff<Real>;
        const Physics& physics = settings_.physics;
        Long expected_signal = 0;
        Long expected_acceleration = 0;
        int neighbours = 0;
        const BruteForce<Policy, D> brute_force(buffers_, settings_);
        for (std::size_t i = 0; i < buffers_.count(); ++i) {
            const Expected<Real, D> expected = brute_force.at(i);
            neighbours += expected.neighbours;
            const auto expect_near = [&](Real value, const Approximate<Real>& wanted, const char* what) {
                EXPECT_LE(std::fabs(Long(value) - wanted.value), wanted.error) << where_ << ", " << what << " of " << i;
            };
            expect_near(buffers_.rate[i].w, expected.density_rate, "density rate");
            expected_signal = std::max(expected_signal, expected.signal);
            if (physics.density_diffusion != DensityDiffusion::none)
                expect_near(buffers_.diffusion_rate[i], expected.diffusion, "diffusion");
            if (physics.density_filter != DensityFilter::none && buffers_.kind[i] == Kind::fluid)
                expect_near(static_cast<Real>(buffers_.filtered_density[i]), expected.filtered, "filtered density");
            const bool extrapolated = physics.walls == Walls::extrapolated && buffers_.kind[i] == Kind::wall;
            if (extrapolated) expect_near(buffers_.wall_extrapolation[i].w, expected.wall_pressure, "wall pressure");
            if (AddContactPressure::needed(physics) && buffers_.kind[i] == Kind::wall)
                expect_near(buffers_.wall_extrapolation[i].w,
                            Approximate<Real>{Results<Policy, D>::from_mirror_node(buffers_.cell[i].w), 0} +
                                expected.wall_contact,
                            "wall pressure with that of contact");
            if (!results.contacts.empty() && buffers_.kind[i] == Kind::fluid)
                expect_near(results.contacts[i], expected.contact_pressure, "contact pressure");
            Long size2 = 0;
            for (int c = 0; c < D; ++c) {
                const auto k = std::size_t(c);
                expect_near(buffers_.rate[i][c], expected.force[k], "force");
                size2 += Long(buffers_.rate[i][c]) * Long(buffers_.rate[i][c]);
                if (extrapolated && has_extrapolated_velocity(physics))
                    expect_near(buffers_.wall_extrapolation[i][c], expected.wall_velocity[k], "wall velocity");
                if (physics.xsph) expect_near(buffers_.xsph_velocity[i][c], expected.smoothing[k], "smoothing");
                if (physics.particle_shifting)
                    expect_near(buffers_.shifting[i][c], expected.shifting[k], "shifting velocity");
                if (physics.density_diffusion == DensityDiffusion::antuono)
                    expect_near(buffers_.density_gradient[i][c], expected.gradient[k], "density gradient");
                if (physics.artificial_viscosity)
                    expect_near(buffers_.artificial_rate[i][c], expected.artificial[k], "artificial viscosity");
                if (physics.laminar_viscosity != LaminarViscosity::none)
                    expect_near(buffers_.laminar_rate[i][c], expected.laminar[k], "laminar viscosity");
                if (physics.tensile_correction)
                    expect_near(buffers_.tensile_rate[i][c], expected.tensile[k], "tensile correction");
            }
            if (!results.balance.empty() && buffers_.kind[i] == Kind::fluid) expect_balance(i, results.balance[i]);
            if (buffers_.kind[i] == Kind::fluid)
                expected_acceleration = std::max(expected_acceleration, std::sqrt(size2));
        }
        // Maxima are exact; what is compared has the rounding of one sum or so.
        EXPECT_NEAR(double(results.signal / expected_signal), 1, double(40 * u)) << where_;
        EXPECT_NEAR(double(results.acceleration / expected_acceleration), 1, double(8 * u)) << where_;
        return neighbours;
    }

    // What forces say of the equilibrium, from the accelerations that they gave: without a central force.
    void expect_balance(std::size_t i, const Four<Real>& found)
    {
        const auto& p = settings_.parameters;
        Long force2 = 0;
        Long missed2 = 0;
        Long size = 0;
        Long pull[D] = {};
        for (int c = 0; c < D; ++c) {
            const Long g = p.gravity[c];
            pull[c] = Long(buffers_.rate[i][c]) - g;
            if (!buffers_.artificial_rate.empty()) pull[c] -= Long(buffers_.artificial_rate[i][c]);
            if (!buffers_.laminar_rate.empty()) pull[c] -= Long(buffers_.laminar_rate[i][c]);
            force2 += g * g;
            missed2 += (pull[c] + g) * (pull[c] + g);
            size += std::fabs(Long(buffers_.rate[i][c])) + std::fabs(pull[c]);
        }
        const Long force = std::sqrt(force2);
        const Long error = 200 * unit_roundoff<Real> * (1 + size / force);
        const Long missed = 30 * std::sqrt(missed2) / force;
        EXPECT_NEAR(double(found.w), double(std::min(missed * missed, Long(1))), double(900 * error * (1 + missed)))
            << where_ << ", weight of " << i;
        const Long s = Policy::Density::centred(buffers_.velocity[i].w, Real(p.reference_density)).s;
        const bool linear = settings_.physics.state_equation == StateEquation::linear;
        const Long speed = Long(p.sound_speed) * (linear ? 1 : std::pow(1 + s, Long(3)));
        for (int c = 0; c < D; ++c) {
            EXPECT_NEAR(double(found[c]), double(-pull[c] * (1 + s) / (speed * speed)),
                        double(error * force / (speed * speed)))
                << where_ << ", gradient of s of " << i;
        }
    }

    PairSettings settings_;
    std::string where_;
    Random random_;
    Buffers<Policy> buffers_;
    std::vector<std::unique_ptr<PairEngine<Policy, D>>> engines_;
    std::vector<std::string> names_;  // of each
};

// Combinations in which every term occurs, and every kind of each.
inline const std::array<Physics, 10> combinations{
    Physics{.formulation = Formulation::volume_weighted,
            .artificial_viscosity = true,
            .laminar_viscosity = LaminarViscosity::monaghan_gingold,
            .tensile_correction = true,
            .density_diffusion = DensityDiffusion::molteni_colagrossi,
            .xsph = true,
            .particle_shifting = true},
    Physics{.state_equation = StateEquation::linear,
            .formulation = Formulation::volume_weighted,
            .artificial_viscosity = true,
            .laminar_viscosity = LaminarViscosity::morris,
            .density_diffusion = DensityDiffusion::antuono,
            .central_force = true,
            .wall_forces = true},
    Physics{.laminar_viscosity = LaminarViscosity::morris,
            .tensile_correction = true,
            .density_diffusion = DensityDiffusion::fourtakas,
            .xsph = true},
    Physics{.state_equation = StateEquation::linear,
            .artificial_viscosity = true,
            .laminar_viscosity = LaminarViscosity::monaghan_gingold,
            .density_diffusion = DensityDiffusion::fourtakas,
            .particle_shifting = true},
    Physics{.artificial_viscosity = true,
            .laminar_viscosity = LaminarViscosity::morris,
            .tensile_correction = true,
            .wall_forces = true,
            .walls = Walls::extrapolated,
            .density_filter = DensityFilter::shepard},
    Physics{.state_equation = StateEquation::linear,
            .formulation = Formulation::volume_weighted,
            .artificial_viscosity = true,
            .laminar_viscosity = LaminarViscosity::monaghan_gingold,
            .central_force = true,
            .wall_forces = true,
            .walls = Walls::extrapolated,
            .wall_slip = WallSlip::free_slip,
            .density_filter = DensityFilter::moving_least_squares},
    Physics{.laminar_viscosity = LaminarViscosity::brookshaw, .walls = Walls::extrapolated},
    Physics{.artificial_viscosity = true,
            .density_diffusion = DensityDiffusion::balanced,
            .walls = Walls::extrapolated,
            .wall_slip = WallSlip::free_slip},
    Physics{.state_equation = StateEquation::linear,
            .artificial_viscosity = true,
            .laminar_viscosity = LaminarViscosity::morris,
            .density_diffusion = DensityDiffusion::balanced},
    Physics{.density_diffusion = DensityDiffusion::fourtakas, .walls = Walls::modified_dynamic}};

inline constexpr std::array all_kernels{SmoothingKernel::wendland_c2, SmoothingKernel::cubic_spline,
                                        SmoothingKernel::gaussian};

}  // namespace halfulp::test
