// Single numbers of a snapshot.
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

// Of a column of either type of real numbers.
inline double real_at(const Column& column, std::size_t index)
{
    return column.type == ColumnType::float32 ? static_cast<double>(number_at<float>(column, index))
                                              : number_at<double>(column, index);
}

}  // namespace halfulp
