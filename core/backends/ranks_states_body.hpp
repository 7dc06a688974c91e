// The member functions of a back end on several ranks that bring the particles of all ranks to rank 0, for outputs and
// saved states, or restore a state from there. Included where a policy is instantiated.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "core/backends/hold_share.hpp"
#include "core/backends/ranks.hpp"
#include "core/particles/restored_particles.hpp"
#include "core/setup/host_memory.hpp"

namespace halfulp {

namespace detail {

// The place where rank 0 gathers a field from the ranks of its process.
struct GatheredField {
    std::size_t field;
    std::size_t element;  // bytes
    std::byte* to;
};

// Collective: each rank puts its own particles in place, from the index `begin` on.
template <class Rank>
void put_own(Peers& peers, const Rank& rank, const std::vector<GatheredField>& fields, std::uint64_t begin)
{
    for (const GatheredField& one : fields) rank.copy_own(one.field, 0, rank.own(), one.to + begin * one.element);
    static_cast<void>(peers.any(false));
}

// Collective: at rank 0 the values of a field of each rank's range.
template <class Rank>
std::vector<Bytes> values_of_all(Peers& peers, const Rank& rank, std::size_t field, std::size_t element,
                                 const std::vector<OwnRange>& ranges)
{
    const OwnRange& mine = ranges[peers.rank()];
    Bytes values(mine.count * element);
    rank.copy_own(field, mine.first, mine.count, values.data());
    return peers.gather(std::move(values));
}

}  // namespace detail

template <class Rank>
Buffers<typename Ranks<Rank>::Policy> Ranks<Rank>::gathered(const FieldChoice& wanted) const
{
    std::vector<std::uint64_t> begins{0};
    for (const RankUse& one : rank_uses()) begins.push_back(begins.back() + one.own);
    const std::uint64_t count = begins.back();
    Buffers<Policy> all(rank_->physics());
    const AnyBuffers buffers = all.used();
    require_memory_for_output(count, bytes_of(buffers, wanted));
    by_threads(buffers, count, [&](const AnyBuffer& buffer) {
        if (wanted(buffer.info)) buffer.resize(count);
    });
    std::vector<detail::GatheredField> fields;
    for (std::size_t k = 0; k < buffers.size(); ++k) {
        if (wanted(buffers[k].info)) fields.push_back({k, buffers[k].element, buffers[k].data()});
    }
    if (peers_.share_memory()) {
        Bytes arguments;
        write(arguments, fields);
        write(arguments, begins);
        command(RankCommand::gather, arguments, [&] { detail::put_own(peers_, *rank_, fields, 0); });
        return all;
    }
    constexpr std::uint64_t piece = std::uint64_t{1} << 20U;
    for (const detail::GatheredField& one : fields) {
        bool more = true;
        for (std::uint64_t done = 0; more; done += piece) {
            more = false;
            std::vector<OwnRange> ranges;
            for (std::size_t r = 0; r < peers_.ranks(); ++r) {
                const std::uint64_t own = begins[r + 1] - begins[r];
                ranges.push_back({std::min(done, own), std::min(piece, own - std::min(done, own))});
                more = more || done + piece < own;
            }
            const std::vector<Bytes> parts = values(one.field, one.element, ranges);
            for (std::size_t r = 0; r < parts.size(); ++r) {
                std::byte* const to = one.to + (begins[r] + ranges[r].first) * one.element;
                std::copy(parts[r].begin(), parts[r].end(), to);
            }
        }
    }
    return all;
}

template <class Rank>
Rates Ranks<Rank>::rates() const
{
    const Buffers<Policy> all = gathered(is_any);
    return rates_of<Policy, D>(view_of(all), rank_->constants().domain);
}

template <class Rank>
std::function<SnapshotSource()> Ranks<Rank>::shown() const
{
    const auto copied = std::make_shared<Buffers<Policy>>(gathered(is_shown));
    return [copied, domain = rank_->constants().domain] {
        return halfulp::snapshot_source<Policy, D>(view_of(*copied), domain, copied);
    };
}

template <class Rank>
std::vector<Bytes> Ranks<Rank>::values(std::size_t field, std::size_t element,
                                       const std::vector<OwnRange>& ranges) const
{
    std::vector<Bytes> all;
    Bytes arguments;
    write(arguments, field);
    write(arguments, element);
    write(arguments, ranges);
    command(RankCommand::values, arguments,
            [&] { all = detail::values_of_all(peers_, *rank_, field, element, ranges); });
    return all;
}

template <class Rank>
OrderOfRanks Ranks<Rank>::order_of_ranks() const
{
    std::vector<std::uint64_t> counts;
    for (const RankUse& one : rank_uses()) counts.push_back(one.own);
    // All ranks' pieces together take some tens of megabytes, unless there are very many.
    const std::uint64_t piece = std::max<std::uint64_t>((std::uint64_t{1} << 22U) / counts.size(), 1U << 16U);
    return OrderOfRanks(counts, piece, [this](const std::vector<OwnRange>& ranges) {
        using Cell = std::remove_cvref_t<decltype(Buffers<Policy>().cell[0])>;
        // The first two fields.
        return OrderOfRanks::Keys{values(0, sizeof(Cell), ranges), values(1, sizeof(Kind), ranges)};
    });
}

// Rank 0 has no more of each field in memory than is asked for, besides a record of which particles belong to which
// rank.
template <class Rank>
SavedParticles Ranks<Rank>::save() const
{
    refuse_library_numbers<Policy>();
    const auto order = std::make_shared<const OrderOfRanks>(order_of_ranks());
    const auto bytes = std::make_shared<Bytes>();
    SavedParticles saved{rebuilds(), {}};
    Buffers<Policy> none(rank_->physics());
    const AnyBuffers fields = none.used();
    for (std::size_t k = 0; k < fields.size(); ++k) {
        if (fields[k].info.role == Role::result) continue;
        const std::uint64_t element = fields[k].element;
        const auto read = [=, this](std::uint64_t first, std::uint64_t count) {
            const std::uint64_t begin = first / element;
            const std::uint64_t end = (first + count + element - 1) / element;
            order->join(begin, end, values(k, element, order->ranges(begin, end)), element, *bytes);
            return std::span<const std::byte>(*bytes).subspan(first - begin * element, count);
        };
        saved.buffers.push_back({fields[k].info.name, order->count() * element, read});
    }
    return saved;
}

template <class Rank>
void Ranks<Rank>::restore(const Problem& problem, const SavedParticles& saved)
{
    check_saved<Policy, D>(saved, problem, rank_->constants());
    const std::uint64_t count = problem.particles.size();
    Bytes arguments;
    write(arguments, count);
    write(arguments, saved.rebuilds);
    Buffers<Policy> fields(rank_->physics());
    const auto all = saved_fields(saved, count, fields.used());
    command(RankCommand::restore, arguments, [&] { detail::hold_share(peers_, *rank_, all, count, saved.rebuilds); });
}

}  // namespace halfulp
