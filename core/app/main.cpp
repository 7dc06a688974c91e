// Entry point of `halfulp run|list|info|compare` and of `halfulp-lab`, which adds `validate|bench`.
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <new>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include <fcntl.h>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "core/app/brief_waiting.hpp"
#include "core/app/build_info.hpp"
#include "core/app/case_options.hpp"
#include "core/app/commands.hpp"
#include "core/app/floating_point.hpp"
#include "core/app/highlight.hpp"
#include "core/app/interrupts.hpp"
#include "core/app/out_of_memory.hpp"
#include "core/app/ranks.hpp"
#include "core/distribution/world.hpp"
#include "core/output/file_limit.hpp"
#include "core/particles/breakdown.hpp"
#include "core/setup/host_threads.hpp"
#include "core/setup/spelling.hpp"

namespace halfulp {

namespace {

std::string command_line(int count, char** words)
{
    std::string line;
    for (int i = 0; i < count; ++i) line += (i > 0 ? " " : "") + std::string(words[i]);
    return line;
}

int fail(ExitCode code, const std::string& sentence)
{
    std::fflush(stdout);
    complain(highlighted("halfulp: " + one_line(sentence), stderr));
    return static_cast<int>(code);
}

// A standard stream that is closed at the start gets /dev/null: otherwise the next opened file, a run's, would take its
// number and receive printed text.
void open_standard_streams()
{
    for (const int descriptor : {0, 1, 2}) {
        if (fcntl(descriptor, F_GETFD) == -1 && errno == EBADF && open("/dev/null", O_RDWR) < 0) return;
    }
}

// Flushes here, since a failure after main() would go unnoticed.
int finish(ExitCode code)
{
    if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return static_cast<int>(code);
    if (interrupted()) return static_cast<int>(code_of_interrupt());  // its reader or its terminal is gone
    return fail(ExitCode::output, "standard output could not be written to the end; is its disk full?");
}

// An empty value, such as that of a shell's variable that is not set, would count as zero.
void refuse_empty_words(int count, char** words)
{
    for (int k = 1; k < count; ++k) {
        const std::string_view word = words[k];
        const bool no_value = word.starts_with("--") && word.find('=') == word.size() - 1;
        if (!word.empty() && !no_value) continue;
        throw input_error("{} is empty; give a value, or leave it out",
                          no_value ? fmt::format("the value of {}", word.substr(0, word.size() - 1))
                          : k > 1  ? fmt::format("the word after {}", one_line(shortened(words[k - 1])))
                                   : "the command");
    }
}

// Checked here because CLI11's own message would not name the word, a command or an experiment.
void refuse_unknown_command(const CLI::App& app, int count, char** words, const std::string& what = "command")
{
    const auto commands = app.get_subcommands([](const CLI::App*) { return true; });
    if (count < 2 || words[1][0] == '-' || commands.empty()) return;
    std::vector<std::string_view> names;
    for (const CLI::App* command : commands) {
        if (command->get_name() == words[1])
            return refuse_unknown_command(*command, count - 1, words + 1, command->get_name() + " experiment");
        names.push_back(command->get_name());
    }
    const std::string_view meant = nearest_name(words[1], names);
    throw input_error("there is no {0} \"{1}\"; {2} {0}s are {3}", what, words[1],
                      meant.empty() ? "the" : fmt::format("did you mean \"{}\"? The", meant), enumerate_names(names));
}

// Used because CLI11's own message lists all words left over, values too, and suggests no name.
std::string unexpected(const CLI::App& app, const CLI::Error& error)
{
    const CLI::App* command = &app;
    std::string path = app.get_name();
    while (!command->get_subcommands().empty()) {
        command = command->get_subcommands().front();
        path += " " + command->get_name();
    }
    for (const std::string& word : command->remaining()) {
        const std::string name = word.substr(0, word.find('='));
        if (!name.starts_with("--")) continue;
        std::vector<std::string_view> known;
        for (const CLI::Option* option : command->get_options())
            known.insert(known.end(), option->get_lnames().begin(), option->get_lnames().end());
        const std::string_view meant = nearest_name(name.substr(2), known);
        return fmt::format("{} has no option {}{}", path, name,
                           meant.empty() ? std::string() : fmt::format(" (did you mean --{}?)", meant));
    }
    const CLI::Option* const set = command->get_option_no_throw("--set");
    if (set != nullptr && error.get_name() == "RequiredError") {
        if (std::string why = case_among(set->results()); !why.empty()) return why;
    }
    return error.what();
}

// `halfulp` and `halfulp help` are `halfulp --help`, `halfulp help COMMAND` is `halfulp COMMAND --help`.
std::vector<char*> with_help_as_option(int count, char** words)
{
    static std::string option = "--help";
    std::vector<char*> all(words, words + count);
    const bool help = count > 1 && std::string_view(words[1]) == "help";
    if (help) all.erase(all.begin() + 1);
    if (help || count < 2) all.push_back(option.data());
    return all;
}

}  // namespace

namespace {

// Several processes can only share a run, or resume one together.
void refuse_several_processes(int count, char** words)
{
    enter_world();
    if (world() == nullptr) return;
    keep_quiet_unless_first();
    const std::string_view command = count > 1 ? words[1] : "";
    if (command == "run" || command == "resume") return;
    throw input_error("{} processes were started together: only run and resume can use several; start a single one",
                      world()->ranks());
}

}  // namespace

int run_program(int given, char** given_words)
{
    wait_briefly(given_words);
    open_standard_streams();
    std::signal(SIGCHLD, SIG_DFL);  // ignored by whoever started this, children would end unseen
    turn_file_limit_into_an_error();
    std::vector<char*> all = with_help_as_option(given, given_words);
    const int count = static_cast<int>(all.size());
    all.push_back(nullptr);
    char** const words = all.data();
    CLI::App app("halfulp: weakly compressible SPH in robust single precision, with the same bits everywhere",
                 "halfulp");
    app.set_version_flag("--version",
                         fmt::format("halfulp {} (commit {}, tree {})", build::version, build::commit, build::tree));
    app.require_subcommand(1);
    app.failure_message([](const CLI::App* failed, const CLI::Error& error) {
        return highlighted(fmt::format("halfulp: {}; --help, also after a command, lists commands and options\n",
                                       one_line(unexpected(*failed, error))),
                           stderr);
    });
    app.footer(
        "Colours are used on a terminal, unless NO_COLOR is set.\nExit codes: 0 success, 1 bad input, 2 runs differ, 3 the simulation broke down, 4 output failed, 5 unsupported machine, 6 the audit found a difference, 130 interrupted (or 128 and the number of another signal).");
    CommandContext context;
    context.command_line = command_line(given, given_words);
    try {
        refuse_several_processes(count, words);
        forward_to_laboratory(count, words);
        refuse_empty_words(count, words);
        add_run_command(app, context);
        add_resume_command(app, context);
        add_rerun_command(app, context);
        add_sweep_command(app, context);
        add_info_command(app, context);
        add_compare_command(app, context);
        add_operators_command(app, context);
        add_list_command(app, context);
        add_validate_command(app, context);
        add_bench_command(app, context);
        add_completion_command(app, context);
        app.add_subcommand("help", "Show the help of a command, as its --help does")
            ->add_option("command")
            ->type_name("COMMAND");
        check_floating_point();
        make_offered_threads();
        refuse_unknown_command(app, count, words);
        app.parse(count, words);
        return finish(context.code);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? finish(ExitCode::success) : static_cast<int>(ExitCode::bad_input);
    } catch (const Error& error) {
        return fail(error.code(), error.what());
    } catch (const SimulationBroke& broke) {  // of a measurement; runs tell more of it
        return fail(ExitCode::stopped, fmt::format("a simulation broke down: {}", broke.breakdown.what));
    } catch (const std::bad_alloc&) {
        return fail(ExitCode::unsupported, out_of_memory());
    } catch (const std::system_error& error) {
        // A text longer than the stream's buffer fails during printing.
        if (std::ferror(stdout) != 0) return finish(context.code);
        if (error.code() == std::errc::resource_unavailable_try_again)
            return fail(ExitCode::unsupported, "this machine allows no more threads; " + out_of_memory());
        return fail(ExitCode::output, fmt::format("writing failed: {}", error.what()));
    } catch (const std::exception& error) {
        return fail(ExitCode::bad_input, fmt::format("unexpected: {}", error.what()));
    }
}

}  // namespace halfulp

int main(int count, char** words)
{
    const int code = halfulp::run_program(count, words);
    halfulp::leave_world(code);
    return code;
}
