// Buffers of the particles without their types: what copies, sizes, saves and sends fields is compiled once, instead of
// for every field of every policy.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "core/particles/field.hpp"

namespace halfulp {

// The memory of a buffer, to be read.
struct ReadBuffer {
    FieldInfo info;
    std::size_t element = 0;  // bytes of a particle
    std::size_t count = 0;    // of particles
    const std::byte* data = nullptr;
};

class AnyBuffer {
public:
    template <class Buffer>
    AnyBuffer(const FieldInfo& about, Buffer& buffer)
        : info(about), element(sizeof(*buffer.data())), buffer_(&buffer),
          data_([](void* one) { return reinterpret_cast<std::byte*>(static_cast<Buffer*>(one)->data()); }),
          resize_([](void* one, std::size_t count) { static_cast<Buffer*>(one)->resize(count); })
    {
    }

    FieldInfo info;
    std::size_t element;  // bytes of a particle

    [[nodiscard]] std::byte* data() const { return data_(buffer_); }
    void resize(std::size_t count) const { resize_(buffer_, count); }

private:
    void* buffer_;
    std::byte* (*data_)(void*);
    void (*resize_)(void*, std::size_t);
};

using AnyBuffers = std::vector<AnyBuffer>;
using ReadBuffers = std::vector<ReadBuffer>;

// Which fields are meant.
using FieldChoice = std::function<bool(const FieldInfo&)>;

inline bool is_any(const FieldInfo& /*info*/) { return true; }
inline bool is_shown(const FieldInfo& info) { return info.role == Role::shown || info.role == Role::result; }

// Of a particle.
std::size_t bytes_of(const AnyBuffers& buffers, const FieldChoice& wanted);

// Copies so many bytes from one address to another, in whichever memory they are.
using CopyBytes = std::function<void(void* to, const void* from, std::size_t bytes)>;

// Both have the same of the fields that are wanted: those are resized to as many particles, and copied; the others
// remain.
void copy_buffers(const AnyBuffers& to, const ReadBuffers& from, const FieldChoice& wanted, const CopyBytes& copy);
// The same for `count` particles, from an index in each; nothing is resized.
void copy_particles(const AnyBuffers& to, std::size_t first_to, const ReadBuffers& from, std::size_t first_from,
                    std::size_t count, const FieldChoice& wanted, const CopyBytes& copy);
// The same for the particles at some indices, in their order, in the host's memory.
void copy_selected(const AnyBuffers& to, const ReadBuffers& from, const std::vector<std::uint32_t>& places,
                   const FieldChoice& wanted);

// Calls act(buffer) for each, by a thread: making a large one takes as long as filling it, as its memory is not there
// until it is written to. count: of particles, which decides whether threads are worth it.
void by_threads(const AnyBuffers& buffers, std::size_t count, const std::function<void(const AnyBuffer&)>& act);

}  // namespace halfulp
