#include "validation/experiment.hpp"

#include <utility>

#include <fmt/format.h>

#include "core/error.hpp"
#include "core/setup/read_case.hpp"

namespace halfulp {

Simulated simulate(Problem problem, std::uint64_t every, const Look& look, const CpuOptions& cpu)
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

Case case_with(const std::string& name, const std::vector<std::string>& overrides)
{
    return read_case(find_case(name), overrides);
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
    write(header + '\n');
}

void Table::add_text(std::string& line, std::string_view text)
{
    const char* const quote = text.find(',') == text.npos ? "" : "\"";
    fmt::format_to(std::back_inserter(line), "{0}{1}{0},", quote, text);
}

void Table::write(const std::string& line)
{
    file_ << line;
    file_.flush();
    if (!file_) throw output_error(fmt::format("{}: could not be written; is the disk full?", path_.string()));
}

}  // namespace halfulp
