#include "core/app/floating_point.hpp"

#include <cfenv>
#include <limits>

#include "core/error.hpp"

namespace halfulp {

void check_floating_point()
{
    const auto refuse = [](const char* sentence) { throw Error(ExitCode::unsupported, sentence); };
    if (std::fegetround() != FE_TONEAREST)
        refuse("the processor does not round to nearest; something loaded before halfulp changed the rounding mode");
    const volatile float tiny = std::numeric_limits<float>::min();
    const volatile float half = 0.5F;
    const volatile float subnormal = tiny * half;
    if (!(subnormal > 0) || !(subnormal * 2.0F == tiny))
        refuse(
            "subnormal numbers are flushed to zero (FTZ or DAZ); something loaded before halfulp, often a library built with -ffast-math, changed the mode");
    // (1 + e)(1 - e) - 1 is -e^2 when fused and 0 when not, e = 2^-13.
    const volatile float e = 1.0F / 8192;
    const float product = (1.0F + e) * (1.0F - e);
    const volatile float difference = product - 1.0F;
    if (difference != 0.0F) refuse("this build fuses multiplications into additions; build it with -ffp-contract=off");
}

}  // namespace halfulp
