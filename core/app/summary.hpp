// The summary of a run at its end, and of a case before its first step.
#pragma once

#include <string>
#include <vector>

#include "core/app/run.hpp"
#include "core/output/probe_series.hpp"

namespace halfulp {

// The outputs of a whole run.
struct OutputSizes {
    double number = 0;
    double bytes = 0;      // of one
    bool at_most = false;  // whether what is chosen or compressed may be less
};

OutputSizes output_sizes(const Problem& problem);

// Sizes, scales and expectations of a case that is ready to run; several lines. warnings: those of the case
// (case_warnings).
std::string describe_problem(const Problem& problem, const std::vector<std::string>& warnings);

// Measured quantity, location and interval of a probe; one line.
std::string describe_probe(const ProbeSeries& series);

// The resources of a CUDA device for the case, or why none can run it; several lines.
std::string describe_device(const Problem& problem, const CudaOptions& options);

// The energy ledger with its residual, momentum, density, front, speed; several lines.
std::string summarise(const Problem& problem, const RunOutcome& outcome);

// Bytes as "12.3 MB".
std::string bytes_text(double bytes);

}  // namespace halfulp
