// The table of buffers: complete, each once.
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "tests/core/particles/random_particles.hpp"

namespace halfulp::test {
namespace {

template <class Policy>
void check_table()
{
    Buffers<Policy> buffers;
    buffers.resize(7);
    EXPECT_EQ(buffers.count(), 7U);
    std::set<std::string> names;
    std::set<const void*> visited;
    std::size_t visits = 0;
    std::size_t bytes = 0;
    buffers.for_each([&](const BufferInfo& info, auto& buffer) {
        names.insert(info.name);
        visited.insert(&buffer);
        EXPECT_GT(std::string(info.unit).size(), 0U) << info.name;
        EXPECT_GT(std::string(info.description).size(), 0U) << info.name;
        EXPECT_EQ(buffer.size(), 7U) << info.name << " is resized with the others";
        bytes += sizeof(buffer[0]);
        ++visits;
    });
    EXPECT_EQ(names.size(), visits) << "a name is used twice";
    EXPECT_EQ(visited.size(), visits) << "a buffer is visited twice";
    EXPECT_EQ(bytes_per_particle<Policy>(), bytes);
    // All members are vectors, so the size tells how many there are: none is missing from the table but the two
    // residuals of a policy that keeps none.
    const std::size_t members = sizeof(Buffers<Policy>) / sizeof(std::vector<double>);
    EXPECT_EQ(visits, members - (Policy::Update::has_residual ? 0 : 2));
}

TEST(Buffers, TableIsComplete)
{
    check_table<RobustPolicy>();
    check_table<DoublePolicy>();
}

// What a particle is must move with it when particles are sorted.
TEST(Buffers, StateIsMarkedAsState)
{
    Buffers<RobustPolicy> buffers;
    std::set<std::string> state;
    buffers.for_each([&](const BufferInfo& info, auto&) {
        if (info.role == Role::state) state.insert(info.name);
    });
    for (const char* name :
         {"cell", "kind", "offset", "velocity", "offset_residual", "velocity_residual", "viscous_work"})
        EXPECT_TRUE(state.contains(name)) << name;
}

// Without residuals of its own a policy's are zeros, and the state is what is stored.
TEST(Buffers, ResidualsOfAPolicyWithout)
{
    Random random(1);
    const Frame frame = sample_frame();
    const auto buffers = random_particles<DoublePolicy, 2>(3, frame, random);
    EXPECT_EQ(buffers.offset_residual_of(1).x, 0);
    EXPECT_EQ(buffers.velocity_residual_of(2).w, 0);
    EXPECT_EQ(density_of(buffers, 1), buffers.velocity[1].w);
}

// Each sixteen bytes or a multiple, so that a neighbour is loaded in two or four.
TEST(Buffers, ElementsAreAligned)
{
    static_assert(sizeof(Four<float>) == 16 && alignof(Four<float>) == 16);
    static_assert(sizeof(Four<double>) == 32 && alignof(Four<double>) == 32);
    Four<int> four{1, 2, 3, 4};
    for (int c = 0; c < 4; ++c) EXPECT_EQ(four[c], c + 1);
    four[3] = 9;
    EXPECT_EQ(four.w, 9);
}

}  // namespace
}  // namespace halfulp::test
