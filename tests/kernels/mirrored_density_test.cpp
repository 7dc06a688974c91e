// The density of a wall from its mirror image, against straight lines, which it must continue whatever the places.
#include "kernels/mirrored_density.hpp"

#include <gtest/gtest.h>
#include <Eigen/Dense>

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
                sums.add(sums.term(x, near.weights[n], near.gradients[n], level + dot(slope, x), velocity));
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

// Of a field that is no line the answer depends on every weight: the system of Liu and Liu.
template <int D>
void expect_the_system_is_solved()
{
    using Matrix = Eigen::Matrix<long double, D + 1, D + 1>;
    using Column = Eigen::Matrix<long double, D + 1, 1>;
    Random random(17 + D);
    for (int k = 0; k < 50; ++k) {
        const Neighbourhood<D> near(random, k % 2 == 0 ? -2.0 : 0.0, 0.1);
        Vec<D, double> to{};
        for (int i = 0; i < D; ++i) to[i] = random.uniform(-2, 2);
        MirroredSums<D> sums;
        Matrix matrix = Matrix::Zero(), right = Matrix::Zero();  // a column of each side: of s, then of the velocities
        for (std::size_t n = 0; n < near.places.size(); ++n) {
            const auto& x = near.places[n];
            const double s = random.uniform(-0.1, 0.1);
            Vec<D, double> u{};
            for (int i = 0; i < D; ++i) u[i] = random.uniform(-1, 1);
            sums.add(sums.term(x, near.weights[n], near.gradients[n], s, u));
            Column weights, place, values;
            weights[0] = near.weights[n], place[0] = 1, values[0] = s;
            for (int i = 0; i < D; ++i) {
                weights[i + 1] = static_cast<long double>(near.gradients[n]) * x[i];
                place[i + 1] = x[i], values[i + 1] = u[i];
            }
            matrix += weights * place.transpose();
            right += weights * values.transpose();
        }
        const Matrix lines = matrix.fullPivLu().solve(right);
        long double s = lines(0, 0);
        for (int i = 0; i < D; ++i) s -= to[i] * lines(i + 1, 0);
        const Mirrored<D> mirrored = sums.value(to, 1e9);
        EXPECT_NEAR(mirrored.s, s, 1e-11);
        for (int i = 0; i < D; ++i) EXPECT_NEAR(mirrored.velocity[i], lines(0, i + 1), 1e-11);
    }
}

TEST(MirroredDensity, SolvesTheSystemOfLiuAndLiu)
{
    expect_the_system_is_solved<2>();
    expect_the_system_is_solved<3>();
}

// Places (+-1, 0) and (0, +-1) with s = y: the matrix has the diagonal 1, 1 and a number to choose, its determinant.
TEST(MirroredDensity, TakesTheLineFromADeterminantOfAThousandthOn)
{
    const auto wall = [](double last) {
        MirroredSums<2> sums;
        for (const double x : {-1.0, 1.0}) sums.add(sums.term({x, 0}, 0.25, 0.5, 0, {}));
        for (const double y : {-1.0, 1.0}) sums.add(sums.term({0, y}, 0.25, 0.5 * last, y, {}));
        return sums.value({0, -1}, 10).s;  // the line's value at the wall is 1, the mean 0
    };
    EXPECT_EQ(wall(0.995e-3), 0);
    EXPECT_EQ(wall(1e-3), 1);
    EXPECT_EQ(wall(1.005e-3), 1);
}

// Gradients of both signs leave [[1, 0, 0], [0, 0, 1], [0, 1, 0]], which has no solution without exchanging rows.
TEST(MirroredDensity, ExchangesRows)
{
    MirroredSums<2> sums;
    for (const double x : {-1.0, 1.0})
        for (const double y : {-1.0, 1.0}) sums.add(sums.term({x, y}, 0.25, 0.25 * x * y, 0.5 + 2 * x - 3 * y, {x, 4}));
    EXPECT_DOUBLE_EQ(sums.value({1, 0}, 10).s, 0.5 - 2);
    EXPECT_DOUBLE_EQ(sums.value({0, 1}, 10).s, 0.5 + 3);
    EXPECT_DOUBLE_EQ(sums.value({0, 0}, 10).velocity[1], 4);
}

// Inside the fluid the matrix is close to unity: that is what its determinant is measured by.
TEST(MirroredDensity, TakesTheMeanWhereThereIsNoLine)
{
    MirroredSums<2> in_line;  // places that do not span the plane
    for (const double x : {-1.0, -0.3, 0.4}) in_line.add(in_line.term({x, 0.5 * x}, 0.3, 0.5, 0.01 * x, {x, 2 * x}));
    EXPECT_NEAR(in_line.value({0.7, 0.2}, 10).s, 0.01 * (-1.0 - 0.3 + 0.4) / 3, 1e-15);
    EXPECT_NEAR(in_line.value({0.7, 0.2}, 10).velocity[0], (-1.0 - 0.3 + 0.4) / 3, 1e-15);
    EXPECT_NEAR(in_line.value({0.7, 0.2}, 10).velocity[1], 2 * (-1.0 - 0.3 + 0.4) / 3, 1e-15);
    MirroredSums<2> one;
    one.add(one.term({0.1, 0.2}, 0.3, 0.5, 0.02, {}));
    EXPECT_EQ(one.value({1, 1}, 10).s, 0.02);
    // A line that leaves the bound on densities.
    MirroredSums<2> steep;
    Random random(5);
    const Neighbourhood<2> near(random, -2, 0.1);
    double weight = 0, mean = 0;
    for (std::size_t n = 0; n < near.places.size(); ++n) {
        const double s = 0.2 * near.places[n][0];
        steep.add(steep.term(near.places[n], near.weights[n], near.gradients[n], s, {}));
        weight += near.weights[n], mean += near.weights[n] * s;
    }
    EXPECT_NEAR(steep.value({-1, 0}, 0.3).s, 0.2, 1e-12);
    EXPECT_NEAR(steep.value({-2, 0}, 0.3).s, mean / weight, 1e-15);
    EXPECT_EQ(MirroredSums<2>{}.value({1, 0}, 0.3).s, 0);
    EXPECT_EQ(MirroredSums<2>{}.value({1, 0}, 0.3).velocity[0], 0);
}

}  // namespace
}  // namespace halfulp::test
