// The square root and the reciprocal without tests and branches that passes use on a device are correctly rounded: for
// every mantissa, from one end of their range to the other, against the operations of the host.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <vector>

#include "precision/real.hpp"

namespace halfulp::test {
namespace {

constexpr std::uint32_t mantissas = 1U << 23U;

HALFULP_HOST_DEVICE float number(int exponent, std::uint32_t mantissa)
{
    const std::uint32_t bits = static_cast<std::uint32_t>(exponent + 127) << 23U | mantissa;
    float value = 0;
    memcpy(&value, &bits, sizeof value);
    return value;
}

struct Root {
    static HALFULP_HOST_DEVICE float of(float a) { return square_root_of_normal(a); }
};
struct Reciprocal {
    static HALFULP_HOST_DEVICE float of(float a) { return reciprocal_of_normal(a); }
};

template <class Function>
__global__ void evaluate(int exponent, float* results)
{
    const std::uint32_t mantissa = blockIdx.x * blockDim.x + threadIdx.x;
    results[mantissa] = Function::of(number(exponent, mantissa));
}

template <class Function>
void expect_correct_rounding()
{
    int devices = 0;
    if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) GTEST_SKIP() << "no CUDA device to test on";
    float* device = nullptr;
    ASSERT_EQ(cudaMalloc(&device, mantissas * sizeof(float)), cudaSuccess);
    std::vector<float> there(mantissas);
    for (const int exponent :
         {-100, -99, -64, -33, -24, -9, -8, -7, -6, -5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 7, 40, 99}) {
        evaluate<Function><<<mantissas / 256, 256>>>(exponent, device);
        ASSERT_EQ(cudaMemcpy(there.data(), device, mantissas * sizeof(float), cudaMemcpyDeviceToHost), cudaSuccess);
        for (std::uint32_t mantissa = 0; mantissa < mantissas; ++mantissa) {
            const float a = number(exponent, mantissa);
            const float here = Function::of(a);
            ASSERT_EQ(std::memcmp(&here, &there[mantissa], sizeof here), 0)
                << std::hexfloat << a << " gives " << there[mantissa] << " instead of " << here;
        }
    }
    ASSERT_EQ(cudaFree(device), cudaSuccess);
}

TEST(RoundingOnDevice, SquareRootsOfNormalNumbers) { expect_correct_rounding<Root>(); }
TEST(RoundingOnDevice, ReciprocalsOfNormalNumbers) { expect_correct_rounding<Reciprocal>(); }

}  // namespace
}  // namespace halfulp::test
