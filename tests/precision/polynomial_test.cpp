// Horner's rule with one rounding a coefficient: |error| <= gamma_n sum |c_i| |x|^i for degree n (Higham 2002,
// section 5.1, where a step has two roundings and the bound is gamma_2n).
#include <gtest/gtest.h>

#include "precision/multiprecision.hpp"

#include "precision/polynomial.hpp"
#include "precision/simd.hpp"
#include "tests/precision/reference.hpp"

namespace halfulp::test {
namespace {

// Tait's polynomial, degree 6.
template <class T>
T tait(T s)
{
    return horner(s, constant<T>(7), constant<T>(21), constant<T>(35), constant<T>(35), constant<T>(21), constant<T>(7),
                  constant<T>(1));
}

TEST(Horner, OrderOfCoefficients)
{
    EXPECT_EQ(horner(2.0, 5.0), 5.0);
    EXPECT_EQ(horner(2.0, 1.0, 10.0), 21.0);
    EXPECT_EQ(horner(2.0, 1.0, 10.0, 100.0), 421.0);
    EXPECT_EQ(tait(1.0), 127.0);  // (1 + 1)^7 - 1 over 1
}

template <class T>
class HornerError : public testing::Test {
};
using Scalars = testing::Types<float, double>;
TYPED_TEST_SUITE(HornerError, Scalars);

TYPED_TEST(HornerError, TaitStaysWithinTheBound)
{
    using T = TypeParam;
    Random random(21);
    const Quad u = unit_roundoff<T>;
    const Quad gamma = 6 * u / (1 - 6 * u);
    Quad worst = 0;
    for (int k = 0; k < 20'000; ++k) {
        const T s = random.number<T>(-24, -2);
        const Quad x = s;
        // The closed form ((1+x)^7 - 1)/x cancels; its direct binomial sum does not.
        Quad exact = 0;
        Quad absolute = 0;
        Quad power = 1;
        for (const int coefficient : {7, 21, 35, 35, 21, 7, 1}) {
            exact += coefficient * power;
            absolute += coefficient * abs(power);
            power *= x;
        }
        const Quad error = abs(Quad(tait(s)) - exact);
        ASSERT_LE(error, gamma * absolute) << s;
        worst = std::max(worst, Quad(error / exact));
    }
    EXPECT_GT(worst, u / 4) << "an evaluation without any rounding error would mean the comparison is with itself";
}

TEST(Horner, LanesEqualTheScalar)
{
    Random random(22);
    for (int k = 0; k < 1000; ++k) {
        Simd<float, 16> s;
        for (int lane = 0; lane < 16; ++lane) s.set(lane, random.number<float>(-24, 3));
        const Simd<float, 16> value = tait(s);
        for (int lane = 0; lane < 16; ++lane) ASSERT_TRUE(same(value[lane], tait(s[lane])));
    }
}

}  // namespace
}  // namespace halfulp::test
