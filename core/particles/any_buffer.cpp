#include "core/particles/any_buffer.hpp"

#include <cstring>

#include "core/setup/for_each_particle.hpp"

namespace halfulp {

namespace {

// Calls act(buffer, source buffer) for each wanted field; both lists have these fields in the same order.
template <class Act>
void for_each_pair(const AnyBuffers& to, const ReadBuffers& from, const FieldChoice& wanted, const Act& act)
{
    std::size_t k = 0;
    for (const AnyBuffer& buffer : to) {
        if (!wanted(buffer.info)) continue;
        while (!wanted(from.at(k).info)) ++k;
        act(buffer, from[k++]);
    }
}

}  // namespace

std::size_t bytes_of(const AnyBuffers& buffers, const FieldChoice& wanted)
{
    std::size_t bytes = 0;
    for (const AnyBuffer& buffer : buffers) bytes += wanted(buffer.info) ? buffer.element : 0;
    return bytes;
}

void copy_buffers(const AnyBuffers& to, const ReadBuffers& from, const FieldChoice& wanted, const CopyBytes& copy)
{
    for_each_pair(to, from, wanted, [&](const AnyBuffer& buffer, const ReadBuffer& source) {
        buffer.resize(source.count);
        copy(buffer.data(), source.data, source.count * source.element);
    });
}

void copy_particles(const AnyBuffers& to, std::size_t first_to, const ReadBuffers& from, std::size_t first_from,
                    std::size_t count, const FieldChoice& wanted, const CopyBytes& copy)
{
    for_each_pair(to, from, wanted, [&](const AnyBuffer& buffer, const ReadBuffer& source) {
        copy(buffer.data() + first_to * source.element, source.data + first_from * source.element,
             count * source.element);
    });
}

void copy_selected(const AnyBuffers& to, const ReadBuffers& from, const std::vector<std::uint32_t>& places,
                   const FieldChoice& wanted)
{
    for_each_pair(to, from, wanted, [&](const AnyBuffer& buffer, const ReadBuffer& source) {
        buffer.resize(places.size());
        std::byte* target = buffer.data();
        for (const std::uint32_t place : places) {
            std::memcpy(target, source.data + place * source.element, source.element);
            target += source.element;
        }
    });
}

void by_threads(const AnyBuffers& buffers, std::size_t count, const std::function<void(const AnyBuffer&)>& act)
{
    for_each_in_blocks(buffers.size(), 1, count >= worth_threads, [&](std::size_t k) { act(buffers[k]); });
}

}  // namespace halfulp
