#include "core/output/checksum.hpp"

#include <cstdint>

// The whole of xxHash is compiled in here: there is no library of it to link.
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace halfulp {

struct Checksum::State {
    XXH3_state_t xxh3;
};

Checksum::Checksum() : state_(std::make_unique<State>()) { XXH3_128bits_reset(&state_->xxh3); }

Checksum::~Checksum() = default;

void Checksum::absorb(const void* data, std::size_t size) { XXH3_128bits_update(&state_->xxh3, data, size); }

void Checksum::absorb(std::string_view text)
{
    const std::uint64_t size = text.size();
    absorb(&size, sizeof size);
    absorb(text.data(), text.size());
}

StateHash Checksum::value() const
{
    const XXH128_hash_t hash = XXH3_128bits_digest(&state_->xxh3);
    return {{hash.high64, hash.low64}};  // in this order its canonical text
}

}  // namespace halfulp
