#include "validation/experiment.hpp"

#include <utility>

#include <fmt/format.h>

#include "core/error.hpp"
#include "core/setup/read_case.hpp"

namespace halfulp {

Simulated simulate(Problem problem, std::uint64_t every,
                   const std::function<void(const Problem&, const Simulation&)>& look, const CpuOptions& cpu)
{
    Simulated result;
    result.problem = std::move(problem);
    const double end = result.problem.source.time.end;
    Simulation simulation(result.problem, make_cpu_backend(result.problem, cpu));
    look(result.problem, simulation);
    try {
        while (simulation.time() < end) {
            simulation.step();
            if (simulation.steps() % every == 0 || simulation.time() >= end) look(result.problem, simulation);
        }
    } catch (const SimulationBroke&) {
        result.broke = true;
    }
    result.time = simulation.time();
    result.hash = simulation.snapshot().hash;
    result.steps = simulation.steps();
    return result;
}

Simulated simulate(const Case& c, std::uint64_t every,
                   const std::function<void(const Problem&, const Simulation&)>& look, const CpuOptions& cpu)
{
    return simulate(prepare(c), every, look, cpu);
}

Simulated simulate(const std::string& case_name, const std::vector<std::string>& overrides, std::uint64_t every,
                   const std::function<void(const Problem&, const Simulation&)>& look, const CpuOptions& cpu)
{
    return simulate(read_case(find_case(case_name), overrides), every, look, cpu);
}

std::array<double, 4> numbers_of(const StateHash& hash)
{
    std::array<double, 4> numbers{};
    for (std::size_t k = 0; k < 4; ++k)
        numbers[k] = static_cast<double>(static_cast<std::uint32_t>(hash.words[k / 2] >> (32 * (k % 2))));
    return numbers;
}

StateHash hash_of(const std::array<double, 4>& numbers)
{
    StateHash hash;
    for (std::size_t k = 0; k < 4; ++k) hash.words[k / 2] |= static_cast<std::uint64_t>(numbers[k]) << (32 * (k % 2));
    return hash;
}

Table::Table(const std::filesystem::path& folder, const std::string& name, const std::string& header)
    : path_(folder / (name + ".csv"))
{
    std::error_code failed;
    std::filesystem::create_directories(folder, failed);
    file_.open(path_);
    if (!file_) {
        throw output_error(fmt::format("{}: cannot be written; choose another folder with --output", path_.string()));
    }
    row(header);
}

void Table::row(const std::string& line)
{
    file_ << line << '\n';
    file_.flush();
}

void Table::close()
{
    file_.close();
    if (!file_) {
        throw output_error(fmt::format("{}: could not be written to the end; is the disk full?", path_.string()));
    }
}

}  // namespace halfulp
