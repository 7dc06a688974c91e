// The provenance of a run, in run.h5 beside its data: program, machine, constants of the problem, time taken, end.
#pragma once

#include <string>

#include "core/app/run.hpp"
#include "core/output/run_file.hpp"

namespace halfulp {

// Description of the machine. Throws an Error if it does not compute as required. device: of the back end, or empty.
Provenance provenance_of_machine(const std::string& device);

// The provenance of a run that begins. hash: the fingerprint of its problem.
Provenance provenance_of(const Problem& problem, const StateHash& hash, const std::string& command_line,
                         const Backend& backend, const Provenance& machine);

// Whether a program of these sources began the run.
bool is_of_these_sources(const Provenance& provenance);

// Wall time, stages, tenths and memory of a run that has ended.
Provenance times_of(const RunOutcome& outcome);

// Wall time as run.h5 and tables of runs have it.
std::string wall_seconds_text(const RunOutcome& outcome);

// e.g. "every 100 steps on cpu, 1 thread, 8 lanes: 12 states equal"
std::string audit_text(const RunOutcome::Audited& audited);

// "complete", "interrupted", or "stopped: " and why.
std::string end_state(const RunOutcome& outcome);

}  // namespace halfulp
