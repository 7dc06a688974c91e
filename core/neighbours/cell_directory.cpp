#include "core/neighbours/cell_directory.hpp"

#include <algorithm>
#include <utility>

namespace halfulp {

void CellDirectory::build(const std::vector<Four<std::int32_t>>& cell)
{
    rows_.clear();
    x_.clear();
    start_.clear();
    const auto count = static_cast<std::uint32_t>(cell.size());
    for (std::uint32_t i = 0; i < count; ++i) {
        const bool new_row = i == 0 || cell[i].z != cell[i - 1].z || cell[i].y != cell[i - 1].y;
        if (new_row) {
            const auto here = static_cast<std::uint32_t>(x_.size());
            if (!rows_.empty()) rows_.back().last_cell = here;
            rows_.push_back({cell[i].z, cell[i].y, here, here});
        }
        if (new_row || cell[i].x != cell[i - 1].x) {
            x_.push_back(cell[i].x);
            start_.push_back(i);
        }
    }
    if (!rows_.empty()) rows_.back().last_cell = static_cast<std::uint32_t>(x_.size());
    start_.push_back(count);
}

std::uint32_t CellDirectory::find_row(std::int64_t z, std::int64_t y) const
{
    const auto wanted = std::pair{z, y};
    const auto before = [&](const Row& row, const std::pair<std::int64_t, std::int64_t>& key) {
        return std::pair<std::int64_t, std::int64_t>{row.z, row.y} < key;
    };
    const auto found = std::lower_bound(rows_.begin(), rows_.end(), wanted, before);
    if (found == rows_.end() || found->z != z || found->y != y) return no_row;
    return static_cast<std::uint32_t>(found - rows_.begin());
}

std::uint32_t CellDirectory::lower_cell(const Row& row, std::int64_t x) const
{
    const auto first = x_.begin() + row.first_cell;
    const auto last = x_.begin() + row.last_cell;
    return static_cast<std::uint32_t>(std::lower_bound(first, last, x) - x_.begin());
}

}  // namespace halfulp
