#include "core/results/snapshot.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cstring>
#include <stdexcept>

namespace halfulp {

const char* type_name(ColumnType type)
{
    switch (type) {
    case ColumnType::float32: return "float32";
    case ColumnType::float64: return "float64";
    case ColumnType::int32: return "int32";
    case ColumnType::uint32: return "uint32";
    case ColumnType::uint8: return "uint8";
    }
    return "";
}

std::string StateHash::text() const { return fmt::format("{:016x}{:016x}", words[0], words[1]); }

std::optional<StateHash> parse_hash(std::string_view text)
{
    StateHash hash;
    if (text.size() != 32) return std::nullopt;
    for (std::size_t half = 0; half < 2; ++half) {
        const std::string_view digits = text.substr(16 * half, 16);
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), hash.words[half], 16);
        if (error != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
    }
    return hash;
}

Snapshot whole(const SnapshotSource& source)
{
    Snapshot snapshot;
    snapshot.count = source.count;
    snapshot.step = source.step;
    snapshot.time = source.time;
    snapshot.hash = source.hash;
    for (const ColumnSource& one : source.columns) {
        Column& column = snapshot.columns.emplace_back(one.column);
        column.data.resize(source.count * bytes_a_particle(column));
        one.read(0, source.count, column.data.data());
    }
    return snapshot;
}

SnapshotSource source_of(const Snapshot& snapshot)
{
    SnapshotSource source{.count = snapshot.count,
                          .step = snapshot.step,
                          .time = snapshot.time,
                          .hash = snapshot.hash,
                          .columns = {},
                          .place = {}};
    for (const Column& column : snapshot.columns) {
        const std::size_t stride = bytes_a_particle(column);
        if (column.components < 1 || column.data.size() != snapshot.count * stride)
            throw std::logic_error("column " + column.name + " does not have the size its type and count say");
        const std::byte* const data = column.data.data();
        source.columns.push_back(
            {{column.name, column.unit, column.description, column.type, column.components, column.state, {}},
             [data, stride](std::uint64_t first, std::uint64_t count, std::byte* to) {
                 if (count > 0) std::memcpy(to, data + first * stride, count * stride);
             }});
    }
    return source;
}

}  // namespace halfulp
