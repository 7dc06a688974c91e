// The state of all particles at one time, as columns with a row for each particle in ascending id: the input of output,
// comparison and figures. It is independent of precision policies: each column has its own type.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace halfulp {

enum class ColumnType : std::uint8_t { float32, float64, int32, uint32, uint8 };

inline constexpr std::array column_types{ColumnType::float32, ColumnType::float64, ColumnType::int32,
                                         ColumnType::uint32, ColumnType::uint8};

const char* type_name(ColumnType type);

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

// The column of ids, before the others: only where they differ from the row numbers.
inline constexpr const char* id_column = "id";

struct Column {
    std::string name;         // e.g. "offset"
    std::string unit;         // e.g. "m/s", "1"
    std::string description;  // one line
    ColumnType type = ColumnType::float32;
    int components = 1;
    bool state = false;           // part of the lossless state covered by the hash, not derived for convenience
    std::vector<std::byte> data;  // count * components values, particle by particle
};

// Two sums modulo 2^64 of a mixed digest of each particle: equal states have equal hashes, for any order and any number
// of threads. Cells enter relative to the case's origin.
struct StateHash {
    std::array<std::uint64_t, 2> words{};
    bool operator==(const StateHash&) const = default;
    [[nodiscard]] std::string text() const;  // 32 hexadecimal digits
};

// Nothing for a text that is not 32 hexadecimal digits.
std::optional<StateHash> parse_hash(std::string_view text);

struct Snapshot {
    std::uint64_t count = 0;
    std::uint64_t step = 0;
    double time = 0;  // s
    StateHash hash;
    bool whole_state = true;  // the columns hold all that the hash covers, for every particle
    std::vector<Column> columns;
};

// A column whose values are computed on request.
struct ColumnSource {
    Column column;  // without data
    // Writes the values of `count` particles, from the row `first` on, to `to`.
    std::function<void(std::uint64_t first, std::uint64_t count, std::byte* to)> read;
};

// A snapshot whose columns are computed piece by piece, so that they are never all in memory.
struct SnapshotSource {
    std::uint64_t count = 0;
    std::uint64_t step = 0;
    double time = 0;  // s
    StateHash hash;
    std::vector<ColumnSource> columns;
    // The position relative to the case's origin, m, three components: to select a part of the domain.
    std::function<void(std::uint64_t first, std::uint64_t count, double* to)> place;
};

// All columns of a source.
Snapshot whole(const SnapshotSource& source);

// The columns of a snapshot, which must outlive it, as a source. Without `place`.
SnapshotSource source_of(const Snapshot& snapshot);

inline std::size_t bytes_a_particle(const Column& column)
{
    return static_cast<std::size_t>(column.components) * size_of(column.type);
}

}  // namespace halfulp
