// The distribution of a saved state to the ranks of a run.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "core/backends/rank_fields.hpp"
#include "core/distribution/peers.hpp"
#include "core/distribution/shares.hpp"
#include "core/particles/held_state.hpp"

namespace halfulp::detail {

// Collective: passes a saved state of `count` particles to all ranks in pieces, from which each takes the particles
// that it is to hold. fields: the saved fields, at rank 0.
template <class Rank>
void hold_share(Peers& peers, Rank& rank, const std::vector<const SavedBuffer*>& fields, std::size_t count,
                std::uint64_t rebuilds)
{
    using Cells = std::vector<Four<std::int32_t>>;
    constexpr std::size_t piece = std::size_t{1} << 20U;
    // use(first, values)
    const auto pass = [&](std::size_t field, std::size_t element, const auto& use) {
        Bytes values;
        for (std::size_t first = 0; first < count; first += piece) {
            if (peers.rank() == 0) {
                const auto read = fields[field]->read(first * element, std::min(piece, count - first) * element);
                values.assign(read.begin(), read.end());
            }
            peers.broadcast(values);
            use(first, values);
        }
    };
    // The first two fields are the cells and the kinds.
    const auto pass_cells = [&](const auto& use) {
        Cells cells;
        pass(0, sizeof(Cells::value_type), [&](std::size_t first, const Bytes& values) {
            cells.resize(values.size() / sizeof(Cells::value_type));
            std::memcpy(static_cast<void*>(cells.data()), values.data(), values.size());
            use(first, cells);
        });
    };

    const EqualShare share = equal_share(count, peers);
    const auto of_share = [&](std::size_t first, std::size_t size, const auto& act) {
        const std::size_t end = std::min(first + size, share.first + share.count);
        for (std::size_t i = std::max(first, share.first); i < end; ++i) act(i - first);
    };
    Cells cells_of_share;
    std::vector<std::uint32_t> work_of_share;
    pass_cells([&](std::size_t first, const Cells& cells) {
        of_share(first, cells.size(), [&](std::size_t k) { cells_of_share.push_back(cells[k]); });
    });
    pass(1, sizeof(Kind), [&](std::size_t first, const Bytes& kinds) {
        of_share(first, kinds.size(),
                 [&](std::size_t k) { work_of_share.push_back(work_at_start(static_cast<Kind>(kinds[k]))); });
    });
    Halo& halo = rank.halo();
    halo.decompose(cells_of_share, work_of_share);

    std::vector<std::uint32_t> held;
    pass_cells([&](std::size_t first, const Cells& cells) {
        for (std::size_t k = 0; k < cells.size(); ++k) {
            if (halo.holds(cells[k])) held.push_back(static_cast<std::uint32_t>(first + k));
        }
    });
    rank.hold({.count = held.size(),
               .rebuilds = rebuilds,
               .read = [&](std::size_t field, std::size_t element, const HeldState::Use& use) {
                   Bytes chosen;
                   auto next = held.begin();
                   pass(field, element, [&](std::size_t first, const Bytes& values) {
                       const auto end = std::lower_bound(next, held.end(), first + values.size() / element);
                       chosen.resize(static_cast<std::size_t>(end - next) * element);
                       for (std::byte* to = chosen.data(); next != end; ++next, to += element)
                           std::memcpy(to, values.data() + (*next - first) * element, element);
                       use(chosen);
                   });
               }});
}

}  // namespace halfulp::detail
