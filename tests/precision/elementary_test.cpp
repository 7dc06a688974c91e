// Elementary functions against quad precision, in ulps of the exact value: the distance of the format's numbers in its
// binade, or of its subnormal numbers.
#include <gtest/gtest.h>

#include <cstdio>

#include "precision/multiprecision.hpp"

#include "precision/elementary.hpp"
#include "precision/simd.hpp"
#include "tests/precision/reference.hpp"

namespace halfulp::test {
namespace {

template <class T>
double error_in_ulps(T found, const Quad& exact)
{
    using L = std::numeric_limits<T>;
    int exponent = 0;
    frexp(exact, &exponent);  // of the exact value, whose binade starts at 2^(exponent - 1)
    const int last_bit = std::max(exponent, L::min_exponent) - L::digits;
    return static_cast<double>(ldexp(Quad(abs(Quad(found) - exact)), -last_bit));
}

// The largest error of a function over arguments drawn evenly from [low, high] and, for small numbers, by exponent.
template <class T, class Found, class Exact>
double largest_error(T low, T high, int count, Found found, Exact exact)
{
    Random random(31);
    double worst = 0;
    T where = 0;
    const auto look = [&](T x) {
        const double error = error_in_ulps(found(x), Quad(exact(Quad(x))));
        if (!(error <= worst)) worst = error, where = x;
    };
    for (int k = 0; k < count; ++k) look(static_cast<T>(random.uniform(low, high)));
    for (int k = 0; k < count / 10; ++k) {
        const T x = random.number<T>(-40, 0);
        if (x >= low && x <= high) look(x);
    }
    std::printf("largest error %.4f ulp at %.17g\n", worst, static_cast<double>(where));
    return worst;
}

template <class T>
T own_exponential(T x)
{
    return exponential(x);
}

TEST(PowerOfTwo, IsExactOverTheWholeRange)
{
    for (int k = -126; k <= 127; ++k) ASSERT_EQ(power_of_two(static_cast<float>(k)), std::ldexp(1.0F, k)) << k;
    for (int k = -1022; k <= 1023; ++k) ASSERT_EQ(power_of_two(static_cast<double>(k)), std::ldexp(1.0, k)) << k;
    EXPECT_TRUE(same(power_of_two(-127.0F), 0.0F));
    EXPECT_TRUE(same(power_of_two(-1023.0), 0.0));
    EXPECT_EQ(power_of_two(128.0F), std::numeric_limits<float>::infinity());
    EXPECT_EQ(power_of_two(1024.0), std::numeric_limits<double>::infinity());
}

TEST(NearestWholeProduct, TiesToEven)
{
    EXPECT_EQ(nearest_whole_product(2.5F, 1.0F), 2.0F);
    EXPECT_EQ(nearest_whole_product(-3.5F, 1.0F), -4.0F);
    EXPECT_EQ(nearest_whole_product(0.25, 10.4), 3.0);
    EXPECT_EQ(nearest_whole_product(1e6, -0.7), -700000.0);
}

TEST(QuadOperations, AreThoseOfTheBuiltInTypes)
{
    const Quad one = 1, two = 2;
    EXPECT_EQ(fma(two, Quad(3), one), 7);
    EXPECT_EQ(larger(one, two), 2);
    EXPECT_EQ(larger(two, one), 2);
    EXPECT_EQ(smaller(one, two), 1);
    EXPECT_EQ(smaller(two, one), 1);
    EXPECT_EQ(select(true, one, two), 1);
    EXPECT_EQ(select(false, one, two), 2);
    EXPECT_EQ(magnitude(-two), 2);
    EXPECT_EQ(square_root(Quad(9)), 3);
}

// Less than one ulp, as elementary.hpp promises.
TEST(Exponential, FloatIsWithinAnUlp)
{
    const auto exact = [](const Quad& x) { return exponential(x); };
    EXPECT_LT(largest_error<float>(-16, 0, 40'000, own_exponential<float>, exact), 1);
    EXPECT_LT(largest_error<float>(-87.68F, 88.37F, 40'000, own_exponential<float>, exact), 1);
}

TEST(Exponential, DoubleIsWithinAnUlp)
{
    const auto exact = [](const Quad& x) { return exponential(x); };
    EXPECT_LT(largest_error<double>(-16, 0, 20'000, own_exponential<double>, exact), 1);
    EXPECT_LT(largest_error<double>(-745.5, 709.78, 20'000, own_exponential<double>, exact), 1);
}

// Every 257th float of the range. The C library's exp in double is good to far more bits than a float has.
TEST(Exponential, FloatIsWithinAnUlpEverywhere)
{
    double worst = 0;
    for (const float sign : {-1.0F, 1.0F}) {
        for (std::uint32_t bits = 0; bits <= bits_of(sign < 0 ? 87.68F : 88.37F); bits += 257) {
            const float x = sign * std::bit_cast<float>(bits);
            const double exact = std::exp(static_cast<double>(x));
            const int last_bit = std::max(std::ilogb(exact), -126) - 23;
            worst = std::max(worst, std::ldexp(std::abs(static_cast<double>(exponential(x)) - exact), -last_bit));
        }
    }
    std::printf("largest error %.4f ulp\n", worst);
    EXPECT_LT(worst, 1);
    EXPECT_GT(worst, 0.5) << "no float is that close";
}

template <class T>
class ExponentialEnds : public testing::Test {
};
using Scalars = testing::Types<float, double>;
TYPED_TEST_SUITE(ExponentialEnds, Scalars);

TYPED_TEST(ExponentialEnds, AreZeroOneAndInfinity)
{
    using T = TypeParam;
    using L = std::numeric_limits<T>;
    EXPECT_TRUE(same(exponential(T(0)), T(1)));
    EXPECT_TRUE(same(exponential(-T(0)), T(1)));
    EXPECT_TRUE(same(exponential(L::denorm_min()), T(1)));
    EXPECT_TRUE(same(exponential(-L::infinity()), T(0)));
    EXPECT_TRUE(same(exponential(L::lowest()), T(0)));
    EXPECT_TRUE(same(exponential(L::infinity()), L::infinity()));
    EXPECT_TRUE(same(exponential(L::max()), L::infinity()));
    EXPECT_TRUE(std::isnan(exponential(L::quiet_NaN())));
}

// Down to 0 and up to infinity without a step back, number by number near the ends of the range.
TYPED_TEST(ExponentialEnds, AreMonotonic)
{
    using T = TypeParam;
    constexpr bool single = sizeof(T) == 4;
    const auto ascends = [](T from, T to, int count) {
        T before = exponential(from);
        for (int k = 1; k <= count; ++k) {
            const T now = exponential(from + (to - from) * static_cast<T>(k) / static_cast<T>(count));
            ASSERT_GE(now, before) << from << ' ' << k;
            before = now;
        }
    };
    ascends(single ? T(-89) : T(-747), single ? T(-87) : T(-744), 100'000);
    ascends(single ? T(88) : T(709), single ? T(89) : T(711), 100'000);
}

TEST(Exponential, DoubleReachesTheEndsOfTheFormat)
{
    EXPECT_EQ(exponential(-745.13), std::numeric_limits<double>::denorm_min());
    EXPECT_EQ(exponential(-745.14), 0);
    EXPECT_TRUE(std::isfinite(exponential(709.78)));
    EXPECT_EQ(exponential(709.79), std::numeric_limits<double>::infinity());
}

template <class S>
class ExponentialLanes : public testing::Test {
};
using Vectors =
    testing::Types<Simd<float, 4>, Simd<float, 8>, Simd<float, 16>, Simd<double, 2>, Simd<double, 4>, Simd<double, 8>>;
TYPED_TEST_SUITE(ExponentialLanes, Vectors);

TYPED_TEST(ExponentialLanes, EqualTheScalar)
{
    using S = TypeParam;
    using T = Lane<S>;
    Random random(32);
    std::vector<T> values = hostile_values<T>();
    for (int k = 0; k < 100'000; ++k) values.push_back(static_cast<T>(random.uniform(-16, 0)));
    for (int k = 0; k < 100'000; ++k) values.push_back(static_cast<T>(random.uniform(-800, 800)));
    for (int k = 0; k < 10'000; ++k) values.push_back(random.number<T>(-126, 126));
    for (std::size_t first = 0; first + LaneOf<S>::lanes <= values.size(); first += LaneOf<S>::lanes) {
        S x;
        for (int lane = 0; lane < LaneOf<S>::lanes; ++lane) x.set(lane, values[first + static_cast<std::size_t>(lane)]);
        const S result = exponential(x);
        for (int lane = 0; lane < LaneOf<S>::lanes; ++lane)
            ASSERT_TRUE(same(result[lane], exponential(x[lane]))) << x[lane];
    }
}

// Less than one ulp is promised. The last addition rounds by half of one; the roundings of the other summand, a quarter
// of the first at most, and of the reduced angle's short second part make 0.69 in all.
TEST(SineAndCosine, AreWithinAnUlp)
{
    const auto exact_sine = [](const Quad& x) { return sin(x); };
    const auto exact_cosine = [](const Quad& x) { return cos(x); };
    for (const double end : {1.0, 10.0, largest_angle}) {
        EXPECT_LT(largest_error<double>(-end, end, 10'000, sine, exact_sine), 0.75) << end;
        EXPECT_LT(largest_error<double>(-end, end, 10'000, cosine, exact_cosine), 0.75) << end;
    }
}

// Next to a multiple of pi/2 nearly all bits of the argument cancel. Quad's own pi is too short there.
TEST(SineAndCosine, AreWithinAnUlpNextToTheirZeros)
{
    const Wide& quarter_turn = boost::math::constants::half_pi<Wide>();
    double worst = 0;
    for (int n = 1; n <= 636'619; n += 31) {
        const double x = static_cast<double>(Wide(n * quarter_turn));
        const Wide exact = n % 2 == 0 ? Wide(sin(Wide(x - n * quarter_turn))) * (n % 4 == 0 ? 1 : -1)
                                      : Wide(sin(Wide(n * quarter_turn - x))) * (n % 4 == 1 ? 1 : -1);
        worst = std::max(worst, error_in_ulps(n % 2 == 0 ? sine(x) : cosine(x), Quad(exact)));
    }
    std::printf("largest error %.4f ulp\n", worst);
    EXPECT_LT(worst, 1);
}

TEST(SineAndCosine, AreExactAndSymmetric)
{
    EXPECT_EQ(sine(0.0), 0.0);
    EXPECT_TRUE(same(cosine(0.0), 1.0));
    EXPECT_TRUE(same(sine(1e-300), 1e-300));
    const double half_pi = 0x1.921fb54442d18p+0;
    EXPECT_EQ(sine(half_pi), 1.0);
    EXPECT_EQ(cosine(2 * half_pi), -1.0);
    EXPECT_EQ(cosine(half_pi), 0x1.1a62633145c07p-54);  // what pi/2 lacks in double
    Random random(33);
    for (int k = 0; k < 10'000; ++k) {
        const double x = random.number<double>(-30, 19);
        ASSERT_TRUE(same(sine(-x), -sine(x))) << x;
        ASSERT_TRUE(same(cosine(-x), cosine(x))) << x;
    }
}

TEST(SineAndCosine, RefuseWhatTheyCannotReduce)
{
    EXPECT_FALSE(std::isnan(sine(-1e6)) || std::isnan(cosine(1e6)));
    for (const double x :
         {1000001.0, -1e300, std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()})
        EXPECT_TRUE(std::isnan(sine(x)) && std::isnan(cosine(x))) << x;
}

TEST(HyperbolicFunctions, AreWithinTwoUlps)
{
    const auto exact_sine = [](const Quad& x) { return sinh(x); };
    const auto exact_cosine = [](const Quad& x) { return cosh(x); };
    const auto exact_tangent = [](const Quad& x) { return tanh(x); };
    // Quad's own sinh loses bits near 0, but not as many as double lacks.
    for (const double end : {1.5, 30.0, 709.0}) {
        EXPECT_LT(largest_error<double>(-end, end, 10'000, hyperbolic_sine, exact_sine), 2) << end;
        EXPECT_LT(largest_error<double>(-end, end, 10'000, hyperbolic_cosine, exact_cosine), 2) << end;
        EXPECT_LT(largest_error<double>(-end, end, 10'000, hyperbolic_tangent, exact_tangent), 4) << end;
    }
}

TEST(HyperbolicFunctions, AreExactAndSymmetric)
{
    EXPECT_TRUE(same(hyperbolic_sine(0.0), 0.0) && same(hyperbolic_cosine(0.0), 1.0));
    EXPECT_TRUE(same(hyperbolic_sine(-1e-200), -1e-200));
    EXPECT_EQ(hyperbolic_sine(-1000.0), -std::numeric_limits<double>::infinity());
    EXPECT_EQ(hyperbolic_cosine(-1000.0), std::numeric_limits<double>::infinity());
    EXPECT_TRUE(same(hyperbolic_tangent(-0.0), -0.0) && same(hyperbolic_tangent(-1e300), -1.0));
    EXPECT_TRUE(same(hyperbolic_tangent(20.0), hyperbolic_tangent(20.5))) << "where it becomes 1";
    EXPECT_TRUE(std::isnan(hyperbolic_tangent(std::numeric_limits<double>::quiet_NaN())));
    Random random(34);
    for (int k = 0; k < 10'000; ++k) {
        const double x = random.number<double>(-30, 9);
        ASSERT_TRUE(same(hyperbolic_sine(-x), -hyperbolic_sine(x))) << x;
        ASSERT_TRUE(same(hyperbolic_cosine(-x), hyperbolic_cosine(x))) << x;
        ASSERT_TRUE(same(hyperbolic_tangent(-x), -hyperbolic_tangent(x))) << x;
    }
}

}  // namespace
}  // namespace halfulp::test
