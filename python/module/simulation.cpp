// A simulation in the hands of a Python program.
#include <chrono>

#include "core/app/live_simulation.hpp"
#include "core/app/machine_options.hpp"
#include "python/module/parts.hpp"

namespace halfulp::python {

namespace {

// device: -1 if none is named.
BackendOptions backend_options(const std::string& backend, int device, int threads, const std::string& lanes,
                               const std::string& neighbours)
{
    MachineOptions options;
    options.backend = backend;
    if (device >= 0) options.device = device;
    options.threads = threads;
    options.lanes = lanes;
    options.neighbours = neighbours;
    return options.run_options().backend;
}

// Whether Python has an exception to raise, such as that of Ctrl-C, as seen by a thread without the interpreter's lock.
// The interpreter is asked a few times a second only.
class PendingSignals {
public:
    bool operator()()
    {
        const auto now = Clock::now();
        if (now - asked_ < std::chrono::milliseconds(50)) return false;
        asked_ = now;
        const nb::gil_scoped_acquire locked;
        raised_ = PyErr_CheckSignals() != 0;
        return raised_;
    }
    [[nodiscard]] bool raised() const { return raised_; }

private:
    using Clock = std::chrono::steady_clock;

    Clock::time_point asked_ = Clock::now();
    bool raised_ = false;
};

void advance(LiveSimulation& live, double until)
{
    PendingSignals signals;
    {
        const nb::gil_scoped_release released;
        live.advance(until, [&signals] { return signals(); });
    }
    if (signals.raised()) throw nb::python_error();
}

nb::tuple snapshot(const LiveSimulation& live)
{
    Snapshot taken;
    {
        const nb::gil_scoped_release released;
        taken = live.simulation().snapshot();
    }
    const nb::dict about = descriptions_of(taken);
    const nb::object hash = nb::cast(taken.hash.text());
    const std::uint64_t step = taken.step;
    const double time = taken.time;
    return nb::make_tuple(time, step, hash, arrays_of(std::move(taken)), about);
}

}  // namespace

void add_simulation(nb::module_& m)
{
    // Pointers that are returned become Python's.
    nb::class_<LiveSimulation>(m, "LiveSimulation", "A simulation that is stepped from outside.")
        .def_static(
            "start",
            [](const Case& c, const std::string& backend, int device, int threads, const std::string& lanes,
               const std::string& neighbours) {
                const nb::gil_scoped_release released;
                return new LiveSimulation(c, backend_options(backend, device, threads, lanes, neighbours));
            },
            nb::arg("case"), nb::arg("backend"), nb::arg("device"), nb::arg("threads"), nb::arg("lanes"),
            nb::arg("neighbours"))
        .def_static(
            "resume",
            [](const std::filesystem::path& run, const std::string& backend, int device, int threads,
               const std::string& lanes, const std::string& neighbours) {
                const FileAccess access;
                return LiveSimulation::resume(run, backend_options(backend, device, threads, lanes, neighbours))
                    .release();
            },
            nb::arg("run"), nb::arg("backend"), nb::arg("device"), nb::arg("threads"), nb::arg("lanes"),
            nb::arg("neighbours"))
        .def("advance", &advance, nb::arg("until"), "At least one step, until the time (s) is reached.")
        .def(
            "write",
            [](const LiveSimulation& live, const std::filesystem::path& folder, bool overwrite,
               const std::string& command) {
                const FileAccess access;
                live.write(folder, overwrite, command);
            },
            nb::arg("folder"), nb::arg("overwrite"), nb::arg("command_line"))
        .def("snapshot", &snapshot, "(time, step, hash, arrays by name, (unit, description) by name)")
        .def("ledger_row", [](const LiveSimulation& live) { return row_of(live.simulation().ledger_row()); })
        .def("ledger", [](const LiveSimulation& live) { return ledger_of(live.rows()); })
        .def("ledger_units", [](const LiveSimulation& live) { return ledger_units(live.problem().source.dimensions); })
        .def("probes", [](const LiveSimulation& live) { return probes_of(live.probes()); })
        .def("probe_units", [](const LiveSimulation& live) { return probe_units(live.probes()); })
        .def("warnings", &LiveSimulation::warnings)
        .def("case", [](const LiveSimulation& live) { return live.problem().source; })
        .def_prop_ro("time", [](const LiveSimulation& live) { return live.simulation().time(); })
        .def_prop_ro("steps", [](const LiveSimulation& live) { return live.simulation().steps(); })
        .def_prop_ro("next_step", [](const LiveSimulation& live) { return live.simulation().next_step(); })
        .def_prop_ro("fluid", [](const LiveSimulation& live) { return live.problem().fluid; })
        .def_prop_ro("wall", [](const LiveSimulation& live) { return live.problem().wall; })
        .def_prop_ro("backend", [](const LiveSimulation& live) { return live.simulation().backend().description(); })
        .def_prop_ro("state_hash", [](const LiveSimulation& live) {
            const nb::gil_scoped_release released;
            return live.simulation().snapshot_source().hash.text();
        });
}

}  // namespace halfulp::python
