// What the experiments share: how they register, a case simulated in memory, and tables in a folder.
#pragma once

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <memory>
#include <ranges>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "core/app/commands.hpp"
#include "core/evolution/simulation.hpp"
#include "core/setup/spelling.hpp"
#include "validation/study.hpp"

namespace halfulp {

// Registers `halfulp validate NAME`. Arguments: StudyOptions and what the options that `add` adds are put into.
template <class Arguments>
bool register_study(
    const std::string& name, const std::string& summary, ExitCode (*run)(const Arguments&),
    void (*add)(CLI::App&, Arguments&) = [](CLI::App&, Arguments&) {})
{
    return register_experiment({"validate", name, summary, [=](CLI::App& command) -> std::function<ExitCode()> {
                                    const auto arguments = std::make_shared<Arguments>();
                                    add_study_options(command, *arguments);
                                    add(command, *arguments);
                                    return [=] { return run(*arguments); };
                                }});
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

// A case by name or path, with overrides as for --set.
Case case_with(const std::string& name, const std::vector<std::string>& overrides = {});

// Of things with a name: their names in a sentence, and those that are asked for, or all. Throws an Error where there
// is none of such a name; where: the command, for it.
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

// A hash as four numbers that double holds exactly, for the rows of a study, and back.
std::array<double, 4> numbers_of(const StateHash& hash);
StateHash hash_of(const std::array<double, 4>& numbers);

// A CSV file, of which every row is written at once. Throws an Error when it cannot be.
class Table {
public:
    Table(const std::filesystem::path& folder, const std::string& name, const std::string& header);
    // A cell of each number, truth value (1 or 0), text, and number in a range.
    template <class... Cells>
    void row(const Cells&... cells)
    {
        std::string line;
        (add(line, cells), ...);
        line.back() = '\n';
        write(line);
    }
    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

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

    std::filesystem::path path_;
    std::ofstream file_;
};

}  // namespace halfulp
