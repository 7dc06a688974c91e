// Checksums of what is written: 128 bits over a name and bytes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <string_view>

#include "core/output/state_hash.hpp"

namespace halfulp {

class Checksum {
public:
    void absorb(const void* data, std::size_t size)
    {
        const auto* bytes = static_cast<const std::byte*>(data);
        for (std::size_t at = 0; at < size; at += 4) {
            std::uint32_t word = 0;
            std::memcpy(&word, bytes + at, std::min<std::size_t>(4, size - at));
            digest_.absorb(word);
        }
    }
    void absorb(std::string_view text)
    {
        digest_.absorb(static_cast<std::uint32_t>(text.size()));
        absorb(text.data(), text.size());
    }
    void absorb(double value) { absorb(&value, sizeof value); }
    void absorb(std::uint64_t value) { absorb(&value, sizeof value); }
    // Of all that was absorbed so far.
    [[nodiscard]] StateHash value() const
    {
        const auto words = digest_.finish();
        return {{words.first, words.second}};
    }

private:
    ParticleDigest digest_;
};

// Of everything that a file has of them.
StateHash checksum_of(const Column& column);
StateHash checksum_of(const Snapshot& snapshot);  // but for the columns' data
StateHash checksum_of(const std::map<std::string, std::string>& texts);
StateHash checksum_of(const std::string& case_given, const std::string& case_completed);

}  // namespace halfulp
