#include "core/distribution/decomposition.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace halfulp {

namespace {

constexpr std::int64_t no_end = std::int64_t{1} << 40;
constexpr CellBox everywhere{{-no_end, -no_end, -no_end}, {no_end, no_end, no_end}};
// Layers are counted apart up to this number, and together beyond it: particles may be far apart.
constexpr std::int64_t most_bins = 1 << 16;

std::uint64_t mixed(std::uint64_t x)  // Steele et al., splitmix64
{
    x += 0x9e3779b97f4a7c15U;
    x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
    x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
    return x ^ (x >> 31U);
}

// The cells of a box that have particles, along each axis.
struct Extent {
    std::array<std::int64_t, 3> first{};
    std::array<std::int64_t, 3> last{-1, -1, -1};

    [[nodiscard]] std::int64_t layers(std::size_t axis) const { return last[axis] - first[axis] + 1; }
    [[nodiscard]] bool is_empty() const { return layers(0) <= 0; }
};

}  // namespace

bool CellBox::contains(const Four<std::int32_t>& cell) const
{
    for (int c = 0; c < 3; ++c) {
        const auto axis = static_cast<std::size_t>(c);
        if (cell[c] < low[axis] || cell[c] >= high[axis]) return false;
    }
    return true;
}

// A box that still belongs to several ranks, and where its node goes.
struct Decomposition::Part {
    std::size_t first_rank;
    std::size_t ranks;
    CellBox box;
    std::uint32_t parent;
    bool is_left;
    Extent extent;
};

Decomposition::Decomposition(std::size_t ranks) : boxes_(ranks, CellBox{}) { boxes_[0] = everywhere; }

// All boxes are cut in two at once, so that there are few collective operations. choose(part, extent, work of its
// particles by layer) returns axis and place of a cut.
template <class Choose>
Decomposition Decomposition::bisected(Peers& peers, std::span<const Four<std::int32_t>> cells, const Choose& choose)
{
    Decomposition result(peers.ranks());
    constexpr std::uint32_t settled = std::numeric_limits<std::uint32_t>::max();
    std::vector<Part> parts{{0, peers.ranks(), everywhere, settled, false, {}}};
    std::vector<std::uint32_t> part_of(cells.size(), 0);
    while (!parts.empty() && parts.front().ranks > 1) {
        constexpr double none = -4e18;
        std::vector<double> ends(parts.size() * 6, none);
        for (std::size_t i = 0; i < cells.size(); ++i) {
            if (part_of[i] == settled) continue;
            for (int c = 0; c < 3; ++c) {
                double* const end = ends.data() + 6 * part_of[i] + 2 * c;
                end[0] = std::max(end[0], -static_cast<double>(cells[i][c]));
                end[1] = std::max(end[1], static_cast<double>(cells[i][c]));
            }
        }
        peers.maximum(ends);
        for (std::size_t k = 0; k < parts.size(); ++k) {
            for (std::size_t c = 0; c < 3 && ends[6 * k + 1] > none; ++c) {
                parts[k].extent.first[c] = static_cast<std::int64_t>(-ends[6 * k + 2 * c]);
                parts[k].extent.last[c] = static_cast<std::int64_t>(ends[6 * k + 2 * c + 1]);
            }
        }
        std::vector<std::pair<int, std::int64_t>> cuts = choose(parts, part_of);
        std::vector<Part> next;
        std::vector<std::array<std::uint32_t, 2>> children(parts.size());
        for (std::size_t k = 0; k < parts.size(); ++k) {
            const Part& part = parts[k];
            const auto axis = static_cast<std::size_t>(cuts[k].first);
            // A box without particles may be cut anywhere within it.
            const std::int64_t at = cuts[k].second =
                std::clamp(cuts[k].second, part.box.low[axis], part.box.high[axis]);
            const auto place = static_cast<std::uint32_t>(result.cuts_.size());
            result.cuts_.push_back({cuts[k].first, at, 0, 0, false, false});
            if (part.parent != settled) {
                CutOfCells& parent = result.cuts_[part.parent];
                (part.is_left ? parent.left : parent.right) = place;
            }
            const std::size_t on_left = part.ranks / 2;
            for (const bool left : {true, false}) {
                CellBox box = part.box;
                (left ? box.high : box.low)[axis] = at;
                const std::size_t first = left ? part.first_rank : part.first_rank + on_left;
                const std::size_t ranks = left ? on_left : part.ranks - on_left;
                std::uint32_t& child = children[k][left ? 0 : 1];
                if (ranks > 1) {
                    child = static_cast<std::uint32_t>(next.size());
                    next.push_back({first, ranks, box, place, left, {}});
                    continue;
                }
                child = settled;
                result.boxes_[first] = box;
                CutOfCells& node = result.cuts_.back();
                (left ? node.left : node.right) = static_cast<std::uint32_t>(first);
                (left ? node.left_is_rank : node.right_is_rank) = true;
            }
        }
        for (std::size_t i = 0; i < cells.size(); ++i) {
            if (part_of[i] == settled) continue;
            const std::size_t k = part_of[i];
            const auto [axis, at] = cuts[k];
            part_of[i] = children[k][cells[i][axis] < at ? 0 : 1];
        }
        parts.swap(next);
    }
    return result;
}

