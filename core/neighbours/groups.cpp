#include "core/neighbours/groups.hpp"

#include <algorithm>

namespace halfulp {

void make_strips(const CellDirectory& directory, std::vector<Strip>& strips)
{
    std::size_t used = 0;
    const auto& rows = directory.rows();
    for (std::uint32_t row = 0; row < rows.size(); ++row) {
        for (std::uint32_t cell = rows[row].first_cell; cell < rows[row].last_cell; cell += cells_per_strip) {
            if (used == strips.size()) strips.emplace_back();
            Strip& strip = strips[used++];
            strip.row = row;
            strip.first_cell = cell;
            strip.last_cell = std::min(cell + cells_per_strip, rows[row].last_cell);
        }
    }
    strips.resize(used);
}

void make_groups(const CellDirectory& directory, const std::vector<Four<std::int32_t>>& cell,
                 const std::vector<Kind>& kind, int lanes, Strip& strip)
{
    strip.groups.clear();
    const std::uint32_t end = directory.first_particle(strip.last_cell);
    for (std::uint32_t i = directory.first_particle(strip.first_cell); i < end;) {
        Group group{{i, 0, 0}, 0, 0};
        while (i < end && group.count < lanes && std::int64_t(cell[i].x) - cell[group.first].x <= largest_group_span) {
            const unsigned bit = kind[i] == Kind::fluid ? 1U << group.count : 0U;
            group.fluid_lanes = static_cast<std::uint16_t>(group.fluid_lanes | bit);
            ++group.count;
            ++i;
        }
        strip.groups.push_back(group);
    }
}

}  // namespace halfulp
