// The physics headers give the same bits on a CUDA device as on the host: one function, evaluated on both, for
// particles and neighbours drawn from their number alone.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <vector>

#include "kernels/continuity.hpp"
#include "kernels/density_diffusion.hpp"
#include "kernels/momentum.hpp"
#include "kernels/policy.hpp"
#include "kernels/time_step.hpp"
#include "kernels/xsph.hpp"
#include "precision/compensated.hpp"
#include "precision/elementary.hpp"
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
    Real diffusion[3];  // molteni-colagrossi, fourtakas, antuono
    Real smoothing[3];
    Real gradient[3];
};

// The equations that a result is of: those of the first versions, and all the others together.
struct PressureAndArtificialViscosity {
    static constexpr Physics physics{.artificial_viscosity = true};
};
struct TensileAndMorris {
    static constexpr Physics physics{.formulation = Formulation::volume_weighted,
                                     .artificial_viscosity = true,
                                     .laminar_viscosity = LaminarViscosity::morris,
                                     .tensile_correction = true};
};
struct Brookshaw {
    static constexpr Physics physics{.laminar_viscosity = LaminarViscosity::brookshaw};
};
struct LinearAndMonaghanGingold {
    static constexpr Physics physics{.state_equation = StateEquation::linear,
                                     .artificial_viscosity = true,
                                     .laminar_viscosity = LaminarViscosity::monaghan_gingold,
                                     .tensile_correction = true};
};

// One step's worth of every operation on particle `index`: differences, pair terms, sums, the compensated update.
template <class Policy, class Kernel, class Equations>
HALFULP_HOST_DEVICE Result<typename Policy::Real> evaluate(std::uint64_t index)
{
    using Real = typename Policy::Real;
    using Sum = typename Policy::template Sum<Real>;
    constexpr Physics physics = Equations::physics;
    Parameters<3, float> constants{};
    constants.smoothing_length = 0.92F;
    constants.inverse_smoothing_length = 1 / 0.92F;
    constants.pair_scale = 0.21F;
    constants.stiffness = 1.3F / 7;
    constants.sound_speed = 1.14F;
    constants.artificial_viscosity = 0.05F;
    constants.viscous_softening = 0.0085F;
    constants.kinematic_viscosity = 0.004F;
    constants.inverse_shape_at_spacing = 2.3F;
    constants.gravity[2] = -0.02F;
    const auto p = constants.as<3, Real>();

    std::uint64_t seed = index * 4096;
    const auto state = [&](Vec<3, Real>& offset) {
        MomentumState<3, Real> s{};
        for (int c = 0; c < 3; ++c) offset[c] = Real(0.5) * drawn<Real>(seed++);
        for (int c = 0; c < 3; ++c) s.velocity[c] = Real(0.1) * drawn<Real>(seed++);
        s.density = {Real(0.01) * drawn<Real>(seed++)};
        s.pressure_term = pressure_term(physics, s.density, p.stiffness);
        return s;
    };
    Vec<3, Real> x_a{};
    const auto a = state(x_a);
    Sum sums[3];
    Sum rate;
    Sum diffused[3];
    Sum smoothed[3];
    Sum difference[3];
    Sum matrix_sums[triangle<3>];
    Real closing = 0;
    for (int k = 0; k < neighbours; ++k) {
        Vec<3, Real> x_b{};
        const auto b = state(x_b);
        Vec<3, Real> r{};
        for (int c = 0; c < 3; ++c)
            r[c] = position_difference(x_a[c], x_b[c], Real(static_cast<int>(seed * 7 >> (3 + c)) % 3 - 1));
        const auto mass = continuity_pair<Kernel>(r, a.velocity - b.velocity, p.inverse_smoothing_length);
        const auto force = momentum_pair<Kernel>(physics, r, a, b, p);
        rate.add(continuity_share(physics.formulation, mass.rate, b.density));
        const Vec<3, Real> u = a.velocity - b.velocity;
        for (int c = 0; c < 3; ++c) sums[c].add(fma(force.across, u[c], force.along * r[c]));

        const Real psi = density_difference(a.density, b.density);
        const Real hydrostatic = hydrostatic_difference(
            physics.state_equation, dot(Vec<3, Real>{{p.gravity[0], p.gravity[1], p.gravity[2]}}, r), 1 / p.stiffness);
        const Real straight = linear_difference(a.velocity, b.velocity, r);
        const auto diffuse = [&](int which, Real value) {
            diffused[which].add(diffusion_pair(value, mass.distance_squared, mass.gradient_shape, p.viscous_softening));
        };
        diffuse(0, psi);
        diffuse(1, psi - hydrostatic);
        diffuse(2, psi - straight);
        const Real weight = xsph_weight(Kernel::shape(square_root(mass.distance_squared) * p.inverse_smoothing_length),
                                        a.density, b.density);
        int element = 0;
        for (int i = 0; i < 3; ++i) {
            smoothed[i].add(weight * u[i]);
            const Real scaled = mass.gradient_shape * r[i];
            difference[i].add(psi * scaled);
            for (int j = i; j < 3; ++j) matrix_sums[element++].add(scaled * r[j]);
        }
        closing = larger(closing,
                         closing_speed(mass.approach, mass.distance_squared, p.smoothing_length, p.viscous_softening));
    }
    Result<Real> result{};
    result.density_rate = continuity_total(physics.formulation, rate.value(), a.density, p.pair_scale);
    result.signal = sound_speed(physics.state_equation, a.density, p.sound_speed) + closing;
    Real matrix[triangle<3>];
    for (int k = 0; k < triangle<3>; ++k) matrix[k] = -p.pair_scale * matrix_sums[k].value();
    Vec<3, Real> gradient{};
    for (int c = 0; c < 3; ++c) gradient[c] = p.pair_scale * difference[c].value();
    gradient = renormalised_gradient(matrix, gradient);
    for (int c = 0; c < 3; ++c) {
        result.diffusion[c] = diffused[c].value();
        result.smoothing[c] = smoothed[c].value();
        result.gradient[c] = gradient[c];
    }
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

template <class Policy, class Kernel, class Equations>
__global__ void evaluate_all(Result<typename Policy::Real>* results)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < particles) results[i] = evaluate<Policy, Kernel, Equations>(i);
}

