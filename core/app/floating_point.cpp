#include "core/app/floating_point.hpp"

#include <bit>
#include <cfloat>
#include <functional>
#include <limits>
#include <vector>

#include <fmt/format.h>
#include <omp.h>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

#include "core/error.hpp"
#include "core/evolution/simulation.hpp"

namespace halfulp {

namespace {

static_assert(FLT_EVAL_METHOD == 0, "float and double are computed as such, not as something wider");

// Quarters of an ulp of 1, added to 1 and subtracted from -1: only rounding to nearest gives the expected results.
template <class Real>
bool rounds_to_nearest()
{
    const volatile Real one = 1;
    const volatile Real quarter = std::numeric_limits<Real>::epsilon() / 4;
    const volatile Real up = one + quarter;
    const volatile Real further_up = one + 3 * quarter;
    const volatile Real down = -one - quarter;
    return up == one && further_up == one + 4 * quarter && down == -one;
}

// Compares bits, since with flushed operands a comparison would treat them as zero.
bool keeps_subnormal_results()
{
    const volatile float smallest = std::numeric_limits<float>::min();
    const volatile float half = 0.5F;
    const volatile float result = smallest * half;
    return std::bit_cast<std::uint32_t>(static_cast<float>(result)) == 0x00400000U;
}

bool keeps_subnormal_operands()
{
    const volatile std::uint32_t bits = 0x00400000U;
    const volatile float operand = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    const volatile float two = 2;
    const volatile float result = operand * two;
    return std::bit_cast<std::uint32_t>(static_cast<float>(result)) == 0x00800000U;
}

// (1 + e)(1 - e) - 1 is -e^2 if the product is not rounded before the difference, and 0 if it is; likewise (1 + q) - 1
// with q a quarter of an ulp.
template <class Real>
bool rounds_every_operation(Real e)
{
    const volatile Real small = e;
    const Real product = (1 + small) * (1 - small);
    const volatile Real difference = product - 1;
    const volatile Real quarter = std::numeric_limits<Real>::epsilon() / 4;
    const Real sum = 1 + quarter;
    const volatile Real excess = sum - 1;
    return difference == 0 && excess == 0;
}

// Throws an Error (unsupported) if modes are not as required. why: possible cause.
void refuse(const FloatingPointModes& modes, const std::string& where, const std::string& why)
{
    const auto say = [&](const char* what) {
        throw Error(ExitCode::unsupported, fmt::format("{}{}; {}", what, where, why));
    };
    if (!modes.to_nearest) say("the processor does not round to nearest");
    if (!modes.subnormal_results) say("subnormal results are flushed to zero (FTZ)");
    if (!modes.subnormal_operands) say("subnormal operands are taken for zero (DAZ)");
    if (!modes.every_operation_rounds) {
        throw Error(
            ExitCode::unsupported,
            "this build fuses multiplications into additions or keeps more digits than numbers have; build it with "
            "-ffp-contract=off");
    }
}

constexpr const char* by_whom =
    "something loaded with halfulp, often a library built with -ffast-math, changed the mode";

// Of this thread and, if wanted, its OpenMP threads.
std::vector<FloatingPointModes> measure_threads(bool openmp = true)
{
    if (!openmp) return {measure_floating_point()};
    std::vector<FloatingPointModes> threads(static_cast<std::size_t>(omp_get_max_threads()));
    int count = 1;
#pragma omp parallel
    {
        threads[static_cast<std::size_t>(omp_get_thread_num())] = measure_floating_point();
#pragma omp single
        count = omp_get_num_threads();
    }
    threads.resize(static_cast<std::size_t>(count));
    return threads;
}

// why: as for refuse; evaluated only on refusal
void refuse_any(const std::vector<FloatingPointModes>& threads, ThreadsOf which,
                const std::function<std::string()>& why)
{
    for (std::size_t k = 0; k < threads.size(); ++k) {
        if (threads[k].as_needed()) continue;
        std::string where = fmt::format(" in thread {}", k);
        if (which == ThreadsOf::outputs)
            where = k == 0 ? " in the thread that writes outputs" : where + " of those that write outputs";
        refuse(threads[k], where, why());
    }
}

std::string text_of(const RunPlace& place) { return fmt::format("step {} (t = {:.6g} s)", place.step, place.time); }

}  // namespace

FloatingPointModes measure_floating_point()
{
    FloatingPointModes modes{
        .to_nearest = rounds_to_nearest<float>() && rounds_to_nearest<double>(),
        .subnormal_results = keeps_subnormal_results(),
        .subnormal_operands = keeps_subnormal_operands(),
        .every_operation_rounds = rounds_every_operation(0x1p-13F) && rounds_every_operation(0x1p-28),
        .control = {}};
#if defined(__x86_64__)
    modes.control = _mm_getcsr() & ~0x3fU;
#endif
    return modes;
}

void check_floating_point(const std::string& where) { refuse(measure_floating_point(), where, by_whom); }

std::string check_floating_point_of_threads(ThreadsOf which)
{
    const std::vector<FloatingPointModes> threads = measure_threads();
    refuse_any(threads, which, [] { return by_whom; });
    std::string control;
    if (threads.front().control) control = fmt::format(", MXCSR {:#06x}", *threads.front().control);
    for (const FloatingPointModes& modes : threads) {
        if (modes != threads.front())
            control = ", MXCSR not the same in all";  // masks of exceptions, which do not matter here
    }
    return fmt::format(
        "to nearest, subnormal results and operands kept (no FTZ, no DAZ), nothing fused or in more digits: "
        "computed in {} thread{}{}",
        threads.size(), threads.size() == 1 ? "" : "s", control);
}

RunPlace place_of(const Simulation& simulation) { return {simulation.time(), simulation.steps()}; }

void FloatingPointWatch::look(const RunPlace& now)
{
    const auto check = [&] {
        refuse_any(measure_threads(backend_ == nullptr || backend_->uses_openmp()), which_, [&] {
            const std::string when = last_.step == now.step
                                         ? "in " + text_of(now)
                                         : fmt::format("between {} and {}", text_of(last_), text_of(now));
            return fmt::format("{} {}, and what was written since then may be affected", by_whom, when);
        });
    };
    if (backend_ != nullptr) backend_->on_threads(check);
    else check();
    last_ = now;
}

}  // namespace halfulp
