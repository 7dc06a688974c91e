// A row of the energy ledger, with a table of names, units and members on which CSV, HDF5 and the documentation agree.
#pragma once

#include <array>
#include <string_view>
#include <vector>

namespace halfulp {

// SI units; extensive quantities in 2D are per metre of width.
struct LedgerRow {
    double step = 0;
    double time = 0;
    double time_step = 0;
    double kinetic = 0;            // Ek = 1/2 sum m u^2 over the fluid
    double potential = 0;          // Ep = -sum m g.x above the tank's floor
    double compressive_fluid = 0;  // Ec = sum m e(s)
    double compressive_wall = 0;
    double central = 0;             // 1/2 sum m Omega^2 |x - centre|^2, of the central force
    double viscous_work = 0;        // of artificial viscosity since the start; not positive
    double laminar_work = 0;        // of laminar viscosity
    double tensile_work = 0;        // of the tensile correction
    double diffusion_work = 0;      // compressive energy added by density diffusion
    double smoothing_work = 0;      // of the XSPH displacement of particles against their forces
    double shifting_work = 0;       // of particle shifting, against body forces
    double driving_work = 0;        // of gravity along periodic directions
    double inertial_work = 0;       // of inertial forces, and of gravity's rotation, in a moving frame
    double wall_work = 0;           // of moving walls on the fluid
    double wall_pressure_work = 0;  // of the pressure of extrapolated walls
    double filter_work = 0;         // compressive energy added by the density filter
    double integrator_error = 0;    // energy added by the integrator itself; a share of the residual
    double total = 0;               // Ek + Ep + Ec and central, walls included
    double residual = 0;            // total - total at the start - all works
    double relative_residual = 0;  // residual / available potential energy, or / total at the start where there is none
    double momentum_x = 0;
    double momentum_y = 0;
    double momentum_z = 0;
    double angular_momentum_x = 0;  // about the case's origin
    double angular_momentum_y = 0;
    double angular_momentum_z = 0;
    double max_speed = 0;
    double max_density_deviation = 0;  // largest |rho/rho0 - 1| of the fluid
    double front = 0;                  // largest x of the fluid, m
    double rebuilds = 0;               // of the neighbour lists, since the start
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
    LedgerColumn{"central", "J", &LedgerRow::central},
    LedgerColumn{"viscous_work", "J", &LedgerRow::viscous_work},
    LedgerColumn{"laminar_work", "J", &LedgerRow::laminar_work},
    LedgerColumn{"tensile_work", "J", &LedgerRow::tensile_work},
    LedgerColumn{"diffusion_work", "J", &LedgerRow::diffusion_work},
    LedgerColumn{"smoothing_work", "J", &LedgerRow::smoothing_work},
    LedgerColumn{"shifting_work", "J", &LedgerRow::shifting_work},
    LedgerColumn{"driving_work", "J", &LedgerRow::driving_work},
    LedgerColumn{"inertial_work", "J", &LedgerRow::inertial_work},
    LedgerColumn{"wall_work", "J", &LedgerRow::wall_work},
    LedgerColumn{"wall_pressure_work", "J", &LedgerRow::wall_pressure_work},
    LedgerColumn{"filter_work", "J", &LedgerRow::filter_work},
    LedgerColumn{"integrator_error", "J", &LedgerRow::integrator_error},
    LedgerColumn{"total", "J", &LedgerRow::total},
    LedgerColumn{"residual", "J", &LedgerRow::residual},
    LedgerColumn{"relative_residual", "1", &LedgerRow::relative_residual},
    LedgerColumn{"momentum_x", "kg m/s", &LedgerRow::momentum_x},
    LedgerColumn{"momentum_y", "kg m/s", &LedgerRow::momentum_y},
    LedgerColumn{"momentum_z", "kg m/s", &LedgerRow::momentum_z},
    LedgerColumn{"angular_momentum_x", "kg m^2/s", &LedgerRow::angular_momentum_x},
    LedgerColumn{"angular_momentum_y", "kg m^2/s", &LedgerRow::angular_momentum_y},
    LedgerColumn{"angular_momentum_z", "kg m^2/s", &LedgerRow::angular_momentum_z},
    LedgerColumn{"max_speed", "m/s", &LedgerRow::max_speed},
    LedgerColumn{"max_density_deviation", "1", &LedgerRow::max_density_deviation},
    LedgerColumn{"front", "m", &LedgerRow::front},
    LedgerColumn{"rebuilds", "1", &LedgerRow::rebuilds},
};

// The unit of a column in a case of 2 or 3 dimensions; extensive quantities in 2D are per metre of width.
constexpr std::string_view ledger_unit(const LedgerColumn& column, int dimensions)
{
    if (dimensions == 2 && column.unit == "J") return "J/m";
    if (dimensions == 2 && column.unit == "kg m/s") return "kg/s";
    if (dimensions == 2 && column.unit == "kg m^2/s") return "kg m/s";
    return column.unit;
}

// Columns in the order of ledger_columns, as rows.
inline std::vector<LedgerRow> rows_of(const std::vector<std::vector<double>>& columns)
{
    std::vector<LedgerRow> rows(columns.front().size());
    for (std::size_t c = 0; c < ledger_columns.size(); ++c) {
        for (std::size_t r = 0; r < rows.size(); ++r) rows[r].*ledger_columns[c].member = columns[c][r];
    }
    return rows;
}

}  // namespace halfulp
