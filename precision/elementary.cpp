#include "precision/elementary.hpp"

#include <cstdint>
#include <limits>

#include "precision/error_free.hpp"

namespace halfulp {

namespace {

// x = quarter_turns pi/2 + (angle.value + angle.error) with |angle.value| <= pi/4; quarter_turns modulo 4.
struct ReducedAngle {
    WithError<double> angle;
    int quarter_turns;
};

// pi/2 in three parts of 53 bits each, the last of which matters only for x close to a multiple of it.
ReducedAngle reduced(double x)
{
    const double n = nearest_whole_product(x, 0x1.45f306dc9c883p-1);
    const double leading = fma(n, -0x1.921fb54442d18p+0, x);  // exact, as in exponential
    const WithError<double> middle = two_prod(n, -0x1.1a62633145c07p-54);
    const WithError<double> sum = two_sum(leading, middle.value);
    const double low = fma(n, 0x1.f1976b7ed8fbcp-110, sum.error + middle.error);
    return {fast_two_sum(sum.value, low), static_cast<int>(static_cast<std::int64_t>(n) & 3)};
}

// sin and cos of a reduced angle a + e: sin a + e cos a and cos a - e sin a, where a short form of the second factor
// suffices.
double reduced_sine(WithError<double> angle)
{
    const double a = angle.value;
    const double square = a * a;
    const double series = horner(square, -1.0 / 6, 1.0 / 120, -1.0 / 5040, 1.0 / 362880, -1.0 / 39916800,
                                 1.0 / 6227020800, -1.0 / 1307674368000, 1.0 / 355687428096000);
    return a + fma(a * square, series, angle.error * fma(square, -0.5, 1.0));
}

double reduced_cosine(WithError<double> angle)
{
    const double a = angle.value;
    const double square = a * a;
    const double series = horner(square, 1.0 / 24, -1.0 / 720, 1.0 / 40320, -1.0 / 3628800, 1.0 / 479001600,
                                 -1.0 / 87178291200, 1.0 / 20922789888000, -1.0 / 6402373705728000);
    // 1 - a^2/2 with its rounding error, which would otherwise cost half an ulp.
    const WithError<double> head = fast_two_sum(1.0, -0.5 * square);
    const double square_error = fma(a, a, -square);
    const double tail = fma(square * square, series, head.error - fma(a, angle.error, 0.5 * square_error));
    return head.value + tail;
}

double sine_after(double x, int quarter_turns)
{
    if (!(magnitude(x) <= largest_angle)) return std::numeric_limits<double>::quiet_NaN();
    const ReducedAngle r = reduced(x);
    switch ((r.quarter_turns + quarter_turns) & 3) {
    case 0: return reduced_sine(r.angle);
    case 1: return reduced_cosine(r.angle);
    case 2: return -reduced_sine(r.angle);
    default: return -reduced_cosine(r.angle);
    }
}

}  // namespace

double sine(double x) { return sine_after(x, 0); }

double cosine(double x) { return sine_after(x, 1); }

double hyperbolic_sine(double x)
{
    if (magnitude(x) < 1) {  // the exponentials would cancel
        const double square = x * x;
        const double series = horner(square, 1.0 / 6, 1.0 / 120, 1.0 / 5040, 1.0 / 362880, 1.0 / 39916800,
                                     1.0 / 6227020800, 1.0 / 1307674368000, 1.0 / 355687428096000);
        return fma(x * square, series, x);
    }
    const double growing = exponential(magnitude(x));
    const double size = 0.5 * growing - 0.5 / growing;
    return x < 0 ? -size : size;
}

double hyperbolic_cosine(double x)
{
    const double growing = exponential(magnitude(x));
    return 0.5 * growing + 0.5 / growing;
}

double hyperbolic_tangent(double x)
{
    if (magnitude(x) > 20) return x < 0 ? -1 : 1;  // 1 - 2 e^-40 rounds to it, and the quotient may be inf/inf
    return hyperbolic_sine(x) / hyperbolic_cosine(x);
}

}  // namespace halfulp
