// The sums of probes against plain sums in quad precision over all particles.
#include <gtest/gtest.h>
#include <omp.h>

#include <limits>

#include "precision/multiprecision.hpp"
#include "tests/core/particles/random_particles.hpp"
#include "tests/core/particles/rounded_sums.hpp"

namespace halfulp::test {
namespace {

using Measure = Probe::Measure;

Domain domain_with(SmoothingKernel kernel, const std::array<std::int32_t, 3>& origin,
                   const std::array<std::int32_t, 3>& period)
{
    Domain domain = sample_domain(origin);
    domain.parameters.smoothing_length = 0.91F;
    domain.kernel = kernel;
    domain.period = period;
    domain.physics.wall_forces = true;
    return domain;
}

// Within a few cells around the origin, with rates.
template <class Policy, int D>
Buffers<Policy> crowded_particles(const Domain& domain, Random& random)
{
    auto buffers = random_particles<Policy, D>(600, domain, random);
    for (std::size_t i = 0; i < buffers.count(); ++i) {
        buffers.body[i] = random.integer(0, 2);
        for (int c = 0; c < D; ++c) {
            const auto axis = std::size_t(c);
            const bool periodic = domain.period[axis] > 0;
            buffers.cell[i][c] = domain.origin[axis] + random.integer(periodic ? 0 : -3, periodic ? 5 : 3);
            buffers.rate[i][c] = static_cast<typename Policy::Real>(random.uniform(-0.02, 0.02));
        }
    }
    return buffers;
}

std::vector<ProbePlace> places_in(const Domain& domain)
{
    constexpr double infinite = std::numeric_limits<double>::infinity();
    std::vector<ProbePlace> places;
    for (const Measure measures :
         {Measure::pressure, Measure::velocity, Measure::level, Measure::force, Measure::flow, Measure::flow}) {
        ProbePlace place;
        place.measures = measures;
        for (std::size_t c = 0; c < 3; ++c) place.at.cell[c] = domain.origin[c] + (c == 0 ? 1 : 0);
        place.at.offset = {0.25F, -0.375F, 0.125F};
        place.normal = {0.6, 0.8, 0};
        place.axis = 1;
        place.body = 1;
        place.low = {-infinite, -infinite, -infinite};
        place.high = {infinite, infinite, infinite};
        places.push_back(place);
    }
    places.back().low = {-1.5, -1, -2};
    places.back().high = {4, 1.25, 0.5};
    return places;
}

struct Brute {
    std::array<Quad, ProbeSum::count> sums{};
    std::array<Quad, ProbeSum::count> sizes{};  // of the terms, their weights taken as 1
    void add(int sum, const Quad& term, const Quad& size)
    {
        sums[std::size_t(sum)] += term;
        sizes[std::size_t(sum)] += abs(size);
    }
};

Quad nearest_image(Quad x, std::int32_t period)
{
    if (period == 0) return x;
    while (x < -Quad(period) / 2) x += period;
    while (x >= Quad(period) / 2) x -= period;
    return x;
}

template <class Policy, int D>
Brute brute_force(const Buffers<Policy>& buffers, const Domain& domain, const ProbePlace& place)
{
    const Quad h(domain.parameters.smoothing_length);
    const Quad side(domain.units.length);
    Quad volume = Quad(domain.units.mass) / Quad(domain.units.density);
    for (int c = 0; c < D; ++c) volume /= side;
    const auto weight = [&](int dimensions, const Quad& distance) {
        return with_kernel(domain.kernel, [&](auto kernel) {
            Quad scale(kernel.normalisation(dimensions));
            for (int c = 0; c < dimensions; ++c) scale /= h;
            return std::pair<Quad, Quad>{scale * kernel.shape(Quad(distance / h)), scale};
        });
    };
    Brute brute;
    for (std::size_t i = 0; i < buffers.count(); ++i) {
        const auto view = view_of(buffers);
        std::array<Quad, 3> r{}, u{}, a{};
        bool inside = true;
        Quad across = 0, through = 0, flat = 0, full = 0;
        for (int c = 0; c < D; ++c) {
            const auto k = std::size_t(c);
            r[k] =
                nearest_image(Quad(std::int64_t(buffers.cell[i][c]) - place.at.cell[k]) + Quad(buffers.offset[i][c]) +
                                  Quad(view.offset_residual_of(i)[c]) - Quad(place.at.offset[k]),
                              domain.period[k]);
            u[k] = Quad(buffers.velocity[i][c]) + Quad(view.velocity_residual_of(i)[c]);
            a[k] = Quad(buffers.rate[i][c]);
            across += r[k] * Quad(place.normal[k]);
            through += u[k] * Quad(place.normal[k]);
            full += r[k] * r[k];
            if (c != place.axis) flat += r[k] * r[k];
        }
        for (int c = 0; c < D; ++c) {  // of a flow the place on the plane counts
            const auto k = std::size_t(c);
            const Quad at = place.measures == Measure::flow ? Quad(r[k] - across * Quad(place.normal[k])) : r[k];
            bool somewhere = false;  // this or another image
            for (int image = -1; image <= 1; ++image) {
                const Quad x = at + image * Quad(domain.period[k]);
                somewhere = somewhere || (x >= place.low[k] && x < place.high[k]);
            }
            inside = inside && somewhere;
        }
        const Quad s = Quad(buffers.velocity[i].w) + Quad(view.velocity_residual_of(i).w);
        const Quad v = volume / (1 + s);
        const Quad pressure = Quad(domain.parameters.stiffness) * (pow(Quad(1 + s), 7) - 1);
        const bool fluid = buffers.kind[i] == Kind::fluid;
        switch (place.measures) {
        case Measure::pressure: {
            const auto [w, scale] = weight(D, sqrt(full));
            brute.add(fluid ? ProbeSum::pressure_fluid : ProbeSum::pressure_wall, pressure * v * w,
                      pressure * v * scale);
            brute.add(fluid ? ProbeSum::weight_fluid : ProbeSum::weight_wall, v * w, v * scale);
            break;
        }
        case Measure::velocity: {
            if (!fluid) break;
            const auto [w, scale] = weight(D, sqrt(full));
            for (int c = 0; c < D; ++c)
                brute.add(ProbeSum::velocity + c, u[std::size_t(c)] * v * w, u[std::size_t(c)] * v * scale);
            brute.add(ProbeSum::weight, v * w, v * scale);
            break;
        }
        case Measure::level: {
            const auto [w, scale] = weight(D - 1, sqrt(flat));
            if (fluid && inside) brute.add(ProbeSum::level, v * w, v * scale);
            break;
        }
        case Measure::force:
            if (buffers.body[i] != place.body) break;
            for (int c = 0; c < D; ++c) brute.add(ProbeSum::force + c, a[std::size_t(c)], a[std::size_t(c)]);
            for (int axis = D == 3 ? 0 : 2; axis < 3; ++axis) {
                const auto b = std::size_t((axis + 1) % 3);
                const auto c = std::size_t((axis + 2) % 3);
                brute.add(ProbeSum::moment + axis, r[b] * a[c] - r[c] * a[b], abs(r[b] * a[c]) + abs(r[c] * a[b]));
            }
            break;
        case Measure::flow: {
            const auto [w, scale] = weight(1, abs(across));
            if (fluid && inside) brute.add(ProbeSum::flow, v * through * w, v * scale);
            break;
        }
        }
    }
    return brute;
}

// The sums are exact; each term is some thirty roundings, two of them in the position, which the weight's slope, at
// most 3 a smoothing length, turns into parts of the weight at the centre. Normals are of length 1 and |u| below 1.
template <class Policy, int D>
void check(SmoothingKernel kernel, const std::array<std::int32_t, 3>& origin = {},
           const std::array<std::int32_t, 3>& period = {})
{
    Random random(21);
    const Domain domain = domain_with(kernel, origin, period);
    const auto buffers = crowded_particles<Policy, D>(domain, random);
    const auto places = places_in(domain);
    const auto sums = rounded_sums<Policy, D>(view_of(buffers), domain, places);
    ASSERT_EQ(sums.size(), places.size());
    for (std::size_t k = 0; k < places.size(); ++k) {
        const Brute brute = brute_force<Policy, D>(buffers, domain, places[k]);
        for (std::size_t sum = 0; sum < ProbeSum::count; ++sum) {
            EXPECT_LE(abs(Quad(sums[k][sum]) - brute.sums[sum]), 40 * unit_roundoff<double> * brute.sizes[sum])
                << "place " << k << ", sum " << sum;
        }
        EXPECT_NE(sums[k][0], 0) << "place " << k;
    }

    // Neither the order of the particles nor the number of threads changes a bit.
    const auto mixed = shuffled(buffers, random);
    const int threads = omp_get_max_threads();
    for (const int some : {1, 3}) {
        omp_set_num_threads(some);
        EXPECT_EQ((rounded_sums<Policy, D>(view_of(mixed), domain, places)), sums) << some << " threads";
    }
    omp_set_num_threads(threads);
}

TEST(ProbeSums, Robust)
{
    for (const auto kernel : {SmoothingKernel::wendland_c2, SmoothingKernel::cubic_spline, SmoothingKernel::gaussian}) {
        check<RobustPolicy, 2>(kernel);
        check<RobustPolicy, 3>(kernel, {5, -7, 1});
    }
}

TEST(ProbeSums, Double) { check<DoublePolicy, 3>(SmoothingKernel::cubic_spline, {-2147483600, 1'000'000'000, 40}); }

TEST(ProbeSums, Periods)
{
    check<RobustPolicy, 2>(SmoothingKernel::wendland_c2, {3, 4, 0}, {6, 0, 0});
    check<RobustPolicy, 3>(SmoothingKernel::gaussian, {}, {6, 6, 6});
}

// Moving the origin with particles and probes changes no bit.
TEST(ProbeSums, SameBitsElsewhere)
{
    const std::array<std::int32_t, 3> there = {1'000'000'000, -1'000'000'000, 17};
    Random one(22), other(22);
    const Domain near = domain_with(SmoothingKernel::wendland_c2, {}, {});
    const Domain far = domain_with(SmoothingKernel::wendland_c2, there, {});
    const auto here = crowded_particles<RobustPolicy, 3>(near, one);
    const auto elsewhere = crowded_particles<RobustPolicy, 3>(far, other);
    EXPECT_EQ((rounded_sums<RobustPolicy, 3>(view_of(here), near, places_in(near))),
              (rounded_sums<RobustPolicy, 3>(view_of(elsewhere), far, places_in(far))));
}

// A mean over nothing is 0, and so is everything else.
TEST(ProbeSums, OfNothingNear)
{
    Random random(23);
    const Domain domain = domain_with(SmoothingKernel::wendland_c2, {}, {});
    const auto buffers = crowded_particles<RobustPolicy, 2>(domain, random);
    for (ProbePlace place : places_in(domain)) {
        place.at.cell[0] += 100;
        place.body = 3;
        place.normal = {1, 0, 0};
        const auto sums = rounded_sums<RobustPolicy, 2>(view_of(buffers), domain, {place});
        EXPECT_EQ(sums[0], ProbeSums{});
        for (const double value : probe_values(place, sums[0], domain.units, 2)) EXPECT_EQ(value, 0);
    }
}

}  // namespace
}  // namespace halfulp::test
