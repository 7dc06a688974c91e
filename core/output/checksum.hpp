// Checksums of written data: 128 bits over bytes, at memory speed.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "core/results/state_hash.hpp"

namespace halfulp {

// Four independent chains of 64 bits, each over every fourth word of 8 bytes, for instruction-level parallelism. A step
// of a chain is a bijection both of its 64 bits and of the word, as is the combination of the chains: bytes that differ
// in one chain's part of a single stripe never have the same checksum. Not for use against an adversary.
class Checksum {
public:
    void absorb(const void* data, std::size_t size)
    {
        const auto* bytes = static_cast<const std::byte*>(data);
        length_ += size;
        if (held_ > 0) {
            const std::size_t some = std::min(size, stripe_.size() - held_);
            if (some > 0) std::memcpy(stripe_.data() + held_, bytes, some);
            held_ += some;
            bytes += some;
            size -= some;
            if (held_ < stripe_.size()) return;
            step(stripe_.data());
            held_ = 0;
        }
        for (; size >= stripe_.size(); bytes += stripe_.size(), size -= stripe_.size()) step(bytes);
        if (size > 0) std::memcpy(stripe_.data(), bytes, size);
        held_ = size;
    }
    void absorb(std::string_view text)
    {
        const std::uint64_t size = text.size();
        absorb(&size, sizeof size);
        absorb(text.data(), text.size());
    }
    // Of all bytes absorbed so far.
    [[nodiscard]] StateHash value() const
    {
        Checksum rest = *this;
        if (held_ > 0) {
            std::fill(rest.stripe_.begin() + static_cast<std::ptrdiff_t>(held_), rest.stripe_.end(), std::byte{0});
            rest.step(rest.stripe_.data());
        }
        ParticleDigest digest;
        for (const std::uint64_t chain : rest.chains_) {
            digest.absorb(static_cast<std::uint32_t>(chain));
            digest.absorb(static_cast<std::uint32_t>(chain >> 32U));
        }
        digest.absorb(static_cast<std::uint32_t>(length_));
        digest.absorb(static_cast<std::uint32_t>(length_ >> 32U));
        const auto words = digest.finish();
        return {{words.first, words.second}};
    }

private:
    static constexpr std::size_t chains = 4;

    void step(const std::byte* stripe)
    {
        std::array<std::uint64_t, chains> words;
        std::memcpy(words.data(), stripe, sizeof words);
        for (std::size_t k = 0; k < chains; ++k) {
            // The multiplier of splitmix's second round; any odd one is a bijection.
            const std::uint64_t mixed = (chains_[k] ^ words[k]) * 0x94d049bb133111ebU;
            chains_[k] = (mixed ^ (mixed >> 32U)) + 0x9e3779b97f4a7c15U;
        }
    }

    std::array<std::uint64_t, chains> chains_{1, 2, 3, 4};
    std::array<std::byte, chains * 8> stripe_{};
    std::size_t held_ = 0;  // bytes of the stripe
    std::uint64_t length_ = 0;
};

}  // namespace halfulp
