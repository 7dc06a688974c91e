// Particles of all ranks at rank 0, and those of a message.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include "core/backends/rank_fields.hpp"
#include "core/backends/ranks.hpp"
#include "core/distribution/peers.hpp"
#include "core/particles/fields_by_threads.hpp"

namespace halfulp::detail {

template <class Policy>
Bytes packed(const Buffers<Policy>& particles, Gathered which, std::size_t first, std::size_t last)
{
    Bytes message;
    const auto for_each = [&](const auto& act) {
        const_cast<Buffers<Policy>&>(particles).for_each([&](const FieldInfo& info, auto& buffer) {
            if (is_gathered(which, info)) act(std::as_bytes(std::span(buffer).subspan(first, last - first)));
        });
    };
    // A message that grows is copied several times, each time to fresh pages.
    std::size_t bytes = sizeof(std::uint64_t);
    for_each([&](std::span<const std::byte> field) { bytes += field.size(); });
    message.reserve(bytes);
    halfulp::write(message, static_cast<std::uint64_t>(last - first));
    for_each([&](std::span<const std::byte> field) { message.insert(message.end(), field.begin(), field.end()); });
    return message;
}

inline std::uint64_t count_in(const Bytes& message) { return MessageReader(message).take<std::uint64_t>(); }

// Adds the particles of a message after those there are.
template <class Policy>
void unpack(const Bytes& message, Gathered which, Buffers<Policy>& particles)
{
    MessageReader reader(message);
    const auto count = reader.take<std::uint64_t>();
    particles.for_each([&](const FieldInfo& info, auto& buffer) {
        if (!is_gathered(which, info)) return;
        const std::size_t before = buffer.size();
        buffer.resize(before + count);
        reader.read_bytes(static_cast<void*>(buffer.data() + before), count * sizeof(buffer[0]));
    });
}

// Collective, but at rank 0: gives it these particles. Where ranks share memory, it copies them from there.
template <class Policy>
void hand_over(Peers& peers, const Buffers<Policy>& own, Gathered which)
{
    if (!peers.share_memory()) {
        peers.gather(packed(own, which, 0, own.count()));
        return;
    }
    Bytes message;
    halfulp::write(message, &own);
    peers.gather(std::move(message));
    static_cast<void>(peers.any(false));  // they are there until rank 0 has copied them
}

// Of ranks that share memory, at rank 0: its own particles and then those that the others' messages point to.
template <class Policy>
Buffers<Policy> joined(const Buffers<Policy>& own, const std::vector<Bytes>& messages, Gathered which)
{
    std::vector<std::size_t> counts;
    std::vector<std::vector<RawField>> fields;
    std::size_t count = 0;
    for (std::size_t r = 0; r < messages.size(); ++r) {
        const Buffers<Policy>& part = r == 0 ? own : *MessageReader(messages[r]).take<const Buffers<Policy>*>();
        counts.push_back(part.count());
        count += part.count();
        fields.push_back(raw_fields_of(const_cast<Buffers<Policy>&>(part),
                                       [which](const FieldInfo& info) { return is_gathered(which, info); }));
    }
    Buffers<Policy> all(own.physics);
    for_each_field_by_threads(all, count, [&](std::size_t field, auto& buffer) {
        if (!fields[0][field].moves) return;
        buffer.resize(count);
        auto* to = reinterpret_cast<std::byte*>(buffer.data());
        for (std::size_t r = 0; r < counts.size(); ++r) {
            const std::size_t bytes = counts[r] * sizeof(buffer[0]);
            if (bytes > 0) std::memcpy(to, fields[r][field].data, bytes);
            to += bytes;
        }
    });
    return all;
}

// Collective, at rank 0: its own particles and then those that the others hand over.
template <class Policy>
Buffers<Policy> collected(Peers& peers, Buffers<Policy> own, Gathered which)
{
    std::vector<Bytes> messages = peers.gather({});
    if (peers.share_memory()) {
        Buffers<Policy> all = joined(own, messages, which);
        static_cast<void>(peers.any(false));
        return all;
    }
    std::size_t count = own.count();
    for (std::size_t r = 1; r < messages.size(); ++r) count += count_in(messages[r]);
    own.for_each([&](const FieldInfo& info, auto& buffer) {
        if (is_gathered(which, info)) buffer.reserve(count);
    });
    for (std::size_t r = 1; r < messages.size(); ++r) {
        unpack(messages[r], which, own);
        messages[r] = {};
    }
    return own;
}

}  // namespace halfulp::detail
