// Reading particles on the host: where they are, how fast, in double precision, whatever the policy.
#pragma once

#include <array>
#include <cstdint>

#include "core/particles/buffers.hpp"
#include "core/setup/problem.hpp"
#include "kernels/parameters.hpp"
#include "kernels/vector.hpp"

namespace halfulp {

// What turns buffers in the units of the state into physical quantities.
struct Frame {
    Units units;
    Parameters<3, float> parameters{};
    std::array<std::int32_t, 3> origin{};  // the case's
    std::array<double, 3> datum{};         // of the potential energy, cell sides relative to the origin
    Physics physics;
    std::array<std::int32_t, 3> period{};  // cells; 0: not periodic
    std::array<double, 3> centre{};        // of the central force, cell sides relative to the origin
};

inline Frame frame_of(const Problem& problem)
{
    Frame frame{.units = problem.units,
                .parameters = problem.parameters,
                .origin = problem.source.origin.cells,
                .datum = problem.datum,
                .physics = problem.physics,
                .period = problem.period};
    for (std::size_t i = 0; i < 3; ++i) {
        frame.centre[i] = static_cast<double>(std::int64_t(problem.centre.cell[i]) - frame.origin[i]) +
                          static_cast<double>(problem.centre.offset[i]);
    }
    return frame;
}

// x relative to the case's origin, in cell sides, residual included; within [0, period) where there is one.
template <class Policy, int D>
Vec<D, double> position_of(const Buffers<Policy>& buffers, const Frame& frame, std::size_t i)
{
    using Position = typename Policy::Position;
    const auto residual = buffers.offset_residual_of(i);
    const auto side = static_cast<double>(frame.parameters.cell_side);
    Vec<D, double> x;
    for (int c = 0; c < D; ++c) {
        const auto origin = static_cast<double>(frame.origin[static_cast<std::size_t>(c)]);
        if constexpr (Position::in_double) {
            x[c] = buffers.coordinate[i][c] / side - origin;
        } else if constexpr (Position::relative_to_cell) {
            const auto cells =
                static_cast<double>(std::int64_t(buffers.cell[i][c]) - frame.origin[static_cast<std::size_t>(c)]);
            const double offset = static_cast<double>(buffers.offset[i][c]) + static_cast<double>(residual[c]);
            x[c] = cells + (Policy::Units::cell_is_one ? offset : offset / side);
        } else {
            // The coordinate first, so that a residual is not lost in it.
            x[c] =
                (static_cast<double>(buffers.offset[i][c]) / side - origin) + static_cast<double>(residual[c]) / side;
        }
        const double period = frame.period[static_cast<std::size_t>(c)];
        if (period > 0 && x[c] < 0) x[c] += period;
        else if (period > 0 && x[c] >= period) x[c] -= period;
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
double density_of(const Buffers<Policy>& buffers, const Frame& frame, std::size_t i)
{
    const double stored =
        static_cast<double>(buffers.velocity[i].w) + static_cast<double>(buffers.velocity_residual_of(i).w);
    return Policy::Density::centred(stored, static_cast<double>(frame.parameters.reference_density)).s;
}

}  // namespace halfulp
