// The state of all particles at one moment, as columns in order of id. What output, comparison and figures work on;
// it knows no precision policy: a column says its own type.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace halfulp {

enum class ColumnType : std::uint8_t { float32, float64, int32, uint32, uint8 };

constexpr std::size_t size_of(ColumnType type)
{
    switch (type) {
    case ColumnType::float32:
    case ColumnType::int32:
    case ColumnType::uint32: return 4;
    case ColumnType::float64: return 8;
    case ColumnType::uint8: return 1;
    }
    return 0;
}

struct Column {
    std::string name;         // e.g. "offset"
    std::string unit;         // e.g. "m/s", "1"
    std::string description;  // one line
    ColumnType type = ColumnType::float32;
    int components = 1;
    bool state = false;  // part of the lossless state that the hash covers, as opposed to derived for convenience
    std::vector<std::byte> data;  // count * components values, particle by particle
};

// Two sums modulo 2^64 over all particles of a mixed digest of each: equal states have equal hashes, in whatever order
// and on however many threads they were taken. Cells enter relative to the case's origin.
struct StateHash {
    std::array<std::uint64_t, 2> words{};
    bool operator==(const StateHash&) const = default;
    [[nodiscard]] std::string text() const;  // 32 hexadecimal digits
};

struct Snapshot {
    std::uint64_t count = 0;
    std::uint64_t step = 0;
    double time = 0;  // s
    StateHash hash;
    std::vector<Column> columns;
};

}  // namespace halfulp
