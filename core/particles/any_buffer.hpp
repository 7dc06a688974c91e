// Type-erased particle buffers: code that copies, sizes, saves and sends fields is compiled once with them, instead of
// once for every field of every policy.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "core/particles/field.hpp"

namespace halfulp {

// The memory of a buffer, for reading only.
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

// A selection of fields: returns whether a field is wanted.
using FieldChoice = std::function<bool(const FieldInfo&)>;

inline bool is_any(const FieldInfo& /*info*/) { return true; }
inline bool is_shown(const FieldInfo& info) { return info.role == Role::shown || info.role == Role::result; }

// Bytes per particle of the wanted fields.
std::size_t bytes_of(const AnyBuffers& buffers, const FieldChoice& wanted);

// Copies a number of bytes from one address to another, in the memory of the host or of a device.
using CopyBytes = std::function<void(void* to, const void* from, std::size_t bytes)>;

// Resizes the wanted fields of `to` to the number of particles in `from`, and copies them; other fields are left as
// they are. Both must have the same wanted fields.
void copy_buffers(const AnyBuffers& to, const ReadBuffers& from, const FieldChoice& wanted, const CopyBytes& copy);
// Copies the wanted fields of `count` particles, from index first_from to index first_to; resizes nothing.
void copy_particles(const AnyBuffers& to, std::size_t first_to, const ReadBuffers& from, std::size_t first_from,
                    std::size_t count, const FieldChoice& wanted, const CopyBytes& copy);
// Copies the wanted fields of the particles at the indices `places`, in that order; in the host's memory.
void copy_selected(const AnyBuffers& to, const ReadBuffers& from, const std::vector<std::uint32_t>& places,
                   const FieldChoice& wanted);

// Calls act(buffer) for each buffer, in parallel: creating a large buffer takes as long as filling it, since the system
// provides its memory only when it is first written to. count: number of particles, which decides whether threads are
// worth it.
void by_threads(const AnyBuffers& buffers, std::size_t count, const std::function<void(const AnyBuffer&)>& act);

}  // namespace halfulp
