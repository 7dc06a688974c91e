// The fields of the particles as a rank sends them, on the host or on a device.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "core/distribution/halo.hpp"
#include "core/distribution/shares.hpp"
#include "core/operations/exchange.hpp"
#include "core/particles/initial_buffers.hpp"

namespace halfulp {

inline bool is_work(const FieldInfo& info)
{
    return std::ranges::any_of(works, [&](const WorkInfo& work) {
        return info.name == std::string_view(work.name) || info.name == std::string_view(work.previous_name);
    });
}

// moves: whether a field goes with its particle to another rank.
inline std::vector<RawField> raw_fields_of(const AnyBuffers& buffers, const FieldChoice& moves)
{
    std::vector<RawField> fields;
    for (const AnyBuffer& buffer : buffers)
        fields.push_back({buffer.data(), buffer.element, moves(buffer.info), is_work(buffer.info)});
    return fields;
}

// The parts of fields that are sent after each operation.
using ExchangedParts = std::array<std::vector<FieldPart>, operation_count>;

template <class Policy, int D>
ExchangedParts exchanged_parts(const AnyBuffers& buffers, const Physics& physics)
{
    ExchangedParts parts;
    for (std::size_t k = 0; k < operation_count; ++k) {
        for (const ExchangedBytes& one : exchanged_after<Policy, D>(static_cast<OperationKind>(k), physics)) {
            for (std::size_t field = 0; field < buffers.size(); ++field) {
                if (buffers[field].info.name == std::string_view(one.field))
                    parts[k].push_back({field, one.offset, one.bytes, one.of_fluid_alone});
            }
        }
    }
    return parts;
}

// The first particle of a rank's equal share of `count` particles, in an order that all ranks know.
constexpr std::size_t begin_of_share(std::size_t count, std::size_t rank, std::size_t ranks)
{
    return count * rank / ranks;
}
// This rank's equal share.
struct EqualShare {
    std::size_t first;
    std::size_t count;
};
inline EqualShare equal_share(std::size_t count, const Peers& peers)
{
    const std::size_t first = begin_of_share(count, peers.rank(), peers.ranks());
    return {first, begin_of_share(count, peers.rank() + 1, peers.ranks()) - first};
}

// The particles with which a rank begins: any equal share, whose particles the first rebuild moves to their owners.
template <class Policy, int D>
Buffers<Policy> first_share(const Problem& problem, const Peers* peers)
{
    if (peers == nullptr) return initial_buffers<Policy, D>(problem);
    const EqualShare share = equal_share(problem.particles.size(), *peers);
    return initial_buffers<Policy, D>(problem, share.count, [&](std::size_t i) { return share.first + i; });
}

// Collective: which of the problem's particles this rank owns or copies at the start, in their order.
inline std::vector<std::uint32_t> held_at_start(const Problem& problem, Halo& halo)
{
    const auto cell_of = [&](std::size_t k) {
        const std::array<std::int32_t, 3> cell = problem.particles.without_velocity(k).cell;
        return Four<std::int32_t>{cell[0], cell[1], cell[2], 0};
    };
    {
        const EqualShare share = equal_share(problem.particles.size(), halo.peers());
        std::vector<Four<std::int32_t>> cells(share.count);
        std::vector<std::uint32_t> work(share.count);
        for_each_particle(share.count, [&](std::size_t i) {
            cells[i] = cell_of(share.first + i);
            work[i] = work_at_start(problem.particles.without_velocity(share.first + i).kind);
        });
        halo.decompose(cells, work);
    }
    using Indices = std::vector<std::uint32_t>;
    return fold_particles(
        problem.particles.size(), Indices{},
        [&](Indices& held, std::size_t k) {
            if (halo.holds(cell_of(k))) held.push_back(static_cast<std::uint32_t>(k));
        },
        [](Indices& all, const Indices& more) { all.insert(all.end(), more.begin(), more.end()); });
}

}  // namespace halfulp
