// Bits of the candidates of a search, range by range, in the words of a thread, which lie a stride apart.
//
// Masks have a word for each 32 candidates of a range. Lists are made of packed bits, in which a range begins with a
// byte: in three quarters of the shared memory, whose size bounds the threads that search at once.
#pragma once

#include <cstdint>

namespace halfulp::cuda {

class BitWords {
public:
    __device__ BitWords(std::uint32_t* words, int stride) : next_(words), stride_(stride) {}
    // Of up to 32 candidates; the others are zero.
    __device__ void put(std::uint32_t bits, std::uint32_t /*candidates*/)
    {
        *next_ = bits;
        next_ += stride_;
    }
    __device__ void end() {}

private:
    std::uint32_t* next_;
    int stride_;
};

class PackedBits {
public:
    // Bits that so many candidates of a range take.
    static __device__ std::uint32_t taken(std::uint32_t candidates) { return (candidates + 7) & ~7U; }
    // Of all ranges with so many bytes, and for the reader, which is two words ahead.
    static __device__ std::uint32_t words_for(std::uint32_t bytes) { return (bytes + 3) / 4 + 2; }

    __device__ PackedBits(std::uint32_t* words, int stride) : next_(words), stride_(stride) {}
    __device__ void put(std::uint32_t bits, std::uint32_t candidates)
    {
        word_ |= bits << used_;
        const std::uint32_t beyond = __funnelshift_l(bits, 0, used_);
        used_ += taken(candidates);
        if (used_ < 32) return;
        *next_ = word_;
        next_ += stride_;
        word_ = beyond;
        used_ -= 32;
    }
    __device__ void end() { *next_ = word_; }

private:
    std::uint32_t* next_;
    int stride_;
    std::uint32_t word_ = 0;
    std::uint32_t used_ = 0;  // bits of it
};

class PackedBitsReader {
public:
    __device__ PackedBitsReader(const std::uint32_t* words, int stride)
        : next_(words + 2 * stride), stride_(stride), word_(words[0]), coming_(words[stride])
    {
    }
    // The bits of the next candidates, as many as were put.
    __device__ std::uint32_t take(std::uint32_t candidates)
    {
        const std::uint32_t bits = __funnelshift_r(word_, coming_, used_);
        used_ += PackedBits::taken(candidates);
        if (used_ >= 32) {
            used_ -= 32;
            word_ = coming_;
            coming_ = *next_;
            next_ += stride_;
        }
        return candidates < 32 ? bits & ((1U << candidates) - 1) : bits;
    }

private:
    const std::uint32_t* next_;
    int stride_;
    std::uint32_t word_;
    std::uint32_t coming_;
    std::uint32_t used_ = 0;  // bits of the word
};

}  // namespace halfulp::cuda
