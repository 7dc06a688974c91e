// The records of an audited run in addition to its state: rows of the ledger, samples of probes and outputs. The
// repetition computes them at the same steps; outputs are read back from their files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/evolution/audit.hpp"
#include "core/evolution/probe_recorder.hpp"
#include "core/output/run_file.hpp"

namespace halfulp {

class AuditedRecords {
public:
    AuditedRecords(Audit& audit, const Case::Output& chosen) : audit_(audit), chosen_(chosen) {}

    // To be called after a step, before the next: notes what was recorded of the simulation, and the number of the
    // output that is being written.
    void take(const Simulation& simulation, const std::optional<LedgerRow>& row,
              const std::vector<std::size_t>& sampled, const ProbeRecorder& probes,
              std::optional<std::uint64_t> output);
    // To be called when the repetition has done its part and outputs are written: the first difference in what was
    // recorded since the last call, in words without a full stop.
    [[nodiscard]] std::optional<std::string> difference(const RunWriter& writer);

private:
    struct Record;

    Audit& audit_;
    const Case::Output& chosen_;
    std::vector<std::shared_ptr<Record>> records_;
};

}  // namespace halfulp
