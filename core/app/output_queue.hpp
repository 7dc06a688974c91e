// The outputs of a run on their way to its files.
#pragma once

#include <future>

#include "core/app/floating_point.hpp"
#include "core/app/ledger_log.hpp"
#include "core/app/run.hpp"
#include "core/evolution/probe_recorder.hpp"
#include "core/evolution/watch.hpp"
#include "core/output/run_file.hpp"

namespace halfulp {

// Writes outputs while the simulation continues, one at a time; without a thread of its own, before the next one. Write
// failures and changed floating-point modes are thrown by the next call.
class OutputQueue {
public:
    // start: where the run starts or resumes; at_once: no thread of its own, as a batch would have too many.
    OutputQueue(RunWriter& writer, RunOutcome& outcome, Watch& watch, const RunPlace& start, bool at_once)
        : writer_(writer), outcome_(outcome), watch_(watch), modes_(ThreadsOf::outputs, start), at_once_(at_once)
    {
    }

    // watched: whether to look for fluid behind walls; not in an output that a resumed run will not have.
    void write(Simulation& simulation, LedgerLog& ledger, ProbeRecorder& probes, bool watched = true);
    // With the ledger rows and probe samples so far.
    void flush(LedgerLog& ledger, ProbeRecorder& probes);
    void look();
    void wait();
    [[nodiscard]] double waited() const { return waited_; }  // s, for outputs to be written

private:
    RunWriter& writer_;
    RunOutcome& outcome_;
    Watch& watch_;
    FloatingPointWatch modes_;  // of the writing thread, which has exclusive access while it exists
    std::future<StateHash> writing_;
    double waited_ = 0;
    bool at_once_;
};

}  // namespace halfulp
