// Access to single numbers of a snapshot, and the mapping between rows and particles.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "core/results/snapshot.hpp"

namespace halfulp {

// The column of that name, or null.
inline const Column* find_column(const Snapshot& snapshot, std::string_view name)
{
    const auto found = std::find_if(snapshot.columns.begin(), snapshot.columns.end(),
                                    [&](const Column& column) { return column.name == name; });
    return found == snapshot.columns.end() ? nullptr : &*found;
}

// index: of the particle, times the components, plus the component.
template <class T>
T number_at(const Column& column, std::size_t index)
{
    T value{};
    std::memcpy(&value, column.data.data() + index * sizeof(T), sizeof(T));
    return value;
}

// Calls use(T{}), T the type of a column's numbers.
template <class Use>
auto with_number_type(ColumnType type, const Use& use)
{
    switch (type) {
    case ColumnType::float32: return use(float{});
    case ColumnType::float64: return use(double{});
    case ColumnType::int32: return use(std::int32_t{});
    case ColumnType::uint32: return use(std::uint32_t{});
    case ColumnType::uint8: break;
    }
    return use(std::uint8_t{});
}

// A double holds the numbers of every type without rounding.
inline double number_at(const Column& column, std::size_t index)
{
    return with_number_type(column.type, [&]<class T>(T) { return static_cast<double>(number_at<T>(column, index)); });
}

// The shortest text that reads back as the same number.
inline std::string text_at(const Column& column, std::size_t index)
{
    return with_number_type(column.type, [&]<class T>(T) { return fmt::format("{}", number_at<T>(column, index)); });
}

// The id of a row's particle.
inline std::uint32_t id_of(const Snapshot& snapshot, std::uint64_t row)
{
    const Column* const ids = find_column(snapshot, id_column);
    return ids == nullptr ? static_cast<std::uint32_t>(row) : number_at<std::uint32_t>(*ids, row);
}

// The row of a particle; the number of rows if it has none.
inline std::uint64_t row_of(const Snapshot& snapshot, std::uint32_t id)
{
    std::uint64_t low = 0;
    std::uint64_t high = snapshot.count;
    while (low < high) {
        const std::uint64_t middle = low + (high - low) / 2;
        if (id_of(snapshot, middle) < id) low = middle + 1;
        else high = middle;
    }
    return low < snapshot.count && id_of(snapshot, low) == id ? low : snapshot.count;
}

}  // namespace halfulp
