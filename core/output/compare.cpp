#include "core/output/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <iterator>
#include <map>
#include <numeric>
#include <optional>
#include <span>
#include <sstream>
#include <system_error>
#include <utility>

#include "core/error.hpp"
#include "core/output/case_difference.hpp"
#include "core/output/column_difference.hpp"
#include "core/output/run_file.hpp"
#include "core/output/series_difference.hpp"
#include "core/output/ulp_distance.hpp"
#include "core/results/column_number.hpp"

namespace halfulp {
namespace {

std::string plural(std::uint64_t count, const char* word)
{
    return fmt::format("{} {}{}", count, word, count == 1 ? "" : "s");
}

CellIndices origin_of(const RunReader& run)
{
    CellIndices origin{};
    const std::string entry = run.entry("origin.cells");
    if (entry.empty()) return origin;
    std::istringstream text(entry);
    if (!(text >> origin[0] >> origin[1] >> origin[2]))
        throw input_error("{}: the provenance's origin.cells is \"{}\", not three whole numbers.", run.path().string(),
                          entry);
    return origin;
}

// The side of a run's cells, m, if it says one.
std::optional<double> cell_side_of(const RunReader& run)
{
    const std::string entry = run.entry("cell_side");
    double side = 0;
    const auto [end, error] = std::from_chars(entry.data(), entry.data() + entry.size(), side);
    return error == std::errc{} ? std::optional(side) : std::nullopt;
}

// Difference in the set or types of state columns; empty if there is none. Derived columns may be absent.
std::string difference_in_layout(const Snapshot& a, const Snapshot& b)
{
    std::vector<std::string> parts;
    for (const Column& column : a.columns) {
        if (!column.state) continue;
        const Column* other = find_column(b, column.name);
        if (!other) parts.push_back(column.name + " is in A only");
        else if (other->type != column.type)
            parts.push_back(
                fmt::format("{} is {} in A and {} in B", column.name, type_name(column.type), type_name(other->type)));
        else if (other->components != column.components)
            parts.push_back(fmt::format("{} has {} in A and {} in B", column.name,
                                        plural(static_cast<std::uint64_t>(column.components), "component"),
                                        other->components));
    }
    for (const Column& column : b.columns)
        if (column.state && !find_column(a, column.name)) parts.push_back(column.name + " is in B only");
    return fmt::format("{}", fmt::join(parts, "; "));
}

// The places of an output in both runs.
struct Pair {
    std::size_t a = 0;
    std::size_t b = 0;
};

// One output of both runs.
struct Moment {
    Pair index;
    Snapshot a;
    Snapshot b;
    std::string layout;                         // difference in kind
    std::vector<ColumnDifference> differences;  // of the columns both have, in A's order

    [[nodiscard]] bool whole_state() const { return a.whole_state && b.whole_state; }

