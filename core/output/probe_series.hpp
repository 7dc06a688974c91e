// What probes have measured: series over time, their columns, and the filter.
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

// What a probe measures at a time, in this order, without the time:
//   pressure  pressure_fluid, pressure_fluid_shepard, pressure_all, pressure_all_shepard         [Pa]
//   velocity  velocity_x, velocity_y, in 3D velocity_z                                           [m/s]
//   level     level                                                                              [m]
//   force     force_x, force_y, in 3D force_z [N; 2D: N/m]; moment_z, in 3D moment_x, _y, _z     [N m; 2D: N]
//   flow      flow                                                                               [m^3/s; 2D: m^2/s]
// With a filter the same columns follow once more, named NAME_filtered.
std::vector<ProbeColumn> probe_columns(Probe::Measure measures, int dimensions);

// One line for the reader of the file.
std::string_view probe_formula(Probe::Measure measures);

struct ProbeSeries {
    std::string name;
    std::vector<ProbeColumn> columns;                // the first is the time, [s]
    std::map<std::string, std::string> description;  // measures, formula, position, filter, ...
    double filter = 0;                               // s; 0: none
    std::vector<std::vector<double>> values;         // of each column

    [[nodiscard]] const std::vector<double>& time() const { return values.front(); }
    // Throws std::out_of_range for a name that no column has.
    [[nodiscard]] const std::vector<double>& operator[](std::string_view column) const;
};

// A series without samples yet.
ProbeSeries empty_series(const Probe& probe, const Case& c);

// The centred moving mean: at each time the mean of the straight lines between the samples over a window of `width`,
// centred there, so that it shifts nothing in time. Towards the ends, where half of the window would stick out, it
// narrows; the first and the last value stay. Times ascend.
std::vector<double> centred_mean(const std::vector<double>& time, const std::vector<double>& values, double width);

// Takes the filtered columns away.
void without_filtered(ProbeSeries& series);

// The series with a column NAME_filtered beside every one that was measured, if it has a filter; else itself.
ProbeSeries with_filtered(const ProbeSeries& series);

}  // namespace halfulp
