#include "validation/chaos/plan.hpp"

#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "core/setup/read_case.hpp"
#include "precision/position.hpp"

namespace halfulp {

namespace {

Case case_at(const Setup& setup, const std::string& precision, std::int64_t cells)
{
    return read_case(
        find_case(chaos_case),
        {fmt::format("numerics.precision={}", precision), fmt::format("resolution.spacing={}", setup.spacing),
         fmt::format("time.end={}", chaos_end), "time.cfl=0.2", fmt::format("origin.cells=[{},{}]", cells, -cells)});
}

}  // namespace

std::string far_name(const std::string& policy) { return fmt::format("{}, {} cells away", policy, far_away); }

std::vector<Wanted> wanted_ensembles(const Setup& setup)
{
    std::vector<Wanted> all;
    const double here = coordinate_ulp(prepare(case_at(setup, "robust", 0)), true);
    const double there = coordinate_ulp(prepare(case_at(setup, "robust", far_away)), true);
    const auto add = [&](const std::string& name, const std::string& reference, const std::string& precision,
                         std::int64_t cells, double perturbation, std::uint64_t members) {
        all.push_back({{.name = name,
                        .reference = reference,
                        .relative_to_reference = name != reference,
                        .perturbation = perturbation,
                        .members = {}},
                       case_at(setup, precision, cells),
                       members});
    };
    add("double", "double", "double", 0, here, setup.members);
    const std::string si = "double/units=si";
    if (std::ranges::any_of(setup.policies, [](const PolicyInfo& p) { return !p.cell_is_one; }))
        add(si, si, si, 0, here, setup.members);
    // What begins as far apart as coordinates far away are rounded.
    const std::string coarse = si + ", perturbed as far away";
    if (setup.has("naive")) add(coarse, coarse, si, 0, there, setup.members);
    for (const PolicyInfo& policy : setup.policies) {
        if (policy.name == "double" || policy.name == "double/units=si") continue;
        add(policy.name, double_reference(policy), policy.name, 0, here, setup.members);
    }
    if (setup.has("naive")) add(far_name("naive"), coarse, "naive", far_away, there, setup.members);
    for (const PolicyInfo& policy : setup.policies) {
        if (policy.position == CellOffset::name)
            add(fmt::format("{}, 10^9 cells away", policy.name), policy.name, policy.name, farther, here, 2);
    }
    return all;
}

std::vector<Ensemble> run_all(const StudyOptions& options, const std::vector<Wanted>& wanted, std::uint64_t first,
                              std::uint64_t pairs)
{
    std::vector<Ensemble> ensembles;
    std::vector<Job> jobs;
    std::vector<std::pair<std::size_t, std::size_t>> places;  // ensemble, member
    for (const Wanted& w : wanted) {
        Ensemble& ensemble = ensembles.emplace_back(w.ensemble);
        ensemble.members.resize(w.members);
        for (std::uint64_t k = 0; k < w.members; ++k) {
            const MemberOptions member{
                .member = first + k, .perturbation = ensemble.perturbation, .positions = k < pairs};
            places.emplace_back(ensembles.size() - 1, k);
            jobs.push_back({job_key("chaos", w.source,
                                    {fmt::format("member={} perturbation={} records={} positions={}", member.member,
                                                 member.perturbation, member.records, member.positions)}),
                            [c = w.source, member] { return run_member(c, member); }});
        }
    }
    Study("chaos", options).run(jobs, [&](std::size_t k, const Results& rows) {
        ensembles[places[k].first].members[places[k].second] = member_of(rows);
    });
    return ensembles;
}

const Ensemble& ensemble_named(const std::vector<Ensemble>& all, const std::string& name)
{
    return *std::ranges::find(all, name, &Ensemble::name);
}

void confirm(const StudyOptions& options, const Setup& setup, const std::vector<Wanted>& wanted, std::vector<Row>& rows)
{
    std::vector<Wanted> again;
    for (const Wanted& w : wanted) {
        const bool needed = std::ranges::any_of(rows, [&](const Row& row) {
            return row.found() && (row.ensemble->name == w.ensemble.name || row.ensemble->reference == w.ensemble.name);
        });
        if (needed) again.push_back(w);
    }
    if (again.empty()) return;
    const std::vector<Ensemble> fresh = run_all(options, again, setup.first + setup.members, 0);
    for (Row& row : rows) {
        if (row.found())
            row.confirmed = confirmed_p(row.distinction, ensemble_named(fresh, row.ensemble->name),
                                        ensemble_named(fresh, row.ensemble->reference));
    }
}

const Row& row_of(const std::vector<Row>& rows, const std::string& name)
{
    return *std::ranges::find_if(rows, [&](const Row& row) { return row.ensemble->name == name; });
}

bool has_row(const std::vector<Row>& rows, const std::string& name)
{
    return std::ranges::any_of(rows, [&](const Row& row) { return row.ensemble->name == name; });
}

std::vector<std::size_t> compared_records(const Ensemble& reference)
{
    std::vector<std::size_t> records;
    const auto& kept = reference.members[0].records;
    for (const double time : compared_at) {
        std::size_t nearest = 0;
        for (std::size_t k = 0; k < kept.size(); ++k)
            if (std::abs(kept[k].time - time) < std::abs(kept[nearest].time - time)) nearest = k;
        records.push_back(nearest);
    }
    return records;
}

}  // namespace halfulp
