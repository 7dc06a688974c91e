// The pair engine where space repeats itself: neighbours across the ends, and the same bits wherever a case begins.
#include "tests/core/neighbours/pair_engine_check.hpp"

namespace halfulp::test {
namespace {

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
        settings.lanes = usual_lanes<Policy>;
        Cell from{setting.origin[0], setting.origin[1], setting.origin[2]};
        auto buffers = cloud_in<Policy, D>(block(from, {width, width, D == 3 ? width : 1}, 200, random),
                                           settings.parameters, random, 3, setting.physics);
        const auto by_id = [&](Buffers<Policy>& particles) {
            const auto engine = make_pair_engine<Policy, D>(settings);
            engine->rebuild(particles, {}, {engine->stored_reach_squared()});
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
