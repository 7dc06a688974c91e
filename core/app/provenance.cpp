#include "core/app/provenance.hpp"

#include <filesystem>

#include <fmt/format.h>

#include "core/app/build_info.hpp"
#include "core/app/floating_point.hpp"
#include "core/app/machine.hpp"
#include "core/app/output_thread.hpp"

namespace halfulp {

Provenance provenance_of_machine(const std::string& device)
{
    Provenance machine = {{"floating_point", check_floating_point_of_threads()}, {"processor", describe_processor()}};
    in_output_thread([] { return check_floating_point_of_threads(ThreadsOf::outputs); }).get();
    if (!device.empty()) machine.insert({"device", device});
    return machine;
}

Provenance provenance_of(const Problem& problem, const StateHash& hash, const std::string& command_line,
                         const Backend& backend, const Provenance& machine)
{
    const auto& origin = problem.source.origin.cells;
    Provenance provenance = {
        {"halfulp", build::version},
        {"commit", build::commit},
        {"tree", build::tree},
        {"sources", build::sources},
        {"compiler", build::compiler},
        {"flags", build::flags},
        {"build_type", build::type},
        {"command", command_line},
        {"problem_hash", hash.text()},
        {"case_path", std::filesystem::absolute(problem.source.path).string()},
        {"backend", backend.description()},
        {"precision", problem.source.numerics.precision},
        {"origin.cells", fmt::format("{} {} {}", origin[0], origin[1], origin[2])},
        {"cell_side", fmt::format("{}", problem.units.length)},
        {"velocity_unit", fmt::format("{}", problem.units.velocity)},
        {"particle_mass", fmt::format("{}", problem.units.mass)},
        {"spacing", fmt::format("{}", problem.source.resolution.spacing)},
        {"available_energy", fmt::format("{}", problem.available_energy)},
        {"end_state", "running"},
    };
    provenance.insert(machine.begin(), machine.end());
    return provenance;
}

bool is_of_these_sources(const Provenance& provenance)
{
    const auto found = provenance.find("sources");
    return found != provenance.end() && found->second == build::sources;
}

std::string wall_seconds_text(const RunOutcome& outcome) { return fmt::format("{:.3f}", outcome.wall_seconds); }

Provenance times_of(const RunOutcome& outcome)
{
    std::string stages;
    for (const auto& [stage, seconds] : outcome.stages)
        stages += fmt::format("{}{} {:.3f}", stages.empty() ? "" : ", ", stage, seconds);
    std::string tenths;
    for (const auto& [time, step, seconds] : outcome.tenths)
        tenths += fmt::format("{}{:.6g} {} {:.3f}", tenths.empty() ? "" : "; ", time, step, seconds);
    return {{"wall_seconds", wall_seconds_text(outcome)},
            {"stage_seconds", stages},
            {"tenths", tenths},
            {"memory", fmt::format("{}", outcome.bytes)}};
}

std::string audit_text(const RunOutcome::Audited& audited)
{
    return fmt::format("every {} on {}: {} equal", audited.every == 1 ? "step" : fmt::format("{} steps", audited.every),
                       audited.on, audited.states == 1 ? "1 state" : fmt::format("{} states", audited.states));
}

std::string end_state(const RunOutcome& outcome)
{
    if (outcome.breakdown) return "stopped: " + outcome.breakdown->what;
    return outcome.interrupted ? "interrupted" : "complete";
}

}  // namespace halfulp
