// All buffers of a run's particles as bytes, in the canonical order, for checkpoints. Derived buffers are included, as
// the next step begins with the rates of the last; results for outputs are not. The same for every back end. Buffers
// are handed over in pieces, so that two copies of all of them are never in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "core/named_bytes.hpp"
#include "core/particles/any_buffer.hpp"

namespace halfulp {

// A saved buffer, which must be read before the particles change.
using SavedBuffer = NamedBytes;

struct SavedParticles {
    std::uint64_t rebuilds = 0;  // of the neighbour lists, since the start
    std::vector<SavedBuffer> buffers;
    std::string file = {};  // that they are from, for messages
};

[[noreturn]] void refuse_to_save(const char* precision);  // throws an Error

// 113-bit numbers are objects of a library, whose bytes mean nothing to another program.
template <class Policy>
void refuse_library_numbers()
{
    if constexpr (!std::is_trivially_copyable_v<typename Policy::Real>) refuse_to_save(Policy::name);
}

// The bytes at an address of the back end, in the host's memory.
using FetchBytes = std::function<std::span<const std::byte>(const std::byte* from, std::size_t bytes)>;

namespace detail {

std::vector<SavedBuffer> saved_buffers(const ReadBuffers& buffers, const FetchBytes& fetch);

}  // namespace detail

template <class Policy>
std::vector<SavedBuffer> saved_buffers(const ReadBuffers& buffers, const FetchBytes& fetch)
{
    refuse_library_numbers<Policy>();
    return detail::saved_buffers(buffers, fetch);
}

}  // namespace halfulp
