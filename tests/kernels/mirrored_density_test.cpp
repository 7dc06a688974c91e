// The density of a wall from its mirror image, against straight lines, which it must continue whatever the places.
#include "kernels/mirrored_density.hpp"

#include <gtest/gtest.h>

#include "kernels/smoothing.hpp"
#include "tests/precision/reference.hpp"

namespace halfulp::test {
namespace {

// Fluid at random within the support of an image, on one side of it only if asked; as dense as 1/volume.
template <int D>
struct Neighbourhood {
    std::vector<Vec<D, double>> places;
    std::vector<double> weights, gradients;

    Neighbourhood(Random& random, double lowest, double volume)
    {
        const double size = D == 3 ? 64 : 16;
        for (int n = 0; n < size / volume; ++n) {
            Vec<D, double> x{};
            double square = 0;
            for (int i = 0; i < D; ++i) x[i] = random.uniform(-2, 2), square += x[i] * x[i];
            if (square >= 4 || x[D - 1] < lowest) continue;
            const double q = std::sqrt(square);
            const double constant = volume * WendlandC2::normalisation(D);
            places.push_back(x);
            weights.push_back(constant * WendlandC2::shape(q));
            gradients.push_back(-constant * WendlandC2::gradient_shape(q));
        }
    }
};

template <int D>
void expect_lines_are_continued()
{
    Random random(11 + D);
    for (const double lowest : {-2.0, -0.5, 0.0}) {
        for (int k = 0; k < 50; ++k) {
            const Neighbourhood<D> near(random, lowest, 0.1);
            Vec<D, double> slope{}, to{}, u{};
            for (int i = 0; i < D; ++i) {
                slope[i] = random.uniform(-0.1, 0.1);
                u[i] = random.uniform(-1, 1);
                to[i] = random.uniform(-2, 2);
            }
            const double level = random.uniform(-0.1, 0.1);
            MirroredSums<D> sums;
            for (std::size_t n = 0; n < near.places.size(); ++n) {
                const auto& x = near.places[n];
                Vec<D, double> velocity = u;
                for (int i = 0; i < D; ++i) velocity[i] += 5 * slope[i] * x[D - 1 - i];
                sums.add(x, near.weights[n], near.gradients[n], level + dot(slope, x), velocity);
            }
            // The determinant is above 1e-3 where the image has fluid on one side, so some hundred roundings count.
            const Mirrored<D> mirrored = sums.value(to, 10);
            EXPECT_NEAR(mirrored.s, level - dot(slope, to), 1e-11);
            for (int i = 0; i < D; ++i) EXPECT_NEAR(mirrored.velocity[i], u[i], 1e-11);
        }
    }
}

TEST(MirroredDensity, ContinuesALine)
{
    expect_lines_are_continued<2>();
    expect_lines_are_continued<3>();
}

// Inside the fluid the matrix is close to unity: that is what its determinant is measured by.
TEST(MirroredDensity, TakesTheMeanWhereThereIsNoLine)
{
    MirroredSums<2> in_line;  // places that do not span the plane
    for (const double x : {-1.0, -0.3, 0.4}) in_line.add({x, 0.5 * x}, 0.3, 0.5, 0.01 * x, {x, 0});
    EXPECT_NEAR(in_line.value({0.7, 0.2}, 10).s, 0.01 * (-1.0 - 0.3 + 0.4) / 3, 1e-15);
    EXPECT_NEAR(in_line.value({0.7, 0.2}, 10).velocity[0], (-1.0 - 0.3 + 0.4) / 3, 1e-15);
    MirroredSums<2> one;
    one.add({0.1, 0.2}, 0.3, 0.5, 0.02, {});
    EXPECT_EQ(one.value({1, 1}, 10).s, 0.02);
    // A line that leaves the bound on densities.
    MirroredSums<2> steep;
    Random random(5);
    const Neighbourhood<2> near(random, -2, 0.1);
    double weight = 0, mean = 0;
    for (std::size_t n = 0; n < near.places.size(); ++n) {
        const double s = 0.2 * near.places[n][0];
        steep.add(near.places[n], near.weights[n], near.gradients[n], s, {});
        weight += near.weights[n], mean += near.weights[n] * s;
    }
    EXPECT_NEAR(steep.value({-1, 0}, 0.3).s, 0.2, 1e-12);
    EXPECT_NEAR(steep.value({-2, 0}, 0.3).s, mean / weight, 1e-15);
    EXPECT_EQ(MirroredSums<2>{}.value({1, 0}, 0.3).s, 0);
    EXPECT_EQ(MirroredSums<2>{}.value({1, 0}, 0.3).velocity[0], 0);
}

}  // namespace
}  // namespace halfulp::test
