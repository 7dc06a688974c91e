// The solver's own forms of neighbour search beside the bucket searches of buckets.hpp, with the same cells: ranges of
// particles around each occupied cell, from the solver's directory without a box, and stored lists of neighbours. The
// candidates come in the order of the bucket searches, so that sums have the same bits.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/neighbours/cell_directory.hpp"
#include "kernels/differential_operators.hpp"
#include "validation/differential/buckets.hpp"

namespace halfulp::differential {

// The rows of cells around each occupied cell, as ranges of particles: (1 + 2 divisions)^2 for each.
class OccupiedCells {
public:
    static constexpr const char* name = "occupied cells";

    struct View {
        const IndexRange* ranges;
        int rows;
    };

    OccupiedCells(const BucketBox& box, const std::vector<std::int32_t>& bucket_of)
        : rows_((2 * box.divisions + 1) * (2 * box.divisions + 1)), order_(bucket_of.size())
    {
        std::iota(order_.begin(), order_.end(), 0U);
        // The number of a bucket ascends with its cell in the canonical order: along x, then y, then z.
        std::ranges::stable_sort(order_, {}, [&](std::uint32_t i) { return bucket_of[i]; });
        std::vector<Four<std::int32_t>> cell;
        cell.reserve(order_.size());
        for (const std::uint32_t i : order_) {
            const std::int32_t bucket = bucket_of[i];
            cell.push_back({bucket % box.buckets[0], bucket / box.buckets[0] % box.buckets[1],
                            bucket / (box.buckets[0] * box.buckets[1]), 0});
        }
        CellDirectory directory;
        directory.build(cell, std::vector<Kind>(cell.size(), Kind::fluid));
        const int n = box.divisions;
        for (const CellDirectory::Row& row : directory.rows()) {
            std::vector<std::uint32_t> near;
            for (int z = -n; z <= n; ++z)
                for (int y = -n; y <= n; ++y) near.push_back(directory.find_row(row.z + z, row.y + y));
            for (std::uint32_t k = row.first_cell; k < row.last_cell; ++k) {
                for (const std::uint32_t of : near) {
                    ranges_.push_back(of == CellDirectory::no_row
                                          ? IndexRange{}
                                          : directory.particles(of, directory.x(k) - n, directory.x(k) + n));
                }
                for (std::uint32_t i = directory.first_particle(k); i < directory.first_particle(k + 1); ++i)
                    keys_.push_back(static_cast<std::int32_t>(k));
            }
        }
    }
    [[nodiscard]] View view() const { return {ranges_.data(), rows_}; }
    [[nodiscard]] const std::vector<std::uint32_t>& order() const { return order_; }
    // The occupied cell of each place.
    [[nodiscard]] const std::vector<std::int32_t>& keys() const { return keys_; }
    [[nodiscard]] const std::vector<IndexRange>& ranges() const { return ranges_; }
    [[nodiscard]] int rows() const { return rows_; }

private:
    int rows_;
    std::vector<std::uint32_t> order_;
    std::vector<std::int32_t> keys_;
    std::vector<IndexRange> ranges_;
};

struct RangesOfCell {
    static constexpr const char* name = "ranges";

    template <class Visit>
    HALFULP_INLINE void around(const OccupiedCells::View& cells, std::int32_t cell, const Visit& visit) const
    {
        const IndexRange* const of_cell = cells.ranges + std::size_t(cell) * static_cast<std::size_t>(cells.rows);
        for (int k = 0; k < cells.rows; ++k) {
            const IndexRange range = of_cell[k];
            for (std::uint32_t j = range.begin; j < range.end; ++j) visit(j);
        }
    }
};

// The neighbours of each particle within an interaction domain, the particle itself among them. A group of `width`
// particles has its lists interleaved, so that the threads of a warp read one line of memory together.
class StoredLists {
public:
    static constexpr const char* name = "stored lists";

    struct View {
        const std::uint64_t* first;  // of each group
        const std::uint32_t* length;
        const std::uint32_t* neighbours;
        int width;
    };

    // Of Domain, or a rounding error wider: who goes through a list tests again, with its own number type.
    template <class Domain>
    static StoredLists of(const OccupiedCells& cells, const std::vector<Vec<3, double>>& places, double reach,
                          int width)
    {
        StoredLists lists;
        lists.width_ = width;
        lists.order_ = cells.order();
        const std::size_t count = lists.order_.size();
        const double farthest = reach * (1 + 1e-6);
        const auto for_each_near = [&](std::size_t place, const auto& use) {
            const Vec<3, double> own = places[lists.order_[place]];
            RangesOfCell{}.around(cells.view(), cells.keys()[place], [&](std::uint32_t other) {
                if (Domain::contains(places[lists.order_[other]] - own, farthest)) use(other);
            });
        };
        lists.length_.resize(count);
#pragma omp parallel for schedule(dynamic, 256)
        for (std::size_t place = 0; place < count; ++place) {
            std::uint32_t length = 0;
            for_each_near(place, [&](std::uint32_t /*other*/) { ++length; });
            lists.length_[place] = length;
        }
        const auto in_group = static_cast<std::size_t>(width);
        std::uint64_t entries = 0;
        for (std::size_t begin = 0; begin < count; begin += in_group) {
            lists.first_.push_back(entries);
            const std::size_t end = std::min(begin + in_group, count);
            entries += in_group * *std::max_element(lists.length_.begin() + static_cast<std::ptrdiff_t>(begin),
                                                    lists.length_.begin() + static_cast<std::ptrdiff_t>(end));
        }
        lists.neighbours_.resize(entries);
#pragma omp parallel for schedule(dynamic, 256)
        for (std::size_t place = 0; place < count; ++place) {
            std::uint64_t at = lists.first_[place / in_group] + place % in_group;
            for_each_near(place, [&](std::uint32_t other) {
                lists.neighbours_[at] = other;
                at += in_group;
            });
        }
        for (std::size_t place = 0; place < count; ++place) lists.keys_.push_back(static_cast<std::int32_t>(place));
        return lists;
    }
    [[nodiscard]] View view() const { return {first_.data(), length_.data(), neighbours_.data(), width_}; }
    [[nodiscard]] const std::vector<std::uint32_t>& order() const { return order_; }
    // The place itself.
    [[nodiscard]] const std::vector<std::int32_t>& keys() const { return keys_; }
    [[nodiscard]] const std::vector<std::uint64_t>& first() const { return first_; }
    [[nodiscard]] const std::vector<std::uint32_t>& length() const { return length_; }
    [[nodiscard]] const std::vector<std::uint32_t>& neighbours() const { return neighbours_; }
    [[nodiscard]] int width() const { return width_; }

private:
    StoredLists() = default;

    int width_ = 1;
    std::vector<std::uint64_t> first_;
    std::vector<std::uint32_t> length_;
    std::vector<std::uint32_t> neighbours_;
    std::vector<std::uint32_t> order_;
    std::vector<std::int32_t> keys_;
};

struct EachListed {
    static constexpr const char* name = "lists";

    template <class Visit>
    HALFULP_INLINE void around(const StoredLists::View& lists, std::int32_t place, const Visit& visit) const
    {
        const std::uint32_t* entry = lists.neighbours + lists.first[place / lists.width] + place % lists.width;
        const std::uint32_t length = lists.length[place];
        for (std::uint32_t k = 0; k < length; ++k, entry += lists.width) visit(*entry);
    }
};

}  // namespace halfulp::differential
