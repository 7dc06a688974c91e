// The pair engine, lists, masks, cells and all, against all pairs in long double: random clouds in dense blocks, in
// negative cells, at both ends of the 32-bit range, with walls mixed in, and scattered along rows so that groups split.
// And the same bits from every number of lanes. The bounds are tight: errors up to 0.7 of them were measured.
#include <gtest/gtest.h>

#include "core/backends/cpu/pair_engine.hpp"
#include "core/error.hpp"
#include "kernels/policy.hpp"
#include "tests/core/neighbours/brute_force.hpp"

namespace halfulp::test {
namespace {

constexpr std::int64_t lowest = std::numeric_limits<std::int32_t>::min();
constexpr std::int64_t highest = std::numeric_limits<std::int32_t>::max();

// What a check is made of beside its particles.
struct Setting {
    SmoothingKernel kernel = SmoothingKernel::wendland_c2;
    Physics physics{.artificial_viscosity = true};
    int search_cells = 2;
    std::array<std::int32_t, 3> origin{};
    std::array<std::int32_t, 3> period{};
};

double support_in_h(SmoothingKernel kernel)
{
    return with_kernel(kernel, [](auto k) { return k.support; });
}

PairSettings settings_of(const Setting& setting)
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

    static Results of(PairEngine<Policy, D>& engine, Buffers<Policy>& buffers)
    {
        for (auto* shares : {&buffers.rate, &buffers.smoothing, &buffers.artificial_rate, &buffers.laminar_rate,
                             &buffers.tensile_rate, &buffers.density_gradient})
            shares->assign(shares->size(), {});
        if (buffers.physics.velocity_smoothing) engine.smooth_velocity(buffers);
        if (buffers.physics.density_diffusion == DensityDiffusion::antuono) engine.density_gradient(buffers);
        Results results;
        results.signal = engine.density_rate(buffers);
        results.acceleration = engine.forces(buffers);
        return results;
    }
};

// Every bit that the engine wrote about the particle at place i.
template <class Policy>
std::vector<std::uint64_t> bits_about(const Buffers<Policy>& buffers, std::size_t i)
{
    std::vector<std::uint64_t> bits;
    for (const auto* shares : {&buffers.rate, &buffers.smoothing, &buffers.artificial_rate, &buffers.laminar_rate,
                               &buffers.tensile_rate, &buffers.density_gradient}) {
        for (int c = 0; c < 4 && !shares->empty(); ++c) bits.push_back(bits_of((*shares)[i][c]));
    }
    if (!buffers.diffusion_rate.empty()) bits.push_back(bits_of(buffers.diffusion_rate[i]));
    return bits;
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
        for (auto& engine : engines_) engine->rebuild(buffers_);
        const int neighbours = compare();
        // The same lists after motion of just less than half a skin, out of the cell too: 1/12 of the reach each.
        const double most = 0.999 * settings_.search_cells / 12.0 / std::sqrt(double(D));
        for (std::size_t i = 0; i < buffers_.count(); ++i)
            for (int c = 0; c < D && buffers_.kind[i] == Kind::fluid; ++c)
                buffers_.offset[i][c] += static_cast<Real>(random_.uniform(-most, most));
        compare();
        return neighbours;
    }

private:
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
                    continue;  // this processor or precision has no such number of lanes
                }
            }
        }
        EXPECT_GE(engines_.size(), 6U);
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
            Long size2 = 0;
            for (int c = 0; c < D; ++c) {
                const auto k = std::size_t(c);
                expect_near(buffers_.rate[i][c], expected.force[k], "force");
                size2 += Long(buffers_.rate[i][c]) * Long(buffers_.rate[i][c]);
                if (physics.velocity_smoothing)
                    expect_near(buffers_.smoothing[i][c], expected.smoothing[k], "smoothing");
                if (physics.density_diffusion == DensityDiffusion::antuono)
                    expect_near(buffers_.density_gradient[i][c], expected.gradient[k], "density gradient");
                if (physics.artificial_viscosity)
                    expect_near(buffers_.artificial_rate[i][c], expected.artificial[k], "artificial viscosity");
                if (physics.laminar_viscosity != LaminarViscosity::none)
                    expect_near(buffers_.laminar_rate[i][c], expected.laminar[k], "laminar viscosity");
                if (physics.tensile_correction)
                    expect_near(buffers_.tensile_rate[i][c], expected.tensile[k], "tensile correction");
            }
            if (buffers_.kind[i] == Kind::fluid)
                expected_acceleration = std::max(expected_acceleration, std::sqrt(size2));
        }
        // Maxima are exact; what is compared has the rounding of one sum or so.
        EXPECT_NEAR(double(results.signal / expected_signal), 1, double(40 * u)) << where_;
        EXPECT_NEAR(double(results.acceleration / expected_acceleration), 1, double(8 * u)) << where_;
        return neighbours;
    }

    PairSettings settings_;
    std::string where_;
    Random random_;
    Buffers<Policy> buffers_;
    std::vector<std::unique_ptr<PairEngine<Policy, D>>> engines_;
    std::vector<std::string> names_;  // of each
};

