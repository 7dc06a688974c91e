#include "validation/columns.hpp"

#include <bit>
#include <cstring>
#include <vector>

#include <fmt/format.h>

#include "core/error.hpp"
#include "core/setup/spelling.hpp"

namespace halfulp {

const Column* find_column(const Snapshot& snapshot, std::string_view name)
{
    for (const Column& column : snapshot.columns)
        if (column.name == name) return &column;
    return nullptr;
}

const Column& column_of(const Snapshot& snapshot, std::string_view name)
{
    if (const Column* const column = find_column(snapshot, name)) return *column;
    std::vector<std::string_view> names;
    for (const Column& column : snapshot.columns) names.push_back(column.name);
    throw input_error(fmt::format("a snapshot has no column \"{}\", but {}; take a precision whose snapshots have it",
                                  name, enumerate_names(names, "and")));
}

double number_at(const Column& column, std::size_t index)
{
    const std::uint64_t bits = bits_at(column, index);
    const auto low = static_cast<std::uint32_t>(bits);
    switch (column.type) {
    case ColumnType::float32: return static_cast<double>(std::bit_cast<float>(low));
    case ColumnType::float64: return std::bit_cast<double>(bits);
    case ColumnType::int32: return static_cast<std::int32_t>(low);
    case ColumnType::uint32:
    case ColumnType::uint8: break;
    }
    return low;
}

std::uint64_t bits_at(const Column& column, std::size_t index)
{
    const std::size_t size = size_of(column.type);
    std::uint64_t bits = 0;
    std::memcpy(&bits, column.data.data() + index * size, size);
    return bits;
}

}  // namespace halfulp
