#include "core/backends/order_of_ranks.hpp"

#include <algorithm>
#include <cstring>
#include <queue>

#include "core/particles/order.hpp"

namespace halfulp {

namespace {

// Keys of one rank's particles, of which a piece is here.
struct Stream {
    OwnRange left;  // that is not here yet
    Bytes cells;
    Bytes kinds;
    std::size_t at = 0;

    [[nodiscard]] bool is_read() const { return at == kinds.size(); }
    [[nodiscard]] OrderKey key(std::size_t rank) const
    {
        Four<std::int32_t> cell;
        std::memcpy(&cell, cells.data() + at * sizeof cell, sizeof cell);
        return order_key(cell, static_cast<Kind>(kinds[at]), static_cast<std::uint32_t>(rank));
    }
};

struct Later {
    bool operator()(const OrderKey& a, const OrderKey& b) const { return b < a; }
};

}  // namespace

OrderOfRanks::OrderOfRanks(const std::vector<std::uint64_t>& counts, std::uint64_t piece,
                           const std::function<Keys(const std::vector<OwnRange>& ranges)>& keys)
    : ranks_(counts.size())
{
    std::vector<Stream> streams(ranks_);
    for (std::size_t r = 0; r < ranks_; ++r) streams[r].left = {0, counts[r]};
    const auto fetch = [&](const auto& wanted) {
        std::vector<OwnRange> ranges(ranks_);
        for (std::size_t r = 0; r < ranks_; ++r) {
            if (wanted(r)) ranges[r] = {streams[r].left.first, std::min(piece, streams[r].left.count)};
        }
        Keys fetched = keys(ranges);
        for (std::size_t r = 0; r < ranks_; ++r) {
            if (!wanted(r)) continue;
            Stream& stream = streams[r];
            stream.cells = std::move(fetched.cells[r]);
            stream.kinds = std::move(fetched.kinds[r]);
            stream.at = 0;
            stream.left = {stream.left.first + ranges[r].count, stream.left.count - ranges[r].count};
        }
    };
    fetch([](std::size_t /*rank*/) { return true; });
    std::priority_queue<OrderKey, std::vector<OrderKey>, Later> next;
    for (std::size_t r = 0; r < ranks_; ++r) {
        if (!streams[r].is_read()) next.push(streams[r].key(r));
    }
    std::vector<std::uint64_t> taken(ranks_);
    while (!next.empty()) {
        const std::size_t rank = next.top().index;
        next.pop();
        Stream& stream = streams[rank];
        runs_.push_back({count_, taken[rank], rank});
        // Up to the next particle of another rank.
        bool more = true;
        do {
            ++taken[rank];
            ++count_;
            ++stream.at;
            if (stream.is_read() && stream.left.count > 0) fetch([rank](std::size_t r) { return r == rank; });
            more = !stream.is_read();
        } while (more && (next.empty() || stream.key(rank) < next.top()));
        if (more) next.push(stream.key(rank));
    }
}

template <class Act>
void OrderOfRanks::for_each_run(std::uint64_t begin, std::uint64_t end, const Act& act) const
{
    auto run = std::ranges::upper_bound(runs_, begin, {}, &Run::begin);
    for (std::uint64_t at = begin; at < end; ++run) {
        const Run& now = *(run - 1);
        const std::uint64_t end_of_run = std::min(end, run == runs_.end() ? count_ : run->begin);
        act(now.rank, now.first + (at - now.begin), end_of_run - at);
        at = end_of_run;
    }
}

std::vector<OwnRange> OrderOfRanks::ranges(std::uint64_t begin, std::uint64_t end) const
{
    std::vector<OwnRange> all(ranks_);
    for_each_run(begin, end, [&](std::size_t rank, std::uint64_t first, std::uint64_t count) {
        if (all[rank].count == 0) all[rank].first = first;
        all[rank].count += count;
    });
    return all;
}

void OrderOfRanks::join(std::uint64_t begin, std::uint64_t end, const std::vector<Bytes>& values, std::size_t element,
                        Bytes& all) const
{
    all.resize((end - begin) * element);
    std::vector<std::size_t> at(ranks_);
    std::byte* to = all.data();
    for_each_run(begin, end, [&](std::size_t rank, std::uint64_t /*first*/, std::uint64_t count) {
        const std::size_t bytes = count * element;
        std::memcpy(to, values[rank].data() + at[rank], bytes);
        at[rank] += bytes;
        to += bytes;
    });
}

}  // namespace halfulp
