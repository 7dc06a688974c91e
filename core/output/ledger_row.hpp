// One row of the energy ledger: a table of names, units and members, so that CSV, HDF5 and the documentation agree.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace halfulp {

// SI units; in 2D everything extensive is a metre of width.
struct LedgerRow {
    double step = 0;
    double time = 0;
    double time_step = 0;
    double kinetic = 0;            // Ek = 1/2 sum m u^2 over the fluid
    double potential = 0;          // Ep = -sum m g.x above the tank's floor
    double compressive_fluid = 0;  // Ec = sum m e(s)
    double compressive_wall = 0;
    double viscous_work = 0;       // work of the viscous force since the start; not positive
    double total = 0;              // Ek + Ep + Ec, walls included
    double residual = 0;           // total - total at the start - viscous work
    double relative_residual = 0;  // residual / available potential energy
    double momentum_x = 0;
    double momentum_y = 0;
    double momentum_z = 0;
    double max_speed = 0;
    double max_density_deviation = 0;  // largest |rho/rho0 - 1| of the fluid
    double front = 0;                  // largest x of the fluid, m
    double rebuilds = 0;               // of the neighbours, since the start
};

struct LedgerColumn {
    std::string_view name;
    std::string_view unit;
    double LedgerRow::*member;
};

inline constexpr std::array ledger_columns{
    LedgerColumn{"step", "1", &LedgerRow::step},
    LedgerColumn{"time", "s", &LedgerRow::time},
    LedgerColumn{"time_step", "s", &LedgerRow::time_step},
    LedgerColumn{"kinetic", "J", &LedgerRow::kinetic},
    LedgerColumn{"potential", "J", &LedgerRow::potential},
    LedgerColumn{"compressive_fluid", "J", &LedgerRow::compressive_fluid},
    LedgerColumn{"compressive_wall", "J", &LedgerRow::compressive_wall},
    LedgerColumn{"viscous_work", "J", &LedgerRow::viscous_work},
    LedgerColumn{"total", "J", &LedgerRow::total},
    LedgerColumn{"residual", "J", &LedgerRow::residual},
    LedgerColumn{"relative_residual", "1", &LedgerRow::relative_residual},
    LedgerColumn{"momentum_x", "kg m/s", &LedgerRow::momentum_x},
    LedgerColumn{"momentum_y", "kg m/s", &LedgerRow::momentum_y},
    LedgerColumn{"momentum_z", "kg m/s", &LedgerRow::momentum_z},
    LedgerColumn{"max_speed", "m/s", &LedgerRow::max_speed},
    LedgerColumn{"max_density_deviation", "1", &LedgerRow::max_density_deviation},
    LedgerColumn{"front", "m", &LedgerRow::front},
    LedgerColumn{"rebuilds", "1", &LedgerRow::rebuilds},
};

// The unit of a column in a case of 2 or 3 dimensions: in 2D everything extensive is a metre of width.
constexpr std::string_view ledger_unit(const LedgerColumn& column, int dimensions)
{
    if (dimensions == 2 && column.unit == "J") return "J/m";
    if (dimensions == 2 && column.unit == "kg m/s") return "kg/s";
    return column.unit;
}

}  // namespace halfulp
