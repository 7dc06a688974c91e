#include "core/neighbours/cell_directory.hpp"

#include <algorithm>
#include <utility>

#include "core/particles/blocks.hpp"

namespace halfulp {

void CellDirectory::build(const std::vector<Four<std::int32_t>>& cell, const std::vector<Kind>& kind)
{
    const std::size_t count = cell.size();
    const auto new_row = [&](std::size_t i) {
        return i == 0 || cell[i].z != cell[i - 1].z || cell[i].y != cell[i - 1].y;
    };
    const auto new_cell = [&](std::size_t i) { return new_row(i) || cell[i].x != cell[i - 1].x; };
    compact(
        count,
        [&](std::size_t begin, std::size_t end) {
            std::size_t cells = 0;
            for (std::size_t i = begin; i < end; ++i) cells += new_cell(i) ? 1 : 0;
            return cells;
        },
        [&](std::size_t cells) {
            x_.resize(cells);
            start_.resize(cells + 1);
            start_.back() = static_cast<std::uint32_t>(count);
        },
        [&](std::size_t begin, std::size_t end, std::size_t at) {
            for (std::size_t i = begin; i < end; ++i) {
                if (!new_cell(i)) continue;
                x_[at] = cell[i].x;
                start_[at++] = static_cast<std::uint32_t>(i);
            }
        });
    fluid_end_.resize(x_.size());
#pragma omp parallel for schedule(static)
    for (std::size_t k = 0; k < fluid_end_.size(); ++k) {
        const auto walls = std::find(kind.begin() + start_[k], kind.begin() + start_[k + 1], Kind::wall);
        fluid_end_[k] = static_cast<std::uint32_t>(walls - kind.begin());
    }
    // Rows are identified by their first cells.
    compact(
        x_.size(),
        [&](std::size_t begin, std::size_t end) {
            std::size_t rows = 0;
            for (std::size_t k = begin; k < end; ++k) rows += new_row(start_[k]) ? 1 : 0;
            return rows;
        },
        [&](std::size_t rows) { rows_.resize(rows); },
        [&](std::size_t begin, std::size_t end, std::size_t at) {
            for (std::size_t k = begin; k < end; ++k) {
                if (!new_row(start_[k])) continue;
                const auto& first = cell[start_[k]];
                rows_[at++] = {first.z, first.y, static_cast<std::uint32_t>(k), 0};
            }
        });
    for (std::size_t row = 0; row < rows_.size(); ++row)
        rows_[row].last_cell =
            row + 1 < rows_.size() ? rows_[row + 1].first_cell : static_cast<std::uint32_t>(x_.size());
}

std::uint32_t CellDirectory::lower_row(std::int64_t z, std::int64_t y) const
{
    const auto wanted = std::pair{z, y};
    const auto before = [&](const Row& row, const std::pair<std::int64_t, std::int64_t>& key) {
        return std::pair<std::int64_t, std::int64_t>{row.z, row.y} < key;
    };
    return static_cast<std::uint32_t>(std::lower_bound(rows_.begin(), rows_.end(), wanted, before) - rows_.begin());
}

std::uint32_t CellDirectory::lower_cell(std::uint32_t row, std::int64_t x) const
{
    const auto first = x_.begin() + rows_[row].first_cell;
    const auto last = x_.begin() + rows_[row].last_cell;
    return static_cast<std::uint32_t>(std::lower_bound(first, last, x) - x_.begin());
}

}  // namespace halfulp
