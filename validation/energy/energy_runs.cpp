#include "validation/energy/energy_runs.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "core/setup/read_case.hpp"
#include "validation/experiment.hpp"

namespace halfulp {

namespace {

constexpr double samples = 1000;  // of the energy, evenly over a run

Case case_of(const EnergyRun& run, const std::string& precision)
{
    std::vector<std::string> overrides{
        fmt::format("resolution.spacing={}", run.spacing), fmt::format("time.cfl={}", run.cfl),
        fmt::format("origin.cells=[{},{}]", run.cells, -run.cells), fmt::format("numerics.precision={}", precision)};
    if (run.end > 0) overrides.push_back(fmt::format("time.end={}", run.end));
    return case_with(run.case_name, overrides);
}

// First {steps, time where it broke or -1, available energy, change of the potential energy, hash}, then {step,
// E - E(0), kinetic energy} in J.
Results measure(Problem problem)
{
    const double expected = problem.source.time.end / problem.fixed_step;
    const auto every = static_cast<std::uint64_t>(std::max(1.0, std::floor(expected / samples)));
    Results series;
    double first_potential = 0;
    double largest_change = 0;
    const auto simulated = simulate(std::move(problem), every, [&](const Problem&, const Simulation& simulation) {
        const LedgerRow row = simulation.ledger_row();
        if (series.empty()) first_potential = row.potential;
        largest_change = std::max(largest_change, std::abs(row.potential - first_potential));
        series.push_back({row.step, row.residual, row.kinetic});
    });
    const auto hash = numbers_of(simulated.hash);
    series.insert(series.begin(),
                  {static_cast<double>(simulated.steps), simulated.broke ? simulated.time : -1,
                   simulated.problem.available_energy, largest_change, hash[0], hash[1], hash[2], hash[3]});
    return series;
}

double largest_change(const Results& series)
{
    double largest = 0;
    for (std::size_t k = 1; k < series.size(); ++k) largest = std::max(largest, std::abs(series[k][1]));
    return largest;
}

EnergyError error_of(const Results& own, const Results& reference)
{
    EnergyError error;
    const auto& head = own.at(0);
    error.steps = static_cast<std::uint64_t>(head.at(0));
    error.failed = head.at(1) >= 0;
    if (error.failed) error.failed_at = head.at(1);
    error.available = head.at(2);
    error.frozen = head.at(3) == 0;
    error.hash = hash_of({head.at(4), head.at(5), head.at(6), head.at(7)});
    error.own = largest_change(own) / error.available;
    error.reference = largest_change(reference) / error.available;
    std::map<double, const std::vector<double>*> at_step;
    for (std::size_t k = 1; k < reference.size(); ++k) at_step[reference[k][0]] = &reference[k];
    for (std::size_t k = 1; k < own.size(); ++k) {
        const auto same = at_step.find(own[k][0]);
        if (same == at_step.end()) continue;
        const auto apart = [&](std::size_t c) { return std::abs(own[k][c] - (*same->second)[c]) / error.available; };
        error.deviation = std::max(error.deviation, apart(1));
        error.flow = std::max(error.flow, apart(2));
    }
    return error;
}

}  // namespace

void measure_energies(const std::vector<EnergyRun>& runs, Study& study,
                      const std::function<void(std::size_t, const EnergyError&)>& each)
{
    std::vector<Job> jobs;
    std::map<std::string, std::size_t> index_of_key;
    const auto add = [&](const Job& job) {
        const auto [at, added] = index_of_key.try_emplace(job.key, jobs.size());
        if (added) jobs.push_back(job);
        return at->second;
    };
    struct Pair {
        std::size_t own;
        std::size_t reference;
    };
    std::vector<Pair> pairs;
    for (const EnergyRun& run : runs) {
        const StartRounding rounding = start_rounding(run.policy);
        // A reference's bits do not depend on where it is unless its start was rounded there.
        EnergyRun there = run;
        if (!rounding.positions) there.cells = 0;
        const Case reference = case_of(there, double_reference(run.policy));
        const Case c = case_of(run, run.policy.name);
        std::vector<std::string> parameters;
        if (rounding.positions) parameters.emplace_back("positions=" + run.policy.position);
        if (rounding.densities) parameters.emplace_back("densities=" + run.policy.density);
        const std::size_t reference_job =
            add({job_key("energy", reference, parameters), [=] {
                     Problem problem = prepare(reference);
                     problem.particles = start_as_held(prepare(case_of(there, run.policy.name)), run.policy).particles;
                     return measure(std::move(problem));
                 }});
        pairs.push_back({add({job_key("energy", c), [c] { return measure(prepare(c)); }}), reference_job});
    }
    std::vector<Results> results(jobs.size());
    std::size_t told = 0;
    study.run(jobs, [&](std::size_t k, const Results& rows) {
        results[k] = rows;
        while (told < pairs.size() && std::max(pairs[told].own, pairs[told].reference) <= k) {
            each(told, error_of(results[pairs[told].own], results[pairs[told].reference]));
            ++told;
        }
    });
}

}  // namespace halfulp
