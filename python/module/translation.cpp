// Errors and arrays between C++ and Python.
#include <nanobind/ndarray.h>

#include <atomic>
#include <exception>
#include <memory>
#include <utility>

#include <pthread.h>
#include <unistd.h>

#include "core/app/live_simulation.hpp"
#include "python/module/parts.hpp"

namespace halfulp::python {

namespace {

void raise(const nb::object& error) { PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(error.ptr())), error.ptr()); }

nb::object error_type(const char* name) { return nb::module_::import_("halfulp.errors").attr(name); }

void translate(const std::exception_ptr& thrown, void* /*unused*/)
{
    try {
        std::rethrow_exception(thrown);
    } catch (const BrokenDown& broken) {
        const Breakdown& b = broken.breakdown();
        raise(error_type("SimulationBroke")(broken.what(), b.id,
                                            nb::make_tuple(b.position[0], b.position[1], b.position[2]), broken.time(),
                                            broken.step()));
    } catch (const Error& error) {
        raise(error_type("Error")(error.what(), static_cast<int>(error.code())));
    }
}

}  // namespace

void translate_errors() { nb::register_exception_translator(translate); }

namespace {

// Up to 3.13 Python ends a daemon thread that asks for the lock of an interpreter which has ended, by unwinding; that
// aborts the process where it comes to a destructor, or to another function that throws nothing. As with later
// versions, the thread waits instead for the process to end.
class StaysToTheEnd {
public:
    StaysToTheEnd() = default;
    ~StaysToTheEnd()
    {
        while (!passed_) pause();
    }
    StaysToTheEnd(const StaysToTheEnd&) = delete;
    StaysToTheEnd& operator=(const StaysToTheEnd&) = delete;

    void pass() { passed_ = true; }

private:
    bool passed_ = false;
};

}  // namespace

void take_interpreter(PyThreadState* thread)
{
    StaysToTheEnd stays;
    PyEval_RestoreThread(thread);
    stays.pass();
}

bool has_exception_of_signal()
{
    StaysToTheEnd stays;
    const PyGILState_STATE before = PyGILState_Ensure();
    const bool raised = PyErr_CheckSignals() != 0;
    PyGILState_Release(before);
    stays.pass();
    return raised;
}

void refuse_if_forked()
{
    static std::atomic<pid_t> computes{0};
    pid_t found = 0;
    if (computes.compare_exchange_strong(found, getpid()) || found == getpid()) return;
    throw Error(ExitCode::unsupported,
                "this process was forked off one in which halfulp had computed, and has lost its threads; start "
                "processes with multiprocessing's \"spawn\", or with halfulp.sweep.");
}

namespace {

std::mutex files;
// A process that is forked off has no thread that would give it back: a fork waits for it.
[[maybe_unused]] const int noted = pthread_atfork([] { files.lock(); }, [] { files.unlock(); }, [] { files.unlock(); });

}  // namespace

FileLock::FileLock() : lock_(files) {}

namespace {

nb::dlpack::dtype number_type(ColumnType type)
{
    switch (type) {
    case ColumnType::float32: return nb::dtype<float>();
    case ColumnType::float64: return nb::dtype<double>();
    case ColumnType::int32: return nb::dtype<std::int32_t>();
    case ColumnType::uint32: return nb::dtype<std::uint32_t>();
    case ColumnType::uint8: return nb::dtype<std::uint8_t>();
    }
    return nb::dtype<double>();
}

// An array over the memory of a vector, which lives as long as the array.
template <class T>
nb::object array_over(std::vector<T>&& memory, const std::vector<std::size_t>& shape, nb::dlpack::dtype type)
{
    auto kept = std::make_unique<std::vector<T>>(std::move(memory));
    T* const data = kept->data();
    const nb::capsule owner(kept.get(), [](void* one) noexcept { delete static_cast<std::vector<T>*>(one); });
    kept.release();  // the capsule's
    const nb::ndarray<nb::numpy> array(data, shape.size(), shape.data(), owner, nullptr, type);
    return nb::cast(array, nb::rv_policy::reference);
}

}  // namespace

nb::dict arrays_of(Snapshot&& snapshot)
{
    nb::dict arrays;
    for (Column& column : snapshot.columns) {
        std::vector<std::size_t> shape{snapshot.count};
        if (column.components > 1) shape.push_back(static_cast<std::size_t>(column.components));
        arrays[column.name.c_str()] = array_over(std::move(column.data), shape, number_type(column.type));
    }
    return arrays;
}

nb::dict descriptions_of(const Snapshot& snapshot)
{
    nb::dict all;
    for (const Column& column : snapshot.columns)
        all[column.name.c_str()] = nb::make_tuple(column.unit, column.description);
    return all;
}

nb::object array_of(std::vector<double>&& values)
{
    const std::size_t size = values.size();
    return array_over(std::move(values), {size}, nb::dtype<double>());
}

nb::dict ledger_of(const std::vector<LedgerRow>& rows)
{
    nb::dict columns;
    for (const LedgerColumn& column : ledger_columns) {
        std::vector<double> values;
        values.reserve(rows.size());
        for (const LedgerRow& row : rows) values.push_back(row.*column.member);
        columns[nb::str(column.name.data(), column.name.size())] = array_of(std::move(values));
    }
    return columns;
}

nb::dict row_of(const LedgerRow& row)
{
    nb::dict values;
    for (const LedgerColumn& column : ledger_columns)
        values[nb::str(column.name.data(), column.name.size())] = row.*column.member;
    return values;
}

nb::dict ledger_units(int dimensions)
{
    nb::dict units;
    for (const LedgerColumn& column : ledger_columns)
        units[nb::str(column.name.data(), column.name.size())] = std::string(ledger_unit(column, dimensions));
    return units;
}

nb::dict probes_of(const std::vector<ProbeSeries>& probes)
{
    nb::dict all;
    for (const ProbeSeries& probe : probes) {
        nb::dict columns;
        for (std::size_t c = 0; c < probe.columns.size(); ++c)
            columns[probe.columns[c].name.c_str()] = array_of(std::vector<double>(probe.values[c]));
        all[probe.name.c_str()] = columns;
    }
    return all;
}

nb::dict probe_units(const std::vector<ProbeSeries>& probes)
{
    nb::dict all;
    for (const ProbeSeries& probe : probes) {
        nb::dict units;
        for (const ProbeColumn& column : probe.columns) units[column.name.c_str()] = column.unit;
        all[probe.name.c_str()] = units;
    }
    return all;
}

}  // namespace halfulp::python
