// Machine options common to run and resume; none of them changes a bit of the result.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/app/json.hpp"
#include "core/app/run.hpp"

namespace CLI {
class App;
}

namespace halfulp {

struct MachineOptions {
    bool no_figures = false;
    bool quiet = false;
    bool json = false;
    int threads = 0;
    int ranks = 0;
    std::string lanes = "auto";
    std::string neighbours = "auto";
    std::string backend = "auto";
    std::optional<int> device;
    std::vector<int> devices;
    double checkpoint_every = 600;  // s
    bool keep_checkpoint = false;
    std::optional<long long> audit;  // steps
    std::optional<std::string> audit_on;

    void add_to(CLI::App& command);
    // Throws an Error for invalid options. The caller fills in folder and command line.
    [[nodiscard]] RunOptions run_options() const;
};

// Runs, reports the result, draws the figures. json: gets the summary, which is then not printed.
ExitCode run_and_report(const Problem& problem, RunOptions options, bool figures, JsonObject* json = nullptr,
                        std::optional<ResumePoint> from = {});

}  // namespace halfulp
