// The parts of the module, each of which adds its types to it, and what they share.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <mutex>
#include <vector>

#include "core/output/probe_series.hpp"
#include "core/results/ledger_row.hpp"
#include "core/results/snapshot.hpp"

namespace halfulp::python {

namespace nb = nanobind;

void add_case(nb::module_& m);
void add_simulation(nb::module_& m);
void add_run(nb::module_& m);

// Errors of the program become those of the package, with the program's sentence and exit code.
void translate_errors();

// For what touches files of runs: the HDF5 library is not made for several threads at a time. Waits without the
// interpreter's lock, and lets other threads of Python go on.
class FileAccess {
public:
    FileAccess() : lock_(mutex()) {}

private:
    static std::mutex& mutex();

    nb::gil_scoped_release released_;
    std::lock_guard<std::mutex> lock_;
};

// (count,) or (count, components) arrays by name, which own the memory that the snapshot held.
nb::dict arrays_of(Snapshot&& snapshot);
// Unit and description of each column.
nb::dict descriptions_of(const Snapshot& snapshot);
nb::object array_of(std::vector<double>&& values);
// Columns by name.
nb::dict ledger_of(const std::vector<LedgerRow>& rows);
nb::dict row_of(const LedgerRow& row);
nb::dict ledger_units(int dimensions);
// Columns by name, for each probe by name.
nb::dict probes_of(const std::vector<ProbeSeries>& probes);
nb::dict probe_units(const std::vector<ProbeSeries>& probes);

}  // namespace halfulp::python
