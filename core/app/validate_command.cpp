// halfulp validate: the experiments of the folder validation/.
#include <memory>
#include <utility>

#include <CLI/CLI.hpp>

#include "core/app/commands.hpp"

namespace halfulp {

namespace {
std::vector<Experiment>& registry()
{
    static std::vector<Experiment> all;
    return all;
}
}  // namespace

bool register_experiment(Experiment experiment)
{
    registry().push_back(std::move(experiment));
    return true;
}

const std::vector<Experiment>& experiments() { return registry(); }

void add_validate_command(CLI::App& app, CommandContext& context)
{
    CLI::App* command =
        app.add_subcommand("validate", "Run an experiment that shows whether halfulp keeps its promises");
    command->require_subcommand(1);
    for (const Experiment& experiment : experiments()) {
        CLI::App* own = command->add_subcommand(experiment.name, experiment.summary);
        auto action = experiment.set_up(*own);
        own->callback([action, &context] { context.code = action(); });
    }
}

}  // namespace halfulp
