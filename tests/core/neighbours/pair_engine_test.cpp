// The pair engine in random clouds in dense blocks, in negative cells, at both ends of the 32-bit range, with walls
// mixed in, and scattered along rows so that groups split.
#include "tests/core/neighbours/pair_engine_check.hpp"

namespace halfulp::test {
namespace {

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
    settings.lanes = usual_lanes<Policy>;
    const auto engine = make_pair_engine<Policy, D>(settings);
    engine->rebuild(buffers, {}, {engine->stored_reach_squared()});
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
        for (int c = 0; c < D && physics.xsph; ++c)
            ASSERT_EQ(buffers.xsph_velocity[i][c], -buffers.xsph_velocity[j][c]) << id;
        for (int c = 0; c < D; ++c) ASSERT_EQ(a[c], -b[c]) << "particles " << id << " and " << id + 1;
    }
    EXPECT_GT(acting, 1000);
}

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

}  // namespace
}  // namespace halfulp::test
