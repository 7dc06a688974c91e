// The parts that experiments share: registration with their options, cases simulated in memory, tables in a folder;
// with studies, pages, and the headers of the standard library that all of them need.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <ranges>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include "core/app/commands.hpp"
#include "core/backends/batch.hpp"
#include "core/evolution/simulation.hpp"
#include "core/output/posix_file.hpp"
#include "core/particles/breakdown.hpp"
#include "core/setup/spelling.hpp"
#include "validation/page.hpp"
#include "validation/study.hpp"

namespace halfulp {

// An option of an experiment beside those that all have. Its default is told unless it is zero or empty, which stand
// for what belongs to the scale.
template <class T>
CLI::Option* add(CLI::App& command, const std::string& name, T& value, const std::string& description,
                 const CLI::Validator& check = CLI::Validator(""))
{
    CLI::Option* const option = command.add_option(name, value, description)->check(check);
    return value == T{} ? option : option->capture_default_str();
}

// Adds --quick, --full, -o/--output, --fresh and --threads. options must outlive the command. Unless the user says
// otherwise the folder is out/validate-NAME, of the command's name.
void add_study_options(CLI::App& command, StudyOptions& options);

// The options that every measurement of `halfulp bench` has.
struct BenchOptions {
    std::string folder;
    static constexpr const char* folder_help = "Folder for the table";
};
// Adds -o/--output; the folder is out/bench-NAME unless the user says otherwise.
void add_bench_options(CLI::App& command, BenchOptions& options, const char* folder_help);

// Register `halfulp validate NAME` and `halfulp bench NAME`. Arguments: StudyOptions or BenchOptions, and the values of
// the options that `add` adds. A `machine` of theirs (MachineOptions) is chosen by --backend and --device.
template <class Arguments>
bool register_as(const std::string& command, const std::string& name, const std::string& summary,
                 ExitCode (*run)(const Arguments&), void (*add)(CLI::App&, Arguments&))
{
    return register_experiment({command, name, summary, [=](CLI::App& app) -> std::function<ExitCode()> {
                                    const auto arguments = std::make_shared<Arguments>();
                                    if constexpr (std::is_base_of_v<StudyOptions, Arguments>)
                                        add_study_options(app, *arguments);
                                    else add_bench_options(app, *arguments, Arguments::folder_help);
                                    constexpr bool chooses = requires { arguments->machine; };
                                    if constexpr (chooses) arguments->machine.add_options(app);
                                    add(app, *arguments);
                                    return [=] {
                                        if constexpr (chooses) arguments->machine.require(command + " " + name);
                                        return run(*arguments);
                                    };
                                }});
}
template <class Arguments>
bool register_study(
    const std::string& name, const std::string& summary, ExitCode (*run)(const Arguments&),
    void (*add)(CLI::App&, Arguments&) = [](CLI::App&, Arguments&) {})
{
    return register_as("validate", name, summary, run, add);
}
template <class Arguments>
bool register_bench(const std::string& name, const std::string& summary, ExitCode (*run)(const Arguments&),
                    void (*add)(CLI::App&, Arguments&))
{
    return register_as("bench", name, summary, run, add);
}

using Look = std::function<void(const Problem&, const Simulation&)>;

struct Simulated {
    Problem problem;
    StateHash hash;  // at the end
    std::uint64_t steps = 0;
    double time = 0;  // s; the end, or where it broke
    bool broke = false;
};

// Runs a case to its end on one thread without writing it; look is called every `every` steps, first at time 0, and
// once more at the end.
Simulated simulate(Problem problem, std::uint64_t every, const Look& look, const CpuOptions& cpu = one_thread);
// The same on a back end of the problem's own.
Simulated simulate(Problem problem, std::uint64_t every, const Look& look,
                   const std::function<std::unique_ptr<Backend>(const Problem&)>& make);

// The runs of a batch, each to the end of its case or until it breaks down; look as for simulate, with the run's place.
// Returns which broke down. name: of the experiment, for its progress line. Throws an Error on Ctrl-C.
std::vector<bool> simulate_together(const std::vector<const Problem*>& problems, BatchOfRuns made, std::uint64_t every,
                                    const std::string& name,
                                    const std::function<void(std::size_t, const Simulation&)>& look);

// The larger of both in the first; infinity for what is no finite number, which no bound then passes.
inline void raise(double& largest, double value)
{
    if (!(value <= largest)) largest = std::isfinite(value) ? value : std::numeric_limits<double>::infinity();
}

// Carries out a part of a simulation. Returns whether it broke down on the way.
template <class Run>
bool breaks_down(Run run)
{
    try {
        run();
        return false;
    } catch (const SimulationBroke&) {
        return true;
    }
}

// A case by name or path, with overrides as for --set.
Case case_with(const std::string& name, const std::vector<std::string>& overrides = {});

// What experiments change of a case; 0 and empty: the case's own.
struct Variant {
    double spacing = 0;  // m
    double cfl = 0;
    double end = 0;          // s
    std::int64_t cells = 0;  // the origin's distance along x and, the other way, along y
    std::string precision{};
};
Case case_with(const std::string& name, const Variant& variant);

// The names of a list's entries in a sentence; and the entries of given names, or all where none is given. Throws an
// Error for an unknown name; where: the command, for the message.
template <class Named>
std::string names_of(const std::vector<Named>& all)
{
    std::vector<std::string_view> names;
    for (const Named& one : all) names.push_back(one.name);
    return enumerate_names(names);
}
template <class Named>
std::vector<const Named*> cases_named(const std::vector<Named>& all, const std::vector<std::string>& names,
                                      const std::string& where)
{
    std::vector<const Named*> chosen;
    for (const std::string& name : names) {
        const auto found = std::ranges::find(all, name, &Named::name);
        if (found == all.end())
            throw input_error(fmt::format("{}: \"{}\" is unknown; there are {}.", where, name, names_of(all)));
        chosen.push_back(&*found);
    }
    for (const Named& one : all)
        if (names.empty()) chosen.push_back(&one);
    return chosen;
}

// A CSV file, of which every row is written at once, to NAME.csv.new. It becomes NAME.csv when it is complete: an
// experiment that is cut off leaves the table of an earlier one as it was. Throws an Error when it cannot be written.
class Table {
public:
    Table(const std::filesystem::path& folder, const std::string& name, const std::string& header);
    // Completes the table, and throws as its other members if it cannot; unless an exception is why it ends: then one
    // without a row is removed.
    ~Table() noexcept(false);
    Table(const Table&) = delete;
    Table& operator=(const Table&) = delete;
    // A cell of each number, truth value (1 or 0), text, and number in a range.
    template <class... Cells>
    void row(const Cells&... cells)
    {
        std::string line;
        (add(line, cells), ...);
        line.back() = '\n';
        write(line);
    }
    // Gives the table its name, once it has all of its rows.
    const std::filesystem::path& complete();

private:
    template <class Cell>
    static void add(std::string& line, const Cell& cell)
    {
        if constexpr (std::is_convertible_v<Cell, std::string_view>) add_text(line, cell);
        else if constexpr (std::ranges::range<Cell>)
            for (const auto& one : cell) add(line, one);
        else if constexpr (std::is_same_v<Cell, bool>) line += cell ? "1," : "0,";
        else fmt::format_to(std::back_inserter(line), "{},", cell);
    }
    static void add_text(std::string& line, std::string_view text);
    void write(const std::string& line);
    void take_name();

    std::filesystem::path path_;
    std::filesystem::path fresh_;
    PosixFile file_;
    int exceptions_ = std::uncaught_exceptions();  // when it began
    bool has_rows_ = false;
    bool complete_ = false;
};

}  // namespace halfulp