// Cells of single particles along one row and the rows beside it, near and far: 1, 2, 3, 4, 16, 17, 18 cells and more
// apart, out to both ends of the range.
std::vector<Cell> scattered()
{
    std::vector<Cell> cells;
    for (const std::int64_t y : {-1, 0, 1, 3}) {
        std::int64_t x = -40;
        for (const int gap : {0, 1, 1, 2, 3, 4, 16, 1, 17, 2, 18, 1, 15, 16, 64, 65, 1, 1, 0, 0, 200, 3, 2, 1, 16, 16})
            cells.push_back({x += gap, y, 0});
        for (const std::int64_t far :
             {lowest, lowest + 2, -1'000'000'000L, 1'000'000'000L, highest - 17, highest - 1, highest})
            cells.push_back({far, y, 0});
    }
    return cells;
}

template <class Policy>
void check_two_dimensions(SmoothingKernel kernel)
{
    Random random(7);
    for (const int n : {1, 2, 3}) {
        const auto check = [&](const std::vector<Cell>& cells, const char* where, int least) {
            EXPECT_GT((Check<Policy, 2>(cells, {.kernel = kernel, .search_cells = n},
                                        std::string(where) + ", cells a support: " + std::to_string(n))
                           .run()),
                      least)
                << where;
        };
        check(block({-4, -4, 0}, {9, 9, 1}, 300, random), "around zero", 300);
        check(block({lowest, highest - 5, 0}, {6, 6, 1}, 150, random), "at the corner of the range", 150);
        check(block({highest - 5, lowest, 0}, {6, 6, 1}, 150, random), "at the opposite corner", 150);
        check(block({-100, -1, 0}, {200, 3, 1}, 400, random), "rows longer than a strip", 300);
        check(scattered(), "scattered", 20);
    }
}

template <class Policy>
void check_three_dimensions(SmoothingKernel kernel)
{
    Random random(8);
    for (const int n : {1, 2, 3}) {
        const auto check = [&](const std::vector<Cell>& cells, const char* where, int least) {
            EXPECT_GT((Check<Policy, 3>(cells, {.kernel = kernel, .search_cells = n},
                                        std::string(where) + ", cells a support: " + std::to_string(n))
                           .run()),
                      least)
                << where;
        };
        check(block({-2, -3, -2}, {5, 5, 5}, 300, random), "around zero", 300);
        check(block({highest - 3, lowest, highest - 3}, {4, 4, 4}, 150, random), "at the corner of the range", 150);
        std::vector<Cell> sparse = scattered();
        for (std::size_t k = 0; k < sparse.size(); ++k)
            sparse[k][2] = (k % 5 == 0 ? highest : -1) - std::int64_t(k % 3);
        check(sparse, "scattered", 5);
    }
}

