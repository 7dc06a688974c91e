// Reading particles on the host: where they are, how fast, in double precision, whatever the policy.
#pragma once

#include <array>
#include <cstdint>

#include "core/particles/buffers.hpp"
#include "core/setup/units.hpp"
#include "kernels/parameters.hpp"
#include "kernels/vector.hpp"

namespace halfulp {

// What turns buffers in the units of the state into physical quantities.
struct Frame {
    Units units;
    Parameters<3, float> parameters{};
    std::array<std::int32_t, 3> origin{};  // the case's
    std::array<double, 3> datum{};         // of the potential energy, cell sides relative to the origin
};

// x relative to the case's origin, in cell sides, residual included.
template <class Policy, int D>
Vec<D, double> position_of(const Buffers<Policy>& buffers, const Frame& frame, std::size_t i)
{
    const auto residual = buffers.offset_residual_of(i);
    Vec<D, double> x;
    for (int c = 0; c < D; ++c) {
        const auto cells =
            static_cast<double>(std::int64_t(buffers.cell[i][c]) - frame.origin[static_cast<std::size_t>(c)]);
        x[c] = cells + (static_cast<double>(buffers.offset[i][c]) + static_cast<double>(residual[c]));
    }
    return x;
}

// In velocity units, residual included.
template <class Policy, int D>
Vec<D, double> velocity_of(const Buffers<Policy>& buffers, std::size_t i)
{
    const auto residual = buffers.velocity_residual_of(i);
    Vec<D, double> u;
    for (int c = 0; c < D; ++c) u[c] = static_cast<double>(buffers.velocity[i][c]) + static_cast<double>(residual[c]);
    return u;
}

// rho/rho0 - 1, residual included.
template <class Policy>
double density_of(const Buffers<Policy>& buffers, std::size_t i)
{
    return static_cast<double>(buffers.velocity[i].w) + static_cast<double>(buffers.velocity_residual_of(i).w);
}

}  // namespace halfulp
