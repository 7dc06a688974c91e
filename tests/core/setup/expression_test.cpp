// Expressions: values worked by hand, precedence, and what is refused.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "core/setup/expression.hpp"

namespace halfulp {
namespace {

double value(const std::string& text, const std::array<double, 3>& position = {0, 0, 0})
{
    return Expression(text, 3).at(position);
}

// Whole numbers and halves: every step is exact.
TEST(Expression, ValuesWorkedByHand)
{
    const std::array<double, 3> p{2, -0.5, 8};
    EXPECT_EQ(value("7"), 7);
    EXPECT_EQ(value(" 1.5e1\t"), 15);
    EXPECT_EQ(value(".25"), 0.25);
    EXPECT_EQ(value("x", p), 2);
    EXPECT_EQ(value("y", p), -0.5);
    EXPECT_EQ(value("z", p), 8);
    EXPECT_EQ(value("pi"), 3.14159265358979323846);
    EXPECT_EQ(value("-0.5*x + 3*y - z/4", p), -1 - 1.5 - 2);
    EXPECT_EQ(value("(x + y)*(x - y)", p), 1.5 * 2.5);
    EXPECT_EQ(value("x^3*y^2", p), 2);
    EXPECT_EQ(value("sqrt(z*x)", p), 4);
    EXPECT_EQ(value("sin(0) + 10*cos(0) + 100*exp(0) + 1000*sinh(0) + 10000*cosh(0)"), 10110);
}

TEST(Expression, Precedence)
{
    EXPECT_EQ(value("2 + 3*4"), 14);
    EXPECT_EQ(value("10 - 4 - 3"), 3) << "from left to right";
    EXPECT_EQ(value("24/4/2"), 3);
    EXPECT_EQ(value("24/4*2"), 12);
    EXPECT_EQ(value("2*3^2"), 18);
    EXPECT_EQ(value("-3^2"), -9) << "a power binds closer than a sign";
    EXPECT_EQ(value("(-3)^2"), 9);
    EXPECT_EQ(value("2^-2"), 0.25);
    EXPECT_EQ(value("2^0"), 1);
    EXPECT_EQ(value("(2^3)^2"), 64);
    EXPECT_EQ(value("2--3"), 5);
    EXPECT_EQ(value("2*-3"), -6);
    EXPECT_EQ(value("--3"), 3);
}

// The rounding shows the order: (1e16 + 1) + 1 is 1e16, 1 + (1 + 1e16) is not.
TEST(Expression, RoundsInTheOrderWritten)
{
    EXPECT_EQ(value("1e16 + 1 + 1"), 1e16);
    EXPECT_EQ(value("1 + 1 + 1e16"), 1e16 + 2);
    EXPECT_EQ(value("0.1 + 0.2"), 0.30000000000000004);
    EXPECT_EQ(value("0.1^3"), (0.1 * 0.1) * 0.1);
}

// Against the C library, within the two ulps that precision/elementary.hpp promises and half of the library's own.
TEST(Expression, FunctionsAreThose)
{
    const double ulp = std::numeric_limits<double>::epsilon();
    for (const double x : {-2.75, -0.5, 0.125, 1.0, 3.5}) {
        const auto near = [&](const std::string& text, double expected) {
            EXPECT_NEAR(value(text, {x, 0, 0}), expected, 3 * ulp * std::abs(expected)) << text << ' ' << x;
        };
        near("sin(x)", std::sin(x));
        near("cos(x)", std::cos(x));
        near("exp(x)", std::exp(x));
        near("sqrt(x*x)", std::abs(x));
        near("sinh(x)", std::sinh(x));
        near("cosh(x)", std::cosh(x));
        near("abs(x)", std::abs(x));
        EXPECT_NEAR(value("tanh(x)", {x, 0, 0}), std::tanh(x), 5 * ulp) << x;
    }
}

TEST(Expression, HasNoFiniteValueWhereThereIsNone)
{
    EXPECT_EQ(value("1/x"), std::numeric_limits<double>::infinity());
    EXPECT_TRUE(std::isnan(value("sqrt(-1)")));
    EXPECT_TRUE(std::isnan(value("sin(1e7)"))) << "beyond largest_angle";
    EXPECT_EQ(value("x^-1"), std::numeric_limits<double>::infinity());
}

struct Wrong {
    std::string text;
    std::string clause;
};

class WrongExpressions : public testing::TestWithParam<Wrong> {};

TEST_P(WrongExpressions, NamePlaceAndExpectation)
{
    try {
        const Expression expression(GetParam().text, 2);
        FAIL() << "accepted " << GetParam().text;
    } catch (const ExpressionError& error) {
        EXPECT_EQ(error.what(), GetParam().clause);
    }
}

const std::string operands =
    "where a number, x, y, pi, -, ( or one of the functions sin, cos, exp, sqrt, sinh, cosh, tanh and abs must stand";

INSTANTIATE_TEST_SUITE_P(
    All, WrongExpressions,
    testing::Values(
        Wrong{"", "it ends " + operands}, Wrong{"2*", "it ends " + operands},
        Wrong{"2*q", "at character 3 is \"q\", " + operands}, Wrong{"z", "at character 1 is \"z\", " + operands},
        Wrong{"1 + tang(x)", "at character 5 is \"tang\", " + operands},
        Wrong{"xy", "at character 1 is \"xy\", " + operands}, Wrong{"+1", "at character 1 is \"+\", " + operands},
        Wrong{"()", "at character 2 is \")\", " + operands},
        Wrong{"2 \u00d7 x", "at character 3 is \"\u00d7\", where an operator or the end must stand"},
        Wrong{"x y", "at character 3 is \"y\", where an operator or the end must stand"},
        Wrong{"2x", "at character 2 is \"x\", where an operator or the end must stand"},
        Wrong{"1,5", "at character 2 is \",\", where an operator or the end must stand"},
        Wrong{"x)", "at character 2 is \")\", where an operator or the end must stand"},
        Wrong{"(x", "it ends where an operator or ) must stand"},
        Wrong{"sin x", "at character 5 is \"x\", where ( after sin must stand"},
        Wrong{"sin(x", "it ends where an operator or ) must stand"},
        Wrong{".x", "at character 1 is \".\", where a number must stand"},
        Wrong{"1e999", "at character 1 is \"1\", where a number within the range of double precision must stand"},
        Wrong{"x^y",
              "at character 3 is \"y\", where a whole number up to 100 (^ takes no other exponent; sqrt is a "
              "function) must stand"},
        Wrong{"x^0.5",
              "at character 3 is \"0.5\", where a whole number up to 100 (^ takes no other exponent; sqrt is "
              "a function) must stand"},
        Wrong{"x^ -101",
              "at character 5 is \"101\", where a whole number up to 100 (^ takes no other exponent; sqrt "
              "is a function) must stand"},
        Wrong{"x^2^3",
              "at character 4 is \"^\", where an operator other than a second ^ (write parentheses) must "
              "stand"}));

// The parser calls itself for every parenthesis: a text made to overflow the stack is refused.
TEST(Expression, NestingIsBounded)
{
    EXPECT_EQ(value(std::string(99, '(') + "1" + std::string(99, ')')), 1);
    EXPECT_THROW(value(std::string(100'000, '(')), ExpressionError);
    EXPECT_THROW(value(std::string(100'000, '-') + "1"), ExpressionError);
}

}  // namespace
}  // namespace halfulp
