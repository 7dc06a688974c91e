#include "core/neighbours/groups.hpp"

namespace halfulp {

void make_strips(const CellDirectory& directory, const std::vector<std::uint8_t>& owned, std::vector<Strip>& strips)
{
    std::size_t used = 0;
    const auto& rows = directory.rows();
    const auto is_wanted = [&](std::uint32_t cell) {
        return owned.empty() || owned[directory.first_particle(cell)] != 0;
    };
    for (std::uint32_t row = 0; row < rows.size(); ++row) {
        const std::uint32_t end = rows[row].last_cell;
        for (std::uint32_t cell = rows[row].first_cell; cell < end;) {
            if (!is_wanted(cell)) {
                ++cell;
                continue;
            }
            if (used == strips.size()) strips.emplace_back();
            Strip& strip = strips[used++];
            strip.row = row;
            strip.first_cell = cell;
            while (cell < end && cell - strip.first_cell < cells_per_strip && is_wanted(cell)) ++cell;
            strip.last_cell = cell;
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
