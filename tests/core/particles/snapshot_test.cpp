// Snapshots: columns hold the state, in the order of ids; the hash sees every bit of the state and nothing else.
#include <gtest/gtest.h>

#include <cstring>
#include <string>

#include "core/results/state_hash.hpp"
#include "precision/multiprecision.hpp"
#include "tests/core/particles/random_particles.hpp"

namespace halfulp::test {
namespace {

template <class T>
std::vector<T> values(const Snapshot& snapshot, const std::string& name)
{
    for (const Column& column : snapshot.columns) {
        if (column.name != name) continue;
        std::vector<T> result(snapshot.count * std::size_t(column.components));
        if (result.size() * sizeof(T) != column.data.size()) break;
        std::memcpy(result.data(), column.data.data(), column.data.size());
        return result;
    }
    ADD_FAILURE() << "no column " << name << " of the right size";
    return std::vector<T>(3 * snapshot.count);
}

template <class Policy, int D>
void check_columns(const std::array<std::int32_t, 3>& origin)
{
    using Real = typename Policy::Real;
    Random random(21);
    const Domain domain = sample_domain(origin);
    const auto buffers = random_particles<Policy, D>(100, domain, random);
    const Snapshot snapshot = take_snapshot<Policy, D>(view_of(buffers), domain);
    ASSERT_EQ(snapshot.count, 100U);
    const auto position = values<double>(snapshot, "position");
    const auto velocity = values<Real>(snapshot, "velocity");
    const auto density = values<Real>(snapshot, "density_deviation");
    const auto pressure = values<Real>(snapshot, "pressure");
    const auto kind = values<std::uint8_t>(snapshot, "kind");
    const auto cell = values<std::int32_t>(snapshot, "cell");
    const auto offset = values<Real>(snapshot, "offset");
    const Quad unit_pressure = Quad(domain.units.density) * domain.units.velocity * domain.units.velocity;
    for (std::size_t i = 0; i < 100; ++i) {
        const auto id = static_cast<std::size_t>(buffers.cell[i].w);
        EXPECT_EQ(kind[id], buffers.kind[i] == Kind::wall ? 1 : 0);
        EXPECT_EQ(bits_of(density[id]), bits_of(buffers.velocity[i].w));
        for (int c = 0; c < D; ++c) {
            const std::size_t at = 3 * id + std::size_t(c);
            EXPECT_EQ(cell[at], buffers.cell[i][c]);
            EXPECT_EQ(bits_of(offset[at]), bits_of(buffers.offset[i][c]));
            // The unit of velocity is a power of two, so the column loses nothing.
            EXPECT_EQ(bits_of(Real(velocity[at] / Real(32))), bits_of(buffers.velocity[i][c]));
            // Global positions, three roundings in double.
            const Quad x = (Quad(buffers.cell[i][c]) + Quad(buffers.offset[i][c]) +
                            Quad(view_of(buffers).offset_residual_of(i)[c])) *
                           Quad(domain.units.length);
            EXPECT_LE(abs(Quad(position[at]) - x), Quad(unit_roundoff<double>) * (3 * abs(x) + 1)) << id;
        }
        // P = B ((1+s)^7 - 1), evaluated in the policy's type; about 12 roundings, none of which cancels.
        const Quad p =
            unit_pressure * Quad(domain.parameters.stiffness) * (pow(1 + Quad(buffers.velocity[i].w), 7) - 1);
        EXPECT_LE(abs(Quad(pressure[id]) - p), 20 * Quad(unit_roundoff<Real>) * abs(p)) << id;
    }
    if constexpr (Policy::Update::has_residual) {
        const auto offset_residual = values<Real>(snapshot, "offset_residual");
        const auto velocity_residual = values<Real>(snapshot, "velocity_residual");
        const auto density_residual = values<Real>(snapshot, "density_residual");
        for (std::size_t i = 0; i < 100; ++i) {
            const auto id = static_cast<std::size_t>(buffers.cell[i].w);
            EXPECT_EQ(bits_of(density_residual[id]), bits_of(buffers.velocity_residual[i].w));
            for (int c = 0; c < D; ++c) {
                const std::size_t at = 3 * id + std::size_t(c);
                EXPECT_EQ(bits_of(offset_residual[at]), bits_of(buffers.offset_residual[i][c]));
                EXPECT_EQ(bits_of(Real(velocity_residual[at] / Real(32))), bits_of(buffers.velocity_residual[i][c]));
            }
        }
    }
}

TEST(Snapshot, ColumnsHoldTheState)
{
    check_columns<RobustPolicy, 2>({});
    check_columns<RobustPolicy, 3>({1'000'000'000, -1'000'000'000, 5});
    check_columns<DoublePolicy, 2>({-4, 2147483600, 0});
    check_columns<DoublePolicy, 3>({});
}

template <class Policy, int D>
StateHash hash_of(const Buffers<Policy>& buffers, const Domain& domain)
{
    return take_snapshot<Policy, D>(view_of(buffers), domain).hash;
}

// Whatever the ids: what parts of the particles have, wherever they are, adds up to the whole's.
TEST(Snapshot, HashesOfPartsAddUp)
{
    Random random(24);
    const Domain domain = sample_domain();
    auto first = random_particles<RobustPolicy, 3>(200, domain, random);
    for (auto& cell : first.cell) cell.w = cell.w * 10'000'000 + 5;
    const StateHash all = hash_of<RobustPolicy, 3>(first, domain);
    auto second = first;
    first.resize(70);
    second.for_each([](const FieldInfo&, auto& buffer) { buffer.erase(buffer.begin(), buffer.begin() + 70); });
    StateHash sum = hash_of<RobustPolicy, 3>(first, domain);
    halfulp::add(sum, hash_of<RobustPolicy, 3>(second, domain));
    EXPECT_EQ(sum, all);
}

TEST(Snapshot, HashIgnoresOrderAndOrigin)
{
    Random random(22);
    const Domain near = sample_domain();
    auto buffers = random_particles<RobustPolicy, 3>(200, near, random);
    const StateHash hash = hash_of<RobustPolicy, 3>(buffers, near);
    EXPECT_EQ(hash, (hash_of<RobustPolicy, 3>(shuffled(buffers, random), near)));

    const std::array<std::int32_t, 3> there = {2147483600, -2147483600, -1};
    for (auto& cell : buffers.cell)
        for (int c = 0; c < 3; ++c) cell[c] += there[std::size_t(c)];
    EXPECT_EQ(hash, (hash_of<RobustPolicy, 3>(buffers, sample_domain(there))));
    EXPECT_NE(hash, (hash_of<RobustPolicy, 3>(buffers, near))) << "moved against the origin is another state";
}

// Derived numbers are not part of the state.
TEST(Snapshot, HashIgnoresWhatIsDerived)
{
    Random random(23);
    const Domain domain = sample_domain();
    auto buffers = random_particles<RobustPolicy, 2>(50, domain, random);
    const StateHash hash = hash_of<RobustPolicy, 2>(buffers, domain);
    buffers.rate[3].x = 1;
    buffers.artificial_rate[3].y = 1;
    buffers.offset[3].w = 1;
    buffers.reference[3].x = 1;
    EXPECT_EQ(hash, (hash_of<RobustPolicy, 2>(buffers, domain)));
}

template <class T>
void flip(T& value, unsigned bit)
{
    auto bits = bits_of(value);
    bits ^= decltype(bits){1} << bit;
    value = std::bit_cast<T>(bits);
}

// Every bit of every component of one particle's state, flipped alone.
template <class Policy, int D>
void check_flips()
{
    using Real = typename Policy::Real;
    Random random(24);
    const Domain domain = sample_domain();
    const auto original = random_particles<Policy, D>(20, domain, random);
    const StateHash hash = hash_of<Policy, D>(original, domain);
    constexpr std::size_t i = 13;
    auto buffers = original;
    const auto check = [&](auto& value, const char* what, int component) {
        const auto kept = value;
        for (unsigned bit = 0; bit < 8 * sizeof(value); ++bit) {
            flip(value, bit);
            const StateHash other = hash_of<Policy, D>(buffers, domain);
            EXPECT_NE(hash.words[0], other.words[0]) << what << component << ", bit " << bit;
            EXPECT_NE(hash.words[1], other.words[1]) << what << component << ", bit " << bit;
            value = kept;
        }
    };
    for (int c = 0; c < D; ++c) {
        check(buffers.offset[i][c], "offset ", c);
        check(buffers.velocity[i][c], "velocity ", c);
        if constexpr (Policy::Update::has_residual) {
            check(buffers.offset_residual[i][c], "offset residual ", c);
            check(buffers.velocity_residual[i][c], "velocity residual ", c);
        }
        for (const std::int32_t step : {1, -1, 1 << 20}) {
            buffers.cell[i][c] += step;
            EXPECT_NE(hash, (hash_of<Policy, D>(buffers, domain))) << "cell " << c;
            buffers.cell[i][c] -= step;
        }
    }
    check(buffers.velocity[i].w, "density ", 0);
    if constexpr (Policy::Update::has_residual) check(buffers.velocity_residual[i].w, "density residual ", 0);
    buffers.kind[i] = buffers.kind[i] == Kind::wall ? Kind::fluid : Kind::wall;
    EXPECT_NE(hash, (hash_of<Policy, D>(buffers, domain))) << "kind";
    buffers.kind[i] = original.kind[i];
    EXPECT_EQ(hash, (hash_of<Policy, D>(buffers, domain))) << "all is as it was";
    // Two particles that change places are another state; minus zero is another state than zero.
    std::swap(buffers.cell[3].w, buffers.cell[4].w);
    EXPECT_NE(hash, (hash_of<Policy, D>(buffers, domain))) << "ids exchanged";
    buffers = original;
    buffers.velocity[i][0] = 0;
    const StateHash zero = hash_of<Policy, D>(buffers, domain);
    buffers.velocity[i][0] = -Real(0);
    EXPECT_NE(zero, (hash_of<Policy, D>(buffers, domain)));
}

TEST(Snapshot, HashSeesEveryBit)
{
    check_flips<RobustPolicy, 2>();
    check_flips<RobustPolicy, 3>();
    check_flips<DoublePolicy, 2>();
    check_flips<DoublePolicy, 3>();
}

}  // namespace
}  // namespace halfulp::test
