// The pair engine, lists, masks, cells and all, against all pairs in long double: random clouds in dense blocks, in
// negative cells, at both ends of the 32-bit range, with walls mixed in, and scattered along rows so that groups split.
// And the same bits from every number of lanes. The bounds are tight: errors up to 0.3 of them were measured.
#include <gtest/gtest.h>

#include "core/backends/cpu/pair_engine.hpp"
#include "core/error.hpp"
#include "precision/policy.hpp"
#include "tests/core/neighbours/brute_force.hpp"

namespace halfulp::test {
namespace {

constexpr std::int64_t lowest = std::numeric_limits<std::int32_t>::min();
constexpr std::int64_t highest = std::numeric_limits<std::int32_t>::max();

template <class Policy, int D>
class Check {
public:
    using Real = typename Policy::Real;

    Check(std::vector<Cell> cells, int search_cells, std::string kernel, std::string where)
        : parameters_(cloud_parameters(search_cells)), kernel_(std::move(kernel)), where_(std::move(where)),
          search_cells_(search_cells), random_(cells.size() + static_cast<std::size_t>(search_cells)),
          buffers_(cloud_in<Policy, D>(std::move(cells), parameters_, random_))
    {
    }

    // Returns how many true neighbours all particles have together.
    int run()
    {
        make_engines();
        for (auto& engine : engines_) engine->rebuild(buffers_);
        const int neighbours = compare();
        // The same lists after motion of just less than half a skin, out of the cell too: 1/12 of the reach each.
        const double most = 0.999 * search_cells_ / 12.0 / std::sqrt(double(D));
        for (std::size_t i = 0; i < buffers_.count(); ++i)
            for (int c = 0; c < D && buffers_.kind[i] == Kind::fluid; ++c)
                buffers_.offset[i][c] += static_cast<Real>(random_.uniform(-most, most));
        compare();
        return neighbours;
    }

private:
    void make_engines()
    {
        for (const int lanes : {1, 2, 4, 8, 16}) {
            try {
                engines_.push_back(make_pair_engine<Policy, D>({.parameters = parameters_,
                                                                .kernel = kernel_,
                                                                .viscous = true,
                                                                .signal_speed = true,
                                                                .search_cells = search_cells_,
                                                                .lanes = lanes}));
                lanes_.push_back(lanes);
            } catch (const Error&) {
                continue;  // this processor or precision has no such number of lanes
            }
        }
        EXPECT_GE(lanes_.size(), 3U);
    }

    int compare()
    {
        Real signal = 0;
        Real acceleration = 0;
        for (std::size_t k = 0; k < engines_.size(); ++k) {
            auto rate = std::move(buffers_.rate);
            auto viscous_rate = std::move(buffers_.viscous_rate);
            buffers_.rate.assign(buffers_.count(), {});
            buffers_.viscous_rate.assign(buffers_.count(), {});
            const Real this_signal = engines_[k]->density_rate(buffers_);
            const Real this_acceleration = engines_[k]->forces(buffers_);
            if (k == 0) {
                signal = this_signal;
                acceleration = this_acceleration;
                continue;
            }
            EXPECT_EQ(bits_of(this_signal), bits_of(signal)) << where_;
            EXPECT_EQ(bits_of(this_acceleration), bits_of(acceleration)) << where_;
            for (std::size_t i = 0; i < buffers_.count(); ++i)
                for (int c = 0; c < 4; ++c) {
                    if (bits_of(buffers_.rate[i][c]) == bits_of(rate[i][c]) &&
                        bits_of(buffers_.viscous_rate[i][c]) == bits_of(viscous_rate[i][c]))
                        continue;
                    ADD_FAILURE() << where_ << ": particle " << i << ", component " << c << " differs with "
                                  << lanes_[k] << " lanes";
                    return 0;
                }
        }
        return compare_with_all_pairs(signal, acceleration);
    }

