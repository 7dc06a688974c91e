// Cell differences between a group and its candidates as small exact numbers, addressed by a 16-bit code.
#pragma once

#include <cstdint>
#include <vector>

#include "core/neighbours/groups.hpp"
#include "core/particles/buffers.hpp"

namespace halfulp {

// Code of a candidate = row * columns + column, with row counting the (2n+1)^(D-1) rows around a group's own in the
// canonical order and column its x cell relative to the group's first, shifted by n.
template <class Real, int D>
class ShiftTable {
public:
    explicit ShiftTable(int search_cells) : n_(search_cells), columns_(largest_group_span + 2 * search_cells + 1)
    {
        for (int row = 0; row < rows(); ++row)
            for (int column = 0; column < columns_; ++column)
                table_.push_back({Real(n_ - column), Real(-dy(row)), Real(-dz(row)), Real(0)});
    }
    [[nodiscard]] int rows() const { return D == 3 ? (2 * n_ + 1) * (2 * n_ + 1) : 2 * n_ + 1; }
    [[nodiscard]] int dz(int row) const { return D == 3 ? row / (2 * n_ + 1) - n_ : 0; }
    [[nodiscard]] int dy(int row) const { return D == 3 ? row % (2 * n_ + 1) - n_ : row - n_; }
    [[nodiscard]] std::uint16_t code(int row, int dx) const
    {
        return static_cast<std::uint16_t>(row * columns_ + dx + n_);
    }
    // Cell of the group's first particle minus the candidate's.
    [[nodiscard]] const Four<Real>* data() const { return table_.data(); }

private:
    int n_;
    int columns_;
    std::vector<Four<Real>> table_;
};

}  // namespace halfulp
