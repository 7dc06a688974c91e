// A simulation in the hands of a Python program.
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

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
        return raised_ = has_exception_of_signal();
    }
    [[nodiscard]] bool raised() const { return raised_; }

private:
    using Clock = std::chrono::steady_clock;

    Clock::time_point asked_ = Clock::now();
    bool raised_ = false;
};

// A simulation with which threads of Python take turns, in the order in which they ask: who looks gets a turn between
// two steps of another thread. A turn is waited for, and had, without the interpreter's lock, which others may hold.
class SharedSimulation {
public:
    explicit SharedSimulation(std::unique_ptr<LiveSimulation> live) : live_(std::move(live)) {}

    // In its turn. Whoever has it acts at once: a handler of a signal that Python runs between two steps.
    template <class Act>
    auto release_and(const Act& act)
    {
        refuse_if_forked();
        const WithoutInterpreter without;
        if (has_turn()) return act(*live_);
        const Turn turn(*this);
        return act(*live_);
    }
    // By who has the turn: those go first that wait.
    void let_others()
    {
        {
            const std::lock_guard lock(mutex_);
            if (asked_ == served_ + 1) return;
        }
        give();
        take();
    }
    // What never changes.
    [[nodiscard]] const Problem& problem() const { return live_->problem(); }

private:
    struct Turn {
        explicit Turn(SharedSimulation& of) : shared(of) { shared.take(); }
        ~Turn() { shared.give(); }
        Turn(const Turn&) = delete;
        Turn& operator=(const Turn&) = delete;
        SharedSimulation& shared;
    };
    void take()
    {
        std::unique_lock lock(mutex_);
        const std::uint64_t own = asked_++;
        turned_.wait(lock, [&] { return served_ == own; });
        holder_ = std::this_thread::get_id();
    }
    [[nodiscard]] bool has_turn()
    {
        const std::lock_guard lock(mutex_);
        return holder_ == std::this_thread::get_id();
    }
    void give()
    {
        const std::lock_guard lock(mutex_);
        holder_ = {};
        ++served_;
        turned_.notify_all();
    }

    std::unique_ptr<LiveSimulation> live_;
    std::mutex mutex_;
    std::condition_variable turned_;
    std::uint64_t asked_ = 0;
    std::uint64_t served_ = 0;
    std::thread::id holder_;  // the thread whose turn it is
};

void advance(SharedSimulation& shared, double until)
{
    PendingSignals signals;
    shared.release_and([&](LiveSimulation& live) {
        live.advance(until, [&] {
            shared.let_others();
            return signals();
        });
    });
    if (signals.raised()) throw nb::python_error();
}

nb::tuple snapshot(SharedSimulation& shared)
{
    Snapshot taken = shared.release_and([](const LiveSimulation& live) { return live.checked().snapshot(); });
    const nb::dict about = descriptions_of(taken);
    const nb::object hash = nb::cast(taken.hash.text());
    const std::uint64_t step = taken.step;
    const double time = taken.time;
    return nb::make_tuple(time, step, hash, arrays_of(std::move(taken)), about);
}

void write(SharedSimulation& shared, const std::filesystem::path& folder, bool overwrite,
           const std::string& command_line)
{
    shared.release_and([&](const LiveSimulation& live) {
        const FileLock lock;
        live.write(folder, overwrite, command_line);
    });
}

// A property or method: what `read` finds in its turn.
template <class Read>
auto reader(const Read& read)
{
    return [read](SharedSimulation& shared) { return shared.release_and(read); };
}

}  // namespace

void add_simulation(nb::module_& m)
{
    // Pointers that are returned become Python's.
    nb::class_<SharedSimulation>(m, "LiveSimulation", "A simulation that is stepped from outside.")
        .def_static(
            "start",
            [](const Case& c, const std::string& backend, int device, int threads, const std::string& lanes,
               const std::string& neighbours) {
                refuse_if_forked();
                const WithoutInterpreter without;
                return new SharedSimulation(
                    std::make_unique<LiveSimulation>(c, backend_options(backend, device, threads, lanes, neighbours)));
            },
            nb::arg("case"), nb::arg("backend"), nb::arg("device"), nb::arg("threads"), nb::arg("lanes"),
            nb::arg("neighbours"))
        .def_static(
            "resume",
            [](const std::filesystem::path& run, const std::string& backend, int device, int threads,
               const std::string& lanes, const std::string& neighbours) {
                refuse_if_forked();
                const FileAccess access;
                return new SharedSimulation(
                    LiveSimulation::resume(run, backend_options(backend, device, threads, lanes, neighbours)));
            },
            nb::arg("run"), nb::arg("backend"), nb::arg("device"), nb::arg("threads"), nb::arg("lanes"),
            nb::arg("neighbours"))
        .def("advance", &advance, nb::arg("until"), "At least one step, until the time (s) is reached.")
        .def("write", &write, nb::arg("folder"), nb::arg("overwrite"), nb::arg("command_line"))
        .def("snapshot", &snapshot, "(time, step, hash, arrays by name, (unit, description) by name)")
        .def("ledger_row",
             [](SharedSimulation& shared) {
                 return row_of(
                     shared.release_and([](const LiveSimulation& live) { return live.checked().ledger_row(); }));
             })
        .def("ledger",
             [](SharedSimulation& shared) {
                 return ledger_of(shared.release_and([](const LiveSimulation& live) { return live.rows(); }));
             })
        .def("ledger_units",
             [](const SharedSimulation& shared) { return ledger_units(shared.problem().source.dimensions); })
        .def("probes",
             [](SharedSimulation& shared) {
                 return probes_of(shared.release_and([](const LiveSimulation& live) { return live.probes(); }));
             })
        .def("probe_units",
             [](SharedSimulation& shared) {
                 return probe_units(shared.release_and([](const LiveSimulation& live) { return live.probes(); }));
             })
        .def("damages", reader([](const LiveSimulation& live) { return live.damages(); }))
        .def("warnings", reader([](const LiveSimulation& live) { return live.warnings(); }))
        .def("case", [](const SharedSimulation& shared) { return shared.problem().source; })
        .def_prop_ro("time", reader([](const LiveSimulation& live) { return live.simulation().time(); }))
        .def_prop_ro("steps", reader([](const LiveSimulation& live) { return live.simulation().steps(); }))
        .def_prop_ro("next_step", reader([](const LiveSimulation& live) { return live.simulation().next_step(); }))
        .def_prop_ro("end", [](const SharedSimulation& shared) { return shared.problem().source.time.end; })
        .def_prop_ro("moves", [](const SharedSimulation& shared) { return !shared.problem().source.motions.empty(); })
        .def_prop_ro("fluid", [](const SharedSimulation& shared) { return shared.problem().fluid; })
        .def_prop_ro("wall", [](const SharedSimulation& shared) { return shared.problem().wall; })
        .def_prop_ro("backend",
                     reader([](const LiveSimulation& live) { return live.simulation().backend().description(); }))
        .def_prop_ro("state_hash",
                     reader([](const LiveSimulation& live) { return live.checked().snapshot_source().hash.text(); }));
}

}  // namespace halfulp::python
