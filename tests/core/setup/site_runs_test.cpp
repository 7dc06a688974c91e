// Runs of particles by site, against a search through all of them; loops over particles; the solver of Laplace's
// equation, which joins sites near each other and far apart in the same order.
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/setup/for_each_particle.hpp"
#include "core/setup/lattice_laplace.hpp"
#include "core/setup/site_runs.hpp"

namespace halfulp {
namespace {

SiteRuns runs_of(const std::vector<Site>& sites)
{
    SiteRuns runs;
    for (std::size_t i = 0; i < sites.size(); ++i) runs.add(sites[i], static_cast<std::int32_t>(i));
    runs.sort();
    return runs;
}

// Every site of a box around them, with and without the last run as a hint.
void expect_found(const std::vector<Site>& sites)
{
    const SiteRuns runs = runs_of(sites);
    std::map<Site, std::int32_t> first;
    for (std::size_t i = 0; i < sites.size(); ++i) first.emplace(sites[i], static_cast<std::int32_t>(i));
    std::size_t near = 0;
    for (std::int64_t z = -2; z < 4; ++z) {
        for (std::int64_t y = -3; y < 5; ++y) {
            const auto row = runs.row(y, z);
            for (std::int64_t x = -4; x < 12; ++x) {
                const auto found = first.find({x, y, z});
                const std::int32_t expected = found == first.end() ? -1 : found->second;
                std::size_t none = runs.all().size();
                EXPECT_EQ(runs.at({x, y, z}, near), expected);
                EXPECT_EQ(runs.at({x, y, z}, none), expected);
                EXPECT_EQ(particle_at(row, x), expected);
            }
        }
    }
}

TEST(SiteRuns, FindWhatASearchFinds)
{
    expect_found({});
    expect_found({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {0, 1, 0}, {4, 1, 0}, {-1, -1, -1}, {0, -1, -1}, {9, 3, 2}});
    std::mt19937 random(1);
    const auto between = [&](int low, int high) { return low + static_cast<int>(random() % unsigned(high - low + 1)); };
    for (int count : {5, 40, 300}) {  // many in the same sites
        std::vector<Site> sites;
        for (int i = 0; i < count; ++i) sites.push_back({between(-2, 9), between(-1, 2), between(-1, 1)});
        expect_found(sites);
    }
    std::vector<Site> overlapping;  // of rows
    for (std::int64_t start : {0, 3, -2, 4})
        for (std::int64_t x = start; x < start + 5; ++x) overlapping.push_back({x, 1, 0});
    expect_found(overlapping);
}

TEST(SiteRuns, AreAsFewAsTheRowsOfABox)
{
    std::vector<Site> sites;
    for (std::int64_t z = 0; z < 3; ++z)
        for (std::int64_t y = 0; y < 4; ++y)
            for (std::int64_t x = 0; x < 5; ++x) sites.push_back({x, y, z});
    EXPECT_EQ(runs_of(sites).all().size(), 12U);
}

TEST(ForEachParticle, ThrowsWhatTheFirstOneDoes)
{
    const std::size_t count = 10 * worth_threads;
    std::vector<int> seen(count, 0);
    for_each_particle(count, [&](std::size_t i) { ++seen[i]; });
    EXPECT_EQ(seen, std::vector<int>(count, 1));
    for (int round = 0; round < 20; ++round) {
        try {
            for_each_particle(count, [](std::size_t i) {
                if (i % 1000 == 999) throw std::runtime_error(std::to_string(i));
            });
            FAIL();
        } catch (const std::runtime_error& error) {
            EXPECT_STREQ(error.what(), "999");
        }
    }
}

// Fluid in a box with a free surface on top, and where `far` is not 0 one more site so far away.
std::vector<double> solution(std::int64_t far)
{
    constexpr std::int64_t n = 34;  // one more site makes no more levels
    LatticeLaplace system;
    std::vector<double> source;
    for (std::int64_t z = 0; z < n; ++z) {
        for (std::int64_t y = 0; y < n; ++y) {
            for (std::int64_t x = 0; x < n; ++x) {
                std::array<std::int32_t, 6> neighbours{};
                std::array<float, 6> weights{};
                const Site here{x, y, z};
                for (std::size_t side = 0; side < 6; ++side) {
                    Site there = here;
                    there[side / 2] += side % 2 == 0 ? -1 : 1;
                    const bool inside = there[side / 2] >= 0 && there[side / 2] < n;
                    neighbours[side] =
                        inside ? static_cast<std::int32_t>((there[2] * n + there[1]) * n + there[0]) : -1;
                    weights[side] = inside ? 1.0F : 0.0F;
                }
                system.sites.push_back(here);
                system.neighbours.push_back(neighbours);
                system.weights.push_back(weights);
                system.to_boundary.push_back(z + 1 == n ? 2.0F : 0.0F);
                source.push_back(static_cast<double>((7 * x + 3 * y * z) % 11) - 5);
            }
        }
    }
    if (far != 0) {
        system.sites.push_back({far, 2 * far, -far});
        system.neighbours.push_back({-1, -1, -1, -1, -1, -1});
        system.weights.push_back({});
        system.to_boundary.push_back(2);
        source.push_back(0);
    }
    std::vector<double> x = solve(std::move(system), source);
    x.resize(static_cast<std::size_t>(n * n * n));
    return x;
}

TEST(LatticeLaplace, JoinsSitesInTheSameOrderHoweverFarTheyLieApart)
{
    const std::vector<double> near = solution(0);
    EXPECT_EQ(near, solution(50));
    EXPECT_EQ(near, solution(std::int64_t{1} << 40));
}

}  // namespace
}  // namespace halfulp
