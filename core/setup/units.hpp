// The units of the state. The unit of length is the cell side, so that cell differences are integers and their addition
// exact; the unit of velocity is the power of two of 1 m/s nearest to the speed of sound, so that velocities convert
// without rounding and are of order one. Policies in SI units, which show the benefit, have m and m/s.
#pragma once

#include "core/setup/case.hpp"

namespace halfulp {

struct Units {
    double length = 1;    // cell side, m
    double state = 1;     // unit of length of the state, m: the cell side, or 1 in SI units
    double velocity = 1;  // m/s, a power of two
    double density = 1;   // rho0, kg/m^3
    double mass = 1;      // of one particle, kg (in 2D kg per metre of width)

    [[nodiscard]] double time() const { return state / velocity; }                      // s
    [[nodiscard]] double acceleration() const { return velocity * velocity / state; }   // m/s^2
    [[nodiscard]] double energy() const { return mass * velocity * velocity; }          // J (J/m in 2D)
    [[nodiscard]] double momentum() const { return mass * velocity; }                   // kg m/s
    [[nodiscard]] double angular_momentum() const { return mass * velocity * length; }  // kg m^2/s
};

// Smoothing length and support of a case, m.
double smoothing_length(const Case& c);
double support_radius(const Case& c);
inline constexpr double softening = 0.01;    // eta^2 in the denominators of pair terms, h^2
double lengthwise_viscosity(const Case& c);  // m^2/s, of the laminar viscosity, for waves along their motion

// The thinnest skin from numerics.skin to twice it that makes every period a whole number of cells; numerics.skin if
// there is no period or no such skin.
double skin_for_periods(const Case& c);

// The skin over the support: numerics.skin, or adjusted to a period.
double skin_fraction(const Case& c);

// (support + skin) / cells_per_support, m. A period is exactly a whole number of cells, which may change the skin in
// its seventh digit; throws an Error, naming the nearest possible period, if the given one cannot be.
double cell_side(const Case& c);

// Cells in each period; 0 along directions that are not periodic.
std::array<std::int32_t, 3> period_cells(const Case& c);

Units units_of(const Case& c);

}  // namespace halfulp