::testing::AssertionResult device_available()
{
    int count = 0;
    const cudaError_t answer = cudaGetDeviceCount(&count);
    if (answer != cudaSuccess) return ::testing::AssertionFailure() << cudaGetErrorString(answer);
    if (count == 0) return ::testing::AssertionFailure() << "no device";
    return ::testing::AssertionSuccess();
}

template <class Policy, class Kernel, class Equations>
void expect_same_bits()
{
    using R = Result<typename Policy::Real>;
    if (const auto available = device_available(); !available)
        GTEST_SKIP() << "no CUDA device to test on: " << available.message();
    R* device = nullptr;
    ASSERT_EQ(cudaMalloc(&device, particles * sizeof(R)), cudaSuccess);
    ASSERT_EQ(cudaMemset(device, 0xff, particles * sizeof(R)), cudaSuccess);
    evaluate_all<Policy, Kernel, Equations><<<(particles + 127) / 128, 128>>>(device);
    ASSERT_EQ(cudaGetLastError(), cudaSuccess);
    std::vector<R> there(particles);
    ASSERT_EQ(cudaMemcpy(there.data(), device, particles * sizeof(R), cudaMemcpyDeviceToHost), cudaSuccess);
    ASSERT_EQ(cudaFree(device), cudaSuccess);
    for (int i = 0; i < particles; ++i) {
        const R here = evaluate<Policy, Kernel, Equations>(static_cast<std::uint64_t>(i));
        ASSERT_EQ(std::memcmp(&here, &there[i], sizeof(R)), 0)
            << "particle " << i << ": ax " << here.acceleration[0] << " against " << there[i].acceleration[0]
            << ", ds/dt " << here.density_rate << " against " << there[i].density_rate << ", signal " << here.signal
            << " against " << there[i].signal << ", exponential " << here.exponential[0] << " against "
            << there[i].exponential[0] << ", diffusion " << here.diffusion[1] << " against " << there[i].diffusion[1]
            << ", gradient " << here.gradient[0] << " against " << there[i].gradient[0];
    }
}

using Plain = PressureAndArtificialViscosity;
TEST(SameBitsOnDevice, RobustWendland) { expect_same_bits<RobustPolicy, WendlandC2, Plain>(); }
TEST(SameBitsOnDevice, RobustCubicSpline) { expect_same_bits<RobustPolicy, CubicSpline, Plain>(); }
TEST(SameBitsOnDevice, RobustGaussian) { expect_same_bits<RobustPolicy, Gaussian, Plain>(); }
TEST(SameBitsOnDevice, DoubleWendland) { expect_same_bits<DoublePolicy, WendlandC2, Plain>(); }
TEST(SameBitsOnDevice, DoubleCubicSpline) { expect_same_bits<DoublePolicy, CubicSpline, Plain>(); }
TEST(SameBitsOnDevice, DoubleGaussian) { expect_same_bits<DoublePolicy, Gaussian, Plain>(); }
TEST(SameBitsOnDevice, RobustTensileAndMorris) { expect_same_bits<RobustPolicy, Gaussian, TensileAndMorris>(); }
TEST(SameBitsOnDevice, RobustBrookshaw) { expect_same_bits<RobustPolicy, WendlandC2, Brookshaw>(); }
TEST(SameBitsOnDevice, DoubleTensileAndMorris) { expect_same_bits<DoublePolicy, WendlandC2, TensileAndMorris>(); }
TEST(SameBitsOnDevice, RobustLinear) { expect_same_bits<RobustPolicy, WendlandC2, LinearAndMonaghanGingold>(); }
TEST(SameBitsOnDevice, DoubleLinear) { expect_same_bits<DoublePolicy, CubicSpline, LinearAndMonaghanGingold>(); }

}  // namespace
}  // namespace halfulp::test
