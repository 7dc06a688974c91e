// The part of a saved state that a back end takes over: all particles or, on a rank, those that it is to hold.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/particles/saved_particles.hpp"

namespace halfulp {

// Calls act(buffer, saved buffer) for every saved buffer, in the order of the fields. Throws an Error if the saved
// buffers are not those of `count` particles.
void for_each_saved(const SavedParticles& saved, std::size_t count, const AnyBuffers& buffers,
                    const std::function<void(const AnyBuffer&, const SavedBuffer&)>& act);

struct HeldState {
    using Use = std::function<void(std::span<const std::byte> piece)>;

    std::size_t count = 0;
    std::uint64_t rebuilds = 0;
    // Calls `use` for consecutive pieces of one field. field: its index among the saved fields; element: bytes per
    // particle. All ranks call it for the same fields in the same order.
    std::function<void(std::size_t field, std::size_t element, const Use& use)> read;
};

// The saved buffers in the order of the fields.
std::vector<const SavedBuffer*> saved_fields(const SavedParticles& saved, std::size_t count, const AnyBuffers& buffers);

// The whole of a saved state, of `count` particles.
HeldState all_of(const SavedParticles& saved, std::size_t count, const AnyBuffers& buffers);

// Reads a state into buffers of matching size: the fields that are both saved and wanted, by copy(to, piece).
void read_state(const HeldState& state, const AnyBuffers& buffers, const FieldChoice& wanted,
                const std::function<void(std::byte* to, std::span<const std::byte> piece)>& copy);

}  // namespace halfulp
