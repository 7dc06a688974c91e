// The time series measured by probes, their columns, and the filter.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/setup/case.hpp"

namespace halfulp {

struct ProbeColumn {
    std::string name;
    std::string unit;
};

// The columns of a probe's measurements, in this order, without the time:
//   pressure  pressure_fluid, pressure_fluid_shepard, pressure_all, pressure_all_shepard         [Pa]
//   velocity  velocity_x, velocity_y, in 3D velocity_z                                           [m/s]
//   level     level                                                                              [m]
//   force     force_x, force_y, in 3D force_z [N; 2D: N/m]; moment_z, in 3D moment_x, _y, _z     [N m; 2D: N]
//   flow      flow                                                                               [m^3/s; 2D: m^2/s]
// With a filter the same columns follow again as NAME_filtered.
std::vector<ProbeColumn> probe_columns(Probe::Measure measures, int dimensions);

// One line for the readers of a file.
std::string_view probe_formula(Probe::Measure measures);

struct ProbeSeries {
    std::string name;
    std::vector<ProbeColumn> columns;                // the first is the time, [s]
    std::map<std::string, std::string> description;  // measures, formula, position, filter, ...
    double filter = 0;                               // s; 0: none
    std::vector<std::vector<double>> values;         // of each column

    [[nodiscard]] const std::vector<double>& time() const { return values.front(); }
    // Throws std::out_of_range for an unknown name.
    [[nodiscard]] const std::vector<double>& operator[](std::string_view column) const;
};

// A series without samples.
ProbeSeries empty_series(const Probe& probe, const Case& c);

// The centred moving mean: the mean of the piecewise linear interpolant over a window of `width` centred at each time,
// so that it causes no time shift. Towards the ends the window narrows to stay within the data; the first and the last
// value remain. Times ascend.
std::vector<double> centred_mean(const std::vector<double>& time, const std::vector<double>& values, double width);

// Removes the filtered columns.
void without_filtered(ProbeSeries& series);

// The series with a column NAME_filtered for every measured one, if it has a filter; else unchanged.
ProbeSeries with_filtered(const ProbeSeries& series);

}  // namespace halfulp