TEST(PairEngine, RobustTwoDimensions)
{
    check_two_dimensions<RobustPolicy>(SmoothingKernel::wendland_c2);
    check_two_dimensions<RobustPolicy>(SmoothingKernel::cubic_spline);
    check_two_dimensions<RobustPolicy>(SmoothingKernel::gaussian);
}

TEST(PairEngine, DoubleTwoDimensions)
{
    check_two_dimensions<DoublePolicy>(SmoothingKernel::wendland_c2);
    check_two_dimensions<DoublePolicy>(SmoothingKernel::cubic_spline);
    check_two_dimensions<DoublePolicy>(SmoothingKernel::gaussian);
}

TEST(PairEngine, RobustThreeDimensions)
{
    check_three_dimensions<RobustPolicy>(SmoothingKernel::wendland_c2);
    check_three_dimensions<RobustPolicy>(SmoothingKernel::cubic_spline);
    check_three_dimensions<RobustPolicy>(SmoothingKernel::gaussian);
}

TEST(PairEngine, DoubleThreeDimensions)
{
    check_three_dimensions<DoublePolicy>(SmoothingKernel::wendland_c2);
    check_three_dimensions<DoublePolicy>(SmoothingKernel::cubic_spline);
    check_three_dimensions<DoublePolicy>(SmoothingKernel::gaussian);
}

// Two particles and nothing else, in cells of any difference: their forces are opposite and their density rates equal
// to the bit, which is what keeps the momentum.
template <class Policy, int D>
void check_antisymmetry(const Physics& physics)
{
    Random random(9);
    constexpr int n = 2;
    Parameters<3, float> p = cloud_parameters(n);
    for (float& g : p.gravity) g = 0;
    std::vector<Cell> cells;
    for (int pair = 0; pair < 2000; ++pair) {
        const Cell first = {20L * (pair % 50), 20L * (pair / 50), 0};
        Cell second = first;
        for (int c = 0; c < D; ++c) second[std::size_t(c)] += random.integer(-1, 1);
        cells.insert(cells.end(), {first, second});
    }
    auto buffers = cloud_in<Policy, D>(cells, p, random, 0, physics);
    PairSettings settings = settings_of({.physics = physics, .search_cells = n});
    settings.parameters = p;
    settings.lanes = 4;
    const auto engine = make_pair_engine<Policy, D>(settings);
    engine->rebuild(buffers);
    Results<Policy, D>::of(*engine, buffers);
    std::vector<std::size_t> of_id(buffers.count());
    for (std::size_t i = 0; i < buffers.count(); ++i) of_id[std::size_t(buffers.cell[i].w)] = i;
    int acting = 0;
    for (std::size_t id = 0; id < of_id.size(); id += 2) {
        const auto& a = buffers.rate[of_id[id]];
        const auto& b = buffers.rate[of_id[id + 1]];
        if (a.x != 0) ++acting;
        const std::size_t i = of_id[id];
        const std::size_t j = of_id[id + 1];
        if (physics.density_diffusion != DensityDiffusion::none) {
            ASSERT_EQ(buffers.diffusion_rate[i], -buffers.diffusion_rate[j]) << id;
        } else if (physics.formulation == Formulation::mass_weighted) {
            ASSERT_EQ(a.w, b.w) << id;
        }
        for (int c = 0; c < D && physics.velocity_smoothing; ++c)
            ASSERT_EQ(buffers.smoothing[i][c], -buffers.smoothing[j][c]) << id;
        for (int c = 0; c < D; ++c) ASSERT_EQ(a[c], -b[c]) << "particles " << id << " and " << id + 1;
    }
    EXPECT_GT(acting, 1000);
}