    [[nodiscard]] std::string place() const
    {
        return fmt::format("{} (t = {:.9g} s, step {})", name(), a.time, a.step);
    }
    [[nodiscard]] std::string name() const
    {
        return index.a == index.b ? fmt::format("output {}", index.a)
                                  : fmt::format("output {} of A, {} of B", index.a, index.b);
    }
};

// The id of each row's particle.
std::vector<std::uint32_t> ids_of(const Snapshot& snapshot)
{
    std::vector<std::uint32_t> ids(snapshot.count);
    const Column* const column = find_column(snapshot, id_column);
    if (column == nullptr) std::iota(ids.begin(), ids.end(), 0U);
    else if (!ids.empty()) std::memcpy(ids.data(), column->data.data(), column->data.size());
    return ids;
}

// Adds a column of ids before the others, if there is none.
void add_ids(Snapshot& snapshot)
{
    if (find_column(snapshot, id_column) != nullptr) return;
    const std::vector<std::uint32_t> ids = ids_of(snapshot);
    const auto bytes = std::as_bytes(std::span(ids));
    snapshot.columns.insert(
        snapshot.columns.begin(),
        {id_column, "1", "of the particle", ColumnType::uint32, 1, false, {bytes.begin(), bytes.end()}});
}

// Rows of particles that are in `kept`.
void keep_rows(Snapshot& snapshot, const std::vector<std::uint32_t>& kept)
{
    add_ids(snapshot);
    std::vector<std::size_t> rows;
    for (std::size_t row = 0; row < snapshot.count; ++row) {
        if (std::ranges::binary_search(kept, id_of(snapshot, row))) rows.push_back(row);
    }
    for (Column& column : snapshot.columns) {
        const std::size_t width = bytes_a_particle(column);
        for (std::size_t k = 0; k < rows.size(); ++k)
            std::memmove(column.data.data() + k * width, column.data.data() + rows[k] * width, width);
        column.data.resize(rows.size() * width);
    }
    snapshot.count = rows.size();
}

// Keeps the rows of particles in both; rows ascend by id.
void keep_common_rows(Snapshot& a, Snapshot& b)
{
    const std::vector<std::uint32_t> of_a = ids_of(a);
    const std::vector<std::uint32_t> of_b = ids_of(b);
    if (of_a == of_b) return;
    std::vector<std::uint32_t> both;
    std::ranges::set_intersection(of_a, of_b, std::back_inserter(both));
    keep_rows(a, both);
    keep_rows(b, both);
}

// The mean time step since the output before.
double mean_step(const std::vector<OutputInfo>& outputs, std::size_t k)
{
    const OutputInfo before = k > 0 ? outputs[k - 1] : OutputInfo{};
    const auto steps = static_cast<double>(outputs[k].step) - static_cast<double>(before.step);
    return steps > 0 ? (outputs[k].time - before.time) / steps : 0;
}

// Adds the pairs of outputs, from `next` up to `end`, that may be of one moment, each output being the first step at or
// past it: less than two steps apart in time, and of the same step or neither of them that of the start.
void pair_by_time(const std::vector<OutputInfo>& a, const std::vector<OutputInfo>& b, Pair next, const Pair& end,
                  bool same_step, std::vector<Pair>& pairs)
{
    while (next.a < end.a && next.b < end.b) {
        const OutputInfo& of_a = a[next.a];
        const OutputInfo& of_b = b[next.b];
        const double later = of_b.time - of_a.time;
        const bool may = same_step ? of_a.step == of_b.step : (of_a.step == 0) == (of_b.step == 0);
        if (may && std::abs(later) <= 2 * std::max(mean_step(a, next.a), mean_step(b, next.b))) {
            pairs.push_back(next);
            ++next.a, ++next.b;
        } else if (later > 0) {
            ++next.a;
        } else {
            ++next.b;
        }
    }
}

// Pairs of outputs of the same step and time, in order. Outputs before the last of these pairs that only one run has
// stay unpaired, as after an interruption: runs that agree later have not diverged yet. After it, as for runs with
// different time steps, outputs of the same moment are paired.
std::vector<Pair> pairs_of(const std::vector<OutputInfo>& a, const std::vector<OutputInfo>& b)
{
    std::map<std::pair<std::uint64_t, double>, std::size_t> places_in_b;
    for (std::size_t k = 0; k < b.size(); ++k) places_in_b.emplace(std::pair{b[k].step, b[k].time}, k);
    std::vector<Pair> pairs;
    Pair next;
    for (std::size_t k = 0; k < a.size(); ++k) {
        const auto found = places_in_b.find({a[k].step, a[k].time});
        if (found == places_in_b.end() || found->second < next.b) continue;
        pair_by_time(a, b, next, {k, found->second}, true, pairs);
        pairs.push_back({k, found->second});
        next = {k + 1, found->second + 1};
    }
    pair_by_time(a, b, next, {a.size(), b.size()}, false, pairs);
    return pairs;
}

class Runs {
public:
    Runs(const std::filesystem::path& a, const std::filesystem::path& b)
        : a_(a), b_(b), outputs_a_(a_.outputs()), outputs_b_(b_.outputs()), origin_a_(origin_of(a_)),
          origin_b_(origin_of(b_)), cell_side_(cell_side_of(a_))
    {
        for (const auto& [run, outputs] : {std::pair{&a_, &outputs_a_}, std::pair{&b_, &outputs_b_}})
            if (outputs->empty())
                throw input_error("{} has no complete output: there is nothing to compare.", run->path().string());
        pairs_ = pairs_of(outputs_a_, outputs_b_);
        if (pairs_.empty()) {
            throw input_error("{} and {} have no output of the same moment: there is nothing to compare.",
                              a_.path().string(), b_.path().string());
        }
    }

    [[nodiscard]] std::size_t common() const { return pairs_.size(); }
    [[nodiscard]] std::size_t count_a() const { return outputs_a_.size(); }
    [[nodiscard]] std::size_t count_b() const { return outputs_b_.size(); }
    [[nodiscard]] bool of_same_steps() const
    {
        return std::ranges::all_of(
            pairs_, [this](const Pair& pair) { return outputs_a_[pair.a].step == outputs_b_[pair.b].step; });
    }
    [[nodiscard]] std::string names() const
    {
        return fmt::format("A = {}\nB = {}\n", a_.path().string(), b_.path().string());
    }

