// The parts of the module, each of which adds its types to it, and what they share.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <filesystem>
#include <mutex>
#include <string>
#include <vector>

#include "core/output/probe_series.hpp"
#include "core/results/ledger_row.hpp"
#include "core/results/snapshot.hpp"

// Paths are texts on the side of Python. Its Path is written in Python itself, and to run that inside of a conversion
// would lose a Ctrl-C, or abort the process where the thread is ended.
template <>
struct nanobind::detail::type_caster<std::filesystem::path> {
    NB_TYPE_CASTER(std::filesystem::path, const_name("str"))

    bool from_python(handle text, std::uint32_t /*flags*/, cleanup_list* /*cleanup*/) noexcept
    {
        const object bytes = steal(PyUnicode_Check(text.ptr()) ? PyUnicode_EncodeFSDefault(text.ptr()) : nullptr);
        if (bytes.is_valid()) value = std::string(PyBytes_AsString(bytes.ptr()));
        PyErr_Clear();
        return bytes.is_valid();
    }
    static handle from_cpp(const std::filesystem::path& path, rv_policy /*policy*/, cleanup_list* /*cleanup*/) noexcept
    {
        return PyUnicode_DecodeFSDefault(path.c_str());
    }
};

namespace halfulp::python {

namespace nb = nanobind;

void add_case(nb::module_& m);
void add_simulation(nb::module_& m);
void add_run(nb::module_& m);

// Errors of the program become those of the package, with the program's sentence and exit code.
void translate_errors();

// Throws an Error in a process that was forked off one whose threads had computed: OpenMP's threads are not in it, and
// it would wait for them. Before anything computes.
void refuse_if_forked();

// These take the interpreter's lock. A daemon thread that does so when the interpreter has ended does not come back
// from them.
void take_interpreter(PyThreadState* thread);
// Whether Python has an exception to raise; the lock is given back.
bool has_exception_of_signal();

// Lets other threads of Python go on.
class WithoutInterpreter {
public:
    WithoutInterpreter() : thread_(PyEval_SaveThread()) {}
    ~WithoutInterpreter() { take_interpreter(thread_); }
    WithoutInterpreter(const WithoutInterpreter&) = delete;
    WithoutInterpreter& operator=(const WithoutInterpreter&) = delete;

private:
    PyThreadState* thread_;
};

// For what touches files of runs: the HDF5 library is not made for several threads at a time. Is taken without the
// interpreter's lock, and last of all: who has it waits for nobody.
class FileLock {
public:
    FileLock();

private:
    std::lock_guard<std::mutex> lock_;
};

// The same, from Python.
class FileAccess {
    WithoutInterpreter without_;
    FileLock lock_;
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
