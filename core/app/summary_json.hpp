// The summaries of run, info and their like as JSON objects.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/app/json.hpp"
#include "core/app/run.hpp"
#include "core/app/sweep.hpp"
#include "core/output/run_file.hpp"
#include "core/setup/problem.hpp"

namespace halfulp {

// What a run did; SI units.
JsonObject summary_as_json(const Problem& problem, const RunOutcome& outcome);

// What a case will do.
JsonObject case_as_json(const Problem& problem, const std::vector<std::string>& warnings);

// What a run on disk has done.
JsonObject run_as_json(const std::filesystem::path& path, const RunReader& reader);

// The runs of a sweep: their values, how they ended, the last rows of their ledgers.
JsonObject sweep_as_json(const Sweep& sweep, ExitCode code);

}  // namespace halfulp