Decomposition Decomposition::by_work(Peers& peers, std::span<const Four<std::int32_t>> cells,
                                     std::span<const std::uint32_t> work, int dimensions,
                                     std::span<const double> powers)
{
    const auto power_of = [&](std::size_t first, std::size_t ranks) {
        if (powers.empty()) return static_cast<double>(ranks);
        const auto own = powers.subspan(first, ranks);
        return std::accumulate(own.begin(), own.end(), 0.0);
    };
    return bisected(peers, cells, [&](const std::vector<Part>& parts, const auto& part_of) {
        // Across the longest extent, for the smallest halo.
        struct Layers {
            int axis = 0;
            std::int64_t width = 1;
            std::size_t first = 0;
            std::size_t count = 0;
        };
        std::vector<Layers> layers(parts.size());
        std::size_t bins = 0;
        for (std::size_t k = 0; k < parts.size(); ++k) {
            const Extent& extent = parts[k].extent;
            Layers& mine = layers[k];
            for (int c = 1; c < dimensions; ++c) {
                if (extent.layers(static_cast<std::size_t>(c)) > extent.layers(static_cast<std::size_t>(mine.axis)))
                    mine.axis = c;
            }
            const std::int64_t length = std::max<std::int64_t>(extent.layers(static_cast<std::size_t>(mine.axis)), 1);
            mine.width = (length + most_bins - 1) / most_bins;
            mine.first = bins;
            mine.count = static_cast<std::size_t>((length + mine.width - 1) / mine.width);
            bins += mine.count;
        }
        std::vector<std::uint64_t> sums(bins, 0);
        for (std::size_t i = 0; i < cells.size(); ++i) {
            if (part_of[i] >= parts.size()) continue;
            const Layers& mine = layers[part_of[i]];
            const std::int64_t first = parts[part_of[i]].extent.first[static_cast<std::size_t>(mine.axis)];
            sums[mine.first + static_cast<std::size_t>((cells[i][mine.axis] - first) / mine.width)] += work[i];
        }
        peers.sum(sums);
        std::vector<std::pair<int, std::int64_t>> cuts;
        for (std::size_t k = 0; k < parts.size(); ++k) {
            const Layers& mine = layers[k];
            const std::uint64_t* const sum = sums.data() + mine.first;
            double total = 0;
            for (std::size_t b = 0; b < mine.count; ++b) total += static_cast<double>(sum[b]);
            const Part& part = parts[k];
            const double wanted =
                total * power_of(part.first_rank, part.ranks / 2) / power_of(part.first_rank, part.ranks);
            std::size_t bin = 0;
            double below = 0;
            while (bin < mine.count && below + 0.5 * static_cast<double>(sum[bin]) < wanted)
                below += static_cast<double>(sum[bin++]);
            const std::int64_t first = parts[k].extent.first[static_cast<std::size_t>(mine.axis)];
            cuts.emplace_back(mine.axis, first + static_cast<std::int64_t>(bin) * mine.width);
        }
        return cuts;
    });
}

Decomposition Decomposition::at_random(Peers& peers, std::span<const Four<std::int32_t>> cells, int dimensions,
                                       std::uint64_t seed)
{
    std::uint64_t state = mixed(seed);
    return bisected(peers, cells, [&](const std::vector<Part>& parts, const auto& /*part_of*/) {
        std::vector<std::pair<int, std::int64_t>> cuts;
        for (const Part& part : parts) {
            state = mixed(state);
            const int axis = static_cast<int>(state % static_cast<std::uint64_t>(dimensions));
            const auto places = static_cast<std::uint64_t>(part.extent.layers(static_cast<std::size_t>(axis)) + 1);
            cuts.emplace_back(axis, part.extent.first[static_cast<std::size_t>(axis)] +
                                        static_cast<std::int64_t>((state >> 8U) % places));
        }
        return cuts;
    });
}

}  // namespace halfulp
