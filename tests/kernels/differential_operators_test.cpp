// Differential operators of particle methods: the constants of regular lattices to 14 digits, exactness for the
// polynomials that they reproduce, antisymmetry, and lanes against scalars.
#include <vector>

#include <gtest/gtest.h>

#include "precision/multiprecision.hpp"

#include "kernels/differential_operators.hpp"
#include "precision/simd.hpp"
#include "tests/precision/reference.hpp"

namespace halfulp::test {
namespace {

// Neighbours, n0 and lambda0 computed apart with 30 digits.
TEST(LatticeConstants, OfSphereAndCube)
{
    const auto check = [](const auto& found, int neighbours, const char* number_density, const char* spread) {
        EXPECT_EQ(found.neighbours, neighbours);
        EXPECT_LT(abs(found.number_density - Quad(number_density)), Quad("1e-14"));
        EXPECT_LT(abs(found.spread - Quad(spread)), Quad("1e-14"));
    };
    const Quad narrow("2.1");
    const Quad wide("3.1");
    check(lattice_constants<3, SphericalDomain>(narrow), 32, "3.185199392762298", "1.568803029129870");
    check(lattice_constants<3, CubicDomain>(narrow), 124, "2.747623435132388", "1.493376889012626");
    check(lattice_constants<3, SphericalDomain>(wide), 122, "11.659398964079424", "2.935353342594734");
    check(lattice_constants<3, CubicDomain>(wide), 342, "9.242292733656842", "2.975727385612907");
    // By hand: the four nearest at weight 1/9 and, beyond the circle of 1.5, the diagonal ones at sqrt(2) < 1.5.
    const auto plane = lattice_constants<2, SphericalDomain>(Quad("1.5"));
    EXPECT_EQ(plane.neighbours, 8);
    const Quad diagonal = (sqrt(Quad(2)) / Quad("1.5") - 1) * (sqrt(Quad(2)) / Quad("1.5") - 1);
    EXPECT_LT(abs(plane.number_density - (Quad(4) / 9 + 4 * diagonal)), Quad("1e-30"));
}

// The places of a cube of lattice points around the origin, moved by at most `disorder`, in a domain.
template <int D, class Domain>
std::vector<Vec<D, Quad>> places(double disorder, bool half = false)
{
    Random random(41);
    std::vector<Vec<D, Quad>> all;
    for (int z = D == 3 ? -4 : 0; z <= (D == 3 ? 4 : 0); ++z) {
        for (int y = -4; y <= 4; ++y) {
            for (int x = half ? 0 : -4; x <= 4; ++x) {
                if (x == 0 && y == 0 && z == 0) continue;
                Vec<D, Quad> r{};
                const int there[3] = {x, y, z};
                for (int i = 0; i < D; ++i) r[i] = Quad(there[i] + random.uniform(-disorder, disorder));
                if (Domain::template contains<D>(r, Quad("3.1"))) all.push_back(r);
            }
        }
    }
    return all;
}

template <int D>
Quad quadratic(const Vec<D, Quad>& r, bool with_squares)
{
    Quad value = 0;
    for (int i = 0; i < D; ++i) {
        value += Quad(i + 1) * r[i];
        if (!with_squares) continue;
        for (int j = i; j < D; ++j) value += Quad(2 * i + 3 * j + 1) / 8 * r[i] * r[j];
    }
    return value;
}

// The sums over places, with a field's differences.
template <int D, class Domain, class Operator, class... More>
Operator sums(const std::vector<Vec<D, Quad>>& at, bool with_squares, const More&... more)
{
    Operator sums{};
    for (const Vec<D, Quad>& r : at)
        sums.add(Domain::template weight<D>(r, 1 / Quad("3.1")), r, quadratic<D>(r, with_squares), more...);
    return sums;
}

template <int D, class Domain>
void expect_exactness()
{
    const auto lattice = lattice_constants<D, Domain>(Quad("3.1"));
    const Quad tiny("1e-30");
    const auto ordered = places<D, Domain>(0);
    EXPECT_EQ(ordered.size(), static_cast<std::size_t>(lattice.neighbours));
    const auto gradient =
        sums<D, Domain, MpsGradient<D, Quad, PlainSum<Quad>>>(ordered, false).value(D / lattice.number_density);
    for (int i = 0; i < D; ++i) EXPECT_LT(abs(gradient[i] - (i + 1)), tiny);
    Quad exact = 0;
    for (int i = 0; i < D; ++i) exact += 2 * Quad(5 * i + 1) / 8;
    const Quad laplacian = sums<D, Domain, MpsLaplacian<Quad, PlainSum<Quad>>>(ordered, true)
                               .value(2 * D / (lattice.spread * lattice.number_density));
    EXPECT_LT(abs(laplacian - exact), tiny);
    // Disorder and a surface are what least squares are for.
    const Quad inverse_scale = 1 / Quad("1.5");
    for (const bool half : {false, true}) {
        const auto disordered = places<D, Domain>(0.3, half);
        const auto fit = sums<D, Domain, LinearFit<D, Quad, PlainSum<Quad>>>(disordered, false, inverse_scale)
                             .template value<FusedProducts>(inverse_scale);
        EXPECT_TRUE(fit.regular);
        for (int i = 0; i < D; ++i) EXPECT_LT(abs(fit.x[i] - (i + 1)), tiny);
        using Quadratic = QuadraticFit<D, Quad, PlainSum<Quad>>;
        Quad derivatives[Quadratic::terms];
        ASSERT_TRUE((sums<D, Domain, Quadratic>(disordered, true, inverse_scale).value(inverse_scale, derivatives)));
        for (int i = 0; i < D; ++i) {
            EXPECT_LT(abs(derivatives[i] - (i + 1)), tiny);
            EXPECT_LT(abs(derivatives[D + i] - 2 * Quad(5 * i + 1) / 8), tiny);
        }
        // xy, yz, zx
        const int mixed[3] = {0 + 3 * 1 + 1, 2 * 1 + 3 * 2 + 1, 0 + 3 * 2 + 1};
        for (int k = 2 * D; k < Quadratic::terms; ++k)
            EXPECT_LT(abs(derivatives[k] - Quad(mixed[k - 2 * D]) / 8), tiny) << k;
    }
}

TEST(DifferentialOperators, ReproducePolynomials)
{
    expect_exactness<2, SphericalDomain>();
    expect_exactness<2, CubicDomain>();
    expect_exactness<3, SphericalDomain>();
    expect_exactness<3, CubicDomain>();
}

// Neighbours in a plane, or none, determine no gradient.
TEST(DifferentialOperators, NearlyFlatNeighbourhoods)
{
    for (const float height : {0.0F, 1e-4F}) {
        LinearFit<3, float, KbnSum<float>> fit;
        for (const auto& r : places<2, SphericalDomain>(0.1)) {
            const Vec<3, float> there{{static_cast<float>(r[0]), static_cast<float>(r[1]), height}};
            fit.add(SphericalDomain::weight(there, 1 / 3.1F), there, there[0], 1 / 1.5F);
        }
        const auto solution = fit.value<FusedProducts>(1 / 1.5F);
        EXPECT_FALSE(solution.regular);
        EXPECT_EQ(solution.x[0], 0);
    }
    EXPECT_FALSE((LinearFit<3, float, KbnSum<float>>{}.value<ExactProducts>(1.0F).regular));
}

// Two particles see the same pair with the same bits: contributions to gradients are equal, to Laplacians opposite.
TEST(DifferentialOperators, PairsAreSymmetric)
{
    Random random(43);
    for (int k = 0; k < 1000; ++k) {
        Vec<3, float> r;
        Vec<3, float> back;
        for (int i = 0; i < 3; ++i) back[i] = -(r[i] = static_cast<float>(random.uniform(-3, 3)));
        const auto f = static_cast<float>(random.uniform(-1, 1));
        const auto check = [&]<class Domain>() {
            const float w = Domain::weight(r, 1 / 3.1F);
            EXPECT_TRUE(same(w, Domain::weight(back, 1 / 3.1F)));
            EXPECT_GE(w, 0);
            MpsGradient<3, float, KbnSum<float>> here{};
            MpsGradient<3, float, KbnSum<float>> there{};
            here.add(w, r, f);
            there.add(w, back, -f);
            for (int i = 0; i < 3; ++i) EXPECT_EQ(here.value(1.0F)[i], there.value(1.0F)[i]);
        };
        check.template operator()<SphericalDomain>();
        check.template operator()<CubicDomain>();
    }
    MpsGradient<2, float, PlainSum<float>> at_one_place{};
    at_one_place.add(1.0F, Vec<2, float>{{0, 0}}, 1.0F);
    EXPECT_EQ(at_one_place.value(1.0F)[0], 0);
}

// The weight's border: positive inside, exactly zero outside, where the domain ends.
TEST(DifferentialOperators, WeightsEndWithTheDomain)
{
    const float inverse = 1 / 3.1F;
    EXPECT_GT(SphericalDomain::weight(Vec<3, float>{{3.0999F, 0, 0}}, inverse), 0);
    EXPECT_EQ(SphericalDomain::weight(Vec<3, float>{{3.1001F, 0, 0}}, inverse), 0);
    EXPECT_EQ(SphericalDomain::weight(Vec<3, float>{{2.5F, 2.5F, 0}}, inverse), 0);
    EXPECT_GT(CubicDomain::weight(Vec<3, float>{{2.5F, 2.5F, -2.5F}}, inverse), 0);
    EXPECT_EQ(CubicDomain::weight(Vec<3, float>{{0, -3.2F, 0}}, inverse), 0);
    EXPECT_EQ(CubicDomain::weight(Vec<2, float>{{0, 0}}, inverse), 1);
}

TEST(DifferentialOperators, LanesHaveTheBitsOfScalars)
{
    using Lanes = Simd<float, 8>;
    Random random(47);
    LinearFit<3, Lanes, KbnSum<Lanes>> all{};
    LinearFit<3, float, KbnSum<float>> one[8]{};
    MpsGradient<3, Lanes, KbnSum<Lanes>> gradients{};
    MpsGradient<3, float, KbnSum<float>> gradient[8]{};
    for (int k = 0; k < 60; ++k) {
        Vec<3, Lanes> r;
        Lanes f(0.0F);
        float scalars[8][4];
        for (int lane = 0; lane < 8; ++lane) {
            for (int i = 0; i < 4; ++i) scalars[lane][i] = static_cast<float>(random.uniform(-2.5, 2.5));
            for (int i = 0; i < 3; ++i) r[i].set(lane, scalars[lane][i]);
            f.set(lane, scalars[lane][3]);
        }
        const Lanes weight = SphericalDomain::weight(r, Lanes(1 / 3.1F));
        all.add(weight, r, f, Lanes(1 / 1.5F));
        gradients.add(weight, r, f);
        for (int lane = 0; lane < 8; ++lane) {
            const Vec<3, float> own{{scalars[lane][0], scalars[lane][1], scalars[lane][2]}};
            const float w = SphericalDomain::weight(own, 1 / 3.1F);
            one[lane].add(w, own, scalars[lane][3], 1 / 1.5F);
            gradient[lane].add(w, own, scalars[lane][3]);
        }
    }
    const auto solutions = all.value<ExactProducts>(Lanes(1 / 1.5F));
    const auto sums_of_all = gradients.value(Lanes(0.25F));
    for (int lane = 0; lane < 8; ++lane) {
        const auto solution = one[lane].value<ExactProducts>(1 / 1.5F);
        for (int i = 0; i < 3; ++i) {
            EXPECT_TRUE(same(solutions.x[i][lane], solution.x[i]));
            EXPECT_TRUE(same(sums_of_all[i][lane], gradient[lane].value(0.25F)[i]));
        }
    }
}

}  // namespace
}  // namespace halfulp::test
