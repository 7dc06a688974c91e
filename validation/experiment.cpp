#include "validation/experiment.hpp"

#include <fmt/format.h>

#include "core/app/draw.hpp"
#include "core/backends/cpu/cpu_backend.hpp"
#include "core/error.hpp"
#include "core/setup/read_case.hpp"

namespace halfulp {

Simulated simulate(const std::string& case_name, const std::vector<std::string>& overrides, std::uint64_t every,
                   const std::function<void(const Problem&, const Simulation&)>& look)
{
    Simulated result;
    const Case c = read_case(find_case(case_name), overrides);
    result.problem = prepare(c);
    Simulation simulation(result.problem, make_cpu_backend(result.problem, {}));
    look(result.problem, simulation);
    try {
        while (simulation.time() < c.time.end) {
            simulation.step();
            if (simulation.steps() % every == 0 || simulation.time() >= c.time.end) look(result.problem, simulation);
        }
    } catch (const SimulationBroke&) {
        result.broke = true;
    }
    result.hash = simulation.snapshot().hash;
    result.steps = simulation.steps();
    return result;
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

void draw_table(const std::filesystem::path& table, const std::string& name)
{
    const auto script = shipped_script(name + ".py", "validation/" + name + ".py");
    fmt::print("table: {}\n", table.string());
    if (!script.empty() && run_python(script, table) == 0) {
        fmt::print("figure: {}\n", std::filesystem::path(table).replace_extension(".png").string());
    } else {
        fmt::print("figure: none (see above)\n");
    }
}

}  // namespace halfulp
