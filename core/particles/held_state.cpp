#include "core/particles/held_state.hpp"

#include <algorithm>

#include "core/error.hpp"

namespace halfulp {

void for_each_saved(const SavedParticles& saved, std::size_t count, const AnyBuffers& buffers,
                    const std::function<void(const AnyBuffer&, const SavedBuffer&)>& act)
{
    std::size_t used = 0;
    for (const AnyBuffer& buffer : buffers) {
        if (buffer.info.role == Role::result) continue;
        const auto found = std::ranges::find(saved.buffers, buffer.info.name, &SavedBuffer::name);
        const std::size_t size = count * buffer.element;
        const std::size_t has = found == saved.buffers.end() ? 0 : found->size;
        if (has != size || found == saved.buffers.end()) {
            throw input_error(
                "{} holds {} bytes of the buffer \"{}\" instead of {}: it belongs to another case or version; run the "
                "case anew.",
                saved.file, has, buffer.info.name, size);
        }
        act(buffer, *found);
        ++used;
    }
    if (used != saved.buffers.size()) {
        throw input_error("{} holds buffers that this version does not know; run the case anew.", saved.file);
    }
}

std::vector<const SavedBuffer*> saved_fields(const SavedParticles& saved, std::size_t count, const AnyBuffers& buffers)
{
    std::vector<const SavedBuffer*> fields;
    for_each_saved(saved, count, buffers,
                   [&](const AnyBuffer& /*buffer*/, const SavedBuffer& from) { fields.push_back(&from); });
    return fields;
}

HeldState all_of(const SavedParticles& saved, std::size_t count, const AnyBuffers& buffers)
{
    return {.count = count,
            .rebuilds = saved.rebuilds,
            .read = [fields = saved_fields(saved, count, buffers)](std::size_t field, std::size_t element,
                                                                   const HeldState::Use& use) {
                in_pieces(*fields[field], element,
                          [&](std::uint64_t /*first*/, std::span<const std::byte> piece) { use(piece); });
            }};
}

void read_state(const HeldState& state, const AnyBuffers& buffers, const FieldChoice& wanted,
                const std::function<void(std::byte* to, std::span<const std::byte> piece)>& copy)
{
    std::size_t field = 0;
    for (const AnyBuffer& buffer : buffers) {
        if (buffer.info.role == Role::result) continue;
        const std::size_t k = field++;
        if (!wanted(buffer.info)) continue;
        std::byte* to = buffer.data();
        state.read(k, buffer.element, [&](std::span<const std::byte> piece) {
            if (!piece.empty()) copy(to, piece);
            to += piece.size();
        });
    }
}

}  // namespace halfulp
