#include "core/app/output_queue.hpp"

#include <chrono>
#include <functional>
#include <new>

#include "core/app/output_thread.hpp"
#include "core/app/stopwatch.hpp"

namespace halfulp {

void OutputQueue::write(Simulation& simulation, LedgerLog& ledger, ProbeRecorder& probes, bool watched)
{
    wait();
    ledger.take_row(simulation);
    const auto work = [&writer = writer_, &watch = watch_, watched, rows = ledger.take_pending(),
                       samples = probes.take_pending()](const SnapshotSource& snapshot) {
        writer.write_ledger(rows);
        writer.write_probes(samples);
        writer.write_output(snapshot);
        if (const auto first = watched ? watch.look(snapshot) : std::nullopt)
            writer.annotate({{"through_walls", *first}});
        return snapshot.hash;
    };
    ++outcome_.outputs;
    if (at_once_) {
        outcome_.final_hash = work(simulation.snapshot_source());
        return;
    }
    std::function<SnapshotSource()> take;
    try {
        take = simulation.begin_snapshot();
    } catch (const std::bad_alloc&) {  // no room for a copy: the simulation waits
        outcome_.final_hash = work(simulation.snapshot_source());
        return;
    }
    writing_ = in_output_thread([take, work, &modes = modes_, now = place_of(simulation)] {
        modes.look(now);
        const StateHash hash = work(take());
        modes.look(now);
        return hash;
    });
}

void OutputQueue::flush(LedgerLog& ledger, ProbeRecorder& probes)
{
    wait();
    writer_.write_ledger(ledger.take_pending());
    writer_.write_probes(probes.take_pending());
}

void OutputQueue::look()
{
    if (writing_.valid() && writing_.wait_for(std::chrono::seconds(0)) == std::future_status::ready) wait();
    if (writing_.valid() || !writer_.due()) return;
    writer_.sync();
}

void OutputQueue::wait()
{
    if (!writing_.valid()) return;
    const Stopwatch counted(waited_);
    outcome_.final_hash = writing_.get();
}

}  // namespace halfulp
