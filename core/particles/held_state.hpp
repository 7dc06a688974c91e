// The part of a saved state that a back end takes over: all particles or, on a rank, those that it is to hold.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/particles/saved_particles.hpp"

namespace halfulp {

namespace detail {

// Each throws an Error.
[[noreturn]] void refuse_saved_buffer(const SavedParticles& saved, const char* name, std::size_t has,
                                      std::size_t wanted);
[[noreturn]] void refuse_unknown_buffers(const SavedParticles& saved);

}  // namespace detail

// Calls act(info, buffer, saved buffer) for every buffer that is saved, in the order of the fields. Throws an Error if
// these are not those of so many particles.
template <class Buffers, class Act>
void for_each_saved(const SavedParticles& saved, std::size_t count, Buffers& buffers, const Act& act)
{
    std::size_t used = 0;
    buffers.for_each([&](const FieldInfo& info, auto& buffer) {
        if (info.role == Role::result) return;
        const auto found = std::ranges::find(saved.buffers, info.name, &SavedBuffer::name);
        const std::size_t size = count * sizeof(*buffer.data());
        const std::size_t has = found == saved.buffers.end() ? 0 : found->size;
        if (has != size || found == saved.buffers.end()) detail::refuse_saved_buffer(saved, info.name, has, size);
        act(info, buffer, *found);
        ++used;
    });
    if (used != saved.buffers.size()) detail::refuse_unknown_buffers(saved);
}

struct HeldState {
    using Use = std::function<void(std::span<const std::byte> piece)>;

    std::size_t count = 0;
    std::uint64_t rebuilds = 0;
    // Calls use for pieces of one field, in order. field: its index among those that are saved; element: bytes of a
    // particle. Of ranks each calls it for the same fields in the same order.
    std::function<void(std::size_t field, std::size_t element, const Use& use)> read;
};

// The saved buffers in the order of the fields.
template <class Buffers>
std::vector<const SavedBuffer*> saved_fields(const SavedParticles& saved, std::size_t count, Buffers& buffers)
{
    std::vector<const SavedBuffer*> fields;
    for_each_saved(saved, count, buffers, [&](const FieldInfo& /*info*/, auto& /*buffer*/, const SavedBuffer& from) {
        fields.push_back(&from);
    });
    return fields;
}

// All of it, for buffers of as many particles.
template <class Buffers>
HeldState all_of(const SavedParticles& saved, Buffers& buffers)
{
    return {.count = buffers.count(),
            .rebuilds = saved.rebuilds,
            .read = [fields = saved_fields(saved, buffers.count(), buffers)](std::size_t field, std::size_t element,
                                                                             const HeldState::Use& use) {
                in_pieces(*fields[field], element,
                          [&](std::uint64_t /*first*/, std::span<const std::byte> piece) { use(piece); });
            }};
}

// Reads a state into buffers of its size, those that are saved and for which wanted(info): copy(to, piece).
template <class Buffers, class Wanted, class Copy>
void read_state(const HeldState& state, Buffers& buffers, const Wanted& wanted, const Copy& copy)
{
    std::size_t field = 0;
    buffers.for_each([&](const FieldInfo& info, auto& buffer) {
        if (info.role == Role::result) return;
        const std::size_t k = field++;
        if (!wanted(info)) return;
        auto* to = reinterpret_cast<std::byte*>(buffer.data());
        state.read(k, sizeof(*buffer.data()), [&](std::span<const std::byte> piece) {
            if (!piece.empty()) copy(to, piece);
            to += piece.size();
        });
    });
}

}  // namespace halfulp
