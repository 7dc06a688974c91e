// The program's subcommands. Each adds itself to the command line and, if selected, sets the exit code.
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
void add_list_command(CLI::App& app, CommandContext& context);
void add_info_command(CLI::App& app, CommandContext& context);
void add_compare_command(CLI::App& app, CommandContext& context);
void add_operators_command(CLI::App& app, CommandContext& context);
void add_completion_command(CLI::App& app, CommandContext& context);
void add_validate_command(CLI::App& app, CommandContext& context);
void add_bench_command(CLI::App& app, CommandContext& context);

// In a program without experiments `validate` and `bench` are carried out by the program halfulp-lab beside it, which
// replaces this process, with the same arguments. Returns for other commands; throws an Error if there is no
// halfulp-lab.
void forward_to_laboratory(int count, char** words);

// An experiment of `halfulp validate` or `halfulp bench`: one file under validation/ that registers itself.
struct Experiment {
    std::string command;  // "validate" or "bench"
    std::string name;
    std::string summary;
    // Adds the experiment's options to its subcommand and returns the action to run if it is selected.
    std::function<std::function<ExitCode()>(CLI::App&)> set_up;
};

// To be called from the initialiser of a namespace-scope constant; returns true.
bool register_experiment(Experiment experiment);
const std::vector<Experiment>& experiments();

// Carries out an experiment with the arguments that a user would type after its name. Passes on its exceptions, and
// throws an Error for unknown arguments.
ExitCode carry_out(const Experiment& experiment, const std::vector<std::string>& words);

// The command line of the current experiment, for its report.
const std::string& experiment_command_line();

}  // namespace halfulp
