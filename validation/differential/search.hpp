// All forms of neighbour search on the same particles, the operators and the interaction domains, by number: what
// tables go through, and what selects the code on host and device.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "validation/differential/engine.hpp"
#include "validation/differential/solver_forms.hpp"

namespace halfulp::differential {

enum class Form {
    list_three_loops,
    list_table,
    star_three_loops,
    star_table,
    star_rows,
    occupied_cells,
    stored_lists,
};
inline constexpr Form all_forms[] = {Form::list_three_loops, Form::list_table, Form::star_three_loops,
                                     Form::star_table,       Form::star_rows,  Form::occupied_cells,
                                     Form::stored_lists};
enum class Domain { sphere, cube };
inline constexpr Domain all_domains[] = {Domain::sphere, Domain::cube};
enum class Operator { gradient, laplacian, lsmps, compensated_lsmps };
// Those of the paper.
inline constexpr Operator all_operators[] = {Operator::gradient, Operator::laplacian, Operator::lsmps};

template <class Use>
auto with_domain(Domain domain, const Use& use)
{
    if (domain == Domain::sphere) return use.template operator()<SphericalDomain>();
    return use.template operator()<CubicDomain>();
}
template <class Use>
auto with_operator(Operator which, const Use& use)
{
    if (which == Operator::gradient) return use.template operator()<GradientByMps>();
    if (which == Operator::laplacian) return use.template operator()<LaplacianByMps>();
    if (which == Operator::lsmps) return use.template operator()<GradientByLsmps>();
    return use.template operator()<CompensatedLsmps>();
}

// The structures, each made when it is first asked for.
class Search {
public:
    // reach: r_e; slack, divisions and margin as in BucketBox.
    Search(std::vector<Vec<3, double>> places, double reach, double slack, int divisions, double margin)
        : places_(std::move(places)), reach_(reach), box_(places_, reach, slack, divisions, margin),
          bucket_of_(buckets_of(box_, places_))
    {
    }
    [[nodiscard]] double reach() const { return reach_; }
    [[nodiscard]] std::size_t count() const { return places_.size(); }
    [[nodiscard]] const BucketBox& box() const { return box_; }
    [[nodiscard]] const std::vector<std::int32_t>& bucket_of() const { return bucket_of_; }

    // Calls use(structure, loops) of a form. domain and width (StoredLists) are those of stored lists.
    template <class Use>
    auto with(Form form, Domain domain, int width, const Use& use)
    {
        switch (form) {
        case Form::list_three_loops: return use(made(list_), ThreeLoops(box_));
        case Form::list_table: return use(made(list_), OffsetTable(box_));
        case Form::star_three_loops: return use(made(star_), ThreeLoops(box_));
        case Form::star_table: return use(made(star_), OffsetTable(box_));
        case Form::star_rows: return use(made(star_), RowsOfBuckets(box_));
        case Form::occupied_cells: return use(made(cells_), RangesOfCell{});
        case Form::stored_lists: return use(lists(domain, width), EachListed{});
        }
        __builtin_unreachable();
    }
    [[nodiscard]] std::string name_of(Form form)
    {
        switch (form) {
        case Form::stored_lists: return StoredLists::name;
        case Form::occupied_cells: return OccupiedCells::name;
        default:
            return with(form, Domain::sphere, 1, [](const auto& structure, const auto& loops) {
                return std::string(structure.name) + ", " + loops.name;
            });
        }
    }

private:
    template <class Structure>
    const Structure& made(std::optional<Structure>& kept)
    {
        return kept ? *kept : kept.emplace(box_, bucket_of_);
    }
    const StoredLists& lists(Domain domain, int width)
    {
        const auto key = std::pair(domain, width);
        const auto found = lists_.find(key);
        if (found != lists_.end()) return found->second;
        return lists_
            .emplace(key, with_domain(domain,
                                      [&]<class Chosen>() {
                                          return StoredLists::of<Chosen>(made(cells_), places_, reach_, width);
                                      }))
            .first->second;
    }

    std::vector<Vec<3, double>> places_;
    double reach_;
    BucketBox box_;
    std::vector<std::int32_t> bucket_of_;
    std::optional<LinkedList> list_;
    std::optional<ForwardStar> star_;
    std::optional<OccupiedCells> cells_;
    std::map<std::pair<Domain, int>, StoredLists> lists_;
};

}  // namespace halfulp::differential
