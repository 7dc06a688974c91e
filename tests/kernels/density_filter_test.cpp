// The value of the best straight line, against lines that are known.
#include <gtest/gtest.h>

#include "kernels/density_filter.hpp"
#include "tests/precision/reference.hpp"

namespace halfulp::test {
namespace {

template <int D>
struct Means {
    double weight = 0, mean = 0;
    Vec<D, double> place{}, products{};
    double squares[triangle<D>] = {};

    void add(double w, double s, const Vec<D, double>& x)
    {
        weight += w;
        mean += w * s;
        int element = 0;
        for (int i = 0; i < D; ++i) {
            place[i] += w * x[i];
            products[i] += w * s * x[i];
            for (int j = i; j < D; ++j) squares[element++] += w * x[i] * x[j];
        }
    }
    [[nodiscard]] double value() const
    {
        Vec<D, double> p = place, q = products;
        double c[triangle<D>];
        for (int i = 0; i < D; ++i) p[i] /= weight, q[i] /= weight;
        for (int k = 0; k < triangle<D>; ++k) c[k] = squares[k] / weight;
        return fitted_value(mean / weight, p, c, q);
    }
};

// Particles all around, and on one side of the origin only, as at a surface; places in any unit, as what says whether
// they span the space has none. The determinant is at least 0.3 there, so
// some tens of roundings of numbers up to 1 are left.
template <int D>
void expect_lines_are_kept(double size)
{
    Random random(3 + D);
    for (const double lowest : {-1.0, 0.0}) {
        for (int k = 0; k < 200; ++k) {
            Means<D> means;
            Vec<D, double> slope{};
            for (int i = 0; i < D; ++i) slope[i] = random.uniform(-1, 1) / size;
            const double level = random.uniform(-1, 1);
            for (int n = 0; n < 60; ++n) {
                Vec<D, double> x{};
                for (int i = 0; i < D; ++i) x[i] = size * random.uniform(i == 0 ? lowest : -1.0, 1);
                means.add(random.uniform(0.2, 1), level + dot(slope, x), x);
            }
            EXPECT_NEAR(means.value(), level, 1e-13);
        }
    }
}

TEST(DensityFilter, KeepsALine)
{
    for (const double size : {1e-3, 1.0, 1e3}) {
        expect_lines_are_kept<2>(size);
        expect_lines_are_kept<3>(size);
    }
}

// Too few neighbours for a line: the mean, however few.
TEST(DensityFilter, FallsBackToTheMean)
{
    Means<2> alone;
    alone.add(0.7, 0.25, {{0, 0}});
    EXPECT_EQ(alone.value(), 0.25);
    Means<2> row;
    for (int n = 0; n < 5; ++n) row.add(1, n, {{0.1 * n, 0.2 * n}});
    EXPECT_EQ(row.value(), 2);
}

TEST(DensityFilter, WeightsAreVolumes)
{
    EXPECT_EQ(filter_weight(0.75, CentredDensity<double>{0.5}), 0.5);
    EXPECT_EQ(filter_weight(-1e-20, CentredDensity<double>{0.5}), 0) << "a rounding error at the edge of the support";
}

}  // namespace
}  // namespace halfulp::test
