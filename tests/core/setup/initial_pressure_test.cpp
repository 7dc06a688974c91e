// The pressure of water that is let go: a column's against its series, and bodies of water that walls hold at rest.
#include <gtest/gtest.h>

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "case_text.hpp"
#include "core/setup/problem.hpp"

namespace halfulp {
namespace {

// 1 x 1 m of water in the corner of a tank, its right side free.
const std::string column = R"(
fluid = { sound_speed = 100, state_equation = "linear" }
resolution = { spacing = 0.05 }
time = { end = 1 }
output = { interval = 1 }
shapes = [
    { name = "tank",  kind = "wall",  hollow_box = { from = [0, 0], to = [3, 2] } },
    { name = "water", kind = "fluid", box = { from = [0, 0], to = [1, 1] }, hydrostatic = true },
]
)";

struct Sample {
    double x, y;      // m
    double pressure;  // over rho0 g: a height of water, m
};

std::vector<Sample> fluid_of(const std::vector<std::string>& overrides, const std::string& text = column)
{
    const Problem p = prepare(case_from(text, overrides));
    std::vector<Sample> samples;
    const double c0 = p.source.fluid.sound_speed;
    for (const InitialParticle& particle : p.particles) {
        if (particle.kind != Kind::fluid) continue;
        const auto at = [&](int i) {
            return (particle.cell[i] + static_cast<double>(particle.offset[i])) * p.units.length;
        };
        samples.push_back({at(0), at(1), c0 * c0 * static_cast<double>(particle.density) / 9.81});
    }
    return samples;
}

// Separation of variables: p/(rho g) = H - y - sum over n of 2/(H k^2) cos(k y) cosh(k x)/cosh(k L), k = (n + 1/2)
// pi/H.
double of_the_series(double x, double y)
{
    double p = 1 - y;
    for (int n = 0; n < 2000; ++n) {
        const double k = (n + 0.5) * std::numbers::pi;
        const double ratio = std::exp(k * (x - 1)) * (1 + std::exp(-2 * k * x)) / (1 + std::exp(-2 * k));
        p -= 2 / (k * k) * std::cos(k * y) * ratio;
    }
    return p;
}

double largest_error(double spacing)
{
    double largest = 0;
    for (const Sample& s : fluid_of({"resolution.spacing=" + std::to_string(spacing)}))
        largest = std::max(largest, std::abs(s.pressure - of_the_series(s.x, s.y)));
    return largest;
}

// The corner at the bottom of the free side, where the gradient is infinite, converges slowest.
TEST(PressureAtRelease, OfAColumnIsThatOfItsSeries)
{
    const double coarse = largest_error(0.05);
    const double fine = largest_error(0.025);
    EXPECT_LT(coarse, 6e-3);
    EXPECT_LT(fine, 0.6 * coarse);
}

// As when nothing is let go: the weight, to the rounding of s.
TEST(PressureAtRelease, OfWaterThatIsHeldIsItsWeight)
{
    const std::vector<std::string> held{"shapes.tank.hollow_box.to=[1, 2]"};
    for (const Sample& s : fluid_of(held)) EXPECT_NEAR(s.pressure, 1 - s.y, 1e-6);
    const std::string floor =
        with(column, "hollow_box = { from = [0, 0], to = [3, 2] }", "box = { from = [0, -0.2], to = [1, 0] }");
    const auto with_period = fluid_of({"period=[1, 0]", "numerics.skin=0.11111111"}, floor);
    for (const Sample& s : with_period) EXPECT_NEAR(s.pressure, 1 - s.y, 1e-6);
    // Tilted by gravity: the shape's highest corner is the surface, and the rest of its top is let go.
    double largest = 0;
    for (const Sample& s : fluid_of({held[0], "gravity=[0.981, -9.761]"}))
        if (s.y > 0.95) largest = std::max(largest, std::abs(s.pressure));
    EXPECT_LT(largest, 0.05) << "half a spacing below a free surface";
}

// Two shapes that touch are one body of water; a surface that is given stays.
TEST(PressureAtRelease, KnowsBodiesOfWaterNotShapes)
{
    std::string halves = with(column, "to = [1, 1] }", "to = [0.5, 1] }");
    halves.insert(
        halves.rfind(']'),
        R"(    { name = "more", kind = "fluid", box = { from = [0.5, 0], to = [1, 1] }, hydrostatic = true },)");
    auto whole = fluid_of(std::vector<std::string>{});
    auto two = fluid_of(std::vector<std::string>{}, halves);
    const auto by_place = [](const Sample& a, const Sample& b) { return a.y != b.y ? a.y < b.y : a.x < b.x; };
    std::sort(whole.begin(), whole.end(), by_place);
    std::sort(two.begin(), two.end(), by_place);
    ASSERT_EQ(whole.size(), two.size());
    for (std::size_t i = 0; i < whole.size(); ++i) EXPECT_NEAR(whole[i].pressure, two[i].pressure, 1e-6);
    for (const Sample& s : fluid_of({"shapes.water.surface=1"})) EXPECT_NEAR(s.pressure, 1 - s.y, 1e-6);
}

TEST(PressureAtRelease, HasTheSameBitsOnAnyNumberOfThreads)
{
    const int before = omp_get_max_threads();
    const std::vector<std::string> fine{"resolution.spacing=0.01"};
    omp_set_num_threads(1);
    const auto one = fluid_of(fine);
    omp_set_num_threads(3);
    const auto three = fluid_of(fine);
    omp_set_num_threads(before);
    ASSERT_EQ(one.size(), three.size());
    for (std::size_t i = 0; i < one.size(); ++i) ASSERT_EQ(one[i].pressure, three[i].pressure) << i;
}

}  // namespace
}  // namespace halfulp