    [[nodiscard]] std::string cases() const
    {
        return case_difference(a_.content().case_completed, b_.content().case_completed);
    }

    [[nodiscard]] SeriesDifference series() const { return series_difference(a_.content(), b_.content()); }

    // Reads the state columns; all columns where the layouts or the sides of cells differ, since positions can be
    // compared then, or where one output holds only part of its state: then the columns of both.
    [[nodiscard]] Moment at(std::size_t number) const
    {
        const Pair index = pairs_[number];
        Moment moment{index,
                      read(a_, outputs_a_[index.a], RunReader::Columns::state),
                      read(b_, outputs_b_[index.b], RunReader::Columns::state),
                      {},
                      {}};
        moment.layout = difference_in_layout(moment.a, moment.b);
        const bool same_cells = a_.entry("cell_side") == b_.entry("cell_side");
        if (!moment.layout.empty() || !same_cells || !moment.whole_state()) {
            moment.a = read(a_, outputs_a_[index.a], RunReader::Columns::all);
            moment.b = read(b_, outputs_b_[index.b], RunReader::Columns::all);
        }
        if (!moment.whole_state()) {
            moment.layout.clear();
            keep_common_rows(moment.a, moment.b);
        }
        if (moment.a.count != moment.b.count) return moment;
        if (find_column(moment.a, id_column) != nullptr) add_ids(moment.b);
        if (find_column(moment.b, id_column) != nullptr) add_ids(moment.a);
        for (const Column& column : moment.a.columns) {
            const Column* other = find_column(moment.b, column.name);
            if (!other || other->components != column.components) continue;
            // Columns that one run has rounded are skipped; hashes refer to unrounded values.
            if (!moment.whole_state() && other->type != column.type) continue;
            // Global positions contain the origin, which can be subtracted from cells only.
            if (column.name == "position" && origin_a_ != origin_b_) continue;
            const bool cells = column.name == "cell";
            moment.differences.push_back(column_difference(
                column, *other, moment.a.count, cells ? origin_a_ : CellIndices{}, cells ? origin_b_ : CellIndices{}));
        }
        if (same_cells && cell_side_) add_position(moment);
        return moment;
    }

private:
    // Where they are not among what was read.
    void add_position(Moment& moment) const
    {
        const auto compared = [&](const char* name) {
            return std::ranges::any_of(moment.differences, [&](const ColumnDifference& d) { return d.name == name; });
        };
        if (!compared("cell") || !compared("offset") || compared("position")) return;
        const auto places = [](const Snapshot& snapshot, const CellIndices& origin) {
            return PlaceColumns{*find_column(snapshot, "cell"), *find_column(snapshot, "offset"), origin};
        };
        moment.differences.push_back(
            position_difference(places(moment.a, origin_a_), places(moment.b, origin_b_), moment.a.count, *cell_side_));
    }

    static Snapshot read(const RunReader& run, const OutputInfo& info, RunReader::Columns columns)
    {
        return run.output(info, columns);
    }

