// The table of buffers: complete, each once.
#include <gtest/gtest.h>

#include <cstring>
#include <set>
#include <string>

#include "tests/core/particles/random_particles.hpp"

namespace halfulp::test {
namespace {

template <class Policy>
void check_table(const Physics& physics)
{
    Buffers<Policy> buffers(physics);
    buffers.resize(7);
    EXPECT_EQ(buffers.count(), 7U);
    std::set<std::string> names;
    std::set<const void*> visited;
    std::size_t visits = 0;
    std::size_t bytes = 0;
    buffers.for_each([&](const FieldInfo& info, auto& buffer) {
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
    EXPECT_EQ(bytes_per_particle<Policy>(physics), bytes);
    if (physics != everything()) return;
    // All members but the physics are vectors, so the size tells how many there are: none is missing from the table but
    // the residuals of a policy that keeps none, the coordinates of one without positions in double, and the previous
    // position, which no integrator keeps beside the works.
    constexpr std::size_t vector = sizeof(std::vector<double>);
    constexpr std::size_t alignment = alignof(std::vector<double>);
    const std::size_t members =
        (sizeof(Buffers<Policy>) - (sizeof(Physics) + alignment - 1) / alignment * alignment) / vector;
    const std::size_t of_no_physics = (Policy::Update::has_residual ? 0 : 3) + (Policy::Position::in_double ? 0 : 1);
    EXPECT_EQ(visits, members - 3 - of_no_physics);
}

TEST(Buffers, TableIsComplete)
{
    check_table<RobustPolicy>(everything());
    check_table<DoublePolicy>(everything());
    check_table<RobustPolicy>({});
    check_table<DoublePolicy>({});
}

// A buffer is there exactly where the physics uses it: each choice adds its own to those of pressure and gravity alone.
TEST(Buffers, ThePhysicsDecidesWhichAreUsed)
{
    const auto added = [](const Physics& physics) {
        std::set<std::string> names;
        Buffers<RobustPolicy> chosen(physics);
        chosen.for_each([&](const FieldInfo& info, auto&) { names.insert(info.name); });
        Buffers<RobustPolicy> plain;
        plain.for_each([&](const FieldInfo& info, auto&) { EXPECT_EQ(names.erase(info.name), 1U) << info.name; });
        return names;
    };
    using Names = std::set<std::string>;
    EXPECT_EQ(added({}), Names{});
    EXPECT_EQ(added({.artificial_viscosity = true}), (Names{"artificial_rate", "viscous_work"}));
    EXPECT_EQ(added({.laminar_viscosity = LaminarViscosity::monaghan_gingold}),
              (Names{"laminar_rate", "laminar_work"}));
    EXPECT_EQ(added({.tensile_correction = true}), (Names{"tensile_rate", "tensile_work"}));
    EXPECT_EQ(added({.density_diffusion = DensityDiffusion::fourtakas}), (Names{"diffusion_rate", "diffusion_work"}));
    EXPECT_EQ(added({.density_diffusion = DensityDiffusion::balanced}),
              (Names{"diffusion_rate", "diffusion_work", "density_gradient"}));
    EXPECT_EQ(added({.density_diffusion = DensityDiffusion::antuono}),
              (Names{"diffusion_rate", "diffusion_work", "density_gradient"}));
    EXPECT_EQ(added({.xsph = true}), (Names{"xsph_velocity", "smoothing_work"}));
    EXPECT_EQ(added({.driven = true}), Names{"driving_work"});
    EXPECT_EQ(added({.previous_state = PreviousState::step_before}),
              (Names{"previous_velocity", "previous_velocity_residual"}));
    EXPECT_EQ(added({.driven = true, .previous_state = PreviousState::step_before}),
              (Names{"previous_velocity", "previous_velocity_residual", "driving_work", "previous_driving_work"}));
    EXPECT_EQ(
        added({.previous_state = PreviousState::start_of_step}),
        (Names{"previous_offset", "previous_offset_residual", "previous_velocity", "previous_velocity_residual"}));
    EXPECT_EQ(added({.integrator_error = true}), (Names{"integrator_error"}));
    EXPECT_EQ(added({.moving_walls = true}), (Names{"anchor", "wall_work"}));
    EXPECT_EQ(added({.moving_frame = true}), (Names{"inertial_rate", "inertial_work"}));
    EXPECT_EQ(added({.walls = Walls::extrapolated}), (Names{"wall_extrapolation", "wall_pressure_work"}));
    EXPECT_EQ(added({.walls = Walls::modified_dynamic}),
              (Names{"mirror_image", "wall_extrapolation", "wall_pressure_work"}));
    for (const Walls walls : {Walls::extrapolated, Walls::modified_dynamic}) {
        const Physics diffusive{.density_diffusion = DensityDiffusion::fourtakas, .walls = walls};
        EXPECT_TRUE(added(diffusive).contains("contact_pressure"));
    }
    EXPECT_EQ(added({.density_filter = DensityFilter::moving_least_squares}),
              (Names{"filter_work", "filtered_density"}));
    EXPECT_EQ(added({.particle_shifting = true}), (Names{"shifting", "shifting_work"}));
    EXPECT_EQ(added({.analyses = {.vorticity = true}}), Names{"vorticity"});
    EXPECT_EQ(added({.analyses = {.divergence = true, .condition = true}}), (Names{"divergence", "condition"}));
    EXPECT_EQ(added({.analyses = {.derivatives = true}}), (Names{"analysed", "gradient", "laplacian"}));
    EXPECT_EQ(added({.wall_slip = WallSlip::free_slip}), Names{});
    EXPECT_EQ(added({.state_equation = StateEquation::linear,
                     .formulation = Formulation::volume_weighted,
                     .central_force = true}),
              Names{});
}

// What outputs are made of is copied into buffers that know nothing of the physics; walls that move have a buffer more.
TEST(Buffers, ShownOnesAreCopiedWhateverThePhysics)
{
    Random random(5);
    Domain domain = sample_domain();
    domain.physics = everything();
    domain.physics.analyses = {};
    const auto from = random_particles<RobustPolicy, 3>(9, domain, random);
    Buffers<RobustPolicy> to;
    copy_buffers(to.used(), from.contents(), is_shown,
                 [](void* there, const void* here, std::size_t bytes) { std::memcpy(there, here, bytes); });
    std::size_t shown = 0;
    to.for_each([&](const FieldInfo& info, auto& buffer) {
        EXPECT_EQ(buffer.size(), info.role == Role::shown ? 9U : 0U) << info.name;
        shown += info.role == Role::shown ? 1 : 0;
    });
    EXPECT_EQ(shown, 6U);
    for (std::size_t i = 0; i < 9; ++i) {
        EXPECT_EQ(to.cell[i].w, from.cell[i].w);
        EXPECT_EQ(to.offset[i].x, from.offset[i].x);
        EXPECT_EQ(to.velocity[i].w, from.velocity[i].w);
        EXPECT_EQ(to.velocity_residual[i].y, from.velocity_residual[i].y);
    }
}

// What a particle is must move with it when particles are sorted.
TEST(Buffers, StateIsMarkedAsState)
{
    Buffers<RobustPolicy> buffers(everything());
    std::set<std::string> state;
    buffers.for_each([&](const FieldInfo& info, auto&) {
        if (is_sorted(info)) state.insert(info.name);
    });
    for (const char* name :
         {"cell", "kind", "offset", "velocity", "offset_residual", "velocity_residual", "xsph_velocity", "shifting"})
        EXPECT_TRUE(state.contains(name)) << name;
    for (const WorkInfo& info : works) EXPECT_TRUE(state.contains(info.name)) << info.name;
    // Found with the forces, used after the next sort.
    Buffers<RobustPolicy> balanced(Physics{.density_diffusion = DensityDiffusion::balanced});
    balanced.for_each([](const FieldInfo& info, auto&) {
        if (std::string(info.name) == "density_gradient") {
            EXPECT_EQ(info.role, Role::state);
        }
    });
}

// Without residuals of its own a policy's are zeros, and the state is what is stored.
TEST(Buffers, ResidualsOfAPolicyWithout)
{
    Random random(1);
    const Domain domain = sample_domain();
    const auto buffers = random_particles<DoublePolicy, 2>(3, domain, random);
    EXPECT_EQ(view_of(buffers).offset_residual_of(1).x, 0);
    EXPECT_EQ(view_of(buffers).velocity_residual_of(2).w, 0);
    EXPECT_EQ(density_of(view_of(buffers), domain, 1), buffers.velocity[1].w);
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
