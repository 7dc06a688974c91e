// Checksums of what is written: XXH3 with 128 bits, at the speed of memory.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

#include "core/results/snapshot.hpp"

namespace halfulp {

// Of bytes that come piece by piece. As text it is what `xxh128sum` prints of them, on every machine. Not for use
// against an adversary.
class Checksum {
public:
    Checksum();
    ~Checksum();

    void absorb(const void* data, std::size_t size);
    // A text, with its length (64 bits) in front.
    void absorb(std::string_view text);
    // Of all that was absorbed so far.
    [[nodiscard]] StateHash value() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace halfulp
