// Directory of the particles in each occupied cell, without a dense grid: memory grows with particles, not the domain.
//
// Particles are in the canonical order, so the cells of one row (equal z and y) are consecutive, and the particles of
// any run of cells along x form one range of indices.
#pragma once

#include <cstdint>
#include <vector>

#include "core/particles/buffers.hpp"

namespace halfulp {

struct IndexRange {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
};

class CellDirectory {
public:
    struct Row {
        std::int32_t z;
        std::int32_t y;
        std::uint32_t first_cell;
        std::uint32_t last_cell;  // one past the end
    };
    static constexpr std::uint32_t no_row = 0xffffffffU;

    // cell, kind: of all particles, in the canonical order.
    void build(const std::vector<Four<std::int32_t>>& cell, const std::vector<Kind>& kind);

    [[nodiscard]] const std::vector<Row>& rows() const { return rows_; }
    [[nodiscard]] std::size_t cells() const { return x_.size(); }
    [[nodiscard]] std::int32_t x(std::uint32_t cell) const { return x_[cell]; }
    [[nodiscard]] std::uint32_t first_particle(std::uint32_t cell) const { return start_[cell]; }  // cell <= cells()
    // The fluid of a cell, which precedes its walls.
    [[nodiscard]] IndexRange fluid(std::uint32_t cell) const { return {start_[cell], fluid_end_[cell]}; }

    // The first row at (z, y) or beyond, in ascending order of z and y; their number if there is none. 64-bit
    // arguments: z + 1 may leave the range of cells.
    [[nodiscard]] std::uint32_t lower_row(std::int64_t z, std::int64_t y) const;
    [[nodiscard]] bool is_at(std::uint32_t row, std::int64_t z, std::int64_t y) const
    {
        return row < rows_.size() && rows_[row].z == z && rows_[row].y == y;
    }
    // The row at (z, y), or no_row.
    [[nodiscard]] std::uint32_t find_row(std::int64_t z, std::int64_t y) const
    {
        const std::uint32_t row = lower_row(z, y);
        return is_at(row, z, y) ? row : no_row;
    }
    // The particles of a row with low <= x <= high.
    [[nodiscard]] IndexRange particles(std::uint32_t row, std::int64_t low, std::int64_t high) const
    {
        return {start_[lower_cell(row, low)], start_[lower_cell(row, high + 1)]};
    }
    // The first cell of a row with x >= the given one; the row's last_cell if there is none.
    [[nodiscard]] std::uint32_t lower_cell(std::uint32_t row, std::int64_t x) const;

private:
    std::vector<Row> rows_;
    std::vector<std::int32_t> x_;           // of each occupied cell
    std::vector<std::uint32_t> start_;      // first particle of each occupied cell, and the number of particles
    std::vector<std::uint32_t> fluid_end_;  // one past the last fluid particle of each occupied cell
};

}  // namespace halfulp
