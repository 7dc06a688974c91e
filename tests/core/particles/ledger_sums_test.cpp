// The sums of the energy ledger against plain sums in quad precision.
#include <gtest/gtest.h>

#include <limits>

#include "precision/multiprecision.hpp"
#include "tests/core/particles/random_particles.hpp"

namespace halfulp::test {
namespace {

struct QuadSum {
    Quad value = 0;
    Quad terms = 0;
    void add(const Quad& term) { add(term, abs(term)); }
    // The magnitude of a term whose parts cancel is theirs.
    void add(const Quad& term, const Quad& magnitude)
    {
        value += term;
        terms += magnitude;
    }
};

// The sums are exact and each term a few operations in double: at most ten roundings of positive parts, but -g.x, where
// the parts' magnitudes count.
void expect_close(double sum, const QuadSum& exact, const char* what)
{
    const Quad u = unit_roundoff<double>;
    EXPECT_LE(abs(Quad(sum) - exact.value), 10 * u * exact.terms) << what;
    EXPECT_GT(exact.terms, 0) << what;
}

template <class Policy, int D>
void check(const std::array<std::int32_t, 3>& origin, const Physics& physics = {.artificial_viscosity = true},
           const std::array<std::int32_t, 3>& period = {})
{
    Random random(11);
    Domain domain = sample_domain(origin);
    domain.physics = physics;
    domain.period = period;
    domain.centre = {1.5, -2.25, 7};
    domain.parameters.central_stiffness = 0.003F;
    const auto buffers = random_particles<Policy, D>(500, domain, random);
    QuadSum kinetic, potential, fluid, wall, central;
    std::array<QuadSum, works.size()> work;
    std::array<QuadSum, 3> momentum;
    std::array<QuadSum, 3> angular_momentum;
    Quad fastest = 0, densest = 0;
    Quad front = -1e9;
    for (std::size_t i = 0; i < buffers.count(); ++i) {
        const Quad s = Quad(buffers.velocity[i].w) + Quad(view_of(buffers).velocity_residual_of(i).w);
        // e = integral of P/rho^2: (B/rho0) [((1+s)^6 - 1)/6 + 1/(1+s) - 1].
        const Quad ratio = 1 + s;
        // Linear: c0^2 [log(1+s) - s/(1+s)].
        const Quad e = Quad(domain.parameters.stiffness) * (physics.state_equation == StateEquation::linear
                                                                ? Quad(log(ratio) - s / ratio)
                                                                : Quad((pow(ratio, 6) - 1) / 6 + 1 / ratio - 1));
        for (std::size_t k = 0; k < works.size(); ++k) {
            if (done_in(physics, works[k].work)) work[k].add(buffers.work[k][i]);
        }
        if (buffers.kind[i] == Kind::wall) {
            if (physics.walls == Walls::dynamic) wall.add(e);
            continue;
        }
        fluid.add(e);
        Quad square = 0;
        std::array<Quad, 3> x, u;
        for (int c = 0; c < D; ++c) {
            const auto k = std::size_t(c);
            u[k] = Quad(buffers.velocity[i][c]) + Quad(view_of(buffers).velocity_residual_of(i)[c]);
            x[k] = Quad(std::int64_t(buffers.cell[i][c]) - origin[k]) + Quad(buffers.offset[i][c]) +
                   Quad(view_of(buffers).offset_residual_of(i)[c]);
            if (period[k] > 0 && x[k] < 0) x[k] += period[k];
            momentum[k].add(u[k]);
            // Along a period there is no potential: that gravity drives.
            if (period[k] == 0) potential.add(-Quad(domain.parameters.gravity[c]) * (x[k] - Quad(domain.datum[k])));
            square += u[k] * u[k];
            if (physics.central_force) {
                const Quad distance = x[k] - Quad(domain.centre[k]);
                const Quad largest = abs(x[k]) + abs(Quad(domain.centre[k]));
                const Quad half = Quad(domain.parameters.central_stiffness) / 2;
                central.add(half * distance * distance, half * largest * largest);
            }
            if (c == 0) front = std::max(front, x[k]);
        }
        for (std::size_t axis = D == 3 ? 0 : 2; axis < 3; ++axis) {
            const std::size_t a = (axis + 1) % 3;
            const std::size_t b = (axis + 2) % 3;
            angular_momentum[axis].add(x[a] * u[b]);
            angular_momentum[axis].add(-x[b] * u[a]);
        }
        kinetic.add(square / 2);
        fastest = std::max(fastest, Quad(sqrt(square)));
        densest = std::max(densest, Quad(abs(s)));
    }
    const LedgerSums sums = ledger_totals<Policy, D>(view_of(buffers), domain).sums();
    expect_close(sums.kinetic, kinetic, "kinetic");
    expect_close(sums.potential, potential, "potential");
    expect_close(sums.compressive_fluid, fluid, "compressive, fluid");
    if (physics.walls == Walls::dynamic) expect_close(sums.compressive_wall, wall, "compressive, wall");
    else EXPECT_EQ(sums.compressive_wall, 0);
    for (std::size_t k = 0; k < works.size(); ++k) {
        if (done_in(physics, works[k].work)) expect_close(sums.work[k], work[k], works[k].name);
        else EXPECT_EQ(sums.work[k], 0) << works[k].name;
    }
    if (physics.central_force) expect_close(sums.central, central, "central");
    else EXPECT_EQ(sums.central, 0);
    for (std::size_t axis = 0; axis < 3; ++axis) {
        if (D == 3 || axis == 2) expect_close(sums.angular_momentum[axis], angular_momentum[axis], "angular momentum");
        else EXPECT_EQ(sums.angular_momentum[axis], 0);
    }
    for (int c = 0; c < D; ++c) expect_close(sums.momentum[std::size_t(c)], momentum[std::size_t(c)], "momentum");
    for (std::size_t c = D; c < 3; ++c) EXPECT_EQ(sums.momentum[c], 0);
    EXPECT_DOUBLE_EQ(sums.max_speed, double(fastest));
    EXPECT_DOUBLE_EQ(sums.max_density_deviation, double(densest));
    EXPECT_DOUBLE_EQ(sums.front, double(front));

    // Bits do not depend on the order of the particles.
    const auto mixed = shuffled(buffers, random);
    const LedgerSums again = ledger_totals<Policy, D>(view_of(mixed), domain).sums();
    EXPECT_EQ(bits_of(sums.kinetic), bits_of(again.kinetic));
    EXPECT_EQ(bits_of(sums.potential), bits_of(again.potential));
    EXPECT_EQ(bits_of(sums.compressive_fluid), bits_of(again.compressive_fluid));
    for (std::size_t k = 0; k < works.size(); ++k) EXPECT_EQ(bits_of(sums.work[k]), bits_of(again.work[k]));
    EXPECT_EQ(bits_of(sums.angular_momentum[2]), bits_of(again.angular_momentum[2]));
    EXPECT_EQ(bits_of(sums.central), bits_of(again.central));
    EXPECT_EQ(bits_of(sums.momentum[0]), bits_of(again.momentum[0]));
}

TEST(LedgerSums, Robust)
{
    check<RobustPolicy, 2>({});
    check<RobustPolicy, 3>({5, -7, 1});
    check<RobustPolicy, 2>({2147483600, -2147483600, 0});
}

TEST(LedgerSums, Double)
{
    check<DoublePolicy, 2>({});
    check<DoublePolicy, 3>({-2147483600, 1'000'000'000, 2147483600});
}

// Every work, the linear equation of state, a centre of attraction and a period of 41 cells along x, which all
// particles are within once.
TEST(LedgerSums, EverythingThatIsBooked)
{
    Physics physics = everything();
    physics.state_equation = StateEquation::linear;
    check<RobustPolicy, 2>({}, physics, {41, 0, 0});
    check<RobustPolicy, 3>({5, -7, 1}, physics, {41, 0, 0});
    check<DoublePolicy, 3>({-2147483600, 1'000'000'000, 2147483600}, everything(), {0, 41, 0});
}

// Moving the origin with the particles changes no bit.
TEST(LedgerSums, SameBitsElsewhere)
{
    const std::array<std::int32_t, 3> there = {1'000'000'000, -1'000'000'000, 17};
    Random one(12), other(12);
    const Domain near = sample_domain();
    const Domain far = sample_domain(there);
    const auto here = random_particles<RobustPolicy, 3>(300, near, one);
    const auto elsewhere = random_particles<RobustPolicy, 3>(300, far, other);
    const LedgerSums a = ledger_totals<RobustPolicy, 3>(view_of(here), near).sums();
    const LedgerSums b = ledger_totals<RobustPolicy, 3>(view_of(elsewhere), far).sums();
    EXPECT_EQ(bits_of(a.potential), bits_of(b.potential));
    EXPECT_EQ(bits_of(a.kinetic), bits_of(b.kinetic));
    EXPECT_EQ(bits_of(a.front), bits_of(b.front));
}

// Walls have no kinetic energy, momentum, front or largest speed.
TEST(LedgerSums, WallsOnly)
{
    Random random(13);
    const Domain domain = sample_domain();
    auto buffers = random_particles<RobustPolicy, 2>(20, domain, random);
    buffers.kind.assign(20, Kind::wall);
    const LedgerSums sums = ledger_totals<RobustPolicy, 2>(view_of(buffers), domain).sums();
    EXPECT_EQ(sums.kinetic, 0);
    EXPECT_EQ(sums.momentum[0], 0);
    EXPECT_EQ(sums.max_density_deviation, 0);
    EXPECT_GT(sums.compressive_wall, 0);
}

}  // namespace
}  // namespace halfulp::test