    RunReader a_;
    RunReader b_;
    std::vector<OutputInfo> outputs_a_;
    std::vector<OutputInfo> outputs_b_;
    std::vector<Pair> pairs_;
    CellIndices origin_a_;
    CellIndices origin_b_;
    std::optional<double> cell_side_;  // of A, m
};

std::string written_of_both(const Moment& moment)
{
    std::vector<std::string> names;
    for (const ColumnDifference& difference : moment.differences) {
        if (difference.name != id_column) names.push_back(difference.name);
    }
    return fmt::format("{} of {}", names.empty() ? "nothing" : fmt::format("{}", fmt::join(names, ", ")),
                       plural(moment.a.count, "particle"));
}

// The verdict on one output; empty if equal to the bit.
std::optional<std::string> difference_at(const Moment& moment)
{
    const Snapshot& a = moment.a;
    const Snapshot& b = moment.b;
    if (!moment.layout.empty())
        return fmt::format("different: the precision policies differ ({}); values are compared as numbers",
                           moment.layout);
    if (a.count != b.count)
        return fmt::format("different: first at {}: A has {}, B has {}", moment.place(), plural(a.count, "particle"),
                           b.count);
    if (a.step != b.step || a.time != b.time)
        return fmt::format("different: first at {}: A is at t = {} s (step {}), B at t = {} s (step {})", moment.name(),
                           a.time, a.step, b.time, b.step);
    const ColumnDifference* first = nullptr;
    for (const ColumnDifference& difference : moment.differences)
        if (difference.first && (!first || *difference.first < *first->first)) first = &difference;
    if (!first && !moment.whole_state() && !(a.hash == b.hash)) {
        return fmt::format(
            "different: first at {}: the hashes of the states differ; the data that both wrote are equal ({})",
            moment.place(), written_of_both(moment));
    }
    if (!first) return std::nullopt;
    std::string sentence = fmt::format("different: first at {}: {}", moment.place(), first->name);
    if (find_column(a, first->name)->components > 1) sentence += fmt::format("[{}]", first->first_component);
    sentence += fmt::format(" of particle {}, A = {}, B = {}", id_of(a, *first->first), first->first_a, first->first_b);
    if (!first->in_ulps) return sentence;
    if (first->first_ulps == no_distance) return sentence + ", not comparable";
    if (first->first_ulps == 0) return sentence + ", zeros of opposite sign";
    return sentence + fmt::format(", {} apart", plural(first->first_ulps, "ulp"));
}

std::string table(const Moment& moment)
{
    std::string text = fmt::format("\n{}, {}\n", moment.place(), plural(moment.a.count, "particle"));
    if (moment.a.count != moment.b.count)
        return text + fmt::format("  not comparable: A has {}, B has {}\n", plural(moment.a.count, "particle"),
                                  moment.b.count);
    auto out = std::back_inserter(text);
    fmt::format_to(out, "  {:<22}{:>18}{:>22}{:>28}\n", "column", "particles differ", "largest, ulps",
                   "largest, absolute");
    for (const ColumnDifference& d : moment.differences) {
        const bool any = d.particles > 0;
        const std::string ulps = !any || !d.in_ulps              ? "-"
                                 : d.largest_ulps == no_distance ? "not comparable"
                                                                 : std::to_string(d.largest_ulps);
        const std::string unit = d.unit.empty() || d.unit == "1" ? "" : " " + d.unit;
        const std::string absolute = any ? fmt::format("{:.6g}{}", d.largest, unit) : "-";
        fmt::format_to(out, "  {:<22}{:>18}{:>22}{:>28}\n", d.name, d.particles, ulps, absolute);
    }
    return text;
}

std::string unequal_lengths(const Runs& runs)
{
    std::string text = fmt::format("A has {}, B has {}", plural(runs.count_a(), "output"), runs.count_b());
    if (runs.common() < std::min(runs.count_a(), runs.count_b()))
        text += fmt::format(", {} of the same {}", runs.common(), runs.of_same_steps() ? "steps" : "moments");
    return text;
}

}  // namespace

Comparison compare_runs(const std::filesystem::path& a, const std::filesystem::path& b)
{
    const Runs runs(a, b);
    const std::size_t common = runs.common();
    const bool same_length = runs.count_a() == common && runs.count_b() == common;
    const SeriesDifference series = runs.series();
    const std::string over_time = "\nledger and probes\n" + series.report;
    std::uint64_t particles = 0;
    double begin = 0;
    double end = 0;
    std::string hashes;
    std::string part;
    for (std::size_t index = 0; index < common; ++index) {
        const Moment moment = runs.at(index);
        if (const std::optional<std::string> difference = difference_at(moment)) {
            std::string report = *difference + "\n" + runs.names() + runs.cases();
            if (!same_length) report += unequal_lengths(runs) + fmt::format("; {} are compared\n", common);
            report += table(moment);
            if (index + 1 < common) report += table(runs.at(common - 1));
            return {false, report + over_time};
        }
        if (hashes.empty() && moment.a.hash != moment.b.hash)
            hashes = fmt::format(
                "The columns are equal, but the stored hashes differ from {} on: another version may have "
                "taken them, or one is wrong.\n",
                moment.place());
        if (part.empty() && !moment.whole_state())
            part = fmt::format("Of both was written: {}. The hashes, which cover all, are equal.\n",
                               written_of_both(moment));
        if (index == 0) begin = moment.a.time;
        end = moment.a.time;
        particles = std::max(particles, moment.a.count);
    }
    const std::string extent = fmt::format("{}, {}, t = {:.9g} to {:.9g} s", plural(common, "output"),
                                           plural(particles, "particle"), begin, end);
    const std::string rest = runs.names() + runs.cases() + hashes + part + over_time;
    if (!same_length)
        return {false, fmt::format("different: {}; what both have is equal to the bit: {}\n{}", unequal_lengths(runs),
                                   extent, rest)};
    if (series.any)
        return {false,
                fmt::format("different: ledger or probes; the outputs are equal to the bit: {}\n{}", extent, rest)};
    return {true, fmt::format("equal to the bit: {}\n{}", extent, rest)};
}

}  // namespace halfulp
