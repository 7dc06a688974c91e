#include "validation/pair_count.hpp"

#include <algorithm>
#include <compare>
#include <vector>

#include "core/neighbours/cell_directory.hpp"
#include "kernels/periodic_image.hpp"
#include "validation/columns.hpp"

namespace halfulp {

namespace {

// A particle's place in the order of cells, fluid before walls, and its row of the snapshot.
struct Placed {
    std::int32_t z;
    std::int32_t y;
    std::int32_t x;
    Kind kind;
    std::size_t row;
    auto operator<=>(const Placed&) const = default;
};

struct Near {
    IndexRange particles;
    std::array<int, 3> cells;  // from the target's cell to theirs
};

}  // namespace

std::optional<std::uint64_t> neighbours_of_fluid(const Problem& problem, const Snapshot& snapshot)
{
    const Column* const cells = find_column(snapshot, "cell");
    const Column* const offsets = find_column(snapshot, "offset");
    const Column* const kinds = find_column(snapshot, "kind");
    const std::size_t count = problem.fluid + problem.wall;
    if (cells == nullptr || offsets == nullptr || kinds == nullptr || snapshot.count != count) return {};

    std::vector<Placed> placed(count);
#pragma omp parallel for schedule(static)
    for (std::size_t row = 0; row < count; ++row) {
        const auto along = [&](std::size_t axis) {
            return static_cast<std::int32_t>(number_at(*cells, 3 * row + axis));
        };
        placed[row] = {along(2), along(1), along(0), static_cast<Kind>(number_at(*kinds, row)), row};
    }
    std::ranges::sort(placed);
    std::vector<Four<std::int32_t>> cell(count);
    std::vector<Kind> kind(count);
    std::vector<std::array<double, 3>> offset(count);
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < count; ++i) {
        const Placed& one = placed[i];
        kind[i] = one.kind;
        cell[i] = {one.x, one.y, one.z, 0};
        for (std::size_t axis = 0; axis < 3; ++axis) offset[i][axis] = number_at(*offsets, 3 * one.row + axis);
    }
    CellDirectory directory;
    directory.build(cell, kind);

    // Offsets of a snapshot lie within their cell, so cells farther apart than support + skin hold no neighbours.
    const int reach = problem.search_cells;
    const int reach_z = problem.source.dimensions == 3 ? reach : 0;
    const auto image = [&](std::int64_t there, std::size_t axis) {
        return wrapped(there, problem.source.origin.cells[axis], problem.period[axis]);
    };
    // On the lattice of a start rounding alone would decide about pairs just as far apart as the support.
    const double most = within_support * static_cast<double>(problem.support);
    std::uint64_t pairs = 0;
    const auto& of_rows = directory.rows();
#pragma omp parallel for schedule(dynamic) reduction(+ : pairs)
    for (std::size_t r = 0; r < of_rows.size(); ++r) {
        std::vector<Near> all_near;
        for (std::uint32_t k = of_rows[r].first_cell; k < of_rows[r].last_cell; ++k) {
            const IndexRange fluid = directory.fluid(k);
            if (fluid.begin == fluid.end) continue;
            all_near.clear();
            for (int z = -reach_z; z <= reach_z; ++z) {
                for (int y = -reach; y <= reach; ++y) {
                    const std::uint32_t row = directory.find_row(image(std::int64_t{of_rows[r].z} + z, 2),
                                                                 image(std::int64_t{of_rows[r].y} + y, 1));
                    if (row == CellDirectory::no_row) continue;
                    for (int x = -reach; x <= reach; ++x) {
                        const std::int64_t there = image(std::int64_t{directory.x(k)} + x, 0);
                        all_near.push_back({directory.particles(row, there, there), {x, y, z}});
                    }
                }
            }
            for (std::uint32_t a = fluid.begin; a < fluid.end; ++a) {
                for (const Near& near : all_near) {
                    for (std::uint32_t b = near.particles.begin; b < near.particles.end; ++b) {
                        double square = 0;
                        for (std::size_t axis = 0; axis < 3; ++axis) {
                            const double difference = near.cells[axis] + (offset[b][axis] - offset[a][axis]);
                            square += difference * difference;
                        }
                        pairs += square < most * most ? 1 : 0;
                    }
                }
                --pairs;  // itself
            }
        }
    }
    return pairs;
}

}  // namespace halfulp
