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
    void add(const Quad& term)
    {
        value += term;
        terms += abs(term);
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
void check(const std::array<std::int32_t, 3>& origin)
{
    Random random(11);
    const Frame frame = sample_frame(origin);
    const auto buffers = random_particles<Policy, D>(500, frame, random);
    QuadSum kinetic, potential, fluid, wall, work;
    std::array<QuadSum, 3> momentum;
    Quad fastest = 0, densest = 0;
    Quad front = -1e9;
    for (std::size_t i = 0; i < buffers.count(); ++i) {
        const Quad s = Quad(buffers.velocity[i].w) + Quad(buffers.velocity_residual_of(i).w);
        // e = integral of P/rho^2: (B/rho0) [((1+s)^6 - 1)/6 + 1/(1+s) - 1].
        const Quad ratio = 1 + s;
        const Quad e = Quad(frame.parameters.stiffness) * ((pow(ratio, 6) - 1) / 6 + 1 / ratio - 1);
        if (buffers.kind[i] == Kind::wall) {
            wall.add(e);
            continue;
        }
        fluid.add(e);
        Quad square = 0;
        for (int c = 0; c < D; ++c) {
            const auto k = std::size_t(c);
            const Quad u = Quad(buffers.velocity[i][c]) + Quad(buffers.velocity_residual_of(i)[c]);
            const Quad x = Quad(std::int64_t(buffers.cell[i][c]) - origin[k]) + Quad(buffers.offset[i][c]) +
                           Quad(buffers.offset_residual_of(i)[c]);
            momentum[k].add(u);
            potential.add(-Quad(frame.parameters.gravity[c]) * (x - Quad(frame.datum[k])));
            square += u * u;
            if (c == 0) front = std::max(front, x);
        }
        kinetic.add(square / 2);
        fastest = std::max(fastest, Quad(sqrt(square)));
        densest = std::max(densest, Quad(abs(s)));
        work.add(buffers.viscous_work[i]);
    }
    const LedgerSums sums = ledger_sums<Policy, D>(buffers, frame);
    expect_close(sums.kinetic, kinetic, "kinetic");
    expect_close(sums.potential, potential, "potential");
    expect_close(sums.compressive_fluid, fluid, "compressive, fluid");
    expect_close(sums.compressive_wall, wall, "compressive, wall");
    expect_close(sums.viscous_work, work, "viscous work");
    for (int c = 0; c < D; ++c) expect_close(sums.momentum[std::size_t(c)], momentum[std::size_t(c)], "momentum");
    for (std::size_t c = D; c < 3; ++c) EXPECT_EQ(sums.momentum[c], 0);
    EXPECT_DOUBLE_EQ(sums.max_speed, double(fastest));
    EXPECT_DOUBLE_EQ(sums.max_density_deviation, double(densest));
    EXPECT_DOUBLE_EQ(sums.front, double(front));

    // Bits do not depend on the order of the particles.
    const LedgerSums again = ledger_sums<Policy, D>(shuffled(buffers, random), frame);
    EXPECT_EQ(bits_of(sums.kinetic), bits_of(again.kinetic));
    EXPECT_EQ(bits_of(sums.potential), bits_of(again.potential));
    EXPECT_EQ(bits_of(sums.compressive_fluid), bits_of(again.compressive_fluid));
    EXPECT_EQ(bits_of(sums.viscous_work), bits_of(again.viscous_work));
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

// Moving the origin with the particles changes no bit.
TEST(LedgerSums, SameBitsElsewhere)
{
    const std::array<std::int32_t, 3> there = {1'000'000'000, -1'000'000'000, 17};
    Random one(12), other(12);
    const Frame near = sample_frame();
    const Frame far = sample_frame(there);
    const LedgerSums a = ledger_sums<RobustPolicy, 3>(random_particles<RobustPolicy, 3>(300, near, one), near);
    const LedgerSums b = ledger_sums<RobustPolicy, 3>(random_particles<RobustPolicy, 3>(300, far, other), far);
    EXPECT_EQ(bits_of(a.potential), bits_of(b.potential));
    EXPECT_EQ(bits_of(a.kinetic), bits_of(b.kinetic));
    EXPECT_EQ(bits_of(a.front), bits_of(b.front));
}

// Walls have no kinetic energy, momentum, front or largest speed.
TEST(LedgerSums, WallsOnly)
{
    Random random(13);
    const Frame frame = sample_frame();
    auto buffers = random_particles<RobustPolicy, 2>(20, frame, random);
    buffers.kind.assign(20, Kind::wall);
    const LedgerSums sums = ledger_sums<RobustPolicy, 2>(buffers, frame);
    EXPECT_EQ(sums.kinetic, 0);
    EXPECT_EQ(sums.momentum[0], 0);
    EXPECT_EQ(sums.max_density_deviation, 0);
    EXPECT_GT(sums.compressive_wall, 0);
}

}  // namespace
}  // namespace halfulp::test