// Combinations in which every term occurs, and every kind of each.
const std::array<Physics, 4> combinations{Physics{.formulation = Formulation::volume_weighted,
                                                  .artificial_viscosity = true,
                                                  .laminar_viscosity = LaminarViscosity::monaghan_gingold,
                                                  .tensile_correction = true,
                                                  .density_diffusion = DensityDiffusion::molteni_colagrossi,
                                                  .velocity_smoothing = true},
                                          Physics{.state_equation = StateEquation::linear,
                                                  .formulation = Formulation::volume_weighted,
                                                  .artificial_viscosity = true,
                                                  .laminar_viscosity = LaminarViscosity::morris,
                                                  .density_diffusion = DensityDiffusion::antuono,
                                                  .central_force = true,
                                                  .moving_walls = true},
                                          Physics{.laminar_viscosity = LaminarViscosity::morris,
                                                  .tensile_correction = true,
                                                  .density_diffusion = DensityDiffusion::fourtakas,
                                                  .velocity_smoothing = true},
                                          Physics{.state_equation = StateEquation::linear,
                                                  .artificial_viscosity = true,
                                                  .laminar_viscosity = LaminarViscosity::monaghan_gingold,
                                                  .density_diffusion = DensityDiffusion::fourtakas}};

TEST(PairEngine, PairsAreAntisymmetricToTheBit)
{
    std::vector<Physics> all(combinations.begin(), combinations.end());
    all.push_back({.artificial_viscosity = true});
    for (Physics physics : all) {
        // The hydrostatic difference of Tait's equation is not odd, and a centre of attraction is no pair force.
        if (physics.state_equation == StateEquation::tait && physics.density_diffusion == DensityDiffusion::fourtakas)
            physics.density_diffusion = DensityDiffusion::molteni_colagrossi;
        physics.central_force = false;
        check_antisymmetry<RobustPolicy, 2>(physics);
        check_antisymmetry<RobustPolicy, 3>(physics);
        check_antisymmetry<DoublePolicy, 2>(physics);
        check_antisymmetry<DoublePolicy, 3>(physics);
    }
}

constexpr std::array all_kernels{SmoothingKernel::wendland_c2, SmoothingKernel::cubic_spline,
                                 SmoothingKernel::gaussian};

template <class Policy>
void check_combinations()
{
    Random random(10);
    for (std::size_t k = 0; k < combinations.size(); ++k) {
        const Setting setting{.kernel = all_kernels[k % 3], .physics = combinations[k]};
        const std::string where = "combination " + std::to_string(k);
        EXPECT_GT((Check<Policy, 2>(block({-4, -4, 0}, {9, 9, 1}, 300, random), setting, where).run()), 300);
        EXPECT_GT((Check<Policy, 3>(block({-2, -3, -2}, {5, 5, 5}, 300, random), setting, where).run()), 300);
    }
}

TEST(PairEngine, EveryTermRobust) { check_combinations<RobustPolicy>(); }
TEST(PairEngine, EveryTermDouble) { check_combinations<DoublePolicy>(); }

// One, two and three periodic directions, the smallest period that is allowed and longer ones, begun at zero and at
// both ends of the range. An open direction is as wide as the period would be, and in it nothing may wrap.
template <class Policy, int D>
void check_periods(std::size_t combination)
{
    Random random(11);
    const std::int32_t far = highest - 40;
    for (const int n : {1, 2, 3}) {
        for (const int width : {2 * n + 1, 2 * n + 4}) {
            for (const std::array<int, 3> periodic : {std::array{1, 0, 0}, std::array{0, 1, 0}, std::array{1, 1, 0},
                                                      std::array{0, 0, 1}, std::array{1, 1, 1}}) {
                if (D == 2 && periodic[2] != 0) continue;
                if (D == 3 && periodic == std::array{0, 1, 0}) continue;
                const bool near = random.integer(0, 1) == 0;
                Setting setting{
                    .kernel = all_kernels[random.bits() % 3], .physics = combinations[combination], .search_cells = n};
                if (!near) setting.origin = {far, static_cast<std::int32_t>(lowest), D == 3 ? -far : 0};
                Cell from{};
                std::array<int, 3> size{1, 1, 1};
                for (std::size_t c = 0; c < D; ++c) {
                    from[c] = setting.origin[c];
                    size[c] = width;
                    setting.period[c] = periodic[c] * width;
                }
                const int count = D == 2 ? 120 : 160;
                const std::string where = "period " + std::to_string(width) + " cells of " + std::to_string(n) +
                                          " a support, along " + std::to_string(periodic[0]) +
                                          std::to_string(periodic[1]) + std::to_string(periodic[2]);
                EXPECT_GT((Check<Policy, D>(block(from, size, count, random), setting, where).run()), count) << where;
            }
        }
    }
}

