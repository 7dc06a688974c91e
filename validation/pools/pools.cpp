// halfulp validate pools: figure 5 of Bilotta, Zago and Herault 2018 made sharper. A fish pass whose flow crosses
// many cells, at the origin and 10^9 cells away; and copies of one dam break in a row across 10^8 m in one run.
// Positions relative to a cell give the same bits everywhere; coordinates do not.
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include <fmt/format.h>

#include "core/app/commands.hpp"
#include "core/setup/policy_table.hpp"
#include "validation/experiment.hpp"
#include "validation/option.hpp"
#include "validation/pools/parts.hpp"

namespace halfulp {

Job job_of(const Pursuit& pursuit)
{
    std::vector<std::string> places;
    for (const Cells& place : pursuit.places)
        places.push_back(fmt::format("place={},{},{}", place[0], place[1], place[2]));
    return {job_key("pools", pursuit.source, places),
            [pursuit] { return encode(follow(pursuit.source, pursuit.places)); }};
}

std::size_t outputs_with_the_same_bits(const Record& a, const Record& b)
{
    std::size_t same = 0;
    for (std::size_t k = 0; k < std::min(a.regular(), b.regular()); ++k)
        same += a.outputs[k].copies[0].hash == b.outputs[k].copies[0].hash ? 1 : 0;
    return same;
}

double largest_difference(const CopyRecord& a, const CopyRecord& b)
{
    double largest = 0;
    for (std::size_t i = 0; i < a.fluid.size(); ++i) {
        const double distance = std::hypot(a.fluid[i].x - b.fluid[i].x, a.fluid[i].y - b.fluid[i].y);
        if (!std::isfinite(distance)) return std::numeric_limits<double>::infinity();
        largest = std::max(largest, distance);
    }
    return largest;
}

std::size_t moved(const CopyRecord& copy) { return std::min(copy.moved[0], copy.moved[1]); }

std::string ending_in_words(const Record& record)
{
    if (record.ending == Record::Ending::broke)
        return fmt::format("broke at t = {:.3g} s: a particle, {}", record.time, record.reason);
    if (record.ending == Record::Ending::frozen)
        return fmt::format("frozen: nothing moved in {:.2g} s, and nothing can: half an ulp is {:.3g} m", record.time,
                           record.half_ulp);
    std::size_t least = record.outputs.back().copies[0].fluid.size();
    for (const CopyRecord& copy : record.outputs.back().copies) least = std::min(least, moved(copy));
    if (least == 0) return "ran to its end, but along an axis nothing moved";
    return "ran to its end";
}

std::vector<std::string> built(const std::vector<std::string>& precisions)
{
    std::vector<std::string> found;
    for (const std::string& name : precisions)
        if (find_policy(name) != nullptr) found.push_back(name);
    return found;
}

namespace {

ExitCode run_experiment(const PoolsArguments& arguments)
{
    Page page(arguments.folder, "pools", "A fish pass and a row of tanks, here and far away");
    write_fish_pass(page, arguments);
    write_row_of_tanks(page, arguments);
    return page.close();
}

const bool registered = register_study<PoolsArguments>(
    "pools", "A fish pass at the origin and 10^9 cells away, and copies of a dam break across 10^8 m: the same bits?",
    run_experiment, [](CLI::App& command, PoolsArguments& arguments) {
        add(command, "--spacing", arguments.spacing,
            "Particle spacing of the fish pass, m (default: 0.025; --quick: 0.05)", CLI::PositiveNumber);
    });

}  // namespace

}  // namespace halfulp
