// All buffers of a run's particles as bytes, in the canonical order, for checkpoints. Derived buffers are included, as
// the next step begins with the rates of the last; results for outputs are not. The same for every back end. Buffers
// are handed over in pieces, so that two copies of all of them are never in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "core/named_bytes.hpp"
#include "core/particles/buffers.hpp"

namespace halfulp {

// To be read before the particles change.
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

// fetch(address, bytes): the bytes at an address of the back end, as a span in the host's memory.
template <class Policy, template <class> class Vector, class Fetch>
std::vector<SavedBuffer> saved_buffers(const Buffers<Policy, Vector>& buffers, const Fetch& fetch)
{
    refuse_library_numbers<Policy>();
    std::vector<SavedBuffer> saved;
    const_cast<Buffers<Policy, Vector>&>(buffers).for_each([&](const FieldInfo& info, auto& buffer) {
        if (info.role == Role::result) return;
        const auto* const data = reinterpret_cast<const std::byte*>(buffer.data());
        const std::uint64_t size = buffer.size() * sizeof(*buffer.data());
        saved.push_back({info.name, size, [fetch, data](std::uint64_t first, std::uint64_t count) {
                             return std::span<const std::byte>(fetch(data + first, count));
                         }});
    });
    return saved;
}

}  // namespace halfulp