TEST(Periods, RobustTwoDimensions)
{
    for (std::size_t k = 0; k < combinations.size(); ++k) check_periods<RobustPolicy, 2>(k);
}
TEST(Periods, RobustThreeDimensions) { check_periods<RobustPolicy, 3>(0); }
TEST(Periods, DoubleTwoDimensions) { check_periods<DoublePolicy, 2>(1); }
TEST(Periods, DoubleThreeDimensions) { check_periods<DoublePolicy, 3>(2); }

// A long row of few particles, so that groups are wide, strips many and every group has images on both sides.
TEST(Periods, LongRows)
{
    Random random(12);
    Setting setting{.physics = combinations[0], .origin = {-60, 5, 0}, .period = {130, 0, 0}};
    EXPECT_GT((Check<RobustPolicy, 2>(block({-60, 5, 0}, {130, 4, 1}, 300, random), setting, "long rows").run()), 300);
    setting.period = {130, 5, 0};
    EXPECT_GT((Check<RobustPolicy, 2>(block({-60, 5, 0}, {130, 5, 1}, 300, random), setting, "long rows").run()), 300);
}

// All particles moved along a period by a whole cell, and back into it: every particle meets its neighbours in the same
// order as before, so that no bit of its rates changes.
template <class Policy, int D>
void check_translation()
{
    Random random(13);
    const int n = 2;
    for (const int width : {5, 7}) {
        Setting setting{.physics = combinations[0], .search_cells = n, .origin = {17, -4, 0}};
        for (std::size_t c = 0; c < D; ++c) setting.period[c] = width;
        PairSettings settings = settings_of(setting);
        settings.lanes = 4;
        Cell from{setting.origin[0], setting.origin[1], setting.origin[2]};
        auto buffers = cloud_in<Policy, D>(block(from, {width, width, D == 3 ? width : 1}, 200, random),
                                           settings.parameters, random, 3, setting.physics);
        const auto by_id = [&](Buffers<Policy>& particles) {
            const auto engine = make_pair_engine<Policy, D>(settings);
            engine->rebuild(particles);
            Results<Policy, D>::of(*engine, particles);
            std::vector<std::vector<std::uint64_t>> bits(particles.count());
            for (std::size_t i = 0; i < particles.count(); ++i)
                bits[std::size_t(particles.cell[i].w)] = bits_about(particles, i);
            return bits;
        };
        const auto reference = by_id(buffers);
        for (int step = 1; step <= width; ++step) {
            for (int c = 0; c < D; ++c) {
                for (auto& cell : buffers.cell) {
                    if (++cell[c] == setting.origin[std::size_t(c)] + width) cell[c] -= width;
                }
                sort_canonically(buffers);
                ASSERT_EQ(by_id(buffers), reference) << step << " cells along " << c << ", period " << width;
            }
        }
    }
}

TEST(Periods, TranslationByCellsChangesNoBit)
{
    check_translation<RobustPolicy, 2>();
    check_translation<RobustPolicy, 3>();
    check_translation<DoublePolicy, 3>();
}

}  // namespace
}  // namespace halfulp::test
