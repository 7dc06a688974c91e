// Access to the columns of a snapshot by name and number by number; the fluid as plain numbers.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <tuple>
#include <vector>

#include "core/evolution/simulation.hpp"
#include "core/results/column_number.hpp"

namespace halfulp {

// Throws an Error that says which columns there are, if this is none of them.
const Column& column_of(const Snapshot& snapshot, std::string_view name);

// The bits of a number, zeros above them. index: particle * components + component.
std::uint64_t bits_at(const Column& column, std::size_t index);

// Positions of the fluid (m, relative to the case's origin, residuals included), its velocities (m/s) and pressures
// (Pa), in order of id.
struct FluidState {
    std::vector<std::array<double, 3>> position;
    std::vector<std::array<double, 3>> velocity;
    std::vector<double> pressure;
    static auto members(auto& self) { return std::tie(self.position, self.velocity, self.pressure); }
};
FluidState fluid_of(const Problem& problem, const Snapshot& snapshot);

// A coordinate of a particle at the start, m: relative to the case's origin, or with it.
double coordinate_of(const Problem& problem, const InitialParticle& particle, std::size_t axis,
                     bool with_origin = false);

}  // namespace halfulp
