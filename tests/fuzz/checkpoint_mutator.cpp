// Most changes of a byte make a checksum wrong: after every mutation the checksums of the blocks are set right again,
// so that what reads behind them is reached. One mutation in eight is left as it is.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "core/output/checksum.hpp"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed);

namespace {

// The layout is told in core/output/block_file.hpp.
constexpr std::size_t start_bytes = 19 + 2 * sizeof(std::uint32_t);
struct Head {
    std::uint64_t size;
    halfulp::StateHash checksum;
    std::uint64_t name_length;
};

void repair(std::uint8_t* data, std::size_t size)
{
    std::size_t at = start_bytes;
    while (at + sizeof(Head) <= size) {
        Head head;
        std::memcpy(&head, data + at, sizeof head);
        const std::size_t left = size - at - sizeof head;
        // A block that is longer than what is left becomes the last.
        head.name_length = std::min<std::uint64_t>(head.name_length, left);
        head.size = std::min<std::uint64_t>(head.size, left - head.name_length);
        const std::uint8_t* const name = data + at + sizeof head;
        halfulp::Checksum checksum;
        checksum.absorb(std::string_view(reinterpret_cast<const char*>(name), head.name_length));
        checksum.absorb(name + head.name_length, head.size);
        head.checksum = checksum.value();
        std::memcpy(data + at, &head, sizeof head);
        at += sizeof head + head.name_length + head.size;
    }
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed)
{
    const std::size_t mutated = LLVMFuzzerMutate(data, size, most);
    if (seed % 8 != 0) repair(data, mutated);
    return mutated;
}
