// The ensembles of `halfulp validate chaos`: which are run, at which places, and compared with what.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "validation/chaos/ensemble.hpp"
#include "validation/laboratory.hpp"

namespace halfulp {

inline constexpr const char* chaos_case = "inviscid-tank-2d";
inline constexpr double chaos_end = 1.6;  // s: the front is at the far wall from about 0.6 s on
// Soon after the impact, where members of double have parted by half a spacing, and later, where nothing is left of the
// start, s.
inline constexpr std::array compared_at{0.8, 1.0, 1.3, 1.6};
inline constexpr std::int64_t far_away = 4000;  // cells: a float coordinate there is 6e-4 spacings wide
inline constexpr double significance = 0.01;

struct Setup {
    double spacing = 0;
    std::uint64_t members = 0;
    std::uint64_t first = 0;  // number of the first member
    std::vector<PolicyInfo> policies;

    [[nodiscard]] bool has(const std::string& name) const
    {
        return std::ranges::find(policies, name, &PolicyInfo::name) != policies.end();
    }
};

// An ensemble to be run; its members are empty.
struct Wanted {
    Ensemble ensemble;
    Case source;
    std::uint64_t members = 0;
    bool farther = false;  // 10^9 cells away: two members only, for their bits
};

// The references first, then the policies, then what lies elsewhere.
std::vector<Wanted> wanted_ensembles(const Setup& setup);
std::string far_name(const std::string& policy);

// first: the number of the first member. The first `pairs` of each ensemble keep their positions.
std::vector<Ensemble> run_all(const StudyOptions& options, const std::vector<Wanted>& wanted, std::uint64_t first,
                              std::uint64_t pairs);

const Ensemble& ensemble_named(const std::vector<Ensemble>& all, const std::string& name);
// The records nearest to compared_at.
std::vector<std::size_t> compared_records(const Ensemble& reference);

// An ensemble and its comparison with its reference.
struct Row {
    const Ensemble* ensemble;
    const PolicyInfo* policy;  // null for what lies elsewhere and for references
    Divergence apart;
    Distinction distinction;
    Sample errors;
    double confirmed = 1;  // p of the test that was repeated; where none was, 1

    [[nodiscard]] bool found() const { return !ensemble->is_reference() && distinction.smallest_p < significance; }
    [[nodiscard]] bool told_apart() const { return found() && confirmed < significance; }
};
std::vector<Row> compare_all(const std::vector<Ensemble>& all, const std::vector<Wanted>& wanted, const Setup& setup);
// Null if there is none.
const Row* find_row(const std::vector<Row>& rows, const std::string& name);

// Of many tests some find a difference by chance. Each ensemble of which one did is repeated with other members, and
// its reference too; only the test that found it is made again.
void confirm(const StudyOptions& options, const Setup& setup, const std::vector<Wanted>& wanted,
             std::vector<Row>& rows);

}  // namespace halfulp
