#include "validation/chaos/plan.hpp"

#include "precision/position.hpp"
#include "validation/experiment.hpp"

namespace halfulp {

namespace {

constexpr std::int64_t farther = 1'000'000'000;  // cells

Case case_at(const Setup& setup, const std::string& precision, std::int64_t cells)
{
    return case_with(chaos_case,
                     {.spacing = setup.spacing, .cfl = 0.2, .end = chaos_end, .cells = cells, .precision = precision});
}

}  // namespace

std::string far_name(const std::string& policy) { return fmt::format("{}, {} cells away", policy, far_away); }

std::vector<Wanted> wanted_ensembles(const Setup& setup)
{
    std::vector<Wanted> all;
    const double here = coordinate_ulp(prepare(case_at(setup, "robust", 0)), true);
    const double there = coordinate_ulp(prepare(case_at(setup, "robust", far_away)), true);
    const auto add = [&](const std::string& name, const std::string& reference, const std::string& precision,
                         std::int64_t cells, double perturbation) {
        all.push_back({.ensemble = {.name = name, .reference = reference, .perturbation = perturbation, .members = {}},
                       .source = case_at(setup, precision, cells),
                       .members = cells == farther ? 2 : setup.members,
                       .farther = cells == farther});
    };
    add("double", "double", "double", 0, here);
    const std::string si = "double/units=si";
    if (std::ranges::any_of(setup.policies, [](const PolicyInfo& p) { return !p.cell_is_one; }))
        add(si, si, si, 0, here);
    // Starts as far apart as coordinates far away are rounded.
    const std::string coarse = si + ", perturbed as far away";
    if (setup.has("naive")) add(coarse, coarse, si, 0, there);
    for (const PolicyInfo& policy : setup.policies) {
        if (policy.name != "double" && policy.name != si)
            add(policy.name, double_reference(policy), policy.name, 0, here);
    }
    if (setup.has("naive")) add(far_name("naive"), coarse, "naive", far_away, there);
    for (const PolicyInfo& policy : setup.policies) {
        if (policy.position == CellOffset::name)
            add(fmt::format("{}, 10^9 cells away", policy.name), policy.name, policy.name, farther, here);
    }
    return all;
}

std::vector<Ensemble> run_all(const StudyOptions& options, const std::vector<Wanted>& wanted, std::uint64_t first,
                              std::uint64_t pairs)
{
    std::vector<Ensemble> ensembles;
    Measurements<std::pair<std::size_t, std::size_t>, Member> measurements;  // ensemble, member
    for (const Wanted& w : wanted) {
        Ensemble& ensemble = ensembles.emplace_back(w.ensemble);
        ensemble.members.resize(w.members);
        for (std::uint64_t k = 0; k < w.members; ++k) {
            const MemberOptions member{
                .member = first + k, .perturbation = ensemble.perturbation, .positions = k < pairs};
            measurements.add({ensembles.size() - 1, k},
                             job_key("chaos", w.source,
                                     {fmt::format("member={} perturbation={} records={} positions={}", member.member,
                                                  member.perturbation, member.records, member.positions)}),
                             [c = w.source, member] { return run_member(c, member); });
        }
    }
    Study("chaos", options).run(measurements, [&](const auto& place, const Member& member) {
        ensembles[place.first].members[place.second] = member;
    });
    return ensembles;
}

const Ensemble& ensemble_named(const std::vector<Ensemble>& all, const std::string& name)
{
    return *std::ranges::find(all, name, &Ensemble::name);
}

std::vector<std::size_t> compared_records(const Ensemble& reference)
{
    std::vector<std::size_t> records;
    for (const double time : compared_at) records.push_back(reference.members[0].record_at(time));
    return records;
}

std::vector<Row> compare_all(const std::vector<Ensemble>& all, const std::vector<Wanted>& wanted, const Setup& setup)
{
    std::vector<Row> rows;
    for (std::size_t k = 0; k < all.size(); ++k) {
        if (wanted[k].farther) continue;
        const Ensemble& reference = ensemble_named(all, all[k].reference);
        const auto policy = std::ranges::find(setup.policies, all[k].name, &PolicyInfo::name);
        rows.push_back({.ensemble = &all[k],
                        .policy = policy == setup.policies.end() ? nullptr : &*policy,
                        .apart = divergence(all[k], reference, setup.spacing),
                        .distinction = distinguish(all[k], reference, compared_records(reference)),
                        .errors = energy_errors(all[k])});
    }
    return rows;
}

const Row* find_row(const std::vector<Row>& rows, const std::string& name)
{
    const auto found = std::ranges::find(rows, name, [](const Row& row) { return row.ensemble->name; });
    return found == rows.end() ? nullptr : &*found;
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

}  // namespace halfulp
