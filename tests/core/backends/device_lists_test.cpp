// Lists of a device, compact and others, and the bits of candidates that they are made from, written and read on the
// host: every neighbour comes back, and a compact list has no more whole entries than were counted beforehand. The rows
// are drawn at random, from full cells to empty ones, with all neighbours or next to none.
#include "tests/core/backends/device_code_on_host.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "core/backends/cuda/candidate_bits.cuh"
#include "core/backends/cuda/list_reader.cuh"
#include "core/backends/cuda/list_writers.cuh"

namespace halfulp::cuda {

namespace {

struct Neighbour {
    std::uint32_t index;
    int slot;
    std::array<int, 3> cells;  // the particle's minus the neighbour's
    bool wall;
};
struct Target {
    std::uint32_t particle;
    std::vector<Neighbour> neighbours;
    std::uint32_t whole_entries = 0;  // as counted
};

class Draw {
public:
    explicit Draw(unsigned seed) : random_(seed) {}
    int of(int low, int high) { return std::uniform_int_distribution<int>(low, high)(random_); }
    bool chance(double share) { return std::uniform_real_distribution<double>(0, 1)(random_) < share; }

private:
    std::mt19937 random_;
};

struct Shape {
    int search_cells;
    int dimensions;
    int most_in_a_cell;
    double share;  // of candidates that are neighbours
};

// A row of cells from index `next` on: its candidates and the first of each occupied cell, as in the search.
struct Row {
    std::vector<Neighbour> candidates;
    std::vector<std::uint32_t> first;
    int low = 0;
    int high = 0;
};
Row row_of(Draw& draw, const Shape& shape, int slot, int dy, int dz, std::uint32_t& next)
{
    Row row;
    for (int x = -shape.search_cells; x <= shape.search_cells; ++x) {
        const int fluid = draw.chance(0.7) ? draw.of(0, shape.most_in_a_cell) : 0;
        const int walls = draw.chance(0.3) ? draw.of(0, shape.most_in_a_cell) : 0;
        if (fluid + walls == 0) continue;
        if (row.first.empty()) row.low = x;
        row.high = x;
        row.first.push_back(next);
        for (int k = 0; k < fluid + walls; ++k) row.candidates.push_back({next++, slot, {-x, dy, dz}, k >= fluid});
    }
    row.first.push_back(next);
    return row;
}

// Chooses neighbours in the row and counts as the search does, a word of 32 candidates at a time.
void add_row(Draw& draw, const Shape& shape, const Row& row, WholeEntries& whole, Target& target)
{
    bool any = false;
    for (std::size_t begin = 0; begin < row.candidates.size(); begin += 32) {
        std::uint32_t bits = 0;
        for (std::size_t k = begin; k < std::min(row.candidates.size(), begin + 32); ++k) {
            if (!draw.chance(shape.share)) continue;
            bits |= 1U << (k - begin);
            target.neighbours.push_back(row.candidates[k]);
        }
        if (bits == 0) continue;
        whole.count(!any, row.candidates[begin].index, bits);
        if (any) continue;
        any = true;
        const std::size_t cells = row.first.size() - 1;
        if (cells > 1 && may_rise_too_far(shape.search_cells, row.high - row.low, row.first[cells - 1] - row.first[1]))
            whole.count_one();
    }
}

Target target_of(Draw& draw, const Shape& shape)
{
    Target target{.particle = static_cast<std::uint32_t>(draw.of(1'000'000, 1'001'000)), .neighbours = {}};
    WholeEntries whole;
    auto next = target.particle - 2000;
    int slot = 0;
    const int z = shape.dimensions == 3 ? shape.search_cells : 0;
    for (int dz = -z; dz <= z; ++dz) {
        for (int dy = -shape.search_cells; dy <= shape.search_cells; ++dy, ++slot) {
            next += static_cast<std::uint32_t>(draw.of(0, 2000));
            add_row(draw, shape, row_of(draw, shape, slot, dy, dz, next), whole, target);
        }
    }
    target.whole_entries = whole.counted();
    return target;
}

template <class Writer>
void write(const EntryFormat& format, const Target& target, Writer writer)
{
    for (const Neighbour& neighbour : target.neighbours) {
        writer.enter(neighbour.slot);
        const EntryFormat::Row row = format.row(neighbour.cells[1], neighbour.cells[2]);
        const std::uint32_t k = neighbour.index % 32;
        std::uint32_t common = 0;
        ASSERT_TRUE(format.begin(target.particle, neighbour.index - k, row, common));
        writer.put(EntryFormat::entry(common, k, static_cast<float>(neighbour.cells[0]), neighbour.wall));
    }
    writer.end();
}

// Compares the lists of a warp with the targets they are of.
template <ReadLists which>
void read_back(const ListView& view, const std::vector<Target>& targets)
{
    for (std::uint32_t lane = 0; lane < warp; ++lane) {
        const Target& target = targets[lane];
        const EntryDecoder decoder(view.format, target.particle);
        ListReader<which> reader(view, lane, !target.neighbours.empty());
        FourEntries entries{};
        for (std::size_t k = 0; k < target.neighbours.size(); ++k) {
            if (k % 4 == 0) entries = reader.template read<true>();
            const std::uint32_t entry = entries.next;
            entries.drop_first();
            const Neighbour& neighbour = target.neighbours[k];
            ASSERT_EQ(decoder.index(entry), neighbour.index) << "neighbour " << k << " of " << target.neighbours.size();
            ASSERT_EQ(decoder.is_wall(entry), neighbour.wall);
            ASSERT_EQ(decoder.x_difference(entry), static_cast<float>(neighbour.cells[0]));
            ASSERT_EQ(decoder.y_difference(entry), static_cast<float>(neighbour.cells[1]));
            ASSERT_EQ(decoder.z_difference(entry), static_cast<float>(neighbour.cells[2]));
        }
    }
}

// The lists of a warp, written and read.
void expect_back(const EntryFormat& format, const std::vector<Target>& targets, KeptNeighbours kept)
{
    const bool compact = kept == KeptNeighbours::compact;
    std::uint32_t most = 0;
    std::uint32_t whole = 0;
    for (const Target& target : targets) {
        most = std::max(most, (static_cast<std::uint32_t>(target.neighbours.size()) + 3) / 4);
        if (compact) whole = std::max(whole, target.whole_entries);
    }
    constexpr std::uint32_t before = 5;
    constexpr std::uint32_t read_beyond = 4;
    const std::uint32_t end = before + whole + most * (compact ? 1 : 4);
    std::vector<WarpWords> words(end + read_beyond);
    for (WarpWords& one : words) std::fill(std::begin(one.of_lane), std::end(one.of_lane), 0xDEADBEEF);
    const ListPlace place{before, whole};
    ListTarget to{};
    to.kept = kept;
    to.words = words.data();
    for (int lane = 0; lane < warp; ++lane) {
        const Target& target = targets[static_cast<std::size_t>(lane)];
        if (compact) write(format, target, CompactWriter(to, place, lane));
        else write(format, target, ListWriter(to, place, lane));
    }
    for (std::size_t k = 0; k < words.size(); ++k) {
        if (k >= before && k < end) continue;
        for (const std::uint32_t word : words[k].of_lane) ASSERT_EQ(word, 0xDEADBEEF) << "written beside the lists";
    }
    const ListView view{.kept = kept, .words = words.data(), .place = &place, .lengths = nullptr, .format = format};
    read_back<ReadLists::either>(view, targets);
    if (compact) read_back<ReadLists::compact>(view, targets);
    else read_back<ReadLists::with_entries>(view, targets);
}

TEST(DeviceLists, GiveBackWhatWasWritten)
{
    Draw draw(1);
    for (int times = 0; times < 600; ++times) {
        const Shape shape{.search_cells = draw.of(1, 3),
                          .dimensions = draw.of(2, 3),
                          .most_in_a_cell = draw.of(0, 40),
                          .share = std::pow(10.0, -0.1 * draw.of(0, 25))};
        const EntryFormat format{.layer = static_cast<std::int32_t>(EntryFormat::layer_unit) * draw.of(0, 300)};
        std::vector<Target> targets;
        targets.reserve(warp);
        for (int lane = 0; lane < warp; ++lane) targets.push_back(target_of(draw, shape));
        for (const KeptNeighbours kept : {KeptNeighbours::lists, KeptNeighbours::compact}) {
            expect_back(format, targets, kept);
            if (HasFatalFailure()) return;
        }
    }
}

// Bits of up to three words in each range, within the words that are counted for them, a stride apart.
TEST(DeviceLists, PackedBitsAreThoseThatWerePut)
{
    struct Part {
        std::uint32_t bits;
        std::uint32_t candidates;
    };
    Draw draw(2);
    for (int times = 0; times < 2000; ++times) {
        std::vector<Part> parts;
        std::uint32_t bytes = 0;
        for (int ranges = draw.of(0, 60); ranges > 0; --ranges) {
            const int candidates = draw.of(0, 90);
            bytes += PackedBits::taken(static_cast<std::uint32_t>(candidates)) / 8;
            for (int left = candidates; left > 0; left -= 32) {
                const auto here = static_cast<std::uint32_t>(std::min(left, 32));
                const auto drawn = static_cast<std::uint32_t>(draw.of(0, 0xFFFF)) << 16U |
                                   static_cast<std::uint32_t>(draw.of(0, 0xFFFF));
                parts.push_back({here < 32 ? drawn & ((1U << here) - 1) : drawn, here});
            }
        }
        constexpr int stride = 3;
        constexpr std::uint32_t untouched = 0xDEADBEEF;
        std::vector<std::uint32_t> words(stride * std::size_t{PackedBits::words_for(bytes)} + stride, untouched);
        PackedBits put(words.data(), stride);
        for (const Part& part : parts) put.put(part.bits, part.candidates);
        put.end();
        for (std::size_t k = 0; k < words.size(); ++k) {
            if (k % stride == 0 && k + stride < words.size()) continue;
            ASSERT_EQ(words[k], untouched) << "written beside the words";
        }
        words.resize(words.size() - stride);  // so that a sanitizer sees what is read beyond them
        words.shrink_to_fit();
        PackedBitsReader reader(words.data(), stride);
        for (const Part& part : parts) ASSERT_EQ(reader.take(part.candidates), part.bits);
    }
}

}  // namespace

}  // namespace halfulp::cuda
