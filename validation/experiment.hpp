// What the experiments share: a case simulated in memory, and tables with figures in a folder.
#pragma once

#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "core/evolution/simulation.hpp"

namespace halfulp {

struct Simulated {
    Problem problem;
    StateHash hash;  // at the end
    std::uint64_t steps = 0;
    bool broke = false;
};

// Runs a case (by name or path, with overrides as for --set) to its end without writing it; look is called every
// `every` steps, first at time 0, and once more at the end.
Simulated simulate(const std::string& case_name, const std::vector<std::string>& overrides, std::uint64_t every,
                   const std::function<void(const Problem&, const Simulation&)>& look);

// A CSV file that throws an Error when it cannot be written.
class Table {
public:
    Table(const std::filesystem::path& folder, const std::string& name, const std::string& header);
    void row(const std::string& line);
    // To be called once, after the last row.
    void close();
    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
    std::ofstream file_;
};

// Draws a table by the script validation/NAME.py beside it, as PNG; says where, or why not.
void draw_table(const std::filesystem::path& table, const std::string& name);

}  // namespace halfulp
