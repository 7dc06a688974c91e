// halfulp validate all: every experiment, or those named, each in a folder of its own, and one report of all of them.
#include <cstdio>

#include "core/app/interrupts.hpp"
#include "core/app/progress.hpp"
#include "core/output/text_files.hpp"
#include "validation/experiment.hpp"

namespace halfulp {

namespace {

constexpr const char* own_name = "all";

struct Arguments : StudyOptions {
    std::vector<std::string> names;
};

const std::vector<Experiment>& others()
{
    static const std::vector<Experiment> all = [] {
        std::vector<Experiment> found = experiments();
        std::erase_if(found, [](const Experiment& e) { return e.command != "validate" || e.name == own_name; });
        return found;
    }();
    return all;
}

// As a user would type them.
std::vector<std::string> words_for(const Experiment& experiment, const StudyOptions& options)
{
    std::vector<std::string> words;
    if (options.scale == Scale::quick) words.emplace_back("--quick");
    if (options.scale == Scale::full) words.emplace_back("--full");
    if (options.fresh) words.emplace_back("--fresh");
    if (options.threads > 0) words.insert(words.end(), {"--threads", std::to_string(options.threads)});
    words.insert(words.end(), {"-o", (options.folder / experiment.name).string()});
    return words;
}

std::string command_line(const Experiment& experiment, const std::vector<std::string>& words)
{
    return fmt::format("halfulp validate {} {}", experiment.name, fmt::join(words, " "));
}

// The pages of an experiment for the report or, where it made none, why.
struct Outcome {
    std::vector<ReportSection> sections;
    bool passed = false;
    double seconds = 0;
};

Outcome carry_out_one(const Experiment& experiment, const std::vector<std::string>& words)
{
    Outcome outcome;
    const double started = seconds_now();
    std::string sentence = "it made no page";
    try {
        outcome.passed = carry_out(experiment, words) == ExitCode::success;
        outcome.sections = take_closed_pages();
    } catch (const std::exception& error) {
        if (interrupted()) throw;
        outcome.sections = take_closed_pages();
        sentence = error.what();
        fmt::print("FAILED: {}\n", sentence);
    }
    outcome.seconds = seconds_now() - started;
    if (outcome.sections.empty()) {
        outcome.passed = false;
        ReportSection section;
        section.name = experiment.name;
        section.title = experiment.summary;
        section.verdicts = {{false, fmt::format("could not be carried out: {}", sentence)}};
        section.body = verdict_html(section, 0);
        section.command_line = command_line(experiment, words);
        section.seconds = outcome.seconds;
        outcome.sections.push_back(section);
    }
    return outcome;
}

ExitCode run_all(const Arguments& arguments)
{
    const StudyOptions& options = arguments;
    const auto chosen = cases_named(others(), arguments.names, "validate all");
    const std::filesystem::path file = report_in(options.folder);
    std::vector<ReportSection> sections;
    std::vector<std::string> lines;
    bool passed = true;
    for (std::size_t k = 0; k < chosen.size(); ++k) {
        const auto words = words_for(*chosen[k], options);
        fmt::print("$ {}\n\n", command_line(*chosen[k], words));
        std::fflush(stdout);
        const Outcome outcome = carry_out_one(*chosen[k], words);
        passed = passed && outcome.passed;
        sections.insert(sections.end(), outcome.sections.begin(), outcome.sections.end());
        lines.push_back(fmt::format("| {} | {} | {} |", chosen[k]->name, outcome.passed ? "passed" : "FAILED",
                                    duration_text(outcome.seconds)));
        // After each of them: a study that is stopped leaves a report of what there is.
        const std::string title = k + 1 == chosen.size()
                                      ? std::string("halfulp: report of the experiments")
                                      : fmt::format("halfulp: {} of {} experiments", k + 1, chosen.size());
        replace_file(file, report_html(title, experiment_command_line(), sections));
        fmt::print("\n");
        // In the last measurement of an experiment, which then has all of them.
        if (interrupted() && k + 1 < chosen.size()) {
            throw Error(code_of_interrupt(),
                        fmt::format("validate all: interrupted; {} has {} of {} experiments, and the same command goes "
                                    "on there.",
                                    file.string(), k + 1, chosen.size()));
        }
    }
    fmt::print("| experiment | verdict | min:s |\n|---|---|---|\n");
    for (const std::string& line : lines) fmt::print("{}\n", line);
    fmt::print("\n{}: all experiments\nreport: {}\n", passed ? "passed" : "FAILED", file.string());
    return passed ? ExitCode::success : ExitCode::differs;
}

const bool registered = register_study<Arguments>(
    own_name, "All of these, one after another, with one report", run_all, [](CLI::App& command, Arguments& arguments) {
        command.add_option("name", arguments.names, "Which (default: all): " + names_of(others()));
        command.footer(
            "Each is what `halfulp validate NAME` with these options does, in FOLDER/NAME; all of them "
            "are in FOLDER/report.html. Exit code 2 if one did not pass.");
    });

}  // namespace

}  // namespace halfulp
