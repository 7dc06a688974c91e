// The digest behind StateHash: one particle's state, word by word, in 128 well-mixed bits. The hash of a state is the
// sum modulo 2^64 of both halves over all particles, independent of order, threads and ranks.
#pragma once

#include <cstdint>

#include "core/results/snapshot.hpp"
#include "precision/annotation.hpp"

namespace halfulp {

// Absorb the id first, then every word of the particle's state in the order of the column table: the id makes a swap of
// two particles' states visible in the sum. Two chains with unrelated finalizers, each a bijection of its 64 bits at
// every word, so two inputs that differ in one word never have the same digest. Not for use against an adversary.
class ParticleDigest {
public:
    struct Words {
        std::uint64_t first;
        std::uint64_t second;
    };

    HALFULP_HOST_DEVICE void absorb(std::uint32_t word)
    {
        first_ = splitmix(first_ + 0x9e3779b97f4a7c15u + word);
        second_ = murmur((second_ ^ word) + 0x9fb21c651e98df25u);
        ++length_;
    }

    // Closes the digest; the number of words enters, so a state is never the prefix of another.
    [[nodiscard]] HALFULP_HOST_DEVICE Words finish() const
    {
        return {splitmix(first_ ^ length_), murmur(second_ + length_)};
    }

private:
    // The finalizer of SplitMix64: Steele, Lea and Flood 2014 (OOPSLA), with the constants of Stafford's variant 13.
    HALFULP_HOST_DEVICE static std::uint64_t splitmix(std::uint64_t z)
    {
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        return z ^ (z >> 31);
    }

    // The finalizer of MurmurHash3, fmix64: Appleby 2011, public domain.
    HALFULP_HOST_DEVICE static std::uint64_t murmur(std::uint64_t z)
    {
        z = (z ^ (z >> 33)) * 0xff51afd7ed558ccdu;
        z = (z ^ (z >> 33)) * 0xc4ceb9fe1a85ec53u;
        return z ^ (z >> 33);
    }

    std::uint64_t first_ = 0x243f6a8885a308d3u;  // 128 bits of the fraction of pi
    std::uint64_t second_ = 0x13198a2e03707344u;
    std::uint64_t length_ = 0;
};

// Adds one particle's digest, or another part's sum, to a hash.
inline void add(StateHash& hash, ParticleDigest::Words words)
{
    hash.words[0] += words.first;
    hash.words[1] += words.second;
}

inline void add(StateHash& hash, const StateHash& part)
{
    hash.words[0] += part.words[0];
    hash.words[1] += part.words[1];
}

}  // namespace halfulp
