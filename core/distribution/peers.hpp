// The ranks that share a run, as one of them sees them: collective operations, which all ranks call in the same order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

namespace halfulp {

using Bytes = std::vector<std::byte>;

// Thrown in the ranks that wait for one that has failed: that one has the reason.
struct OtherRankFailed {};

class Peers {
public:
    Peers() = default;
    virtual ~Peers() = default;
    Peers(const Peers&) = delete;
    Peers& operator=(const Peers&) = delete;

    [[nodiscard]] virtual std::size_t rank() const = 0;
    [[nodiscard]] virtual std::size_t ranks() const = 0;
    // Whether all are threads of one process, so that a pointer means the same to each.
    [[nodiscard]] virtual bool share_memory() const = 0;
    // Which of the ranks on this machine it is, from 0 on, and how many there are.
    [[nodiscard]] virtual std::size_t place_on_machine() const = 0;
    [[nodiscard]] virtual std::size_t ranks_on_machine() const = 0;
    // Replaces each value by the maximum over all ranks.
    virtual void maximum(std::span<double> values) = 0;
    // Replaces each value by the sum over all ranks, modulo 2^64.
    virtual void sum(std::span<std::uint64_t> values) = 0;
    // Sends rank 0's message to all other ranks.
    virtual void broadcast(Bytes& message) = 0;
    // Sends to[r] to every other rank r, and replaces from[r] by what r has sent here; both have an entry a rank.
    virtual void exchange(const std::vector<Bytes>& to, std::vector<Bytes>& from) = 0;
    // This rank cannot go on: ends the others' collective operations, now and later.
    virtual void fail() noexcept = 0;
    // To be called when all ranks have reached the end together.
    virtual void finish() noexcept {}

    bool any(bool mine)
    {
        double found = mine ? 1 : 0;
        maximum({&found, 1});
        return found > 0;
    }
    // At rank 0 the messages of all ranks, its own included; elsewhere nothing of use.
    std::vector<Bytes> gather(Bytes mine)
    {
        std::vector<Bytes> to(ranks());
        std::vector<Bytes> from(ranks());
        if (rank() != 0) to[0] = std::move(mine);
        exchange(to, from);
        if (rank() == 0) from[0] = std::move(mine);
        return from;
    }
};

// Plain values one after another in a message.
template <class T>
void write(Bytes& message, const T& value)
{
    static_assert(std::is_trivially_copyable_v<T>);
    const std::size_t at = message.size();
    message.resize(at + sizeof value);
    std::memcpy(message.data() + at, &value, sizeof value);
}
template <class T>
void write(Bytes& message, const std::vector<T>& values)
{
    static_assert(std::is_trivially_copyable_v<T>);
    write(message, static_cast<std::uint64_t>(values.size()));
    const std::size_t at = message.size();
    message.resize(at + values.size() * sizeof(T));
    if (!values.empty()) std::memcpy(message.data() + at, values.data(), values.size() * sizeof(T));
}

class MessageReader {
public:
    explicit MessageReader(const Bytes& message) : message_(message) {}

    void read_bytes(void* to, std::size_t bytes)
    {
        if (bytes > 0) std::memcpy(to, message_.data() + at_, bytes);
        at_ += bytes;
    }
    template <class T>
    void read(T& value)
    {
        static_assert(std::is_trivially_copyable_v<T>);
        read_bytes(&value, sizeof value);
    }
    template <class T>
    void read(std::vector<T>& values)
    {
        std::uint64_t count = 0;
        read(count);
        values.resize(count);
        read_bytes(values.data(), count * sizeof(T));
    }
    template <class T>
    [[nodiscard]] T take()
    {
        T value{};
        read(value);
        return value;
    }

private:
    const Bytes& message_;
    std::size_t at_ = 0;
};

}  // namespace halfulp
