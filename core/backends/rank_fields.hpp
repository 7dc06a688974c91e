// The fields of the particles as a rank sends them, on the host or on a device.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "core/distribution/halo.hpp"
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
template <class Buffers, class Moves>
std::vector<RawField> raw_fields_of(Buffers& buffers, const Moves& moves)
{
    std::vector<RawField> fields;
    buffers.for_each([&](const FieldInfo& info, auto& buffer) {
        fields.push_back(
            {reinterpret_cast<std::byte*>(buffer.data()), sizeof(*buffer.data()), moves(info), is_work(info)});
    });
    return fields;
}

// What is sent after each operation.
using ExchangedParts = std::array<std::vector<FieldPart>, operation_count>;

template <class Policy, int D, class Buffers>
ExchangedParts exchanged_parts(Buffers& buffers, const Physics& physics)
{
    ExchangedParts parts;
    for (std::size_t k = 0; k < operation_count; ++k) {
        for (const ExchangedBytes& one : exchanged_after<Policy, D>(static_cast<OperationKind>(k), physics)) {
            std::size_t field = 0;
            buffers.for_each([&](const FieldInfo& info, auto& /*buffer*/) {
                if (info.name == std::string_view(one.field))
                    parts[k].push_back({field, one.offset, one.bytes, one.of_fluid_alone});
                ++field;
            });
        }
    }
    return parts;
}

// The particles with which a rank begins: any equal share, which its first rebuild moves to where they belong.
template <class Policy, int D>
Buffers<Policy> first_share(const Problem& problem, const Peers* peers)
{
    if (peers == nullptr) return initial_buffers<Policy, D>(problem);
    const std::size_t count = problem.particles.size();
    return initial_buffers<Policy, D>(problem, count * peers->rank() / peers->ranks(),
                                      count * (peers->rank() + 1) / peers->ranks());
}

}  // namespace halfulp
