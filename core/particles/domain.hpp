// Conversion of buffers in units of the state into physical quantities.
#pragma once

#include <array>
#include <cstdint>

#include "core/setup/problem.hpp"
#include "kernels/parameters.hpp"
#include "kernels/smoothing.hpp"

namespace halfulp {

struct Domain {
    Units units;
    Parameters<3, float> parameters{};
    std::array<std::int32_t, 3> origin{};  // of the case
    std::array<double, 3> datum{};         // of the potential energy, cell sides relative to the origin
    Physics physics;
    std::array<std::int32_t, 3> period{};  // cells; 0: not periodic
    std::array<double, 3> centre{};        // of the central force, cell sides relative to the origin
    SmoothingKernel kernel = SmoothingKernel::wendland_c2;
};

// The key of the case that limits the time step, for messages that ask for a smaller one.
inline const char* step_key(const Problem& problem) { return problem.source.time.size ? "time.size" : "time.cfl"; }

inline Domain domain_of(const Problem& problem)
{
    Domain domain{.units = problem.units,
                  .parameters = problem.parameters,
                  .origin = problem.source.origin.cells,
                  .datum = problem.datum,
                  .physics = problem.physics,
                  .period = problem.period,
                  .kernel = problem.source.numerics.kernel};
    for (std::size_t i = 0; i < 3; ++i) {
        domain.centre[i] = static_cast<double>(std::int64_t(problem.centre.cell[i]) - domain.origin[i]) +
                           static_cast<double>(problem.centre.offset[i]);
    }
    return domain;
}

}  // namespace halfulp
