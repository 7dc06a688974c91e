// Density diffusion: hand-worked pairs, what it conserves, the hydrostatic difference and the renormalised gradient
// against quad precision.
#include <gtest/gtest.h>

#include "precision/multiprecision.hpp"

#include "kernels/density_diffusion.hpp"
#include "precision/simd.hpp"
#include "tests/kernels/random_pair.hpp"

namespace halfulp::test {
namespace {

TEST(DensityDiffusion, HandWorkedPairs)
{
    // s_b - s_a = 3/8; r^2/(r^2 + eta^2) = 4/(4 + 4) = 1/2; f = -5: the denser neighbour makes a denser.
    const CentredDensity<double> a{0.125};
    const CentredDensity<double> b{0.5};
    EXPECT_EQ(density_difference(a, b), 0.375);
    EXPECT_EQ(diffusion_pair(0.375, 4.0, -5.0, 4.0), 0.9375);
    // Linear: x = rho0 g.r_ba / B, here 6/16 for b lower by 3 under g = 2.
    EXPECT_EQ(hydrostatic_difference(StateEquation::linear, -6.0, 1.0 / 16), 0.375);
    // Antuono: half of (1 + 3, 2 - 4) . r_ba, r_ab = (1, -2): -(4 + 4)/2.
    EXPECT_EQ(linear_difference(Vec<2, double>{{1, 2}}, Vec<2, double>{{3, -4}}, Vec<2, double>{{1, -2}}), -4.0);
}

// At rest the pair forces carry the body force and the term is off; elsewhere the gradient is the one that the pair
// forces have, and the term begins with the square of what they miss their equilibrium by.
TEST(DensityDiffusion, BalanceOfHandWorkedParticles)
{
    using V = Vec<2, double>;
    const CentredDensity<double> s{0.25};
    const V weight{{0, -8}};
    const auto rest = diffusion_balance(V{{0, 8}}, weight, s, 4.0);
    EXPECT_EQ(rest.weight, 0);
    EXPECT_EQ(rest.gradient[0], 0);
    EXPECT_EQ(rest.gradient[1], -8 * 1.25 / 16);
    const auto fall = diffusion_balance(V{{0, 0}}, weight, s, 4.0);
    EXPECT_EQ(fall.weight, 1);
    EXPECT_EQ(fall.gradient[1], 0);
    const auto pressed = diffusion_balance(V{{48, -80}}, weight, s, 4.0);
    EXPECT_EQ(pressed.weight, 1);
    EXPECT_EQ(pressed.gradient[0], -48 * 1.25 / 16);
    EXPECT_EQ(pressed.gradient[1], 80 * 1.25 / 16);
    // Missed by 1/60 of the weight, sideways: (30/60)^2.
    const auto nearly = diffusion_balance(V{{8.0 / 60, 8}}, weight, s, 4.0);
    EXPECT_NEAR(nearly.weight, 0.25, 1e-15);
    EXPECT_EQ(nearly.gradient[1], rest.gradient[1]);
    // Without a body force it acts in full, less the same gradient.
    const auto free = diffusion_balance(V{{16, 0}}, V{{0, 0}}, s, 4.0);
    EXPECT_EQ(free.weight, 1);
    EXPECT_EQ(free.gradient[0], -1.25);
    EXPECT_EQ(balanced_difference(0.375, free, free, V{{1, -2}}), 0.375 - 1.25);
    // The larger weight of the two, and half the gradient -0.625 times r_ba = -2.
    EXPECT_EQ(balanced_difference(0.5, rest, fall, V{{0, 2}}), 0.5 - 0.625);
    EXPECT_EQ(balanced_difference(0.5, rest, rest, V{{0, 2}}), 0);
}

// psi changes its sign and no other bit when a and b change places: what one gains the other loses.
TEST(DensityDiffusion, IsAntisymmetricToTheBit)
{
    Random random(111);
    for (int k = 0; k < 20'000; ++k) {
        const auto in = random_pair<3>(random);
        const auto back = in.exchanged();
        ASSERT_TRUE(
            same(density_difference(in.a.density, in.b.density), -density_difference(in.b.density, in.a.density)));
        ASSERT_TRUE(same(linear_difference(in.a.velocity, in.b.velocity, in.r),
                         -linear_difference(in.b.velocity, in.a.velocity, back.r)));
        const DiffusionBalance<3, float> a{in.a.velocity, std::fabs(in.a.density.s)};
        const DiffusionBalance<3, float> b{in.b.velocity, std::fabs(in.b.density.s)};
        const float difference = density_difference(in.a.density, in.b.density);
        ASSERT_TRUE(same(balanced_difference(difference, a, b, in.r), -balanced_difference(-difference, b, a, back.r)));
        const float along = in.r[2] * -9.81F;
        ASSERT_TRUE(same(hydrostatic_difference(StateEquation::linear, along, 17.0F),
                         -hydrostatic_difference(StateEquation::linear, -along, 17.0F)));
        const float psi = density_difference(in.a.density, in.b.density);
        ASSERT_TRUE(same(diffusion_pair(psi, 0.3F, -0.7F, 0.01F), -diffusion_pair(-psi, 0.3F, -0.7F, 0.01F)));
    }
}

// With Tait's equation the hydrostatic difference of Fourtakas et al. (2019, eq. 8) is not odd: of every pair the sum
// (1+x)^(1/7) + (1-x)^(1/7) - 2 = -6/49 x^2 + O(x^4) is left over.
TEST(DensityDiffusion, TheHydrostaticDifferenceIsOddOnlyToFirstOrder)
{
    for (const double x : {1e-3, 1e-2, 0.1}) {
        const double left =
            hydrostatic_difference(StateEquation::tait, -x, 1.0) + hydrostatic_difference(StateEquation::tait, x, 1.0);
        EXPECT_NEAR(left / (-6.0 / 49 * x * x), 1, x * x) << x;
    }
}

// Eight terms of the binomial series: what is left out is below 0.095 |x|^9 / (1 - |x|), 0.11 of it with |x| <= 0.1,
// beside |x|/7; the terms fall so fast that their rounding is that of the first two and of the product, and 1/B and x
// are rounded once each: 6 u.
template <class T>
void check_root(double largest)
{
    Random random(112);
    Quad worst = 0;
    for (int k = 0; k < 5000; ++k) {
        const T along = static_cast<T>(k % 2 == 0 ? random.uniform(-largest, largest) * 3
                                                  : random.number<double>(-30, -1) * largest * 3);
        const Quad x = -Quad(along) / 3;
        const Quad exact = pow(1 + x, Quad(1) / 7) - 1;
        const Quad here = hydrostatic_difference(StateEquation::tait, along, 1 / T(3));
        const Quad left_out = Quad(0.11) * pow(abs(x), 9);
        ASSERT_LE(abs(here - exact), left_out + 6 * Quad(unit_roundoff<T>) * abs(exact)) << "x = " << x;
        if (exact != 0) worst = std::max(worst, Quad(abs((here - exact) / exact)));
    }
    EXPECT_GT(worst, Quad(unit_roundoff<T>) / 4) << "no rounding at all would mean comparing something with itself";
    EXPECT_LT(worst, 1.1e-8 + 6 * Quad(unit_roundoff<T>)) << "what the header says";
}

TEST(DensityDiffusion, HydrostaticDifferenceIsTheSeventhRoot)
{
    check_root<float>(0.1);
    check_root<double>(0.1);
    check_root<double>(0.01);
    EXPECT_EQ(hydrostatic_difference(StateEquation::tait, 0.0F, 3.0F), 0.0F);
}

// Its eight terms themselves: 6 u as above, of numbers up to 1/2 the sum of all magnitudes.
TEST(DensityDiffusion, HydrostaticDifferenceIsTheBinomialSeries)
{
    for (int k = -50; k <= 50; ++k) {
        const double x = k / 100.0;
        Quad exact = 0, magnitudes = 0, binomial = 1;
        for (int n = 1; n <= 8; ++n) {
            binomial *= (Quad(1) / 7 - (n - 1)) / n;
            exact += binomial * pow(Quad(x), n);
            magnitudes += abs(binomial * pow(Quad(x), n));
        }
        EXPECT_LE(abs(hydrostatic_difference(StateEquation::tait, -x, 1.0) - exact),
                  6 * Quad(unit_roundoff<double>) * magnitudes)
            << x;
    }
}

// A body force below 1e-15, in the units of the state, counts for none.
TEST(DensityDiffusion, BalanceOfATinyForce)
{
    const auto weight = [](double force) {
        return diffusion_balance(Vec<2, double>{{-force, 0}}, Vec<2, double>{{force, 0}}, CentredDensity<double>{0},
                                 1.0)
            .weight;
    };
    EXPECT_EQ(weight(1.002e-15), 0) << "in equilibrium";
    EXPECT_EQ(weight(0.998e-15), 1);
}

template <int D, class T>
struct System {
    T m[triangle<D>];
    Vec<D, T> g;
};

// The matrix in full.
template <int D, class T>
Quad entry(const System<D, T>& system, int i, int j)
{
    if (i > j) std::swap(i, j);
    int element = 0;
    for (int row = 0; row < i; ++row) element += D - row;
    return Quad(system.m[element + j - i]);
}

template <int D, class T>
System<D, T> random_system(Random& random)
{
    System<D, T> system{};
    int element = 0;
    for (int i = 0; i < D; ++i) {
        system.g[i] = static_cast<T>(random.uniform(-1, 1));
        for (int j = i; j < D; ++j)
            system.m[element++] = static_cast<T>((i == j ? 1 : 0) + random.uniform(-0.25, 0.25));
    }
    return system;
}

// The solution of matrices like those inside the fluid, put back into the equations. By Cramer's rule with fused
// products a cofactor has 2 roundings of its parts' magnitude, at most 2 * 1.25^2 for D = 3, a row's sum 3, the
// determinant 5 and its inverse and product 2; matrices here have determinants of at least 0.3 and |x| below 10.
template <int D, class T>
void expect_solutions()
{
    Random random(113);
    Quad worst = 0;
    for (int k = 0; k < 3000; ++k) {
        const auto system = random_system<D, T>(random);
        const auto x = renormalised_gradient(system.m, system.g);
        for (int i = 0; i < D; ++i) {
            Quad left = -Quad(system.g[i]);
            for (int j = 0; j < D; ++j) left += entry(system, i, j) * Quad(x[j]);
            worst = std::max(worst, Quad(abs(left)));
        }
    }
    EXPECT_LE(worst, 200 * Quad(std::numeric_limits<T>::epsilon()));
    EXPECT_GT(worst, Quad(std::numeric_limits<T>::epsilon()) / 100);
}

TEST(RenormalisedGradient, SolvesItsEquations)
{
    expect_solutions<2, float>();
    expect_solutions<3, float>();
    expect_solutions<2, double>();
    expect_solutions<3, double>();
    expect_solutions<2, Quad>();
    expect_solutions<3, Quad>();
}

TEST(RenormalisedGradient, HandWorkedMatrices)
{
    // [[2, 1], [1, 1]] has the inverse [[1, -1], [-1, 2]].
    const double m2[3] = {2, 1, 1};
    const auto x2 = renormalised_gradient(m2, Vec<2, double>{{3, 5}});
    EXPECT_EQ(x2[0], -2);
    EXPECT_EQ(x2[1], 7);
    // [[2, 1, 0], [1, 2, 1], [0, 1, 2]]: (1, 2, 3) makes (4, 8, 8); the determinant is 4.
    const double m3[6] = {2, 1, 0, 2, 1, 2};
    const auto x3 = renormalised_gradient(m3, Vec<3, double>{{4, 8, 8}});
    EXPECT_EQ(x3[0], 1);
    EXPECT_EQ(x3[1], 2);
    EXPECT_EQ(x3[2], 3);
}

// det M <= 0.01 counts as no space, anything above as one.
TEST(RenormalisedGradient, IsZeroUpToADeterminantOfAHundredth)
{
    const double above = std::nextafter(0.01, 1.0);
    const auto in_2d = [](double determinant) {
        const double m[3] = {determinant, 0, 1};
        return renormalised_gradient(m, Vec<2, double>{{0.5, 0.25}});
    };
    EXPECT_EQ(in_2d(0.01)[1], 0);
    EXPECT_DOUBLE_EQ(in_2d(above)[0], 50);
    EXPECT_DOUBLE_EQ(in_2d(above)[1], 0.25);
    const auto in_3d = [](double determinant) {
        const double m[6] = {determinant, 0, 0, 1, 0, 1};
        return renormalised_gradient(m, Vec<3, double>{{0.5, 0.25, 0.125}});
    };
    EXPECT_EQ(in_3d(0.01)[1], 0);
    EXPECT_DOUBLE_EQ(in_3d(above)[0], 50);
    EXPECT_DOUBLE_EQ(in_3d(above)[2], 0.125);
}

// The sums over neighbours at the given places with s = slope . x: gradient and matrix as the pair loops form them.
template <int D, class T>
System<D, T> sums_over(const std::vector<Vec<D, T>>& neighbours, const Vec<D, T>& slope, T scale)
{
    System<D, T> system{};
    for (const Vec<D, T>& r : neighbours) {  // x_a - x_b
        const T f = WendlandC2::gradient_shape(square_root(dot(r, r)));
        const T difference = -dot(slope, r);
        int element = 0;
        for (int i = 0; i < D; ++i) {
            system.g[i] = system.g[i] + scale * (difference * (f * r[i]));
            for (int j = i; j < D; ++j) system.m[element] = system.m[element] - scale * ((f * r[i]) * r[j]), ++element;
        }
    }
    return system;
}

template <int D, class T>
std::vector<Vec<D, T>> random_neighbours(Random& random, int count)
{
    std::vector<Vec<D, T>> neighbours(static_cast<std::size_t>(count));
    for (Vec<D, T>& r : neighbours) {
        for (int i = 0; i < D; ++i) r[i] = static_cast<T>(random.uniform(-1.2, 1.2));
    }
    return neighbours;
}

// Wherever the neighbours are, a linear density field has its own slope. Random neighbours on all sides make matrices
// with condition numbers of a few; 300 u leaves room for those of some tens.
template <int D, class T>
void expect_linear_fields_exact()
{
    Random random(114);
    for (int k = 0; k < 300; ++k) {
        Vec<D, T> slope{};
        for (int i = 0; i < D; ++i) slope[i] = static_cast<T>(random.uniform(-1, 1));
        const auto system = sums_over<D, T>(random_neighbours<D, T>(random, 60), slope, T(0.1));
        const auto gradient = renormalised_gradient(system.m, system.g);
        for (int i = 0; i < D; ++i)
            EXPECT_LE(abs(Quad(gradient[i]) - Quad(slope[i])), 300 * Quad(std::numeric_limits<T>::epsilon())) << k;
    }
}

TEST(RenormalisedGradient, IsExactForLinearFields)
{
    expect_linear_fields_exact<2, float>();
    expect_linear_fields_exact<3, float>();
    expect_linear_fields_exact<3, double>();
    expect_linear_fields_exact<2, Quad>();
    expect_linear_fields_exact<3, Quad>();
}

// And then nothing is diffused: psi is s_b - s_a less what the gradients make of it.
TEST(RenormalisedGradient, LeavesNothingOfALinearFieldToDiffuse)
{
    const Vec<3, double> slope{{0.25, -0.5, 0.125}};
    const Vec<3, double> r{{0.5, 0.25, -1}};
    const double s_b = -dot(slope, r);
    EXPECT_EQ(density_difference(CentredDensity<double>{0.0}, CentredDensity<double>{s_b}) -
                  linear_difference(slope, slope, r),
              0);
}

// Neighbours in a line, or in 3D in a plane, span no space: no gradient rather than a wild one.
TEST(RenormalisedGradient, IsZeroWhereNeighboursDoNotSpanSpace)
{
    Random random(115);
    for (int k = 0; k < 200; ++k) {
        auto line = random_neighbours<2, float>(random, 20);
        const auto direction = line.front();
        for (auto& r : line) {
            const auto t = static_cast<float>(random.uniform(-1, 1));
            for (int i = 0; i < 2; ++i) r[i] = t * direction[i];
        }
        const auto flat = sums_over<2, float>(line, Vec<2, float>{{1, 2}}, 0.05F);
        const auto in_line = renormalised_gradient(flat.m, flat.g);
        EXPECT_TRUE(in_line[0] == 0 && in_line[1] == 0) << k;

        auto plane = random_neighbours<3, float>(random, 20);
        for (auto& r : plane) r[2] = 0.5F * r[0] - 0.25F * r[1];
        const auto sums = sums_over<3, float>(plane, Vec<3, float>{{1, 2, 3}}, 0.05F);
        const auto in_plane = renormalised_gradient(sums.m, sums.g);
        EXPECT_TRUE(in_plane[0] == 0 && in_plane[1] == 0 && in_plane[2] == 0) << k;
    }
    const float none[3] = {0, 0, 0};
    EXPECT_EQ(renormalised_gradient(none, Vec<2, float>{{0, 0}})[0], 0);
}

TEST(DensityDiffusion, LanesEqualTheScalar)
{
    using S = Simd<float, 8>;
    Random random(116);
    for (int k = 0; k < 500; ++k) {
        System<3, float> one[8];
        System<3, S> all{};
        S along;
        for (int lane = 0; lane < 8; ++lane) {
            one[lane] = random_system<3, float>(random);
            if (lane == k % 8) one[lane].m[0] = 0.01F;  // some of them singular
            for (int e = 0; e < triangle<3>; ++e) all.m[e].set(lane, one[lane].m[e]);
            for (int i = 0; i < 3; ++i) all.g[i].set(lane, one[lane].g[i]);
            along.set(lane, static_cast<float>(random.uniform(-0.3, 0.3)));
        }
        const auto x = renormalised_gradient(all.m, all.g);
        const S root = hydrostatic_difference(StateEquation::tait, along, S(1.3F));
        const S straight = linear_difference(all.g, x, all.g);
        const S share = diffusion_pair(along, all.g[0] * all.g[0], -all.m[0], S(0.01F));
        for (int lane = 0; lane < 8; ++lane) {
            const auto y = renormalised_gradient(one[lane].m, one[lane].g);
            const auto& g = one[lane].g;
            for (int i = 0; i < 3; ++i) ASSERT_TRUE(same(x[i][lane], y[i]));
            ASSERT_TRUE(same(root[lane], hydrostatic_difference(StateEquation::tait, along[lane], 1.3F)));
            ASSERT_TRUE(same(straight[lane], linear_difference(g, y, g)));
            ASSERT_TRUE(same(share[lane], diffusion_pair(along[lane], g[0] * g[0], -one[lane].m[0], 0.01F)));
        }
    }
}

}  // namespace
}  // namespace halfulp::test
