// halfulp validate and halfulp bench: the experiments of the folder validation/.
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

namespace {

void add_command(CLI::App& app, CommandContext& context, const char* name, const char* summary)
{
    CLI::App* command = app.add_subcommand(name, summary);
    command->require_subcommand(1);
    for (const Experiment& experiment : experiments()) {
        if (experiment.command != name) continue;
        CLI::App* own = command->add_subcommand(experiment.name, experiment.summary);
        auto action = experiment.set_up(*own);
        own->callback([action, &context] { context.code = action(); });
    }
}

}  // namespace

void add_validate_command(CLI::App& app, CommandContext& context)
{
    add_command(app, context, "validate", "Run an experiment that shows whether halfulp keeps its promises");
}

void add_bench_command(CLI::App& app, CommandContext& context)
{
    add_command(app, context, "bench", "Measure speed, as ratios within one run");
}

}  // namespace halfulp