    int compare_with_all_pairs(Real signal, Real acceleration)
    {
        const Long u = unit_roundoff<Real>;
        const bool plain = std::is_same_v<typename Policy::template Sum<Real>, PlainSum<Real>>;
        const Long scale = parameters_.pair_scale;
        Long expected_signal = 0;
        Long expected_acceleration = 0;
        int neighbours = 0;
        for (std::size_t i = 0; i < buffers_.count(); ++i) {
            const Expected<D> sums = all_pairs<Policy, D>(buffers_, parameters_, kernel_, i);
            neighbours += sums.neighbours;
            const Long rate = scale * sums.density_rate.value;
            const Long rate_error = sums.density_rate.bound(u, plain, scale, 0);
            EXPECT_LE(std::fabs(Long(buffers_.rate[i].w) - rate), rate_error) << where_ << ", density rate of " << i;
            expected_signal = std::max(expected_signal, sums.signal);
            if (buffers_.kind[i] == Kind::wall) {
                for (int c = 0; c < D; ++c) EXPECT_EQ(buffers_.rate[i][c], 0) << where_ << ": walls have no force";
                continue;
            }
            Long size2 = 0;
            for (int c = 0; c < D; ++c) {
                const Long gravity = parameters_.gravity[c];
                const Long force = gravity - scale * sums.force[c].value;
                const Long bound = sums.force[c].bound(u, plain, scale, std::fabs(gravity));
                EXPECT_LE(std::fabs(Long(buffers_.rate[i][c]) - force), bound) << where_ << ", force on " << i;
                const Long viscous = -scale * sums.viscous[c].value;
                EXPECT_LE(std::fabs(Long(buffers_.viscous_rate[i][c]) - viscous),
                          sums.viscous[c].bound(u, true, scale, 0))
                    << where_ << ", viscous force on " << i;
                size2 += force * force;
            }
            expected_acceleration = std::max(expected_acceleration, std::sqrt(size2));
        }
        // Maxima are exact; what is compared has the rounding of one sum or so.
        EXPECT_NEAR(double(signal / expected_signal), 1, double(40 * u)) << where_;
        EXPECT_NEAR(double(acceleration / expected_acceleration), 1, double(1000 * u)) << where_;
        return neighbours;
    }

    Parameters<3, float> parameters_;
    std::string kernel_;
    std::string where_;
    int search_cells_;
    Random random_;
    Buffers<Policy> buffers_;
    std::vector<std::unique_ptr<PairEngine<Policy, D>>> engines_;
    std::vector<int> lanes_;  // of each
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
void check_two_dimensions(const std::string& kernel)
{
    Random random(7);
    for (const int n : {1, 2, 3}) {
        const auto check = [&](const std::vector<Cell>& cells, const char* where, int least) {
            EXPECT_GT(
                (Check<Policy, 2>(cells, n, kernel, std::string(where) + ", cells a support: " + std::to_string(n))
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
void check_three_dimensions(const std::string& kernel)
{
    Random random(8);
    for (const int n : {1, 2, 3}) {
        const auto check = [&](const std::vector<Cell>& cells, const char* where, int least) {
            EXPECT_GT(
                (Check<Policy, 3>(cells, n, kernel, std::string(where) + ", cells a support: " + std::to_string(n))
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
    check_two_dimensions<RobustPolicy>("wendland-c2");
    check_two_dimensions<RobustPolicy>("cubic-spline");
}

TEST(PairEngine, DoubleTwoDimensions)
{
    check_two_dimensions<DoublePolicy>("wendland-c2");
    check_two_dimensions<DoublePolicy>("cubic-spline");
}

TEST(PairEngine, RobustThreeDimensions)
{
    check_three_dimensions<RobustPolicy>("wendland-c2");
    check_three_dimensions<RobustPolicy>("cubic-spline");
}

TEST(PairEngine, DoubleThreeDimensions)
{
    check_three_dimensions<DoublePolicy>("wendland-c2");
    check_three_dimensions<DoublePolicy>("cubic-spline");
}

// Two particles and nothing else, in cells of any difference: their forces are opposite and their density rates equal
// to the bit, which is what keeps the momentum.
template <class Policy, int D>
void check_antisymmetry()
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
    auto buffers = cloud_in<Policy, D>(cells, p, random, 0);
    const auto engine = make_pair_engine<Policy, D>({.parameters = p,
                                                     .kernel = "wendland-c2",
                                                     .viscous = true,
                                                     .signal_speed = true,
                                                     .search_cells = n,
                                                     .lanes = 4});
    engine->rebuild(buffers);
    engine->density_rate(buffers);
    engine->forces(buffers);
    std::vector<std::size_t> of_id(buffers.count());
    for (std::size_t i = 0; i < buffers.count(); ++i) of_id[std::size_t(buffers.cell[i].w)] = i;
    int acting = 0;
    for (std::size_t id = 0; id < of_id.size(); id += 2) {
        const auto& a = buffers.rate[of_id[id]];
        const auto& b = buffers.rate[of_id[id + 1]];
        if (a.x != 0) ++acting;
        ASSERT_EQ(a.w, b.w) << id;
        for (int c = 0; c < D; ++c) ASSERT_EQ(a[c], -b[c]) << "particles " << id << " and " << id + 1;
    }
    EXPECT_GT(acting, 1000);
}

TEST(PairEngine, PairsAreAntisymmetricToTheBit)
{
    check_antisymmetry<RobustPolicy, 2>();
    check_antisymmetry<RobustPolicy, 3>();
    check_antisymmetry<DoublePolicy, 2>();
    check_antisymmetry<DoublePolicy, 3>();
}

}  // namespace
}  // namespace halfulp::test
