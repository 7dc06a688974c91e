// Buffers full of random numbers, in no order, with the domain that gives them units.
#pragma once

#include <numeric>

#include "core/particles/report.hpp"
#include "kernels/policy.hpp"
#include "tests/precision/reference.hpp"

namespace halfulp::test {

inline Domain sample_domain(const std::array<std::int32_t, 3>& origin = {})
{
    Domain domain;
    domain.units = {.length = 0.12, .velocity = 32, .density = 1000, .mass = 2.5};
    domain.parameters.stiffness = 0.14F;
    domain.parameters.gravity[0] = 0.001F;
    domain.parameters.gravity[1] = -0.0013F;
    domain.origin = origin;
    domain.datum = {0.25, -3.5, 0};
    domain.physics.artificial_viscosity = true;
    return domain;
}

// Physics that uses every buffer and books every work.
inline Physics everything()
{
    return {.artificial_viscosity = true,
            .laminar_viscosity = LaminarViscosity::morris,
            .tensile_correction = true,
            .density_diffusion = DensityDiffusion::antuono,
            .xsph = true,
            .central_force = true,
            .driven = true,
            .moving_walls = true,
            .moving_frame = true,
            .wall_forces = true,
            .walls = Walls::modified_dynamic,
            .density_filter = DensityFilter::shepard,
            .particle_shifting = true,
            .previous_state = PreviousState::step_before,
            .analyses = {.vorticity = true, .divergence = true, .condition = true, .derivatives = true},
            .integrator_error = true};
}

// Ids in random order; every number that the policy and dimension have is random, residuals below an ulp included.
template <class Policy, int D>
Buffers<Policy> random_particles(std::size_t count, const Domain& domain, Random& random)
{
    using Real = typename Policy::Real;
    const auto number = [&](double low, double high) { return static_cast<Real>(random.uniform(low, high)); };
    Buffers<Policy> buffers(domain.physics);
    buffers.resize(count);
    std::vector<std::int32_t> ids(count);
    std::iota(ids.begin(), ids.end(), 0);
    for (std::size_t k = count; k-- > 1;) std::swap(ids[k], ids[random.bits() % (k + 1)]);
    for (std::size_t i = 0; i < count; ++i) {
        buffers.cell[i].w = ids[i];
        buffers.kind[i] = random.integer(0, 2) == 0 ? Kind::wall : Kind::fluid;
        for (int c = 0; c < D; ++c) {
            buffers.cell[i][c] = domain.origin[std::size_t(c)] + random.integer(-20, 20);
            buffers.offset[i][c] = number(-0.6, 0.6);
            buffers.velocity[i][c] = number(-0.1, 0.1);
            if constexpr (Policy::Update::has_residual) {
                buffers.offset_residual[i][c] = number(-2e-8, 2e-8);
                buffers.velocity_residual[i][c] = number(-3e-9, 3e-9);
            }
        }
        buffers.velocity[i].w = number(-0.03, 0.04);
        if constexpr (Policy::Update::has_residual) buffers.velocity_residual[i].w = number(-1e-9, 1e-9);
        for (const WorkInfo& info : works) {
            if (done_in(domain.physics, info.work)) buffers.work_of(info.work)[i] = random.uniform(-1e-3, 0);
        }
    }
    return buffers;
}

// The same particles in another order.
template <class Policy>
Buffers<Policy> shuffled(Buffers<Policy> buffers, Random& random)
{
    std::vector<std::size_t> order(buffers.count());
    std::iota(order.begin(), order.end(), std::size_t{0});
    for (std::size_t k = order.size(); k-- > 1;) std::swap(order[k], order[random.bits() % (k + 1)]);
    buffers.for_each([&](const FieldInfo&, auto& buffer) {
        const auto old = buffer;
        for (std::size_t i = 0; i < order.size(); ++i) buffer[i] = old[order[i]];
    });
    return buffers;
}

}  // namespace halfulp::test
