// halfulp validate and halfulp bench: the experiments in the folder validation/, available in halfulp-lab.
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include <unistd.h>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "core/app/commands.hpp"
#include "core/app/interrupts.hpp"
#include "core/laboratory.hpp"
#include "core/registry.hpp"
#include "core/setup/program_place.hpp"

namespace halfulp {

bool register_experiment(Experiment experiment) { return add_to_registry(std::move(experiment)); }

const std::vector<Experiment>& experiments() { return registry<Experiment>(); }

namespace {

std::string& current_command_line()
{
    static std::string line;
    return line;
}

void add_command(CLI::App& app, CommandContext& context, const char* name, const std::string& summary)
{
    CLI::App* command = app.add_subcommand(name, summary + (experiments().empty() ? " (by halfulp-lab)" : ""));
    command->require_subcommand(1);
    for (const Experiment& experiment : experiments()) {
        if (experiment.command != name) continue;
        CLI::App* own = command->add_subcommand(experiment.name, experiment.summary);
        auto action = experiment.set_up(*own);
        own->callback([action, &context] {
            current_command_line() = context.command_line;
            end_at_interrupts();
            context.code = action();
        });
    }
}

}  // namespace

void forward_to_laboratory(int count, char** words)
{
    if (!experiments().empty() || count < 2) return;
    const std::string command = words[1];
    if (command != "validate" && command != "bench") return;
    const std::filesystem::path laboratory = program_place().replace_filename("halfulp-lab");
    execv(laboratory.c_str(), words);
    if (errno == ENOENT) {
        throw input_error("{} is a command of halfulp-lab, which is not beside this program ({}); it is {}", command,
                          laboratory.string(), how_to_build_laboratory);
    }
    throw input_error("{} is a command of halfulp-lab, and {} cannot be started: {}; it is {}", command,
                      laboratory.string(), std::strerror(errno), how_to_build_laboratory);
}

const std::string& experiment_command_line() { return current_command_line(); }

ExitCode carry_out(const Experiment& experiment, const std::vector<std::string>& words)
{
    struct Restored {
        std::string before = current_command_line();
        ~Restored() { current_command_line() = before; }
    } const restored;
    std::string line = fmt::format("halfulp {} {}", experiment.command, experiment.name);
    for (const std::string& word : words) line += " " + word;
    CLI::App app(experiment.summary, experiment.name);
    const auto action = experiment.set_up(app);
    try {
        app.parse(std::vector<std::string>(words.rbegin(), words.rend()));  // CLI11 takes them from the back
    } catch (const CLI::ParseError& error) {
        throw input_error("{}: {}", line, error.what());
    }
    current_command_line() = line;
    return action();
}

void add_validate_command(CLI::App& app, CommandContext& context)
{
    add_command(app, context, "validate", "Run a numerical experiment that verifies one of halfulp's promises");
}

void add_bench_command(CLI::App& app, CommandContext& context) { add_command(app, context, "bench", "Measure speed"); }

}  // namespace halfulp
