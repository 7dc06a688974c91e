// The physics headers give the same bits on a CUDA device as on the host: one function, evaluated on both, for
// particles and neighbours drawn from their number alone.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <vector>

#include "kernels/continuity.hpp"
#include "kernels/momentum.hpp"
#include "kernels/time_step.hpp"
#include "precision/compensated.hpp"
#include "precision/elementary.hpp"
#include "precision/policy.hpp"
#include "precision/position.hpp"

namespace halfulp::test {
namespace {

constexpr int neighbours = 96;
constexpr int particles = 100'000;

// A number in [-1, 1) with all its bits in play (SplitMix64; Steele, Lea and Flood 2014).
template <class T>
HALFULP_HOST_DEVICE T drawn(std::uint64_t seed)
{
    std::uint64_t z = seed * 0x9e3779b97f4a7c15ULL + 0x243f6a8885a308d3ULL;
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebULL;
    z ^= z >> 31U;
    return static_cast<T>(static_cast<double>(z >> 11U) * 0x1p-52 - 1);
}

template <class Real>
struct Result {
    Real acceleration[3];
    Real density_rate;
    Real signal;
    Real velocity[3];
    Real residual[3];
    Real exponential[2];
};

// One step's worth of every operation on particle `index`: differences, pair terms, sums, the compensated update.
template <class Policy, class Kernel>
HALFULP_HOST_DEVICE Result<typename Policy::Real> evaluate(std::uint64_t index)
{
    using Real = typename Policy::Real;
    using Sum = typename Policy::template Sum<Real>;
    Parameters<3, float> constants{};
    constants.smoothing_length = 0.92F;
    constants.inverse_smoothing_length = 1 / 0.92F;
    constants.pair_scale = 0.21F;
    constants.stiffness = 1.3F / 7;
    constants.sound_speed = 1.14F;
    constants.artificial_viscosity = 0.05F;
    constants.viscous_softening = 0.0085F;
    constants.gravity[2] = -0.02F;
    const auto p = constants.as<3, Real>();

    std::uint64_t seed = index * 4096;
    const auto state = [&](Vec<3, Real>& offset) {
        MomentumState<3, Real> s{};
        for (int c = 0; c < 3; ++c) offset[c] = Real(0.5) * drawn<Real>(seed++);
        for (int c = 0; c < 3; ++c) s.velocity[c] = Real(0.1) * drawn<Real>(seed++);
        s.density = {Real(0.01) * drawn<Real>(seed++)};
        s.pressure_term = pressure_term(s.density, p.stiffness);
        return s;
    };
    Vec<3, Real> x_a{};
    const auto a = state(x_a);
    Sum sums[3];
    Sum rate;
    Real closing = 0;
    for (int k = 0; k < neighbours; ++k) {
        Vec<3, Real> x_b{};
        const auto b = state(x_b);
        Vec<3, Real> r{};
        for (int c = 0; c < 3; ++c)
            r[c] = position_difference(x_a[c], x_b[c], Real(static_cast<int>(seed * 7 >> (3 + c)) % 3 - 1));
        const auto mass = continuity_pair<Kernel>(r, a.velocity - b.velocity, p.inverse_smoothing_length);
        const auto force = momentum_pair<Kernel, true>(r, a, b, p);
        rate.add(mass.rate);
        for (int c = 0; c < 3; ++c) sums[c].add(force.total * r[c]);
        closing = larger(closing,
                         closing_speed(mass.approach, mass.distance_squared, p.smoothing_length, p.viscous_softening));
    }
    Result<Real> result{};
    result.density_rate = p.pair_scale * rate.value();
    result.signal = sound_speed(a.density, p.sound_speed) + closing;
    for (int c = 0; c < 3; ++c) {
        result.acceleration[c] = fma(-p.pair_scale, sums[c].value(), p.gravity[c]);
        result.velocity[c] = a.velocity[c];
        for (int step = 0; step < 20; ++step)
            Policy::Update::advance(result.velocity[c], result.residual[c], result.acceleration[c], Real(0),
                                    Real(1e-3F));
    }
    // Over what a kernel asks for, and over more than the range of either format.
    result.exponential[0] = exponential(Real(8) * drawn<Real>(seed++) - Real(8));
    result.exponential[1] = exponential(Real(800) * drawn<Real>(seed++));
    return result;
}

template <class Policy, class Kernel>
__global__ void evaluate_all(Result<typename Policy::Real>* results)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < particles) results[i] = evaluate<Policy, Kernel>(i);
}

::testing::AssertionResult device_available()
{
    int count = 0;
    const cudaError_t answer = cudaGetDeviceCount(&count);
    if (answer != cudaSuccess) return ::testing::AssertionFailure() << cudaGetErrorString(answer);
    if (count == 0) return ::testing::AssertionFailure() << "no device";
    return ::testing::AssertionSuccess();
}

template <class Policy, class Kernel>
void expect_same_bits()
{
    using R = Result<typename Policy::Real>;
    if (const auto available = device_available(); !available)
        GTEST_SKIP() << "no CUDA device to test on: " << available.message();
    R* device = nullptr;
    ASSERT_EQ(cudaMalloc(&device, particles * sizeof(R)), cudaSuccess);
    ASSERT_EQ(cudaMemset(device, 0xff, particles * sizeof(R)), cudaSuccess);
    evaluate_all<Policy, Kernel><<<(particles + 127) / 128, 128>>>(device);
    ASSERT_EQ(cudaGetLastError(), cudaSuccess);
    std::vector<R> there(particles);
    ASSERT_EQ(cudaMemcpy(there.data(), device, particles * sizeof(R), cudaMemcpyDeviceToHost), cudaSuccess);
    ASSERT_EQ(cudaFree(device), cudaSuccess);
    for (int i = 0; i < particles; ++i) {
        const R here = evaluate<Policy, Kernel>(static_cast<std::uint64_t>(i));
        ASSERT_EQ(std::memcmp(&here, &there[i], sizeof(R)), 0)
            << "particle " << i << ": ax " << here.acceleration[0] << " against " << there[i].acceleration[0]
            << ", ds/dt " << here.density_rate << " against " << there[i].density_rate << ", signal " << here.signal
            << " against " << there[i].signal << ", exponential " << here.exponential[0] << " against "
            << there[i].exponential[0];
    }
}

TEST(SameBitsOnDevice, RobustWendland) { expect_same_bits<RobustPolicy, WendlandC2>(); }
TEST(SameBitsOnDevice, RobustCubicSpline) { expect_same_bits<RobustPolicy, CubicSpline>(); }
TEST(SameBitsOnDevice, DoubleWendland) { expect_same_bits<DoublePolicy, WendlandC2>(); }
TEST(SameBitsOnDevice, DoubleCubicSpline) { expect_same_bits<DoublePolicy, CubicSpline>(); }

}  // namespace
}  // namespace halfulp::test
