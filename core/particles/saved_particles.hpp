// All buffers of a run's particles as bytes, in the order in which the back end holds them: what a checkpoint keeps of
// them. Derived buffers are among them, as the next step begins with the rates of the last. The same for every back
// end.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

#include "core/particles/buffers.hpp"

namespace halfulp {

struct SavedBuffer {
    std::string name;
    std::vector<std::byte> bytes;
};

struct SavedParticles {
    std::uint64_t rebuilds = 0;  // of the neighbours, since the start
    std::vector<SavedBuffer> buffers;
};

// Each throws an Error.
[[noreturn]] void refuse_to_save(const char* precision);
[[noreturn]] void refuse_saved_buffer(const char* name, std::size_t has, std::size_t wanted);
[[noreturn]] void refuse_unknown_buffers();

// Numbers of 113 bits are objects of a library's, whose bytes mean nothing to another program.
template <class Policy>
void refuse_library_numbers()
{
    if constexpr (!std::is_trivially_copyable_v<typename Policy::Real>) refuse_to_save(Policy::name);
}

template <class Policy>
std::vector<SavedBuffer> saved_buffers(const Buffers<Policy>& buffers)
{
    refuse_library_numbers<Policy>();
    std::vector<SavedBuffer> saved;
    const_cast<Buffers<Policy>&>(buffers).for_each([&](const BufferInfo& info, auto& buffer) {
        using Element = std::remove_reference_t<decltype(buffer[0])>;
        SavedBuffer& one = saved.emplace_back(SavedBuffer{info.name, {}});
        one.bytes.resize(buffer.size() * sizeof(Element));
        if (!buffer.empty()) std::memcpy(one.bytes.data(), static_cast<const void*>(buffer.data()), one.bytes.size());
    });
    return saved;
}

// Throws an Error if what was saved is not what such buffers hold.
template <class Policy>
void restore_buffers(const std::vector<SavedBuffer>& saved, Buffers<Policy>& buffers)
{
    refuse_library_numbers<Policy>();
    std::size_t used = 0;
    buffers.for_each([&](const BufferInfo& info, auto& buffer) {
        using Element = std::remove_reference_t<decltype(buffer[0])>;
        const auto found =
            std::find_if(saved.begin(), saved.end(), [&](const SavedBuffer& one) { return one.name == info.name; });
        const std::size_t bytes = buffer.size() * sizeof(Element);
        if (found == saved.end()) refuse_saved_buffer(info.name, 0, bytes);
        if (found->bytes.size() != bytes) refuse_saved_buffer(info.name, found->bytes.size(), bytes);
        if (bytes > 0) std::memcpy(static_cast<void*>(buffer.data()), found->bytes.data(), bytes);
        ++used;
    });
    if (used != saved.size()) refuse_unknown_buffers();
}

}  // namespace halfulp
