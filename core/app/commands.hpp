// The program's subcommands. Each adds itself to the command line and, when chosen, leaves its exit code.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/error.hpp"

namespace CLI {
class App;
}

namespace halfulp {

struct CommandContext {
    std::string command_line;           // as typed, for the provenance
    ExitCode code = ExitCode::success;  // of the command that ran
};

void add_run_command(CLI::App& app, CommandContext& context);
void add_resume_command(CLI::App& app, CommandContext& context);
void add_rerun_command(CLI::App& app, CommandContext& context);
void add_sweep_command(CLI::App& app, CommandContext& context);
void add_info_command(CLI::App& app, CommandContext& context);
void add_compare_command(CLI::App& app, CommandContext& context);
void add_validate_command(CLI::App& app, CommandContext& context);
void add_bench_command(CLI::App& app, CommandContext& context);

// In a program without experiments `validate` and `bench` are carried out by the program halfulp-lab beside it, which
// takes this one's place, with the same words. Returns if the words ask for neither; throws an Error where there is no
// halfulp-lab.
void forward_to_laboratory(int count, char** words);

// An experiment of `halfulp validate` or `halfulp bench`: one file under validation/ that registers itself.
struct Experiment {
    std::string command;  // "validate" or "bench"
    std::string name;
    std::string summary;
    // Adds the experiment's options to its subcommand and returns what to do when it is chosen.
    std::function<std::function<ExitCode()>(CLI::App&)> set_up;
};

// To be called from the initialiser of a namespace-scope constant; returns true.
bool register_experiment(Experiment experiment);
const std::vector<Experiment>& experiments();

// Carries out an experiment with the words that a user would type after its name. Throws what it throws, and an Error
// for words that it does not know.
ExitCode carry_out(const Experiment& experiment, const std::vector<std::string>& words);

// The command line of the experiment that is being carried out, for its report.
const std::string& experiment_command_line();

}  // namespace halfulp
