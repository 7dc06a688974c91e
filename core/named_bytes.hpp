// Bytes with a name that are read on request, whole or in pieces: the buffers of a saved state and the blocks of a
// file, which need never be in memory together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>

namespace halfulp {

struct NamedBytes {
    // Some of the bytes, from the first one on. Valid until others are read from the same source, or it changes.
    using Read = std::function<std::span<const std::byte>(std::uint64_t first, std::uint64_t count)>;

    std::string name;
    std::uint64_t size = 0;
    Read read;

    [[nodiscard]] std::span<const std::byte> take() const { return read(0, size); }
};

// Of bytes in memory, which stay where they are.
inline NamedBytes::Read read_from(std::span<const std::byte> bytes)
{
    return [bytes](std::uint64_t first, std::uint64_t count) { return bytes.subspan(first, count); };
}

// Calls use(first, piece) for pieces of all bytes, one after another, of as many whole elements as make up to 64 MiB.
template <class Use>
void in_pieces(const NamedBytes& bytes, std::uint64_t element, const Use& use)
{
    const std::uint64_t piece = (std::uint64_t{1} << 26U) / element * element;
    for (std::uint64_t first = 0; first < bytes.size; first += piece)
        use(first, bytes.read(first, bytes.size - first < piece ? bytes.size - first : piece));
}

}  // namespace halfulp
