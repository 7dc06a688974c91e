// Access to single numbers of a snapshot, and the mapping between rows and particles.
#pragma once

#include <algorithm>
#include <cstring>
#include <string_view>

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

// From a column of either type of real numbers.
inline double real_at(const Column& column, std::size_t index)
{
    return column.type == ColumnType::float32 ? static_cast<double>(number_at<float>(column, index))
                                              : number_at<double>(column, index);
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
