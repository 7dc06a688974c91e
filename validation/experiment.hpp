// What the experiments share: a case simulated in memory, and tables in a folder.
#pragma once

#include <array>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "core/backends/cpu/cpu_backend.hpp"
#include "core/evolution/simulation.hpp"

namespace halfulp {

struct Simulated {
    Problem problem;
    StateHash hash;  // at the end
    std::uint64_t steps = 0;
    double time = 0;  // s; the end, or where it broke
    bool broke = false;
};

// Runs a case to its end without writing it; look is called every `every` steps, first at time 0, and once more at the
// end. In the jobs of a study cpu is one_thread.
Simulated simulate(Problem problem, std::uint64_t every,
                   const std::function<void(const Problem&, const Simulation&)>& look, const CpuOptions& cpu = {});
Simulated simulate(const Case& c, std::uint64_t every,
                   const std::function<void(const Problem&, const Simulation&)>& look, const CpuOptions& cpu = {});
// The same of a case by name or path, with overrides as for --set.
Simulated simulate(const std::string& case_name, const std::vector<std::string>& overrides, std::uint64_t every,
                   const std::function<void(const Problem&, const Simulation&)>& look, const CpuOptions& cpu = {});

// A hash as four numbers that double holds exactly, for the rows of a study, and back.
std::array<double, 4> numbers_of(const StateHash& hash);
StateHash hash_of(const std::array<double, 4>& numbers);

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

}  // namespace halfulp
