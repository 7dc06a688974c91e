#include "validation/energy/energy_runs.hpp"

namespace halfulp {

namespace {

constexpr double samples = 1000;  // of the energy, evenly over a run

struct Energies {
    std::uint64_t steps = 0;
    bool broke = false;
    double time = 0;              // s; the end, or where it broke
    double available = 0;         // J; the total at the start where there is none
    double potential_change = 0;  // J, the largest
    StateHash hash;
    struct Sample {
        std::uint64_t step;
        double change;   // E - E(0), J
        double kinetic;  // J
    };
    std::vector<Sample> series;
    static auto members(auto& self)
    {
        return std::tie(self.steps, self.broke, self.time, self.available, self.potential_change, self.hash,
                        self.series);
    }

    [[nodiscard]] double largest_change() const
    {
        double largest = 0;
        for (const Sample& sample : series) largest = std::max(largest, std::abs(sample.change));
        return largest;
    }
};

Energies measure(Problem problem)
{
    const double expected = problem.source.time.end / problem.fixed_step;
    const auto every = static_cast<std::uint64_t>(std::max(1.0, std::floor(expected / samples)));
    Energies energies;
    double first_potential = 0;
    double first_total = 0;
    const auto simulated = simulate(std::move(problem), every, [&](const Problem&, const Simulation& simulation) {
        const LedgerRow row = simulation.ledger_row();
        if (energies.series.empty()) {
            first_potential = row.potential;
            first_total = row.total;
        }
        energies.potential_change = std::max(energies.potential_change, std::abs(row.potential - first_potential));
        energies.series.push_back({simulation.steps(), row.residual, row.kinetic});
    });
    energies.steps = simulated.steps;
    energies.broke = simulated.broke;
    energies.time = simulated.time;
    const double available = simulated.problem.available_energy;
    energies.available = available > 0 ? available : first_total;
    energies.hash = simulated.hash;
    return energies;
}

EnergyError error_of(const Energies& own, const Energies& reference)
{
    EnergyError error{.steps = own.steps,
                      .failed = own.broke,
                      .frozen = own.potential_change == 0,
                      .available = own.available,
                      .own = own.largest_change() / own.available,
                      .reference = reference.largest_change() / own.available,
                      .hash = own.hash};
    if (error.failed) error.failed_at = own.time;
    std::map<std::uint64_t, Energies::Sample> at_step;
    for (const auto& sample : reference.series) at_step[sample.step] = sample;
    for (const auto& sample : own.series) {
        const auto same = at_step.find(sample.step);
        if (same == at_step.end()) continue;
        const auto apart = [&](double Energies::Sample::*member) {
            return std::abs(sample.*member - same->second.*member) / error.available;
        };
        error.deviation = std::max(error.deviation, apart(&Energies::Sample::change));
        error.flow = std::max(error.flow, apart(&Energies::Sample::kinetic));
    }
    return error;
}

// At asked_cfl, at the spacings of the experiment: the largest deviation of robust from double over the error of the
// integrator, three to five times what was measured, and what has to exceed it, or the bound would show nothing.
struct Allowed {
    std::string_view case_name;
    double spacing;  // m
    double ratio;
};
constexpr std::array allowed{Allowed{"inviscid-tank-2d", 0.05, 0.05}, Allowed{"inviscid-tank-2d", 0.02, 0.015},
                             Allowed{"sloshing-tank-2d", 0.05, 1.5}, Allowed{"rolling-tank-2d", 0.05, 2}};
constexpr std::array<std::string_view, 4> beyond{"naive", "dualsphysics", "gpusph", "robust/update=plain"};
constexpr double asked_of_naive = 2e8;  // naive's error over robust's where it still moves

// Does the run show rounding, and not what the flow's sensitivity makes of it?
bool comparable(const EnergyError& e) { return !e.failed && !e.frozen && e.flow <= another_flow; }

// That of robust in the same case and variant, or at another distance; null if there is none.
const EnergyError* robust_beside(const std::vector<MeasuredEnergy>& all, const EnergyRun& run, std::int64_t cells)
{
    const auto found = std::ranges::find_if(all, [&](const MeasuredEnergy& m) {
        const Variant& other = m.run.variant;
        return m.of("robust") && m.run.case_name == run.case_name && other.spacing == run.variant.spacing &&
               other.end == run.variant.end && other.cfl == run.variant.cfl && other.cells == cells;
    });
    return found == all.end() ? nullptr : &found->error;
}

// A run that broke, or that is another flow, does not follow double at all.
double over_integrator(const EnergyError& e)
{
    return e.failed || e.flow > another_flow ? HUGE_VAL : e.deviation / e.reference;
}

// Robust keeps the bound of each case, and the policies without its techniques do not.
void judge_deviations(Page& page, const std::vector<MeasuredEnergy>& all)
{
    for (const Allowed& bound : allowed) {
        std::vector<std::string> within, over;
        bool kept = true, told = true;
        for (const auto& [run, error] : all) {
            if (run.case_name != bound.case_name || run.variant.spacing != bound.spacing ||
                run.variant.cfl != asked_cfl)
                continue;
            const double ratio = over_integrator(error);
            const std::string text = fmt::format("{} {:.2g}", run.policy.name, ratio);
            if (run.policy.name == "robust") {
                kept = kept && ratio <= bound.ratio;
                within.push_back(text);
            } else if (std::ranges::find(beyond, run.policy.name) != beyond.end()) {
                told = told && ratio > bound.ratio;
                over.push_back(text);
            }
        }
        if (within.empty()) continue;
        page.verdict(kept, "{} at {} m, CFL {}: robust's deviation over the integrator's error is at most {} ({})",
                     bound.case_name, bound.spacing, asked_cfl, bound.ratio, fmt::join(within, ", "));
        if (!over.empty())
            page.verdict(told, "{} at {} m, CFL {}: and those of {} are larger", bound.case_name, bound.spacing,
                         asked_cfl, fmt::join(over, ", "));
    }
}

bool has(const std::vector<MeasuredEnergy>& all, const char* policy)
{
    return std::ranges::any_of(all, [&](const MeasuredEnergy& m) { return m.of(policy); });
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
    std::vector<std::pair<std::size_t, std::size_t>> pairs;  // jobs of a run and of its reference
    for (const EnergyRun& run : runs) {
        const StartRounding rounding = start_rounding(run.policy);
        // A reference's bits do not depend on where it is unless its start was rounded there.
        EnergyRun there = run;
        if (!rounding.positions) there.variant.cells = 0;
        const Case reference = there.in(double_reference(run.policy));
        const Case c = run.in(run.policy.name);
        std::vector<std::string> parameters;
        if (rounding.positions) parameters.emplace_back("positions=" + run.policy.position);
        if (rounding.densities) parameters.emplace_back("densities=" + run.policy.density);
        const std::size_t reference_job = add({job_key("energy", reference, parameters), [=] {
                                                   Problem problem = prepare(reference);
                                                   const Problem start = prepare(there.in(run.policy.name));
                                                   problem.particles = start_as_held(start, run.policy).particles;
                                                   return measure(std::move(problem));
                                               }});
        pairs.emplace_back(add({job_key("energy", c), [c] { return measure(prepare(c)); }}), reference_job);
    }
    std::vector<Energies> energies(jobs.size());
    std::size_t next = 0;
    study.run(jobs, [&](std::size_t k, const Result& result) {
        energies[k] = result.as<Energies>();
        for (; next < pairs.size() && std::max(pairs[next].first, pairs[next].second) <= k; ++next)
            each(next, error_of(energies[pairs[next].first], energies[pairs[next].second]));
    });
}

// Interpolated on logarithmic axes: the deviation falls or rises slowly with the step, the error falls with its square.
std::string crossover(const std::vector<MeasuredEnergy>& series)
{
    if (series.front().run.policy.name == double_reference(series.front().run.policy)) return "is the reference";
    const auto cfl_of = [&](std::size_t k) { return series[k].run.variant.cfl; };
    const auto excess = [&](std::size_t k) { return std::log(series[k].error.deviation / series[k].error.reference); };
    if (excess(0) >= 0) return fmt::format("above {}", cfl_of(0));
    for (std::size_t k = 1; k < series.size(); ++k) {
        if (excess(k) < 0) continue;
        const double share = -excess(k - 1) / (excess(k) - excess(k - 1));
        return fmt::format("{:.2g}", std::exp(std::log(cfl_of(k - 1)) + share * std::log(cfl_of(k) / cfl_of(k - 1))));
    }
    return fmt::format("below {}", cfl_of(series.size() - 1));
}

void conclude_steps(Page& page, const std::vector<PolicyInfo>& policies, const std::vector<MeasuredEnergy>& all)
{
    if (!has(all, "robust")) return;
    page.heading("What each technique is worth at the origin");
    page.table(
        {"policy", "deviation over robust's", "least", "largest"},
        "Geometric mean over all cases and steps at the origin at which the flow is still the reference's; once it is "
        "another one the energies of single runs tell nothing (validate chaos compares ensembles). Below 1: better "
        "than robust there. A factor of two either way is chance: a deviation is the largest of one random walk");
    std::map<std::string, double> factors;
    for (const PolicyInfo& policy : policies) {
        if (policy.name == "robust" || policy.number == "double") continue;
        std::vector<double> ratios;
        double sum = 0;
        for (const auto& [run, error] : all) {
            if (run.policy.name != policy.name) continue;
            const EnergyError* const robust = robust_beside(all, run, run.variant.cells);
            if (robust == nullptr || !comparable(*robust) || !comparable(error)) continue;
            ratios.push_back(error.deviation / robust->deviation);
            sum += std::log(ratios.back());
        }
        if (ratios.empty()) continue;
        const auto [least, largest] = std::ranges::minmax(ratios);
        factors[policy.name] = std::exp(sum / static_cast<double>(ratios.size()));
        page.row("{} | {:.3g} | {:.2g} | {:.3g}", policy.name, factors[policy.name], least, largest);
    }
    judge_deviations(page, all);
    std::string best = "none";
    double best_factor = HUGE_VAL;
    for (const auto& [name, factor] : factors) {
        if (has_double_parts(*find_policy(name)) || factor >= best_factor) continue;
        best = name;
        best_factor = factor;
    }
    page.verdict(best_factor >= 0.5,
                 "no policy without parts in double is better than robust by more than chance (a factor "
                 "of 2 in the geometric mean); the nearest is {} with {:.2f} of robust's deviation",
                 best, best_factor);
}

void conclude_distance(Page& page, const std::vector<MeasuredEnergy>& distance)
{
    if (!has(distance, "robust")) return;
    double least = HUGE_VAL;
    bool same_bits = true;
    std::int64_t overtaken_at = std::numeric_limits<std::int64_t>::max();
    for (const MeasuredEnergy& m : distance) {
        const std::int64_t cells = m.run.variant.cells;
        const EnergyError* const robust = robust_beside(distance, m.run, cells);
        if (robust == nullptr) continue;
        if (m.of("naive") && cells == still_moving) least = std::min(least, m.error.deviation / robust->deviation);
        if (m.of("robust")) {
            const EnergyError* const here = robust_beside(distance, m.run, 0);
            same_bits = same_bits && here != nullptr && here->hash == m.error.hash && here->own == m.error.own;
        }
        if (m.of("double/position=global") && m.error.deviation > robust->deviation)
            overtaken_at = std::min(overtaken_at, cells);
    }
    page.heading("Far away");
    page.verdict(same_bits, "robust has the same bits of state and energy at every distance");
    if (least < HUGE_VAL) {
        page.verdict(least >= asked_of_naive,
                     "{} cells away, where an ulp of naive's positions is at most a thousandth of a spacing "
                     "and it still moves, its error at CFL {} is {:.2g} times robust's (asked: {:.0e})",
                     still_moving, asked_cfl, least, asked_of_naive);
    }
    if (!has(distance, "double/position=global")) return;
    page.paragraph(
        overtaken_at < std::numeric_limits<std::int64_t>::max()
            ? fmt::format("double with global positions is worse than robust single precision from {} "
                          "cells on, of the distances that were run.",
                          overtaken_at)
            : "double with global positions is better than robust single precision at every distance that was run.");
}

}  // namespace halfulp
