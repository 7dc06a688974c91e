// The multiplied-out kernels are the same functions as the factored ones, and lose digits near the end of the support.
#include <gtest/gtest.h>

#include "precision/multiprecision.hpp"

#include "kernels/expanded_smoothing.hpp"

namespace halfulp::test {
namespace {

// In 113 bits the two forms differ by roundings of the largest term, 15 at most.
template <class Kernel, class Evaluation>
void expect_same_function()
{
    using Form = typename ExpandedKernels<Evaluation>::template Of<Kernel>;
    for (int k = 0; k <= 2200; ++k) {
        const Quad q = Quad(k) / 1000;
        EXPECT_LE(magnitude(Form::shape(q) - Kernel::shape(q)), 1e-31) << k;
        EXPECT_LE(magnitude(Form::gradient_shape(q) - Kernel::gradient_shape(q)), 1e-31) << k;
    }
}

TEST(ExpandedKernels, AreTheSameFunctions)
{
    expect_same_function<WendlandC2, HornerEvaluation>();
    expect_same_function<WendlandC2, PowersEvaluation>();
    expect_same_function<CubicSpline, HornerEvaluation>();
    expect_same_function<CubicSpline, PowersEvaluation>();
    static_assert(std::is_same_v<ExpandedKernels<PowersEvaluation>::Of<Gaussian>, Gaussian>);
    static_assert(std::is_same_v<FactoredKernels::Of<WendlandC2>, WendlandC2>);
}

template <class Kernel>
double error_near_the_end()
{
    double largest = 0;
    for (int k = 1900; k < 2000; ++k) {
        const auto q = static_cast<float>(0.001 * k);
        const double exact = static_cast<double>(WendlandC2::gradient_shape(Quad(q)));
        largest = std::max(largest, std::abs(static_cast<double>(Kernel::gradient_shape(q)) - exact));
    }
    return largest;
}

// t^3 at t = 0.05 is 1e-4: the factored form errs by a few ulps of that, the expanded ones by ulps of their terms, 15.
TEST(ExpandedKernels, LoseDigitsWhereTheKernelEnds)
{
    EXPECT_LT(error_near_the_end<WendlandC2>(), 1e-9);
    EXPECT_GT(error_near_the_end<ExpandedWendlandC2<PowersEvaluation>>(), 1e-7);
    EXPECT_GT(error_near_the_end<ExpandedWendlandC2<HornerEvaluation>>(), 1e-8);
    EXPECT_LT(error_near_the_end<ExpandedWendlandC2<PowersEvaluation>>(), 30 * 0x1p-24 * 15);
}

}  // namespace
}  // namespace halfulp::test
